"""The input of resource checks: one resource of a template."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import islice

from msgspec.structs import astuple, replace

from heatstudio.analysis.scope.branches import Case, inactive, suppositions, taken, untaken, without_references
from heatstudio.analysis.scope.calls import GET_PARAM, REF, Call, PlacedMap, calls_among, maps
from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.nearest import nearest
from heatstudio.analysis.scope.semantic_model import Options
from heatstudio.analysis.scope.stray_call import StrayCall, among_keys, stray_calls
from heatstudio.analysis.scope.template_scope import Stage, TemplateScope, Validation
from heatstudio.analysis.scope.validation_problems import early_problems, is_pending, pending_names, unreadable_values
from heatstudio.catalog.rules.update_rule import MemberRule
from heatstudio.catalog.rules.validation_read import ValidationRead, external_rules
from heatstudio.catalog.schema import Family, PropertySchema, ResourceType, property_at
from heatstudio.stack.definition.client_files import FileFault, named_files
from heatstudio.stack.definition.definition_problems import resource_problems, unloaded_attributes
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.reads import Read, ReadKind, StackReader, recording
from heatstudio.stack.definition.source import Source
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.definition.types import FoundType, Origin, Types
from heatstudio.stack.functions import examine
from heatstudio.stack.functions.conditions import Supposition
from heatstudio.stack.functions.function import OMITTED, Function, FunctionError, StackView, parse, resolve
from heatstudio.stack.functions.hot_functions import Removed
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.path import BranchIndex, dotted
from heatstudio.stack.problem import StackProblem
from heatstudio.stack.resource_definition import ResourceDefinition
from heatstudio.stack.unknown import Shape, Unknown, freeze
from heatstudio.stack.values.properties import Properties, resource_properties
from heatstudio.stack.values.property_problem import PropertyFault, PropertyProblem
from heatstudio.stack.values.written_properties import GivenProperty, written_properties
from heatstudio.template import DataFix, Dialect, Part, TreePath
from heatstudio.text import Severity
from heatstudio.update.members.member_definitions import drops_nulls
from heatstudio.update.sides.attribute_values import LONGEST_CHAIN

OWNERS = frozenset({Family.STACK, Family.TEMPLATE})
_MOST_MISSPELLED = 100
"""Maximum number of unknown properties for which similar names are searched."""


class ResourceScope:
    """One resource, with derived values that are computed once.

    Findings about the resource are reused for later versions of the text while all `reads` are unchanged. Therefore
    checks access the stack only through `view`, which records the reads, and files only through `view` and `types`.
    All other inputs are the resource's own text, and values whose change discards all findings: the environment, the
    types of the catalog, the settings and the template version.

    `group` is the group that defines a member: its values are computed, its text is a part of the group's text.
    `changing` are the properties whose values change when the resource is created.
    """

    def __init__(
        self,
        whole: TemplateScope,
        name: str,
        reads: set[Read] | None = None,
        *,
        as_if_disabled: bool = False,
        group: ResourceScope | None = None,
        changing: Sequence[str] = (),
    ) -> None:
        self._whole = whole
        self._group = group
        self._changing = changing
        self.name = name
        self.knowledge: Knowledge = whole.knowledge
        self.settings: Options = whole.settings
        self.depth: int = whole.types.depth
        self.words: Dialect = whole.words
        self.client_versions: Mapping[str, str] = whole.client_versions
        self.is_version_known: bool = whole.is_version_known
        self.validation: Validation = whole.validation
        self.stage: Stage = whole.stage
        self.is_created: bool = whole.is_created
        self.strict: bool = whole.strict
        self.definition: ResourceDefinition = whole.stack.resource_definition(name)
        self.path, self.type_path, self.properties_path = astuple(self.definition.place)
        self.reads: set[Read] = reads if reads is not None else set()
        self.view: StackReader = whole.stack if whole.is_created else recording(whole.stack, self.reads)
        self.found: FoundType | None = self._find_type(self.definition.type, name) if self.definition.type else None
        self.type: ResourceType | None = self.found.type if self.found is not None else None
        self._as_if_disabled = as_if_disabled

    @property
    def types(self) -> Types:
        """The types, including those read from files: findings that use them are discarded when a file changes."""
        self.reads.add(self._whole.stack.read(ReadKind.TYPES, None))
        return self._whole.types

    def _find_type(self, name: str, resource: str) -> FoundType:
        """Return the type of a resource; record the read of files unless the type is from the catalog."""
        found = self._whole.types.find(name, resource)
        return found if found.origin is Origin.CATALOG else self.types.find(name, resource)

    @property
    def member_rule(self) -> MemberRule | None:
        """The properties of a group that define its members; None if the resource is no group."""
        return self.knowledge.update_behavior(self.type).members if self.type is not None else None

    @property
    def later_type(self) -> ResourceType | None:
        """The type of the resource if only releases after the target have it, else None."""
        if self.found is None or self.found.type is not None:
            return None
        return self.knowledge.newest.get(self.found.target)

    def later_property(self, path: TreePath) -> PropertySchema | None:
        """Return the property at a path in the newest release, for a path that is unknown in the target release."""
        newest = self.knowledge.newest.get(self.type.name) if self.type is not None else None
        return property_at(newest.properties, path) if newest is not None else None

    @property
    def type_words(self) -> str:
        """The type name in the template, followed by the actual type if the name is mapped."""
        written = str(self.definition.type)
        return f"{written} ({self.type.name})" if self.type is not None and self.type.name != written else written

    @cached_property
    def is_external(self) -> bool:
        """Whether the resource has an external ID: then Heat ignores all properties."""
        if self.definition.external_id is None:
            return False
        try:
            return resolve(self.definition.external_id, self.view) is not None
        except FunctionError:
            return True

    @cached_property
    def is_disabled(self) -> bool:
        """Whether a condition disables the resource: then Heat only parses its definition."""
        return self._as_if_disabled or self.view.is_enabled(self.name) is False

    def neighbor(self, name: str) -> ResourceScope:
        """Return another resource of the stack, whose reads are recorded here. Raise KeyError."""
        self.view.resource_definition(name)
        return ResourceScope(self._whole, name, self.reads)

    def inner(
        self, source: Source, stack: StackDefinition, types: Types, least: Validation = Validation.NESTED
    ) -> TemplateScope:
        """Return the scope of a stack that this resource owns."""
        is_split = self.stage is Stage.BOTH and self.changes_when_created
        validation, stage = max(self.validation, least), Stage.VALIDATION if is_split else self.stage
        inner = replace(self._whole, source=source, stack=stack, types=types, validation=validation, stage=stage)
        return replace(inner, is_created=False, supposed={})

    def data_at(self, path: TreePath) -> object:
        """Return the written data at a path of this resource, or None."""
        return self._group.data_at(path) if self._group else at(self.definition.data, path[len(self.path) :])

    @cached_property
    def references(self) -> tuple[examine.Reference, ...]:
        """The function calls in the resource that refer to another resource."""
        return tuple(examine.dependencies([self.definition.properties, self.definition.metadata], self.view))

    @cached_property
    def is_ignored(self) -> bool:
        """Whether Heat ignores all values: the resource is disabled or external, or its type does nothing."""
        does_nothing = self.type is not None and Family.NO_OP in self.type.families
        return does_nothing or self.is_disabled or self.is_external

    @property
    def is_validated(self) -> bool:
        """Whether Heat validates the properties and policies, and the type is known."""
        return self.type is not None and not self.is_ignored

    @cached_property
    def untaken(self) -> Mapping[TreePath, Case]:
        """The branches of `if` that are not certainly taken, with the cases in which they are taken."""
        own = self.definition
        parts = [own.properties, own.metadata, own.update_policy, own.external_id, own.deletion_policy]
        return {path: case for part in parts for path, case in untaken(part, self.view)}

    @property
    def inactive(self) -> Iterator[tuple[TreePath, str]]:
        """The parts of the resource that are inactive with the current values, with the reasons."""
        is_off = self.view.is_enabled(self.name) is False
        return inactive(
            {self.path: Case().with_clause(self.definition.condition, True, False)} if is_off else self.untaken
        )

    @property
    def suppositions(self) -> Iterator[tuple[Supposition, Severity]]:
        """The condition values to suppose so that each part of the resource is active at least once."""
        own = self._enabled
        inner = (case.within(own) for case in self.untaken.values())
        return suppositions((own, *inner) if own.clauses else inner, self.view, len(self.untaken))

    @property
    def _enabled(self) -> Case:
        """The case in which the resource is enabled."""
        condition, now = self.definition.condition, self.view.is_enabled(self.name)
        if now is False or self.view.is_uncertain(self.name):
            return Case().with_clause(condition, True, now)
        return Case(given=((condition, True),) if condition is not None else ())

    @property
    def suppositions_without_references(self) -> Iterator[tuple[Supposition, Severity]]:
        """The condition values to suppose so that each referenced resource is disabled at least once."""
        references = self.references if not self.is_external else ()
        return suppositions(without_references(references, self.view, self._enabled), self.view)

    @cached_property
    def maps(self) -> tuple[PlacedMap, ...]:
        """The maps in the definition, except in branches that are not certainly taken."""
        return tuple(maps(self.definition.data, self.path, self.untaken))

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """The possible function calls among the maps."""
        return tuple(calls_among(self.maps))

    @cached_property
    def attribute_reads(self) -> tuple[examine.AttributeRead, ...]:
        """The attributes that the properties and the metadata read."""
        return tuple(examine.attribute_reads([self.definition.properties, self.definition.metadata], self.view))

    @cached_property
    def stray_calls(self) -> tuple[StrayCall, ...]:
        """The maps that look like calls, but are data."""
        found = among_keys(self.maps, self.view.language)
        return (*stray_calls(self.calls, self.view.language, self.knowledge), *found)

    @cached_property
    def file_faults(self) -> tuple[tuple[str, TreePath, FileFault], ...]:
        """The faults of the files that the resource names, as (name, path of the name, fault)."""
        named = named_files(self.definition.data, self.path)
        faults = ((name, path, self.view.file_fault(name)) for name, path in named)
        return tuple((name, path, fault) for name, path, fault in faults if fault is not None)

    @property
    def lacks_files(self) -> bool:
        """Whether python-heatclient fails to read a file of this resource, so that Heat never receives the template."""
        if self._group is not None:  # the definition of a member is in that of its group
            return self._group.lacks_files
        return self.depth == 0 and any(fault.is_unread for _, _, fault in self.file_faults)

    @cached_property
    def raw_properties(self) -> Mapping[str, object]:
        """The properties as written."""
        found = self.data_at(self.properties_path)
        return found if isinstance(found, Mapping) else {}

    @cached_property
    def written(self) -> tuple[GivenProperty, ...]:
        """The written properties that the type has."""
        if self.type is None or isinstance(self.definition.properties, Function):
            return ()
        return tuple(written_properties(self.type.properties, self.raw_properties))

    @cached_property
    def properties(self) -> Properties | None:
        """The property values that Heat's validation computes; None if the properties are not validated."""
        parsed = self.definition.properties
        if self.type is None or not self.is_validated or isinstance(parsed, Function):
            return None

        # A bound method would create a reference cycle, which keeps the whole analysis alive until garbage collection.
        waits = None if self.is_created else partial(is_pending, self.view)
        return resource_properties(self.definition, self.type, self.view, is_pending=waits)

    def value_now(self, written: object) -> object:
        """Return the current value of an expression in the properties, or Unknown."""
        if self._group is not None:
            return self._group.value_now(written)
        parsed = parse(written, self.view.language, self.properties_path)
        try:
            value = OMITTED if is_pending(self.view, parsed) else resolve(parsed, self.view, nullable=True)
        except FunctionError:
            value = OMITTED
        return Unknown(("value", freeze(written))) if value is OMITTED else value

    def awaits(self, written: object) -> bool:
        """Return whether an expression in the properties reads other resources."""
        if self._group is not None:
            return self._group.awaits(written)
        return any(examine.resource_calls(parse(written, self.view.language, self.properties_path), self.view))

    @cached_property
    def definition_problems(self) -> tuple[StackProblem | examine.FunctionProblem, ...]:
        """The problems of the definition, apart from the properties."""
        if isinstance(self.definition.deletion_policy, Function):
            resolved(self.definition.deletion_policy, self.view)
        return tuple(resource_problems(self.view, self.name, is_enabled=not self.is_disabled))

    @cached_property
    def function_problems(self) -> tuple[examine.FunctionProblem, ...]:
        """The invalid function calls in the resource."""
        definition = self.definition
        parts = [definition.properties, definition.metadata, definition.update_policy, definition.external_id]
        validated = [(part, not self.is_ignored) for part in parts]
        policy = definition.deletion_policy  # Heat resolves it when it parses the definition, and rejects a map
        validated.append((policy, not self.is_external or isinstance(policy, Removed)))
        found = [
            problem
            for part, is_validated in validated
            if isinstance(part, (Function, dict))
            for problem in examine.validate(part, self.view)
            if problem.stage == "parse" or is_validated
        ]
        reported = {problem.path for problem in found}
        unloaded = unloaded_attributes(self.view, definition) if not self.is_ignored else ()
        return (*found, *(problem for problem in unloaded if problem.path not in reported))

    @cached_property
    def missed(self) -> frozenset[TreePath]:
        """The paths of the function names of calls that fail because a referenced element is missing."""
        return frozenset(problem.origin for problem in self.problems if problem.missing and not problem.is_late)

    @cached_property
    def problems(self) -> tuple[PropertyProblem, ...]:
        """The problems of the properties, apart from the function problems."""
        if self.type is None or self.properties is None:
            return tuple(self._problems_if_external())
        reads = self.knowledge.validation_reads.get(self.type.name, ())
        if self.is_created:
            found = list(self.properties.problems_of(self._changing))
        else:
            found = [*self.properties.problems(), *early_problems(reads, self.type, self.properties, self._pending)]
        if self.stage is Stage.CREATION:
            found = [replace(one, is_late=True) for one in found if self._remains(one, ())]
        elif not self.strict:
            values = unreadable_values(reads if self.validation is not Validation.TEMPLATE else (), self.properties)
            early = [*self.properties.name_problems(), *values]
            known = {(problem.fault, problem.path) for problem in early}
            later = (replace(one, is_late=True) for one in found if self._remains(one, known))
            found = [*early, *(later if self.stage is Stage.BOTH else ())]
        reported = {problem.path for problem in self.function_problems} if found else ()
        return tuple(problem for problem in found if not problem.origin or problem.origin not in reported)

    @property
    def external_reads(self) -> tuple[ValidationRead, ...]:
        """The properties that the plug-in of an external resource reads nevertheless."""
        is_read = self.type is not None and self.is_external and not self.is_disabled
        names = external_rules().reads.get(self.type.name, ()) if self.type is not None and is_read else ()
        return tuple(map(ValidationRead, names))

    def _problems_if_external(self) -> Iterator[PropertyProblem]:
        written, view = self.definition.properties or {}, self.view
        if self.external_reads and self.type is not None and isinstance(written, Mapping):
            properties = Properties(self.type.properties, written, resolve=lambda value: resolve(value, view))
            yield from unreadable_values(self.external_reads, properties)

    def _remains(self, problem: PropertyProblem, known: Container[tuple[PropertyFault, TreePath]]) -> bool:
        """Return whether a problem is not known and remains when the outer stack, and so its ID, exists."""
        value = problem.value
        is_outer_id = self._group is not None and isinstance(value, Unknown) and value.shape is Shape.STACK_ID
        return not is_outer_id and (problem.fault, problem.path) not in known

    @cached_property
    def changes_when_created(self) -> bool:
        """Whether values of properties may change when the resources to which they refer exist."""
        owns_stack = self.type is not None and bool(OWNERS & self.type.families)
        reads = self.references if owns_stack else self.attribute_reads
        return not self.is_ignored and (bool(reads) or drops_nulls(self.properties, self.member_rule))

    @property
    def created(self) -> ResourceScope | None:
        """This resource when Heat creates it; None if its values are the same, or have a scope of their own."""
        if self.is_created or self.stage is Stage.VALIDATION or not self.changes_when_created:
            return None
        readers, seen = [self], set[tuple[str, str]]()
        for _ in range(LONGEST_CHAIN):  # values follow attributes that far
            readers = [source for reader in readers for source in reader.attribute_sources(seen)]
        return ResourceScope(self._whole.created, self.name, group=self._group, changing=self._pending)

    @cached_property
    def _pending(self) -> tuple[str, ...]:
        """The names of the properties that refer to other resources."""
        return tuple(pending_names(self.view, self.definition.properties))

    def attribute_sources(self, seen: set[tuple[str, str]]) -> Iterator[ResourceScope]:
        """Yield the other resources whose properties are the attributes that this resource reads, and record these."""
        for _, name, key in self.attribute_reads:
            read = name, str(key[0] if isinstance(key, tuple) else key)
            if read in seen or not self.view.names_resource(name):
                continue
            seen.add(read)
            kind = self._find_type(self.view.resource_type(name), name).type
            rule = self.knowledge.update_behavior(kind).attributes.get(read[1]) if kind is not None else None
            source = self.neighbor(name) if rule is not None and rule.value_of else None
            if source is not None and source.properties is not None and rule is not None:
                source.properties.value(rule.value_of)
                yield source

    @cached_property
    def misspelled(self) -> frozenset[TreePath]:
        """The paths, below `properties`, of the properties that misspelled names probably mean."""
        unknown = islice(self.problems_of(PropertyFault.UNKNOWN), _MOST_MISSPELLED)
        meant = ((problem.path[:-1], nearest(str(problem.path[-1]), problem.alternatives)) for problem in unknown)
        return frozenset((*above, names[0]) for above, names in meant if names)

    def problems_of(self, fault: PropertyFault) -> Iterator[PropertyProblem]:
        """Return the problems of one kind."""
        return (problem for problem in self.problems if problem.fault is fault)

    def finding(
        self,
        message: str,
        path: TreePath,
        part: Part = Part.VALUE,
        severity: Severity = Severity.ERROR,
        *,
        fixes: tuple[DataFix, ...] = (),
        heat: str = "",
        also: tuple[Place, ...] = (),
    ) -> Finding:
        """Return a finding about this resource; the path starts at the top of the template."""
        start = self.properties_path
        inside = path[len(start) :] if path[: len(start)] == start else ()
        names = ".".join(str(name) for name in inside if isinstance(name, str))
        place, name = Place(self.written_path(path, is_key=part is Part.KEY), part), names or None
        return Finding(message, place, severity, "", self.name, name, also, fixes=fixes, heat=heat)

    def finding_of(
        self, problem: PropertyProblem, part: Part = Part.VALUE, *, message: str = "", fixes: tuple[DataFix, ...] = ()
    ) -> Finding:
        """Return the finding about a problem of the properties, by default with the message of the problem."""
        words, path = message or problem.words, (*self.properties_path, *problem.path)
        finding = self.finding(words or problem.message, path, part, fixes=fixes, heat=problem.message if words else "")
        finding = replace(finding, inside=self._inside(problem.path) if part is Part.VALUE else "")
        return finding.late() if problem.is_late else finding

    def _inside(self, path: TreePath) -> str:
        """Return a path, and the parameter that its value is from, if the value is not written at the path."""
        written: object = self.raw_properties
        for step in path[:-1]:
            written = at(written, (step,))
            function, named = next(iter(written.items())) if isinstance(written, Mapping) and written else ("", None)
            if function in (GET_PARAM, REF):
                return f"`{dotted(path)}`" + (f" (from parameter `{named}`)" if isinstance(named, str) else "")
        return ""

    def written_path(self, path: TreePath, *, is_key: bool = False) -> TreePath:
        """Return the path at which a property or a part of it is written, through the taken branches of `if`."""
        if self._group is not None:
            return self._group.written_path(path, is_key=is_key)
        start = self.properties_path
        if path[: len(start)] != start or any(isinstance(step, BranchIndex) for step in path):
            return path
        written, value = start, self.definition.properties
        for step in path[len(start) :]:
            written, value = taken(value, self.view, written)
            written, value = (*written, step), at(value, (step,))
        return written if is_key else taken(value, self.view, written)[0]


Scope = TemplateScope | ResourceScope
"""The input of checks that apply to resources and to the rest of the template."""


def resolved(parsed: object, view: StackView) -> object:
    """Return the value of a part of a definition, an empty map if the part is missing, or Unknown."""
    try:
        return resolve(parsed, view) or {} if parsed is not None else {}
    except FunctionError:
        return Unknown(("part",))
