"""Everything that a stack is made of besides what is known of Heat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from msgspec import Struct, field

from heatstudio.catalog import ReferenceBeforeCreation
from heatstudio.stack.definition.client_files import ClientFiles
from heatstudio.stack.definition.files import NO_FILES, Files
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.nested_templates import nested_templates
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.definition.types import Types
from heatstudio.stack.inputs.environment import Environment, EnvironmentFile
from heatstudio.stack.inputs.parameter_schema import ParameterType, SchemaError, parse_parameter_schema
from heatstudio.stack.resource_proxy import NodeData, ParentResourceProxy
from heatstudio.stack.unknown import freeze
from heatstudio.template import Template


class Source(Struct, frozen=True):
    """A template with the environments, files and values that belong to it."""

    template: Template
    environments: tuple[EnvironmentFile, ...] = ()
    files: Files = NO_FILES
    parameter_values: Mapping[str, object] = field(default_factory=dict)
    parent: ParentResourceProxy | None = None
    """The facade, when the template is nested."""
    depth: int = 0


def define(
    source: Source,
    knowledge: Knowledge,
    *,
    resource_data: Mapping[str, NodeData] | None = None,
    not_created: bool = False,
    previous: tuple[StackDefinition, Types] | None = None,
) -> tuple[StackDefinition, Types]:
    """The definition of a stack, and the types of its resources.

    `not_created` gives every resource the data that Heat's validation sees before anything exists. What `previous`
    found is used again as far as it still holds.
    """
    language = knowledge.language(source.template.dialect)
    types = _types(source, knowledge, previous[1] if previous else None)
    data = {str(key): value for key, value in source.template.data.items()}
    if not_created:
        resource_data = NotCreated(types, data.get(source.template.dialect.resources), source.template.dialect.type)
    is_beside = previous is not None and previous[0].files is source.files
    stack = StackDefinition(
        data,
        language,
        types.environment,
        parameter_values=source.parameter_values,
        resource_data=resource_data,
        parent=source.parent,
        files=source.files,
        types=types,
        client_files=previous[0].client_files if previous and is_beside else ClientFiles(source.files, knowledge),
        previous=previous[0] if previous else None,
    )
    return stack, types


def _types(source: Source, knowledge: Knowledge, previous: Types | None) -> Types:
    if (
        previous is not None
        and len(source.environments) < 2
        and _are_same(previous.environment.files, source.environments)
        and previous.files is source.files
        and previous.knowledge is knowledge
    ):
        return previous
    environment = Environment(
        source.environments,
        parameter_types=_all_parameter_types(source, knowledge) if len(source.environments) > 1 else None,
        known_types=knowledge.type_names,
        aliases=knowledge.catalog.aliases,
        event_sinks=knowledge.event_sinks,
    )
    return Types(knowledge, environment, source.files, source.depth)


def _are_same(files: tuple[EnvironmentFile, ...], others: tuple[EnvironmentFile, ...]) -> bool:
    """Whether environments say the same; `1`, `1.0` and `true` are equal, but not the same."""
    return freeze([(one.name, one.data) for one in files]) == freeze([(one.name, one.data) for one in others])


def _all_parameter_types(source: Source, knowledge: Knowledge) -> dict[str, ParameterType]:
    """The types of the parameters of all templates; the last of them has the last word, and after it the outermost.

    Heat merges environments once, for the outermost stack: in a nested one its own parameters say enough.
    """
    nested = nested_templates(source.template, source.environments, source.files) if source.depth == 0 else ()
    templates = (*nested, source.template)
    return {name: kind for one in templates if one is not None for name, kind in _parameter_types(one, knowledge)}


def _parameter_types(template: Template, knowledge: Knowledge) -> Iterator[tuple[str, ParameterType]]:
    language = knowledge.language(template.dialect)
    section = template.data.get(template.dialect.parameters)
    for name, declared in section.items() if isinstance(section, Mapping) else ():
        try:
            yield str(name), parse_parameter_schema(str(name), declared, language).type
        except SchemaError:
            continue


class NotCreated(Mapping[str, NodeData]):
    """The data of resources that do not exist yet, as Heat's validation sees them."""

    def __init__(self, types: Types, resources: object, type_key: str) -> None:
        self._types = types
        self._resources: Mapping[object, object] = resources if isinstance(resources, Mapping) else {}
        self._type_key = type_key

    def __getitem__(self, name: str) -> NodeData:
        entry = self._resources[name]
        kind = entry.get(self._type_key) if isinstance(entry, Mapping) else None
        found = self._types.find(kind, name).type if isinstance(kind, str) else None
        return uncreated(name, found.reference_before_creation if found is not None else ReferenceBeforeCreation.NAME)

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._resources if isinstance(name, str))

    def __len__(self) -> int:
        return sum(1 for _ in self)


@lru_cache(maxsize=16_384)
def uncreated(name: str, reference: ReferenceBeforeCreation) -> NodeData:
    """The data of a resource before its creation; the same object for the same question."""
    reference_id = {
        ReferenceBeforeCreation.NAME: name,
        ReferenceBeforeCreation.NULL: None,
        ReferenceBeforeCreation.NONE_TEXT: "None",
    }[reference]
    return NodeData(name, reference_id, action="INIT")
