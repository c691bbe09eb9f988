"""The environments, parameter values and facade that a nested stack receives from its parent stack.

heat/engine/environment.py, get_child_environment; heat/engine/resources/template_resource.py, child_params.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache

from msgspec.structs import replace

from heatstudio.catalog.schema import PropertyType, ResourceType
from heatstudio.stack.inputs.environment import PARAMETERS, RESOURCE_REGISTRY, EnvironmentFile
from heatstudio.stack.inputs.registry import RESOURCES, TEMPLATE_ENDINGS
from heatstudio.stack.resource_definition import ResourceDefinition, as_deletion_policy
from heatstudio.stack.resource_proxy import ParentResourceProxy
from heatstudio.stack.unknown import Unknown, has_unknown
from heatstudio.stack.values.properties import Properties
from heatstudio.stack.values.property_problem import PropertyError
from heatstudio.template import Template, parse_template

_PATTERN = frozenset("*?[")
"""The characters that make a name a pattern."""


def inherited(
    files: tuple[EnvironmentFile, ...], name: str = "", target: str = "", resource: str = ""
) -> tuple[EnvironmentFile, ...]:
    """Return the environments without parameter values and without the mapping from `name` to the nested template.

    Of the settings of single resources, only those inside the `resource` with the nested stack remain. Without a
    `resource`, all remain, as for a stack that Heat creates by a request of its own.
    """
    return tuple(
        replace(file, data=_inherited(file.data, name, target)) if isinstance(file.data, Mapping) else file
        for file in (environments_inside(files, resource) if resource else files)
    )


def _inherited(data: Mapping[object, object], name: str, target: str) -> dict[object, object]:
    child = {key: value for key, value in data.items() if key != PARAMETERS}
    registry = child.get(RESOURCE_REGISTRY)
    if isinstance(registry, Mapping) and registry.get(name) == target:
        child[RESOURCE_REGISTRY] = {key: value for key, value in registry.items() if key != name}
    return child


def environments_inside(files: tuple[EnvironmentFile, ...], resource: str) -> tuple[EnvironmentFile, ...]:
    """Return the environments with the settings inside one resource instead of those of all resources.

    heat/engine/environment.py, remove_resources_except: the exact name precedes patterns.
    """
    if not any(map(settings_of_resources, files)):
        return files
    return tuple(_with_registry(file, {RESOURCES: _settings_inside(file, resource)}) for file in files)


def _settings_inside(file: EnvironmentFile, resource: str) -> dict[object, object]:
    settings = settings_of_resources(file)
    patterns = (key for key in settings if not _PATTERN.isdisjoint(str(key)) and fnmatchcase(resource, str(key)))
    matching = (*patterns, *((resource,) if resource in settings else ()))
    found = [one for key in matching if isinstance(one := settings[key], Mapping)]
    return {key: one for each in found for key, one in each.items() if isinstance(one, Mapping)}


def _with_registry(file: EnvironmentFile, changed: Mapping[object, object]) -> EnvironmentFile:
    """Return an environment with changed keys of its registry, if it has settings of single resources."""
    registry = file.data.get(RESOURCE_REGISTRY) if isinstance(file.data, Mapping) else None
    if not isinstance(file.data, Mapping) or not isinstance(registry, Mapping) or not settings_of_resources(file):
        return file
    return replace(file, data={**file.data, RESOURCE_REGISTRY: {**registry, **changed}})


def with_shared_mappings(
    files: tuple[EnvironmentFile, ...], entries: Iterable[tuple[object, object]], key: str
) -> tuple[EnvironmentFile, ...]:
    """Return the environments with mappings of single resources among `entries` for all resources of their types.

    As soon as Heat has found the type of Heat to which a resource is mapped, it uses it for all resources of the
    stack and of its nested stacks; the first name precedes others (heat/engine/environment.py, get_resource_info).
    `key` is the key of the type in an entry.
    """
    with_settings = [file for file in files if settings_of_resources(file)]
    if not with_settings:
        return files
    settings = {name: one for file in with_settings for name, one in settings_of_resources(file).items()}
    mapped: dict[object, object] = {}
    for name, entry in sorted((one for one in entries if one[0] in settings), key=_name, reverse=True):
        own, kind = settings[name], entry.get(key) if isinstance(entry, Mapping) else None
        target = own.get(kind) if isinstance(own, Mapping) and isinstance(kind, str) else None
        if isinstance(target, str) and target not in ("", kind) and not target.endswith(TEMPLATE_ENDINGS):
            mapped[kind] = target
    return tuple(_with_registry(file, mapped) if file is with_settings[-1] else file for file in files)


def _name(entry: tuple[object, object]) -> str:
    return str(entry[0])


def settings_of_resources(file: EnvironmentFile) -> Mapping[object, object]:
    """Return the settings of single resources in the registry of an environment."""
    registry = file.data.get(RESOURCE_REGISTRY) if isinstance(file.data, Mapping) else None
    settings = registry.get(RESOURCES) if isinstance(registry, Mapping) else None
    return settings if isinstance(settings, Mapping) else {}


def child_parameters(
    kind: ResourceType, properties: Properties, *, before_creation: bool = False
) -> Iterator[tuple[str, object]]:
    """Yield the set properties as parameters of the nested template; lists become comma-delimited text.

    Before the creation, Heat validates the nested template with an empty value in place of an invalid one.
    """
    for name in properties.given:
        schema = kind.properties.get(name)
        value = properties.value(name) if schema is not None else None
        if schema is None or value is None:
            continue
        try:
            value = properties[name] if before_creation else value
        except PropertyError:
            value = properties.converted(schema, None, (), validate=False)
        if schema.type is PropertyType.LIST and isinstance(value, list) and not has_unknown(value):
            value = _comma_delimited(value)
        yield name, value


def _comma_delimited(values: Sequence[object]) -> str:
    """Return a list as a comma-delimited string for a parameter."""
    if values and isinstance(values[0], Mapping):
        pairs = ((index, item) for index, item in enumerate(values) if isinstance(item, Mapping))
        return ",".join(f".member.{index}.{key}={value}" for index, item in pairs for key, value in item.items())
    return ",".join("" if item is None else str(item) for item in values)


def facade(definition: ResourceDefinition, resolved: Callable[[object], object]) -> ParentResourceProxy:
    """Return the facade of a resource for its nested stack; `resolved` returns the value of parsed data."""
    return ParentResourceProxy(
        metadata=resolved(definition.metadata) or {},
        deletion_policy=as_deletion_policy(resolved(definition.deletion_policy) or "Delete"),
        update_policy=resolved(definition.update_policy) or {},
    )


@cache
def group_template() -> Template:
    """Return an empty template with the version of Heat's group templates (heat/scaling/template.py)."""
    return parse_template("heat_template_version: 2015-04-30\n")


def unjoinable(values: Sequence[object]) -> int | None:
    """Return the position of the first item that Heat fails to convert to a string; None if there is none.

    All items must be maps or strings, like the first item (heat/engine/resources/template_resource.py).
    """
    maps = bool(values) and isinstance(values[0], Mapping)
    fitting: tuple[type, ...] = (Mapping, Unknown) if maps else (str, Unknown, type(None))
    if values and isinstance(values[0], Unknown):
        fitting = (*fitting, Mapping)
    return next((index for index, item in enumerate(values) if not isinstance(item, fitting)), None)
