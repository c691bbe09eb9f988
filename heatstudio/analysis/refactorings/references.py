"""The references to resources, and what else ties a resource to its name and its template."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from msgspec import Struct

from heatstudio.analysis.assist.reference_index import SymbolKind, index_of
from heatstudio.analysis.scope.calls import GET_RESOURCE, OF_ATTRIBUTES, REF, calls
from heatstudio.analysis.scope.semantic_model import SemanticModel, map_at, value_at
from heatstudio.catalog.schema import PropertyType
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.inputs.environment import RESOURCE_REGISTRY
from heatstudio.stack.inputs.parameter_schema import ParameterType
from heatstudio.stack.inputs.registry import RESOURCES
from heatstudio.template import CannotEditError, Change, DeleteEntry, SetValue, Template, TreePath

_FACADES = ("resource_facade", "Fn::ResourceFacade")

_TYPES = {
    PropertyType.STRING: ParameterType.STRING,
    PropertyType.INTEGER: ParameterType.NUMBER,
    PropertyType.NUMBER: ParameterType.NUMBER,
    PropertyType.BOOLEAN: ParameterType.BOOLEAN,
    PropertyType.LIST: ParameterType.MAP,
    PropertyType.MAP: ParameterType.MAP,
}
"""The types of parameters for attributes; a list of maps is only valid as JSON."""


class ResourceRead(Struct, frozen=True):
    """A call that reads a resource."""

    resource: str
    attribute: str
    """The attribute; empty for the reference ID."""
    rest: tuple[object, ...]
    """The keys and indexes after the attribute."""
    path: TreePath
    """The path of the call."""


def reads_in(model: SemanticModel, template: Template) -> Iterator[ResourceRead]:
    """Yield the calls that read resources, or names that are no parameters; raise CannotEditError for unusual ones."""
    words = template.dialect
    parameters = template.section(words.parameters)
    for mention in index_of(model, template).mentions:
        name, place = mention.symbol.name, mention.path
        is_ref = mention.symbol.kind is SymbolKind.PARAMETER and place[-1:] == (REF,) and name not in parameters
        if mention.is_definition or not (is_ref or mention.symbol.kind is SymbolKind.RESOURCE):
            continue
        if place[-1] in (GET_RESOURCE, REF):
            yield ResourceRead(name, "", (), place[:-1])
        elif place[-2:-1] and place[-2] in OF_ATTRIBUTES:
            arguments = value_at(template, place[:-1])
            attribute = at(arguments, (1,))
            if not isinstance(arguments, list) or not isinstance(attribute, str) or not attribute:
                raise CannotEditError(f"`{place[1]}` reads `{name}` without a literal name of an attribute.")
            yield ResourceRead(name, attribute, tuple(arguments[2:]), place[:-2])


def attribute_type(model: SemanticModel, resource: str, attribute: str) -> ParameterType | None:
    """Return the type of a parameter for the value of an attribute; None if it is unknown."""
    found = model.type_of(resource)
    schema = found.attributes.get(attribute) if found is not None else None
    return _TYPES.get(schema.type) if schema is not None and schema.type is not None else None


def dependencies(template: Template, resource: str) -> list[str]:
    """Return the resources that `depends_on` of a resource names."""
    written = value_at(template, (template.dialect.resources, resource, template.dialect.depends_on))
    return [str(name) for name in (written if isinstance(written, list) else [written]) if name]


def with_dependencies(template: Template, new: Mapping[str, Sequence[str]]) -> Iterator[Change]:
    """Yield the changes that replace names in `depends_on` of all resources, each by any number of others."""
    words = template.dialect
    for name in map(str, template.section(words.resources)):
        old = dependencies(template, name)
        wanted = list(dict.fromkeys(one for before in old for one in new.get(before, (before,)) if one != name))
        path: TreePath = (words.resources, name, words.depends_on)
        if len(old) == len(wanted):  # keep the written form
            is_list = isinstance(value_at(template, path), list)
            changed = [index for index, one in enumerate(wanted) if one != old[index]]
            yield from (SetValue((*path, index) if is_list else path, wanted[index]) for index in changed)
        else:
            yield SetValue(path, wanted) if wanted else DeleteEntry(path)


def refuse_facades(template: Template, path: TreePath) -> None:
    """Raise CannotEditError if a value asks for the resource that owns its stack, which would be another one."""
    for name, _, place in calls(value_at(template, path), path):
        if name in _FACADES:
            raise CannotEditError(f"`{place[1]}` uses `{name}`, which would mean another resource.")


def refuse_bound(model: SemanticModel, resource: str) -> None:
    """Raise CannotEditError if an environment names a resource, whose new place it would miss."""
    for file in model.types.environment.files:
        named = at(file.data, (RESOURCE_REGISTRY, RESOURCES))
        if isinstance(named, Mapping) and any(fnmatchcase(resource, str(pattern)) for pattern in named):
            raise CannotEditError(f"The environment {file.name} has settings for `{resource}`, which would be lost.")


def refuse_keys(model: SemanticModel, resource: str, allowed: Collection[str], reason: str) -> None:
    """Raise CannotEditError if a resource has other keys than the allowed ones."""
    entry = map_at(model.template, (model.words.resources, resource))
    for key in entry:
        if key not in allowed:
            raise CannotEditError(f"`{resource}` has `{key}`, {reason}.")
