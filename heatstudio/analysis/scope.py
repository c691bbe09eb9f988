"""What checks look at: one resource of a template."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property, partial
from itertools import chain

from msgspec.structs import replace

from heatstudio.analysis.calls import Call, calls
from heatstudio.analysis.finding import Finding, Place
from heatstudio.analysis.nearest import nearest
from heatstudio.analysis.stray_call import StrayCall, stray_calls
from heatstudio.analysis.template_scope import Settings, TemplateScope
from heatstudio.catalog import Family, ResourceType
from heatstudio.stack.definition_problems import resource_problems
from heatstudio.stack.functions.examine import FunctionProblem, dependencies, validate_all_branches
from heatstudio.stack.functions.function import OMITTED, Function, FunctionError, parse, resolve
from heatstudio.stack.functions.stack_view import StackView
from heatstudio.stack.groups.group_context import GroupContext
from heatstudio.stack.path import Path
from heatstudio.stack.problem import StackProblem
from heatstudio.stack.reading import Read, ReadKind
from heatstudio.stack.resource_definition import ResourceDefinition
from heatstudio.stack.types import FoundType
from heatstudio.stack.unknown import Unknown, freeze
from heatstudio.stack.values.pairing import Written, written_properties
from heatstudio.stack.values.properties import Properties
from heatstudio.stack.values.property_problem import PropertyError, PropertyFault, PropertyProblem
from heatstudio.stack.values.resource_properties import resource_properties
from heatstudio.template import Dialect, Part
from heatstudio.text import Severity

__all__ = ["ResourceScope", "Settings", "TemplateScope"]


class ResourceScope:
    """One resource, everything about it computed once and noted for reuse."""

    def __init__(
        self, whole: TemplateScope, name: str, reads: set[Read] | None = None, *, as_if_disabled: bool = False
    ) -> None:
        self.whole = whole
        self.name = name
        self.definition: ResourceDefinition = whole.stack.resource_definition(name)
        self.found: FoundType | None = whole.types.find(self.definition.type, name) if self.definition.type else None
        self.type: ResourceType | None = self.found.type if self.found is not None else None
        self.reads: set[Read] = reads if reads is not None else set()
        self.view: StackView = whole.stack.recording(self.reads)
        self._as_if_disabled = as_if_disabled

    @property
    def words(self) -> Dialect:
        """The words of the template's language."""
        return self.whole.words

    @property
    def path(self) -> Path:
        """Where the resource stands."""
        return (self.words.resources, self.name)

    @property
    def properties_path(self) -> Path:
        """Where its properties stand."""
        return (*self.path, self.words.properties)

    @cached_property
    def is_external(self) -> bool:
        """Whether the resource exists already and Heat only watches it: then it looks at none of its properties."""
        if self.definition.external_id is None:
            return False
        try:
            return resolve(self.definition.external_id, self.view) is not None
        except FunctionError:
            return True

    @property
    def is_disabled(self) -> bool:
        """Whether a condition takes the resource out of the stack: Heat reads its definition and nothing more."""
        return self._as_if_disabled or self.whole.stack.is_enabled(self.name) is False

    @property
    def is_uncertain(self) -> bool:
        """Whether nobody can tell if the resource is a part of the stack: its condition hangs on a missing value."""
        return isinstance(self.whole.stack.is_enabled(self.name), Unknown)

    def disabled(self) -> ResourceScope:
        """The same resource, as Heat looks at it where its condition does not hold."""
        return ResourceScope(self.whole, self.name, self.reads, as_if_disabled=True)

    @property
    def is_ignored(self) -> bool:
        """Whether Heat looks at no value: of disabled and external resources, and of types that do nothing."""
        does_nothing = self.type is not None and Family.NO_OP in self.type.families
        return does_nothing or self.is_disabled or self.is_external

    @property
    def is_validated(self) -> bool:
        """Whether Heat holds the properties and policies against a type that is known."""
        return self.type is not None and not self.is_ignored

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """What may be a call anywhere in the definition."""
        return tuple(calls(self.definition.data, self.path))

    @cached_property
    def stray_calls(self) -> tuple[StrayCall, ...]:
        """The maps that look like calls of functions and are none."""
        return tuple(stray_calls(self.calls, self.whole.stack.language, self.whole.knowledge))

    @cached_property
    def raw_properties(self) -> Mapping[str, object]:
        """The properties as written."""
        entry = self.definition.data
        found = entry.get(self.words.properties) if isinstance(entry, Mapping) else None
        return found if isinstance(found, Mapping) else {}

    @cached_property
    def written(self) -> tuple[Written, ...]:
        """Every written property that the type knows."""
        if self.type is None or isinstance(self.definition.properties, Function):
            return ()
        return tuple(written_properties(self.type.properties, self.raw_properties))

    @cached_property
    def properties(self) -> Properties | None:
        """The values of the properties as Heat's validation computes them; None where there is no schema for them."""
        parsed = self.definition.properties
        if self.type is None or not self.is_validated or isinstance(parsed, Function):
            return None

        # Not by a method of this object: in a circle of references all of an analysis would wait for the collector.
        return resource_properties(self.definition, self.type, self.view, is_pending=partial(_is_pending, self.view))

    def value_now(self, written: object) -> object:
        """What a value that is written in the properties stands for, Unknown where nobody can tell yet."""
        parsed = parse(written, self.whole.stack.language, self.properties_path)
        try:
            value = OMITTED if _is_pending(self.view, parsed) else resolve(parsed, self.view, nullable=True)
        except FunctionError:
            value = OMITTED
        return Unknown(("value", freeze(written))) if value is OMITTED else value

    @cached_property
    def definition_problems(self) -> tuple[StackProblem | FunctionProblem, ...]:
        """What is wrong with the definition apart from its properties."""
        if isinstance(self.definition.deletion_policy, Function):
            _known(self.definition.deletion_policy, self.view)
        return tuple(resource_problems(self.whole.stack, self.name))

    @cached_property
    def function_problems(self) -> tuple[FunctionProblem, ...]:
        """Every wrong call in the resource, also in branches that Heat does not look at now."""
        definition = self.definition
        parts: tuple[object, ...] = (definition.properties, definition.metadata)
        parts = (*parts, definition.update_policy, definition.external_id)
        if definition.external_id is None:
            parts = (*parts, definition.deletion_policy)
        return tuple(
            problem
            for part in parts
            if isinstance(part, (Function, dict))
            for problem in validate_all_branches(part, self.view)
            if problem.stage == "parse" or not self.is_ignored or part is definition.deletion_policy
        )

    @cached_property
    def missed(self) -> frozenset[Path]:
        """The calls that fail now because what they name is missing: paths of the names of the functions."""
        return frozenset(problem.origin for problem in self.problems if problem.missing is not None)

    @cached_property
    def problems(self) -> tuple[PropertyProblem, ...]:
        """What is wrong with the properties, apart from what function problems tell already."""
        if self.properties is None:
            return ()
        told = {problem.path for problem in self.function_problems}
        found = self._lenient_problems(self.properties)
        if self.whole.strict:
            found = chain(self.properties.problems(), self._early_problems(self.properties))
        return tuple(problem for problem in found if not problem.origin or problem.origin not in told)

    def _lenient_problems(self, properties: Properties) -> Iterator[PropertyProblem]:
        """What Heat refuses in a nested stack: unknown names, and values that the plug-in fails to read."""
        yield from properties.name_problems()
        for read in self.whole.knowledge.validation_reads.get(self.type.name, ()) if self.type is not None else ():
            if read.property in properties.names and read.happens(properties.value):
                try:
                    properties.property_value(read.property, validate=read.looked_up)
                except PropertyError as error:
                    yield from error.problems

    @cached_property
    def misspelled(self) -> frozenset[Path]:
        """The properties that unknown ones probably stand for, from the top of the properties."""
        unknown = self.problems_of(PropertyFault.UNKNOWN)
        meant = ((problem.path[:-1], nearest(str(problem.path[-1]), problem.alternatives)) for problem in unknown)
        return frozenset((*above, names[0]) for above, names in meant if names)

    def _early_problems(self, properties: Properties) -> Iterator[PropertyProblem]:
        """Values that wait for another resource, and that the plug-in looks up before there is one: it finds none."""
        parsed, kind = self.definition.properties, self.type
        for read in self.whole.knowledge.validation_reads.get(kind.name, ()) if kind is not None else ():
            name = read.property
            waits = read.looked_up and isinstance(parsed, dict) and _is_pending(self.view, parsed.get(name))
            if not waits or kind is None or not read.happens(properties.value):
                continue
            value = properties.value(name)
            if isinstance(value, Unknown) and value.is_attribute:
                value = ""
            try:
                Properties({name: kind.properties[name]}, {name: value}).property_value(name, validate=True)
            except PropertyError as error:
                yield from (
                    replace(one, message=f"Before that resource exists: {one.message}") for one in error.problems
                )

    def problems_of(self, fault: PropertyFault) -> Iterator[PropertyProblem]:
        """The problems of one kind."""
        return (problem for problem in self.problems if problem.fault is fault)

    def finding(
        self, code: str, message: str, path: Path, part: Part = Part.VALUE, severity: Severity = Severity.ERROR
    ) -> Finding:
        """A finding about this resource; the path leads from the top of the template."""
        properties = (
            path[len(self.properties_path) :] if path[: len(self.properties_path)] == self.properties_path else ()
        )
        names = ".".join(str(name) for name in properties if isinstance(name, str))
        return Finding(code, severity, message, Place(path, part), self.name, names or None)

    def names(self, section: str) -> tuple[str, ...]:
        """The names in a section, noted: what is said here depends on them."""
        stack = self.whole.stack
        self.reads.add(stack.read(ReadKind.NAMES, section))
        return stack.names(section)

    def group_context(self) -> GroupContext:
        """What property groups may ask about the world around the properties."""
        definition = self.definition
        return GroupContext(
            resource=self.name,
            resources_word=self.words.resources,
            properties_word=self.words.properties,
            metadata=_known(definition.metadata, self.view),
            update_policy=_known(definition.update_policy, self.view),
            neighbors=_Neighbors(self),
            client_versions=self.whole.client_versions,
        )


def _is_pending(view: StackView, parsed: object) -> bool:
    """Whether a value depends on resources that do not exist yet."""
    nested = isinstance(parsed, (Function, dict, list))
    return nested and next(dependencies(parsed, view), None) is not None


def _known(parsed: object, view: StackView) -> object:
    try:
        return resolve(parsed, view) or {} if parsed is not None else {}
    except FunctionError:
        return Unknown(("part",))


class _Neighbors:
    """The other resources of a stack (see GroupContext); what is asked is noted like what functions see."""

    def __init__(self, asking: ResourceScope) -> None:
        self._asking = asking
        self._stack = asking.whole.stack

    def _note(self, kind: ReadKind, name: str) -> None:
        self._asking.reads.add(self._stack.read(kind, name))

    def names(self) -> Collection[str]:
        """The names of all resources of the stack."""
        return self._asking.names(self._asking.words.resources)

    def requires(self, name: str) -> bool:
        """Whether the resource refers to or depends on the resource `name`."""
        self._note(ReadKind.RESOURCE, name)
        return name in self._stack.required_resource_names(self._asking.name)

    def property_value(self, reference: str, name: str) -> object:
        """A property of the resource with that reference id, which before its creation is its name; or None."""
        self._note(ReadKind.DEFINITION, reference)
        if not self._stack.names_resource(reference) or reference == self._asking.name:
            return None
        properties = ResourceScope(self._asking.whole, reference, self._asking.reads).properties
        if properties is None or name not in properties.names:
            return None
        return properties.value(name)
