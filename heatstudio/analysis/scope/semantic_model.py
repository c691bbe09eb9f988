"""The semantic model: a template, the stack that it defines, and the knowledge of Heat."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from heatstudio.analysis.attribute_path import Attributes, attributes_of
from heatstudio.catalog.release import Release
from heatstudio.catalog.schema import ResourceType
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.secrets import Secrets, find_secrets
from heatstudio.stack.definition.source import Source
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.definition.types import FoundType, Types
from heatstudio.stack.functions.language import Language
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.unknown import Unknown
from heatstudio.template import Dialect, Template, TreePath
from heatstudio.text import Severity


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule of the project file for the resources of some types."""

    code: str
    condition: str
    """A YAQL expression that must be true, in which `$` is the map of the resource's properties."""
    message: Annotated[str, Meta(min_length=1)]
    type: str = "*"
    """A pattern of type names, in which `*` stands for any characters."""
    severity: Literal["error", "warning", "information", "hint"] = "warning"


class Options(Struct, frozen=True):
    """The target that the user selected for the checks."""

    release: Release | None = None
    """The target OpenStack release; None for the release of the catalog."""
    client_versions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """The API versions by client plug-in that differ from those of the release."""
    ignored: frozenset[str] = frozenset()
    """The codes of diagnostics that are suppressed."""
    severities: Mapping[str, Severity | None] = field(default_factory=lambda: MappingProxyType({}))
    """The severities by code or family that differ from those of the checks; None switches checks off."""
    shows_hidden: bool = False
    """Whether messages and previews show the values of hidden parameters."""
    rules: tuple[Rule, ...] = ()
    """The rules of the project file."""


class SemanticModel(Struct, frozen=True, eq=False, dict=True):
    """A template with the stack that it defines: the input of editing features, and what checks and analyses add to."""

    source: Source
    stack: StackDefinition
    """The stack definition of this text, or of a slightly older version."""
    types: Types
    knowledge: Knowledge
    settings: Options = Options()

    @property
    def template(self) -> Template:
        """The parsed text."""
        return self.source.template

    @property
    def words(self) -> Dialect:
        """The keywords of the template's language."""
        return self.source.template.dialect

    @property
    def language(self) -> Language:
        """The language of the template's version."""
        return self.knowledge.language(self.words)

    @cached_property
    def secrets(self) -> Secrets:
        """The hidden texts, which no message quotes."""
        return Secrets() if self.settings.shows_hidden else find_secrets(self.source)

    def with_template(self, template: Template) -> SemanticModel:
        """Return the model of another version of the text, with the same stack."""
        source = replace(self.source, template=template)
        return SemanticModel(source, self.stack, self.types, self.knowledge, self.settings)

    def found_type(self, resource: str) -> FoundType | None:
        """Return the type that implements a resource; None if it has none."""
        name = written_type(self.template, resource)
        return self.types.find(name, resource) if name else None

    def type_of(self, resource: str) -> ResourceType | None:
        """Return the known type that implements a resource, or None."""
        found = self.found_type(resource)
        return found.type if found is not None else None

    def file_text(self, name: str) -> str | None:
        """Return the content of a file beside the template; None if it is unknown."""
        content: str | Unknown | None = self.types.files.get(name)
        return content if isinstance(content, str) else None

    def attributes_at(self, resource: str) -> Attributes | None:
        """Return the attributes of a resource; None if it has no type."""
        entry = value_at(self.template, (self.words.resources, resource))
        return attributes_of(self.types, self.stack, resource, entry)


def value_at(template: Template, path: TreePath) -> object:
    """Return the plain data at a path; None if there is none."""
    return at(template.data, path)


def map_at(template: Template, path: TreePath) -> Mapping[object, object]:
    """Return the map at a path; empty if there is none."""
    found = value_at(template, path)
    return found if isinstance(found, Mapping) else {}


def names_in(template: Template, section: str) -> list[str]:
    """Return the names of the entries of a section, in the order of the text."""
    return [str(name) for name in map_at(template, (section,))]


def written_type(template: Template, resource: str) -> str:
    """Return the type of a resource as written; empty if it has none."""
    found = value_at(template, (template.dialect.resources, resource, template.dialect.type))
    return found if isinstance(found, str) else ""
