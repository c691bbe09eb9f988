"""The input of template checks: the whole template."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from enum import IntEnum
from functools import cached_property

from msgspec import field
from msgspec.structs import replace

from heatstudio.analysis.scope.branches import Case, suppositions, untaken, without_references
from heatstudio.analysis.scope.calls import GET_PARAM, Call, PlacedMap, calls, calls_among, maps, parameters_read
from heatstudio.analysis.scope.created_data import CreatedData
from heatstudio.analysis.scope.finding import Finding
from heatstudio.analysis.scope.semantic_model import SemanticModel
from heatstudio.stack.definition.reads import StackReader
from heatstudio.stack.definition.source import tree_size
from heatstudio.stack.definition.types import TreeSize
from heatstudio.stack.functions.conditions import Supposition, decide
from heatstudio.stack.functions.examine import AttributeRead, attribute_reads, dependencies
from heatstudio.stack.functions.function import FunctionError
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.resource_definition import OutputDefinition
from heatstudio.template import TreePath
from heatstudio.text import Severity


class Validation(IntEnum):
    """How much of a stack Heat validates before it creates anything; the rest fails when Heat creates the stack."""

    STRICT = 0
    NESTED = 1
    """The names of properties, and the values that plug-ins read (heat/engine/resources/stack_resource.py)."""
    TEMPLATE = 2
    """The names of properties only, as the request `template-validate`."""


class Stage(IntEnum):
    """The problems that the checks report: those that Heat finds before it creates the stack, the later ones, or both.

    They are checked apart if values change when the owner of a nested stack is created.
    """

    BOTH = 0
    VALIDATION = 1
    CREATION = 2


Inspect = Callable[["TemplateScope"], Iterator[Finding]]
"""A function that yields all reasons for which Heat rejects a stack, in order."""


class TemplateScope(SemanticModel, frozen=True, eq=False):
    """A template and its stack as the input of checks."""

    inspect: Inspect | None = None
    """The function that checks a nested stack; None if nested stacks are not checked."""
    validation: Validation = Validation.STRICT
    stage: Stage = Stage.BOTH
    is_created: bool = False
    """Whether the resources of the stack exist, so that attributes have values."""
    verdicts: dict[Hashable, tuple[Finding, ...]] = field(default_factory=dict)
    """A cache of the findings of each nested stack that its owner reports."""
    supposed: dict[Supposition, TemplateScope] = field(default_factory=dict)

    @property
    def strict(self) -> bool:
        """Whether Heat validates the values of properties and parameters; in nested stacks it does not."""
        return self.validation is Validation.STRICT

    @property
    def view(self) -> StackReader:
        """The stack; template-wide checks are never cached, so their reads need not be recorded."""
        return self.stack

    @property
    def is_version_known(self) -> bool:
        """Whether Heat has the version of the template."""
        return self.template.version_message is None

    @cached_property
    def size(self) -> TreeSize:
        """The number of resources of the template with its nested stacks."""
        return tree_size(self.template, self.types)

    def data_at(self, path: TreePath) -> object:
        """Return the data at a path, or None."""
        return at(self.stack.data, path)

    @cached_property
    def client_versions(self) -> Mapping[str, str]:
        """The API versions of the target by client plug-in."""
        return {**self.knowledge.client_versions, **self.settings.client_versions}

    @cached_property
    def condition_calls(self) -> tuple[Call, ...]:
        """The possible function calls in the conditions section."""
        return tuple(calls(self.stack.data.get(self.words.conditions), (self.words.conditions,)))

    @cached_property
    def readers(self) -> Mapping[str, list[TreePath]]:
        """The paths of the calls that read each parameter."""
        found: dict[str, list[TreePath]] = {}
        for section in (self.words.conditions, self.words.resources, self.words.outputs):
            for name, path in parameters_read(calls(self.stack.data.get(section), (section,)), self.stack):
                found.setdefault(name, []).append(path[:-1])
        return found

    def unused(self, names: Iterable[object]) -> frozenset[str]:
        """Return those names of parameters, conditions or resources that nothing uses; none if that is unknown."""
        left = set(map(str, names)) if self.template.complete and self.is_version_known else set()
        words, data = self.words, self.stack.data
        for section in (words.conditions, words.resources, words.outputs):
            for entry, _ in maps(data.get(section), (section,)):
                if not left:
                    return frozenset()
                is_call = len(entry) == 1 or section == words.conditions
                for value in entry.values() if is_call else (entry.get(words.condition), entry.get(words.depends_on)):
                    used = value if isinstance(value, list) else [value]
                    left.difference_update(str(name) for name in used if isinstance(name, (str, int)))
                    if GET_PARAM in entry and used and isinstance(used[0], dict):
                        return frozenset()  # a computed name
        return frozenset(left)

    @cached_property
    def untaken(self) -> Mapping[TreePath, Case]:
        """The outputs, and branches in outputs, that are not certainly active, with the cases that activate them."""
        found: dict[TreePath, Case] = {}
        for name in self.stack.output_names:
            output, case = self.stack.output_definition(name), Case()
            now = decide(output.condition, self.stack)
            if now is not True and not isinstance(now, FunctionError):
                case = case.with_clause(output.condition, True, now)
                found[(self.words.outputs, name)] = case
            found |= untaken(output.value, self.stack, case)
        return found

    @property
    def suppositions(self) -> Iterator[tuple[Supposition, Severity]]:
        """The condition values to suppose so that each resource and part of an output is active at least once."""
        stack = self.stack
        cases = list(self.untaken.values())
        for name in stack.all_resource_names:
            now = stack.is_enabled(name)
            if now is False or stack.is_uncertain(name):
                cases.append(Case().with_clause(stack.resource_definition(name).condition, True, now))
        for output in self.live_outputs:
            own = Case(given=((output.condition, True),) if output.condition is not None else ())
            cases += without_references(dependencies(output.value, stack), stack, own)
        return suppositions(cases, stack)

    @property
    def live_outputs(self) -> Iterator[OutputDefinition]:
        """The outputs that are certainly active or have an invalid condition."""
        found = map(self.stack.output_definition, self.stack.output_names)
        return (output for output in found if (self.words.outputs, output.name) not in self.untaken)

    @property
    def attribute_reads(self) -> Iterator[AttributeRead]:
        """The attributes that live outputs read."""
        return (read for output in self.live_outputs for read in attribute_reads(output.value, self.stack))

    @cached_property
    def maps(self) -> tuple[PlacedMap, ...]:
        """The maps in the outputs, except in parts that are not certainly active."""
        words, section = self.words, self.stack.data.get(self.words.outputs)
        entries = section.items() if isinstance(section, Mapping) else ()
        return tuple(one for name, entry in entries for one in maps(entry, (words.outputs, str(name)), self.untaken))

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """The possible function calls among the maps."""
        return tuple(calls_among(self.maps))

    @cached_property
    def enabled_by_type(self) -> Mapping[str, list[str]]:
        """The names of the resources that are certainly enabled, by the type that implements them."""
        found: dict[str, list[str]] = {}
        for name in self.stack.enabled_resource_names:
            kind = self.stack.resource_type(name)
            if kind and self.stack.is_enabled(name) is True:
                found.setdefault(self.types.find(kind, name).target, []).append(name)
        return found

    @cached_property
    def created(self) -> TemplateScope:
        """The scope of the same template while Heat creates the stack."""
        stack = self.stack.created(CreatedData(self.stack, self.types).node)
        return replace(self, stack=stack, stage=Stage.CREATION, is_created=True, supposed={})

    def supposing(self, supposition: Supposition) -> TemplateScope:
        """Return the scope of the same template with supposed values of conditions and parameters."""
        if supposition not in self.supposed:
            stack = self.stack.supposing(supposition)
            self.supposed[supposition] = replace(self, stack=stack, supposed={})
        return self.supposed[supposition]
