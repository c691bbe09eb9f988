"""Deployments that are replaced because an input of their config changed, which Heat's preview misses.

heat/engine/resources/openstack/heat/software_deployment.py, handle_update.
"""

from collections.abc import Iterator, Mapping

from heatstudio.catalog.rules.update_rule import InputRule
from heatstudio.stack.unknown import Unknown
from heatstudio.update.difference import compare, referred_resource
from heatstudio.update.plan.update_plan import Action, Cause
from heatstudio.update.sides.update_side import StackSide
from heatstudio.update.sides.update_truth import Side


def replacing_inputs(
    rule: InputRule, before: tuple[StackSide, Side], after: tuple[StackSide, Side]
) -> Iterator[tuple[Cause, bool]]:
    """Yield the input changes that replace a deployment, each with a flag: whether the change is certain."""
    old, new = dict(_inputs(rule, *before)), dict(_inputs(rule, *after))
    for name, (value, replaces) in new.items():
        if not replaces or name not in old:
            continue
        equal = compare(old[name][0], value)
        if equal is not True:
            sentence = f"Because the config sets `{rule.replaces}` for the input `{name}`."
            path = ("properties", rule.values, name)
            yield Cause(f"{rule.values}.{name}", old[name][0], value, Action.REPLACED, sentence, path), equal is False


def _inputs(rule: InputRule, stack: StackSide, side: Side) -> Iterator[tuple[str, tuple[object, bool]]]:
    """Yield name, value and replace flag of each input that the config of a deployment declares."""
    given = side.properties.value(rule.values)
    values = given if isinstance(given, Mapping) else {}
    declared = _declared(rule, stack, side.properties.value(rule.config))
    for item in declared if isinstance(declared, list) else ():
        if isinstance(item, Mapping) and isinstance(name := item.get(rule.name), str):
            yield name, (values.get(name, item.get(rule.default)), item.get(rule.replaces) is True)


def _declared(rule: InputRule, stack: StackSide, config: object) -> object:
    """Return the inputs of the config that a value refers to; None if the config is outside the stack."""
    name = referred_resource(config) if isinstance(config, Unknown) else None
    if name is None or not stack.definition.names_resource(name):
        return None
    definition = stack.definition.resource_definition(name)
    kind = stack.types.find(definition.type, name).type
    if kind is None or rule.inputs not in kind.properties:
        return None
    return stack.side(definition, kind).properties.value(rule.inputs)
