"""Deployments that are replaced because an input of their config changed; Heat's preview does not see this.

heat/engine/resources/openstack/heat/software_deployment.py, handle_update.
"""

from collections.abc import Iterator, Mapping

from heatstudio.catalog.rules.update_rule import InputRule
from heatstudio.stack.unknown import Unknown
from heatstudio.update.difference import compare, referred_resource
from heatstudio.update.update_plan import Action, Cause
from heatstudio.update.update_side import StackSide
from heatstudio.update.update_truth import Side


def replacing_inputs(
    rule: InputRule, before: tuple[StackSide, Side], after: tuple[StackSide, Side]
) -> Iterator[tuple[Cause, bool]]:
    """The inputs whose new values replace a deployment, and whether they are certainly new."""
    old, new = dict(_inputs(rule, *before)), dict(_inputs(rule, *after))
    for name, (value, replaces) in new.items():
        if not replaces or name not in old:
            continue
        alike = compare(old[name][0], value)
        if alike is not True:
            sentence = f"Because the config sets `{rule.replaces}` for the input `{name}`."
            path = ("properties", rule.values, name)
            yield Cause(f"{rule.values}.{name}", old[name][0], value, Action.REPLACED, sentence, path), alike is False


def _inputs(rule: InputRule, stack: StackSide, side: Side) -> Iterator[tuple[str, tuple[object, bool]]]:
    """The inputs that the config declares, with their values and whether they ask for a replacement."""
    given = side.properties.value(rule.values)
    values = given if isinstance(given, Mapping) else {}
    declared = _declared(rule, stack, side.properties.value(rule.config))
    for item in declared if isinstance(declared, list) else ():
        if isinstance(item, Mapping) and isinstance(name := item.get(rule.name), str):
            yield name, (values.get(name, item.get(rule.default)), item.get(rule.replaces) is True)


def _declared(rule: InputRule, stack: StackSide, config: object) -> object:
    """The inputs of the config that a value refers to, if that is a resource beside."""
    name = referred_resource(config) if isinstance(config, Unknown) else None
    if name is None or not stack.definition.names_resource(name):
        return None
    definition = stack.definition.resource_definition(name)
    kind = stack.types.find(definition.type, name).type
    if kind is None or rule.inputs not in kind.properties:
        return None
    return stack.side(definition, kind).properties.value(rule.inputs)
