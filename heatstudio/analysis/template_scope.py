"""What checks look at: a template as a whole."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct, field

from heatstudio.analysis.calls import Call, calls
from heatstudio.analysis.finding import Finding
from heatstudio.catalog import Release
from heatstudio.stack.definition import StackDefinition
from heatstudio.stack.knowledge import Knowledge
from heatstudio.stack.reading import Read
from heatstudio.stack.source import Source
from heatstudio.stack.types import Types
from heatstudio.template import Dialect, Template


class Settings(Struct, frozen=True):
    """What the user chose to check against."""

    release: Release | None = None
    """The OpenStack release that the template is for; None for the one that the catalog describes."""
    client_versions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """API versions by client plug-in, where they are not those of the catalog's release."""


class GroupMember(NamedTuple):
    """One member of a group."""

    name: str
    type: str
    attributes: tuple[str, ...] | None
    """None where any name may be right."""
    is_template: bool = False
    """Whether these are the outputs of a template, which Heat looks for only when it reads them."""


Inspect = Callable[["TemplateScope"], Iterator[Finding]]
"""Everything that makes Heat refuse a stack, the first thing first."""


class TemplateScope(Struct, frozen=True, eq=False, dict=True):
    """A template, the stack that it defines, and what is known."""

    source: Source
    stack: StackDefinition
    types: Types
    knowledge: Knowledge
    settings: Settings
    inspect: Inspect | None = None
    """Looks at a nested stack; None where nobody wants to know."""
    strict: bool = True
    """Whether Heat looks at the values of properties and parameters; in nested stacks it does not."""
    verdicts: dict[Hashable, Finding | None] = field(default_factory=dict)
    """What was found out about nested stacks so far."""
    members: dict[str, tuple[tuple[GroupMember, ...], frozenset[Read]]] = field(default_factory=dict)
    """By group: its members as far as they are certain, and what that rests on."""

    @property
    def template(self) -> Template:
        """The parsed text."""
        return self.source.template

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
    def output_calls(self) -> tuple[Call, ...]:
        """What may be a call in the section of outputs."""
        section = self.stack.data.get(self.words.outputs)
        entries = section.items() if isinstance(section, Mapping) else ()
        return tuple(call for name, entry in entries for call in calls(entry, (self.words.outputs, str(name))))
