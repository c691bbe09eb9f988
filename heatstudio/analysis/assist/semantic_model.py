"""The semantic model, which is the input of all editing features: a parsed text and its stack."""

from collections.abc import Mapping

from msgspec import Struct

from heatstudio.analysis.analyze import Analysis
from heatstudio.analysis.attribute_path import Attributes, attributes_of
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.secrets import Secrets
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.definition.types import FoundType, Types
from heatstudio.stack.functions.language import Language
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.unknown import Unknown
from heatstudio.template import Template, TreePath


class SemanticModel(Struct, frozen=True):
    """A template with the stack that it defines."""

    template: Template
    stack: StackDefinition
    """The stack definition of this text, or of a slightly older version."""
    types: Types
    knowledge: Knowledge
    secrets: Secrets = Secrets()
    """The hidden texts."""

    @property
    def language(self) -> Language:
        """The language of the template's version."""
        return self.knowledge.language(self.template.dialect)

    def found_type(self, resource: str) -> FoundType | None:
        """Return the type that implements a resource; None if it has none."""
        name = written_type(self.template, resource)
        return self.types.find(name, resource) if name else None

    def file_text(self, name: str) -> str | None:
        """Return the content of a file beside the template; None if it is unknown."""
        content: str | Unknown | None = self.types.files.get(name)
        return content if isinstance(content, str) else None

    def attributes_at(self, resource: str) -> Attributes | None:
        """Return the attributes of a resource; None if it has no type."""
        entry = value_at(self.template, (self.template.dialect.resources, resource))
        return attributes_of(self.types, self.stack, resource, entry)

    file: str = ""
    """The name of the template's file; empty if it has none."""


def semantic_model(analysis: Analysis) -> SemanticModel:
    """Return the semantic model of an analyzed text."""
    found, name = analysis, analysis.source.file
    return SemanticModel(found.template, found.stack, found.types, found.knowledge, found.secrets, name)


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
