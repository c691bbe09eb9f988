"""The definitions of group members as plain data, computed from the properties of the group.

heat/engine/resources/openstack/heat/resource_group.py, resource_chain.py, structured_config.py,
software_deployment.py; instance_group.py and aws/autoscaling/autoscaling_group.py, _get_conf_properties.
"""

from collections.abc import Iterable, Mapping

from heatstudio.catalog.rules.update_rule import LaunchRule, MemberRule
from heatstudio.stack.unknown import Unknown, has_unknown
from heatstudio.update.difference import compare, referred_resource
from heatstudio.update.update_side import Owner
from heatstudio.update.update_truth import Side

Members = Mapping[str, object]
"""The definitions of members by name."""


def chained(owner: Owner, rule: MemberRule) -> Members | None:
    """Return one member for each type of the list; None if the list is unknown."""
    types, shared = owner.side.properties.value(rule.types), owner.side.properties.value(rule.shared)
    if not isinstance(types, list) or has_unknown(types):
        return None
    return {str(index): _member(kind, shared) for index, kind in enumerate(types)}


def for_each(owner: Owner, rule: MemberRule) -> Members | None:
    """Return one member for each entry of the map; None if the map is unknown."""
    properties = owner.side.properties
    given = properties.value(rule.for_each)
    if not isinstance(given, Mapping):
        return None
    shared = {name: value for name, value in _given(owner.side).items() if name != rule.for_each}
    return {str(name): _member(rule.type, shared | {rule.each: value}) for name, value in given.items()}


def _member(kind: object, properties: object, metadata: object = None) -> dict[str, object]:
    member: dict[str, object] = {"type": kind}
    if isinstance(properties, Mapping):
        member["properties"] = {name: value for name, value in properties.items() if value is not None}
    if metadata:
        member["metadata"] = metadata
    return member


def indexed(owner: Owner, rule: MemberRule, names: Iterable[str]) -> Members:
    """Return the members by name, with the placeholder replaced; members without a placeholder share one object."""
    definition = owner.side.properties.value(rule.definition)
    if not isinstance(definition, Mapping):
        return dict.fromkeys(names, _member("", None))
    kind, properties, metadata = map(definition.get, ("type", "properties", "metadata"))
    placeholder = owner.side.properties.value(rule.index) if rule.index else None
    if not isinstance(placeholder, str) or not placeholder or with_index(properties, placeholder, "") == properties:
        return dict.fromkeys(names, _member(kind, properties, metadata))
    return {name: _member(kind, with_index(properties, placeholder, name), metadata) for name in names}


def with_index(value: object, placeholder: str, name: str) -> object:
    """Return the value with the placeholder replaced by the member's name (resource_group.py, _handle_repl_val)."""
    if isinstance(value, str):
        return value.replace(placeholder, name)
    if isinstance(value, Mapping):
        return {key: with_index(item, placeholder, name) for key, item in value.items()}
    return [with_index(item, placeholder, name) for item in value] if isinstance(value, list) else value


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
    kind = stack.types.find(definition.type, name).type
    side = stack.side(definition, kind)
    given = _given(side)
    server = given.pop(rule.server, None)
    known = _of_server(rule, server) if server is not None else {}
    return _member(rule.type, known | given, stack.resolved(definition.metadata))


def _given(side: Side) -> dict[str, object]:
    """Return the values of the properties that the definition sets and the type has."""
    return {name: side.properties.value(name) for name in side.type.properties if name in side.properties.given}


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
