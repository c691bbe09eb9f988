"""The input of template checks: the whole template."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from heatstudio.analysis.scope.branches import Case, suppositions, untaken, without_references
from heatstudio.analysis.scope.calls import Call, calls
from heatstudio.analysis.scope.finding import Finding
from heatstudio.catalog import Release
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.reading import Kept, StackReader
from heatstudio.stack.definition.source import Source
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.definition.types import Types
from heatstudio.stack.functions.conditions import decide
from heatstudio.stack.functions.examine import AttributeRead, attribute_reads, dependencies
from heatstudio.stack.functions.function import FunctionError
from heatstudio.stack.functions.supposition import Supposition
from heatstudio.stack.groups.group_places import at
from heatstudio.stack.path import Path
from heatstudio.stack.resource_definition import OutputDefinition
from heatstudio.template import Dialect, Template
from heatstudio.text import Severity


class Settings(Struct, frozen=True):
    """The target that the user selected for the checks."""

    release: Release | None = None
    """The OpenStack release that the template is for; None for the one that the catalog describes."""
    client_versions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """API versions by client plug-in, where they are not those of the catalog's release."""
    ignored: frozenset[str] = frozenset()
    """The codes of diagnostics that are suppressed."""
    severities: Mapping[str, Severity] = field(default_factory=lambda: MappingProxyType({}))
    """By code, where they are not those of the checks."""


class GroupMember(NamedTuple):
    """One member of a group."""

    name: str
    type: str
    attributes: tuple[str, ...] | None
    """None where any name may be right."""
    is_template: bool = False
    """Whether these are the outputs of a template, which Heat reads only on demand."""


Inspect = Callable[["TemplateScope"], Iterator[Finding]]
"""All reasons for which Heat rejects a stack, in order."""


class TemplateScope(Struct, frozen=True, eq=False, dict=True):
    """A template, its stack, and the knowledge of Heat."""

    source: Source
    stack: StackDefinition
    types: Types
    knowledge: Knowledge
    settings: Settings
    inspect: Inspect | None = None
    """Examines a nested stack; None if it is not needed."""
    strict: bool = True
    """Whether Heat validates the values of properties and parameters; in nested stacks it does not."""
    verdicts: dict[Hashable, Finding | None] = field(default_factory=dict)
    """What was found out about nested stacks so far."""
    members: dict[str, Kept[tuple[GroupMember, ...]]] = field(default_factory=dict)
    """By group: its members as far as they are certain."""

    supposed: dict[Supposition, TemplateScope] = field(default_factory=dict)

    @property
    def template(self) -> Template:
        """The parsed text."""
        return self.source.template

    @property
    def view(self) -> StackReader:
        """The stack; template-wide checks are never cached, so their reads need not be recorded."""
        return self.stack

    @property
    def is_version_known(self) -> bool:
        """Whether Heat has the version of the template."""
        return self.template.version_message is None

    def data_at(self, path: Path) -> object:
        """What is written at a path; None if there is nothing."""
        return at(self.stack.data, path)

    @property
    def words(self) -> Dialect:
        """The words of the template's language."""
        return self.source.template.dialect

    @cached_property
    def client_versions(self) -> Mapping[str, str]:
        """The API versions of the target by client plug-in."""
        return {**self.knowledge.client_versions, **self.settings.client_versions}

    @cached_property
    def condition_calls(self) -> tuple[Call, ...]:
        """What may be a call in the section of conditions."""
        return tuple(calls(self.stack.data.get(self.words.conditions), (self.words.conditions,)))

    @cached_property
    def untaken(self) -> Mapping[Path, Case]:
        """The branches in outputs, and the outputs, that are not taken for certain, and when they would be."""
        found: dict[Path, Case] = {}
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
        """What to suppose of conditions so that every resource and every part of an output counts once."""
        stack = self.stack
        cases = list(self.untaken.values())
        for name in stack.all_resource_names:
            now = stack.is_enabled(name)
            if now is False or stack.is_uncertain(name):
                cases.append(Case().with_clause(stack.resource_definition(name).condition, True, now))
        for output in self.live_outputs:
            cases += without_references(dependencies(output.value, stack), stack, output.condition)
        return suppositions(cases, stack)

    @property
    def live_outputs(self) -> Iterator[OutputDefinition]:
        """The outputs that the stack has for certain, or has a wrong condition for."""
        found = map(self.stack.output_definition, self.stack.output_names)
        return (output for output in found if (self.words.outputs, output.name) not in self.untaken)

    @property
    def attribute_reads(self) -> Iterator[AttributeRead]:
        """Every attribute that a live output reads."""
        return (read for output in self.live_outputs for read in attribute_reads(output.value, self.stack))

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """What may be a call in the section of outputs, but in what is not taken for certain."""
        words, section = self.words, self.stack.data.get(self.words.outputs)
        entries = section.items() if isinstance(section, Mapping) else ()
        return tuple(call for name, entry in entries for call in calls(entry, (words.outputs, str(name)), self.untaken))

    def supposing(self, supposition: Supposition) -> TemplateScope:
        """The same template with other values of conditions and parameters."""
        if supposition not in self.supposed:
            stack = self.stack.supposing(supposition)
            self.supposed[supposition] = replace(self, stack=stack, members={}, supposed={})
        return self.supposed[supposition]
