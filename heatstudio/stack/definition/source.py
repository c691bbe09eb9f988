"""The source of a stack: template, environments, files and values; its size with nested stacks."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct, field

from heatstudio.catalog.rules.update_rule import MemberRule
from heatstudio.catalog.schema import ReferenceBeforeCreation
from heatstudio.stack.definition.client_files import ClientFiles, named_in
from heatstudio.stack.definition.files import NO_FILES, Files, file_place
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.stack_definition import StackDefinition, StackInputs
from heatstudio.stack.definition.types import DEEPEST_NESTING, FoundType, Origin, TreeSize, Types, parse_once
from heatstudio.stack.inputs.environment import RESOURCE_REGISTRY, Environment, EnvironmentFile
from heatstudio.stack.inputs.inherited import (
    environments_inside,
    inherited,
    settings_of_resources,
    with_shared_mappings,
)
from heatstudio.stack.inputs.parameter_schema import ParameterType, SchemaError, parse_parameter_schema
from heatstudio.stack.inputs.registry import RESOURCES, TEMPLATE_ENDINGS
from heatstudio.stack.resource_proxy import FindNode, NodeData, ParentResourceProxy, no_data
from heatstudio.stack.unknown import freeze
from heatstudio.template import Template
from heatstudio.template.dialect import VERSION_KEYS
from heatstudio.text import checkpoint

MOST_IN_STACK = 1000
"""Heat's default max_resources_per_stack (heat/common/config.py)."""
MOST_MEMBERS = 100
"""The maximum number of members of a group that are examined."""


class Source(Struct, frozen=True):
    """A template with its environments, files and parameter values."""

    template: Template
    environments: tuple[EnvironmentFile, ...] = ()
    files: Files = NO_FILES
    parameter_values: Mapping[str, object] = field(default_factory=dict)
    parent: ParentResourceProxy | None = None
    """The facade, if the template is nested."""
    depth: int = 0
    parameter_types: Mapping[str, ParameterType] | None = None
    """The types with which Heat merges the environments of the outermost stack; None to find them in the templates."""
    file: str = ""
    """The name of the template's file; a file that ends in `.env` is an environment."""


def effective_environments(source: Source, knowledge: Knowledge) -> tuple[EnvironmentFile, ...]:
    """Return the environments, with the types of single enabled resources as Heat uses them."""
    files, words = source.environments, source.template.dialect
    named = {name for file in files for name in settings_of_resources(file)}
    found = source.template.section(words.resources).items() if named else ()
    entries = {name: entry for name, entry in found if name in named}
    if any(isinstance(entry, Mapping) and words.condition in entry for entry in entries.values()):
        data = {str(key): value for key, value in source.template.data.items()}
        inputs = StackInputs(_environment(source, files, knowledge), source.parameter_values)
        stack = StackDefinition(data, knowledge.language(words), inputs)
        entries = {name: entry for name, entry in entries.items() if stack.is_enabled(str(name)) is not False}
    return with_shared_mappings(files, entries.items(), words.type)


def define(
    source: Source,
    knowledge: Knowledge,
    *,
    resource_data: FindNode = no_data,
    not_created: bool = False,
    previous: tuple[StackDefinition, Types] | None = None,
) -> tuple[StackDefinition, Types]:
    """Return the definition of a stack, and the types of its resources.

    `not_created` gives every resource the data that Heat's validation uses before the stack exists. Results of
    `previous` that are still valid are reused.
    """
    language = knowledge.language(source.template.dialect)
    types = _types(source, knowledge, previous[1] if previous else None)
    data = {str(key): value for key, value in source.template.data.items()}
    if not_created:
        resource_data = uncreated_data(types, data.get(source.template.dialect.resources), source.template.dialect.type)
    same_files = previous is not None and previous[0].inputs.files is source.files
    inputs = StackInputs(
        types.environment,
        parameter_values=source.parameter_values,
        resource_data=resource_data,
        parent=source.parent,
        files=source.files,
        client_files=previous[0].client_files if previous and same_files else ClientFiles(source.files, knowledge),
        types=types,
    )
    return StackDefinition(data, language, inputs, previous=previous[0] if previous else None), types


def _types(source: Source, knowledge: Knowledge, previous: Types | None) -> Types:
    environments = effective_environments(source, knowledge)
    if (
        previous is not None
        and len(source.environments) < 2
        and _are_same(previous.environment.files, environments)
        and previous.knowledge is knowledge
    ):
        same_files = previous.files is source.files
        return previous if same_files else Types(knowledge, previous.environment, source.files, source.depth)
    return Types(knowledge, _environment(source, environments, knowledge), source.files, source.depth)


def _environment(source: Source, files: tuple[EnvironmentFile, ...], knowledge: Knowledge) -> Environment:
    parameter_types = source.parameter_types
    if parameter_types is None and len(files) > 1:
        parameter_types = _all_parameter_types(source, knowledge)
    return Environment(
        files,
        parameter_types=parameter_types,
        known_types=knowledge.type_names,
        aliases=knowledge.catalog.aliases,
        event_sinks=knowledge.event_sinks,
    )


def _are_same(files: tuple[EnvironmentFile, ...], others: tuple[EnvironmentFile, ...]) -> bool:
    """Return whether environments have identical content; `1`, `1.0` and `true` are equal, but not identical."""
    return freeze([(file.name, file.data) for file in files]) == freeze([(file.name, file.data) for file in others])


def _all_parameter_types(source: Source, knowledge: Knowledge) -> dict[str, ParameterType]:
    """Return the types of the parameters of all templates; later templates take precedence, and the outermost one most.

    Heat merges environments once, for the outermost stack; a nested stack only needs its own parameters.
    """
    nested = nested_templates(source.template, source.environments, source.files) if source.depth == 0 else ()
    templates = (*nested, source.template)
    return {name: kind for t in templates if t is not None for name, kind in _parameter_types(t, knowledge)}


def _parameter_types(template: Template, knowledge: Knowledge) -> Iterator[tuple[str, ParameterType]]:
    language = knowledge.language(template.dialect)
    for name, declared in template.section(template.dialect.parameters).items():
        try:
            yield str(name), parse_parameter_schema(str(name), declared, language).type
        except SchemaError:
            continue


def uncreated_data(types: Types, resources: object, type_key: str) -> FindNode:
    """Return a function for the data that Heat's validation uses for resources that do not exist yet."""
    entries = resources if isinstance(resources, Mapping) else {}

    def find(name: str) -> NodeData:
        entry = entries.get(name)
        kind = entry.get(type_key) if isinstance(entry, Mapping) else None
        found = types.find(kind, name).type if isinstance(kind, str) else None
        return uncreated(name, found.reference_before_creation if found is not None else ReferenceBeforeCreation.NAME)

    return find


@lru_cache(maxsize=16_384)
def uncreated(name: str, reference: ReferenceBeforeCreation) -> NodeData:
    """Return the data of a resource before its creation; cached, so that equal calls return the same object."""
    reference_id = {
        ReferenceBeforeCreation.NAME: name,
        ReferenceBeforeCreation.NULL: None,
        ReferenceBeforeCreation.NONE_TEXT: "None",
    }[reference]
    return NodeData(reference_id, action="INIT")


def nested_templates(
    template: Template, environments: Sequence[EnvironmentFile], files: Files
) -> Iterator[Template | None]:
    """Return the templates sent to Heat with a template: the templates that it and the resource registry name.

    Each occurs once, in the order of the client; None stands for a template that cannot be read
    (heat/engine/template.py, all_param_schemata; python-heatclient, template_utils).
    """
    names = [*named_in(template)]
    names += [target for file in environments for _, target in registered_templates(file.data)]
    return _walk(names, files, set(), DEEPEST_NESTING)


def _walk(names: Sequence[str], files: Files, seen: set[str], depth: int) -> Iterator[Template | None]:
    for name in names if depth else ():
        place = file_place(files, name)
        if place in seen:
            continue
        seen.add(place)
        content = files.get(name)
        nested = parse_once(content) if isinstance(content, str) else None
        if nested is None or not nested.complete:
            if name.endswith(TEMPLATE_ENDINGS):
                yield None
        elif any(key in nested.data for key in VERSION_KEYS):
            yield from _walk(named_in(nested), files.below(name), seen, depth - 1)
            yield nested


def registered_templates(data: object) -> Iterator[tuple[object, str]]:
    """Yield the mapped types and their templates in an environment: for all resources, then for single resources."""
    registry = data.get(RESOURCE_REGISTRY) if isinstance(data, Mapping) else None
    single = registry.get(RESOURCES) if isinstance(registry, Mapping) else None
    for level in (registry, *(single.values() if isinstance(single, Mapping) else ())):
        for name, value in level.items() if isinstance(level, Mapping) else ():
            if isinstance(value, str) and value.endswith(TEMPLATE_ENDINGS):
                yield name, value


def tree_size(template: Template, types: Types, known: dict[Hashable, TreeSize] | None = None) -> TreeSize:
    """Return the number of resources of a template with its nested stacks; `known` are those of other templates.

    heat/engine/resources/stack_resource.py, _validate_nested_resources: all resources of a tree of stacks count.
    """
    known = types.sizes if known is None else known
    words, least, nested, depth = template.dialect, 0, 0, 0
    for name, data in template.section(words.resources).items():
        checkpoint()
        resource = data if isinstance(data, Mapping) else {}
        kind, properties = resource.get(words.type), resource.get(words.properties)
        inner = list(_below(kind, str(name), properties, types, known))
        is_certain = words.condition not in resource and words.external_id not in resource
        least += (1 + sum(size.least for size in inner)) * is_certain
        nested += sum(size.nested for size in inner)
        depth = max((depth, *(size.depth for size in inner)))
    return TreeSize(least, nested, depth)


def _below(
    kind: object, name: str, properties: object, types: Types, known: dict[Hashable, TreeSize]
) -> Iterator[TreeSize]:
    """Yield the size of the nested stack of a resource, if it has one."""
    found = types.find(kind, name) if isinstance(kind, str) else None
    if found is None or found.type is None:
        return
    rule = types.knowledge.update_behavior(found.type).members
    if types.depth >= DEEPEST_NESTING:
        yield TreeSize(depth=int(found.origin is Origin.TEMPLATE or rule is not None))
    elif found.origin is Origin.TEMPLATE:
        yield _nested(found, types, known)
    elif rule is not None and rule.definition and isinstance(properties, Mapping):
        definition = properties.get(rule.definition)
        kind = definition.get("type") if isinstance(definition, Mapping) else None
        yield _members(rule, properties, list(_below(kind, "0", None, types, known)))


def _members(rule: MemberRule, properties: Mapping[object, object], inner: list[TreeSize]) -> TreeSize:
    count = next((value for key in rule.count if (value := properties.get(key)) is not None), None)
    certain = count if isinstance(count, int) and count > 0 else 0
    least = certain * (1 + sum(size.least for size in inner))
    nested = min(max(certain, 1), MOST_MEMBERS) * sum(size.nested for size in inner)
    return TreeSize(least, nested, 1 + max((size.depth for size in inner), default=0))


def _nested(found: FoundType, types: Types, known: dict[Hashable, TreeSize]) -> TreeSize:
    mapped = found.name if found.name != found.target else ""
    settings = freeze([*map(settings_of_resources, environments_inside(types.environment.files, found.resource))])
    key = (file_place(types.files, found.target), mapped, types.depth, settings)
    if key not in known and found.template is not None:
        files = found.files or types.files
        environments = inherited(types.environment.files, found.name, found.target, found.resource)
        merged = types.environment.parameter_types
        nested = Source(found.template, environments, files, depth=types.depth + 1, parameter_types=merged)
        known[key] = TreeSize()  # a template that nests itself is reported elsewhere
        stack, inner = define(nested, types.knowledge)
        size = tree_size(found.template, inner, known)
        known[key] = TreeSize(size.least, len(stack.all_resource_names) + size.nested, 1 + size.depth)
    return known.get(key, TreeSize())
