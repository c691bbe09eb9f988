"""The definitions of group members as plain data, computed from the properties of the group.

heat/engine/resources/openstack/heat/resource_group.py, resource_chain.py, structured_config.py,
software_deployment.py; instance_group.py and aws/autoscaling/autoscaling_group.py, _get_conf_properties.
"""

from collections.abc import Iterable, Mapping

from heatstudio.catalog.rules.update_rule import LaunchRule, MemberRule
from heatstudio.stack.unknown import Unknown, has_unknown
from heatstudio.stack.values.properties import Properties
from heatstudio.template.editing.rendering_plan import with_parts
from heatstudio.update.difference import compare, referred_resource
from heatstudio.update.sides.update_side import Owner

Members = Mapping[str, Mapping[str, object]]
"""The definitions of members by name."""


def listed(properties: Properties, rule: MemberRule) -> Members | None:
    """Return one member for each type of the list, or for each entry of the map; None if these are unknown."""
    if rule.types:
        types, shared = properties.value(rule.types), properties.value(rule.shared)
        if not isinstance(types, list) or has_unknown(types):
            return None
        return {str(index): _member(kind, shared) for index, kind in enumerate(types)}
    each = properties.value(rule.for_each)
    if not isinstance(each, Mapping):
        return None
    shared = {name: value for name, value in _given(properties).items() if name != rule.for_each and value is not None}
    return {str(name): _member(rule.type, {**shared, rule.each: value}) for name, value in each.items()}


def _member(kind: object, properties: object, metadata: object = None) -> dict[str, object]:
    return {"type": kind, "properties": properties or {}} | ({"metadata": metadata} if metadata else {})


def indexed(properties: Properties, rule: MemberRule, names: Iterable[str], *, with_nulls: bool = False) -> Members:
    """Return the members by name, with the placeholder replaced; members without a placeholder share one object.

    A group with a placeholder keeps properties that are null when Heat validates it, and creates members without them
    (resource_group.py, _clean_props).
    """
    definition = properties.value(rule.definition)
    if not isinstance(definition, Mapping):
        return dict.fromkeys(names, _member("", None))
    kind, given, metadata = map(definition.get, ("type", "properties", "metadata"))
    if rule.index and not with_nulls and isinstance(given, Mapping):
        given = {name: value for name, value in given.items() if value is not None}
    placeholder = properties.value(rule.index) if rule.index else None
    if not isinstance(placeholder, str) or not placeholder or with_index(given, placeholder, "") == given:
        return dict.fromkeys(names, _member(kind, given, metadata))
    return {name: _member(kind, with_index(given, placeholder, name), metadata) for name in names}


def drops_nulls(properties: Properties | None, rule: MemberRule | None) -> bool:
    """Return whether Heat creates the members without properties that are null when it validates the group."""
    definition = properties.value(rule.definition) if properties and rule and rule.index else None
    given = definition.get("properties") if isinstance(definition, Mapping) else None
    return isinstance(given, Mapping) and None in given.values()


def with_index(value: object, placeholder: str, name: str) -> object:
    """Return the value with the placeholder replaced by the member's name (resource_group.py, _handle_repl_val)."""
    return with_parts(value, str, lambda text: text.replace(placeholder, name))


def launched(owner: Owner, rule: LaunchRule) -> dict[str, object]:
    """Return the definition of each member from the group's launch configuration, or from an existing server."""
    properties = owner.side.properties
    reference = properties.value(rule.config)
    name = referred_resource(reference) if isinstance(reference, Unknown) else None
    stack = owner.stack
    if name is None or not stack.definition.names_resource(name):
        server = properties.value(rule.server) if rule.server in owner.side.type.properties else None
        return _member(rule.type, _of_server(rule, server or reference))
    definition = stack.definition.resource_definition(name)
    side = stack.side(definition, stack.found(name).type)
    given = _given(side.properties)
    server = given.pop(rule.server, None)
    known = _of_server(rule, server) if server is not None else {}
    return _member(rule.type, known | given, stack.resolved(definition.metadata))


def _given(properties: Properties) -> dict[str, object]:
    """Return the values of the properties that the definition sets and the type has."""
    return {name: properties.value(name) for name in properties.names if name in properties.given}


def _of_server(rule: LaunchRule, server: object) -> dict[str, object]:
    """Return the properties that Heat copies from an existing server; their values are unknown offline."""
    origins = frozenset({"server:" + (server if isinstance(server, str) else "")})
    return {name: Unknown(("server", str(server), name), origins) for name in rule.of_server}


def keeps_members(before: Owner, after: Owner, rule: LaunchRule) -> bool:
    """Return whether existing members certainly stay unchanged, even if the group has a new member definition.

    Heat gives existing members a new definition only in a rolling update, and starts one only if the update policy
    requests it and the reference to the launch configuration changed.
    """
    policy = after.side.written.get("update_policy")
    if not isinstance(policy, Unknown) and not (isinstance(policy, Mapping) and policy.get(rule.policy)):
        return True
    return compare(before.side.properties.value(rule.config), after.side.properties.value(rule.config)) is True
