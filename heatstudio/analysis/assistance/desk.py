"""What every assistant works on: one text as read, and what it means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from heatstudio.stack.definition import StackDefinition
from heatstudio.stack.functions.language import Language
from heatstudio.stack.groups.group_places import at
from heatstudio.stack.knowledge import Knowledge
from heatstudio.stack.types import FoundType, Types
from heatstudio.stack.unknown import Unknown
from heatstudio.template import Path, Template


class Desk(Protocol):
    """A template with the stack that it defines; the result of an analysis is one."""

    @property
    def template(self) -> Template:
        """The text as it is now."""

    @property
    def stack(self) -> StackDefinition:
        """The definition of this text, or of one shortly before it."""

    @property
    def types(self) -> Types:
        """The resource types as the environment maps them."""

    @property
    def knowledge(self) -> Knowledge:
        """What is known of Heat."""


class PlainDesk(Struct, frozen=True):
    """A desk that is nothing else."""

    template: Template
    stack: StackDefinition
    types: Types
    knowledge: Knowledge

    @classmethod
    def like(cls, desk: Desk, template: Template) -> PlainDesk:
        """The same desk with another reading of the text on it."""
        return cls(template, desk.stack, desk.types, desk.knowledge)


def language_of(desk: Desk) -> Language:
    """The functions of the template's version."""
    return desk.knowledge.language(desk.template.dialect)


def value_at(template: Template, path: Path) -> object:
    """The plain data at a path; None if there is none."""
    return at(template.data, path)


def map_at(template: Template, path: Path) -> Mapping[object, object]:
    """The map at a path; empty if there is none."""
    found = value_at(template, path)
    return found if isinstance(found, Mapping) else {}


def names_in(template: Template, section: str) -> list[str]:
    """The names of the entries of a section, in the order of the text."""
    return [str(name) for name in map_at(template, (section,))]


def written_type(template: Template, resource: str) -> str:
    """The type of a resource as written; empty if it has none."""
    found = value_at(template, (template.dialect.resources, resource, template.dialect.type))
    return found if isinstance(found, str) else ""


def found_type(desk: Desk, resource: str) -> FoundType | None:
    """What implements a resource; None if it has no type."""
    name = written_type(desk.template, resource)
    return desk.types.find(name, resource) if name else None


def file_text(desk: Desk, name: str) -> str | None:
    """The content of a file beside the template; None if nobody knows it."""
    content: str | Unknown | None = desk.types.files.get(name)
    return content if isinstance(content, str) else None
