"""The environments, parameter values and facade that a nested stack receives from its parent stack.

heat/engine/environment.py, get_child_environment; heat/engine/resources/template_resource.py, child_params.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from msgspec.structs import replace

from heatstudio.catalog.schema import PropertyType, ResourceType
from heatstudio.stack.inputs.environment import PARAMETERS, RESOURCE_REGISTRY, EnvironmentFile
from heatstudio.stack.resource_definition import ResourceDefinition, as_deletion_policy
from heatstudio.stack.resource_proxy import ParentResourceProxy
from heatstudio.stack.unknown import Unknown, has_unknown
from heatstudio.stack.values.properties import Properties
from heatstudio.stack.values.property_problem import PropertyError
from heatstudio.template import Template, parse_template


def inherited(files: tuple[EnvironmentFile, ...], name: str = "", target: str = "") -> tuple[EnvironmentFile, ...]:
    """Return the environments without parameter values and without the mapping from `name` to the nested template."""
    return tuple(
        replace(file, data=_inherited(file.data, name, target)) if isinstance(file.data, Mapping) else file
        for file in files
    )


def _inherited(data: Mapping[object, object], name: str, target: str) -> dict[object, object]:
    child = {key: value for key, value in data.items() if key != PARAMETERS}
    registry = child.get(RESOURCE_REGISTRY)
    if isinstance(registry, Mapping) and registry.get(name) == target:
        child[RESOURCE_REGISTRY] = {key: value for key, value in registry.items() if key != name}
    return child


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
