"""The nested stacks that resources own, before and after: provider templates, groups, chains.

Which types own one, and which of their properties say what is in it, is data (resources/update/rules.json). Sources:
heat/engine/resources/template_resource.py, child_params; openstack/heat/resource_group.py, autoscaling_group.py,
resource_chain.py, software_deployment.py; scaling/template.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice

from heatstudio.catalog import PropertyType
from heatstudio.catalog.update_rule import MemberRule
from heatstudio.stack.definition import StackDefinition
from heatstudio.stack.inputs.environment import Environment
from heatstudio.stack.knowledge import Knowledge
from heatstudio.stack.resource_definition import ResourceDefinition
from heatstudio.stack.resource_proxy import NodeData, ParentResourceProxy
from heatstudio.stack.source import Source
from heatstudio.stack.types import DEEPEST_NESTING, FoundType, Origin, Types
from heatstudio.stack.unknown import has_unknown
from heatstudio.stack.update.member_names import MemberNames
from heatstudio.stack.update.outer_value import Explain, outer
from heatstudio.stack.update.update_side import Blueprint, DefinedStack, StackSide, blueprint, without_parameters
from heatstudio.stack.update.update_truth import Side
from heatstudio.template import Template, parse_template

MOST_MEMBERS = 30
"""Members of a group that are listed of each kind: those that come, that go, and that stay."""
MOST_NAMES = 10
GROUP_VERSION = {"heat_template_version": "2015-04-30"}
"""The version that Heat gives the templates of groups."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A resource that owns a nested stack, on one side."""

    stack: StackSide
    definition: ResourceDefinition
    found: FoundType
    side: Side
    explain: Explain
    """Why what depends on a resource beside the owner sees another value."""


@dataclass(frozen=True, slots=True)
class NestedStacks:
    """What an owner holds before and after."""

    before: Blueprint
    after: Blueprint
    notes: tuple[str, ...] = ()
    certain: bool = True


def nested_stacks(before: Owner, after: Owner, rule: MemberRule | None, knowledge: Knowledge) -> NestedStacks | None:
    """The nested stacks of a resource; None if it has none, or nobody can know what is in them."""
    if max(before.stack.blueprint.depth, after.stack.blueprint.depth) >= DEEPEST_NESTING:
        return None
    if before.found.origin is Origin.TEMPLATE and after.found.origin is Origin.TEMPLATE:
        return _both(_of_template(before, knowledge), _of_template(after, knowledge))
    if rule is None:
        return None
    if rule.template:
        return _both(_of_text(before, rule, knowledge), _of_text(after, rule, knowledge))
    if rule.types:
        return _both(_group(before, _chained(before, rule), knowledge), _group(after, _chained(after, rule), knowledge))
    if rule.for_each:
        old, new = _for_each(before, rule), _for_each(after, rule)
        return _both(_group(before, old, knowledge), _group(after, new, knowledge))
    return _numbered(before, after, rule, knowledge)


def _both(before: Blueprint | None, after: Blueprint | None) -> NestedStacks | None:
    return NestedStacks(before, after) if before is not None and after is not None else None


def _of_template(owner: Owner, knowledge: Knowledge) -> Blueprint | None:
    template = owner.found.template
    return _template_stack(owner, template, dict(_child_parameters(owner)), knowledge) if template is not None else None


def _child_parameters(owner: Owner) -> Iterator[tuple[str, object]]:
    """The properties that are given, as parameters of the template; lists as text with commas."""
    for name, schema in owner.side.type.properties.items():
        value = owner.side.properties.value(name) if name in owner.side.given else None
        if value is None:
            continue
        if schema.type is PropertyType.LIST and isinstance(value, list) and not has_unknown(value):
            value = _comma_delimited(value)
        yield name, outer(value, owner.explain)


def _comma_delimited(values: list[object]) -> str:
    if values and isinstance(values[0], Mapping):
        pairs = ((index, item) for index, item in enumerate(values) if isinstance(item, Mapping))
        return ",".join(f".member.{index}.{key}={value}" for index, item in pairs for key, value in item.items())
    return ",".join("" if item is None else str(item) for item in values)


def _of_text(owner: Owner, rule: MemberRule, knowledge: Knowledge) -> Blueprint | None:
    """A template that is given as text, or by the name of its file."""
    text = owner.side.properties.value(rule.template)
    if rule.is_file and isinstance(text, str):
        text = owner.stack.blueprint.files.get(text)
    given = owner.side.properties.value(rule.parameters)
    if not isinstance(text, str):
        return None
    template = parse_template(text)
    if not template.complete or template.version_message or not template.data:
        return None
    values = (
        {str(key): outer(value, owner.explain) for key, value in given.items()} if isinstance(given, Mapping) else {}
    )
    return _template_stack(owner, template, values, knowledge)


def _template_stack(owner: Owner, template: Template, values: Mapping[str, object], knowledge: Knowledge) -> Blueprint:
    around = owner.stack.blueprint
    source = Source(
        template,
        without_parameters(around.environments),
        owner.found.files or around.files,
        values,
        _facade(owner),
        around.depth + 1,
    )
    return blueprint(source, knowledge)


def _facade(owner: Owner) -> ParentResourceProxy:
    definition, resolved = owner.definition, owner.stack.resolved
    return ParentResourceProxy(
        definition.name,
        metadata=outer(resolved(definition.metadata) or {}, owner.explain),
        deletion_policy=outer(resolved(definition.deletion_policy) or "Delete", owner.explain),
        update_policy=outer(resolved(definition.update_policy) or {}, owner.explain),
        template=owner.stack.definition.data,
    )


Members = Mapping[str, object]
"""The plain data of members by name."""


def _group(owner: Owner, members: Members | None, knowledge: Knowledge) -> Blueprint | None:
    """A stack of members whose properties are resolved already."""
    if members is None:
        return None
    around = owner.stack.blueprint
    environments = without_parameters(around.environments)
    catalog = knowledge.catalog
    environment = Environment(environments, known_types=frozenset(catalog.names()), aliases=catalog.aliases)
    types = Types(knowledge, environment, around.files, around.depth + 1)
    data = {**GROUP_VERSION, "resources": outer(members, owner.explain)}
    language = knowledge.language(_group_template().dialect)

    def define_group(known: Mapping[str, NodeData] | None, before: DefinedStack | None) -> DefinedStack:
        previous = before[0] if before else None
        stack = StackDefinition(data, language, environment, resource_data=known, types=types, previous=previous)
        return stack, types

    return Blueprint(define_group, environments, around.files, around.depth + 1)


@cache
def _group_template() -> Template:
    return parse_template("".join(f"{key}: {value}\n" for key, value in GROUP_VERSION.items()))


def _chained(owner: Owner, rule: MemberRule) -> Members | None:
    types, shared = owner.side.properties.value(rule.types), owner.side.properties.value(rule.shared)
    if not isinstance(types, list) or has_unknown(types):
        return None
    return {str(index): _member(kind, shared) for index, kind in enumerate(types)}


def _for_each(owner: Owner, rule: MemberRule) -> Members | None:
    properties = owner.side.properties
    given = properties.value(rule.for_each)
    if not isinstance(given, Mapping):
        return None
    shared = {name: properties.value(name) for name in owner.side.given if name != rule.for_each}
    return {str(name): _member(rule.type, shared | {rule.each: value}) for name, value in given.items()}


def _member(kind: object, properties: object, metadata: object = None) -> dict[str, object]:
    member: dict[str, object] = {"type": kind}
    if isinstance(properties, Mapping):
        member["properties"] = {name: value for name, value in properties.items() if value is not None}
    if metadata:
        member["metadata"] = metadata
    return member


def _numbered(before: Owner, after: Owner, rule: MemberRule, knowledge: Knowledge) -> NestedStacks | None:
    old_size, new_size = _size(before, rule), _size(after, rule)
    if old_size is None or new_size is None:
        return None
    old_skipped = _removed(before, rule)
    old = MemberNames(old_size, old_skipped)
    asked = frozenset(name for name in _removed(after, rule) if name in old_skipped or name in old)
    new = MemberNames(new_size, asked if _forgets(after, rule) else old_skipped | asked)
    both = (name for name in new if name in old)
    shown = dict.fromkeys(chain(*(islice(n, MOST_MEMBERS) for n in (old.missing_in(new), new.missing_in(old), both))))
    sides = _both(
        _group(before, {name: _indexed(before, rule, name) for name in shown if name in old}, knowledge),
        _group(after, {name: _indexed(after, rule, name) for name in shown if name in new}, knowledge),
    )
    if sides is None:
        return None
    hidden = new_size + old.how_many_missing_in(new) - len(shown)
    notes = tuple(_notes(old, new, rule, hidden))
    return NestedStacks(sides.before, sides.after, notes, certain=not rule.scales)


def _size(owner: Owner, rule: MemberRule) -> int | None:
    for name in rule.count:
        value = owner.side.properties.value(name)
        if value is not None:
            return value if isinstance(value, int) and value >= 0 else None
    return None


def _removed(owner: Owner, rule: MemberRule) -> frozenset[str]:
    if rule.removed is None:
        return frozenset()
    policies = owner.side.properties.value(rule.removed[0])
    found = (
        [policy.get(rule.removed[1]) for policy in policies if isinstance(policy, Mapping)]
        if isinstance(policies, list)
        else []
    )
    names = [name for names in found if isinstance(names, list) for name in names]
    return frozenset(str(name) for name in names if isinstance(name, (str, int)))


def _forgets(owner: Owner, rule: MemberRule) -> bool:
    return rule.forgets is not None and owner.side.properties.value(rule.forgets[0]) == rule.forgets[1]


def _indexed(owner: Owner, rule: MemberRule, name: str) -> dict[str, object]:
    definition = owner.side.properties.value(rule.definition)
    if not isinstance(definition, Mapping):
        return {"type": ""}
    placeholder = owner.side.properties.value(rule.index) if rule.index else None
    properties = definition.get("properties")
    if isinstance(placeholder, str) and placeholder:
        properties = _with_index(properties, placeholder, name)
    return _member(definition.get("type"), properties, definition.get("metadata"))


def _with_index(value: object, placeholder: str, name: str) -> object:
    if isinstance(value, str):
        return value.replace(placeholder, name)
    if isinstance(value, Mapping):
        return {key: _with_index(item, placeholder, name) for key, item in value.items()}
    return [_with_index(item, placeholder, name) for item in value] if isinstance(value, list) else value


def _notes(old: MemberNames, new: MemberNames, rule: MemberRule, hidden: int) -> Iterator[str]:
    going, coming = old.how_many_missing_in(new), new.how_many_missing_in(old)
    if going or coming:
        yield f"From {old.size:,} to {new.size:,} members: {coming:,} come, {going:,} go."
    if going and rule.scales:
        yield "The oldest members go, whatever they are called here; scaling may have changed their number."
    elif going and rule.removed:
        names = ", ".join(f"`{name}`" for name in islice(old.missing_in(new), MOST_NAMES))
        more = f" and {going - MOST_NAMES:,} more" if going > MOST_NAMES else ""
        yield f"Going: {names}{more}. Name others in `{rule.removed[0]}` to choose which members go."
    if hidden > 0:
        yield f"And {hidden:,} more members, in the same way."
