"""The properties of one resource of a stack, as Heat reads them."""

from collections.abc import Callable, Mapping

from heatstudio.catalog import ResourceType
from heatstudio.stack.functions.function import Function, FunctionError, StackView, resolve
from heatstudio.stack.resource_definition import ResourceDefinition
from heatstudio.stack.values.properties import Properties
from heatstudio.stack.values.translation import NO_TRANSLATION, Finder, Translation, active_rules


def resource_properties(
    definition: ResourceDefinition,
    resource_type: ResourceType,
    stack: StackView,
    *,
    finder: Finder | None = None,
    is_pending: Callable[[object], bool] | None = None,
) -> Properties:
    """Return the properties of a resource; for `finder` and `is_pending`, see Translation and Properties."""
    parsed = definition.properties
    if isinstance(parsed, Function):
        try:
            parsed = resolve(parsed, stack)
        except FunctionError:
            parsed = None
    data: Mapping[str, object] = parsed if isinstance(parsed, dict) else {}

    def read(value: object) -> object:
        return resolve(value, stack, nullable=True) if isinstance(value, (Function, dict, list)) else value

    rules = resource_type.translation_rules
    if any(rule.when_set is not None for rule in rules):
        plain = Properties(resource_type.properties, data, resolve=read)
        rules = active_rules(rules, lambda name: name in data and bool(plain.value(name)))
    return Properties(
        resource_type.properties,
        data,
        resolve=read,
        is_pending=is_pending if is_pending is not None else lambda _value: False,
        translation=Translation(rules, finder) if rules else NO_TRANSLATION,
        description=definition.description,
    )
