"""The attributes of resources that functions read, before and after an update.

Heat reads the attributes of a resource again after it was updated, replaced or created (heat/engine/resource.py,
state_set and node_data). resources/update/attributes.json lists the attributes that an update in place keeps.
"""

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog.rules.update_rule import AttributeRule, MemberAttribute, MemberAttributeKind, MemberRule
from heatstudio.stack.functions.hot_functions import attribute_at, select
from heatstudio.stack.resource_proxy import NodeData, PathAttribute
from heatstudio.stack.unknown import ATTRIBUTE, NewKey, Shape, Unknown, derived, has_unknown
from heatstudio.stack.values.property_problem import PropertyError
from heatstudio.update.difference import reference_key
from heatstudio.update.plan.update_plan import Action, ResourceChange
from heatstudio.update.running_stack import Resources
from heatstudio.update.sides.outer_value import inside_out
from heatstudio.update.sides.update_side import StackSide

ONE_MEMBER = "resource"
ANY_ATTRIBUTE = "*"


class NestedStackView(Struct, frozen=True):
    """The nested stack of a resource, which computes the attributes of its owner from its members and outputs.

    heat/engine/resources/openstack/heat/autoscaling_group.py; resource_group.py, resource_chain.py,
    software_deployment.py and remote_stack.py beside it; heat/engine/resources/aws/cfn/stack.py;
    heat/engine/resources/template_resource.py.
    """

    owner: str
    stack: StackSide
    rule: MemberRule | None
    """None for a resource that a template implements."""
    is_complete: bool
    """Whether all members are known."""

    def attribute(self, name: str) -> object:
        """Return an attribute of the owner. Raise KeyError if the nested stack does not determine it."""
        kind, *rest = name.split(".", 2)
        if kind == ONE_MEMBER and rest:
            member, first_keys = self._member_name(rest[0]), rest[1:]
            return PathAttribute(lambda path: self._member_attribute(member, (*first_keys, *path)))
        if self.rule is None:
            return self._output(name)
        attribute = self.rule.attributes.get(name)
        if attribute is not None:
            return self._aggregated(attribute)
        prefix = next((key for key, a in self.rule.attributes.items() if a.kind is MemberAttributeKind.OUTPUT), name)
        if name != prefix and name.startswith(prefix):
            return self._output(name.removeprefix(prefix))
        if not self.rule.passes_on:
            raise KeyError(name)
        members = self._members
        return PathAttribute(lambda path: [self._member_attribute(member, (name, *path)) for member in members])

    @property
    def _members(self) -> tuple[str, ...]:
        """The names of all members, in order. Raise KeyError if not all are known."""
        if not self.is_complete:
            raise KeyError(self.owner)
        return self.stack.definition.enabled_resource_names

    def _member_name(self, name: str) -> str:
        """Return the name of a member given by name, or by position in a scaling group. Raise KeyError if unknown."""
        if self.rule is not None and self.rule.scales:
            name = dict(enumerate(self._members))[int(name) if name.isdecimal() else -1]
        if name not in self.stack.definition.enabled_resource_names:
            raise KeyError(name)
        return name

    def _aggregated(self, attribute: MemberAttribute) -> object:
        kinds = MemberAttributeKind
        if attribute.kind is kinds.OUTPUTS:
            names = self.stack.definition.output_names
            return {name: self._output(name) for name in names if self.stack.definition.is_output_enabled(name)}
        members = self._members
        if attribute.kind is kinds.SIZE:
            return len(members)
        as_map = attribute.kind in (kinds.MAP, kinds.REFERENCE_MAP)

        def at(path: tuple[object, ...]) -> object:
            found = [self._member_attribute(member, path) for member in members]
            return dict(zip(members, found, strict=True)) if as_map else found

        if attribute.kind in (kinds.REFERENCES, kinds.REFERENCE_MAP):
            return PathAttribute(lambda _path: at(())) if attribute.ignores_path else at(())
        return at((attribute.of,)) if attribute.of else PathAttribute(lambda path: at(_not_empty(path)))

    def _member_attribute(self, name: str, path: Sequence[object]) -> object:
        """Return an attribute of a member, or its reference ID if the path is empty. Raise LookupError if absent."""
        member = self.stack.definition.resource(name)
        if not path:
            return inside_out(member.reference_id(), self.owner)
        if has_unknown(path):
            known = member.data.attributes.get(ANY_ATTRIBUTE) if member.data is not None else None
            return inside_out(derived("select", [member.reference_id(), known, *path]), self.owner)
        return inside_out(attribute_at(member.attribute(path[0]), list(path[1:])), self.owner)

    def _output(self, name: str) -> object:
        definition = self.stack.definition
        enabled = definition.is_output_enabled(name) if name in definition.output_names else False
        if enabled is False:
            raise KeyError(name)
        value = self.stack.resolved(definition.output_definition(name).value)
        return inside_out(derived("if", enabled, value) if isinstance(enabled, Unknown) else value, self.owner)


def _not_empty(path: tuple[object, ...]) -> tuple[object, ...]:
    """Return the path. Raise KeyError if the path is empty: Heat requires the name of an attribute."""
    if not path:
        raise KeyError("path")
    return path


RENEWED = "renewed"
EVERY_UPDATE = "*"
STEP, ANY_STEP = "/", "*"
"""Separator and wildcard in the keys of rules for a path below an attribute."""
LONGEST_CHAIN = 10
"""Maximum length of a chain of attributes that mirror properties that read other attributes."""


class NestedContent(Struct, frozen=True):
    """The known content of an owner's nested stack, before and after the update."""

    before: NestedStackView | None = None
    after: NestedStackView | None = None
    changes: bool = True
    """Whether any value in the nested stack changes or may change."""


class AttributeMap(Mapping[str, object]):
    """The attributes of one resource on one side, computed on first access."""

    def __init__(self, find: Callable[[str], object], names: Collection[str]) -> None:
        self._find = find
        self._names = names
        self._found: dict[str, object] = {}

    def __getitem__(self, name: str) -> object:
        if name not in self._found:
            self._found[name] = Unknown((ATTRIBUTE, "circle", name))  # the value that a circular dependency reads
            self._found[name] = self._find(name)
        return self._found[name]

    def forget(self) -> None:
        """Discard the computed values."""
        self._found.clear()

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class UpdateProgress:
    """The data of the resources before an update, and after the changes planned so far."""

    def __init__(self, now: Mapping[str, NodeData], running: Resources) -> None:
        self.running = running
        self.renewed: dict[str, NodeData] = {}
        """The resources whose reference ID or attributes change or may change."""
        self._now = now
        self._sides: dict[bool, StackSide] = {}
        self._before: dict[str, AttributeMap] = {}
        self._inside: dict[str, NestedContent] = {}
        self._depth = 0

    def connect(self, before: StackSide, after: StackSide) -> None:
        """Set the two stacks that the values are computed from."""
        self._sides = {False: before, True: after}

    def before(self, name: str) -> NodeData:
        """Return the data of a resource before the update; without known data it exists, with unknown values."""
        return replace(self._now.get(name, NodeData(self._reference(name))), attributes=self._attributes(name))

    def after(self, name: str) -> NodeData:
        """Return the data of a resource after the changes planned so far."""
        return self.renewed[name] if name in self.renewed else self.before(name)

    def inside(self, name: str) -> tuple[Resources, bool]:
        """Return the known resources of the nested stack of a resource, and whether its definition is current."""
        return (self.running[name].members, self.running[name].is_current) if name in self.running else ({}, True)

    def own(self, name: str, inside: NestedContent) -> None:
        """Set the nested stack of a resource, and discard the values computed without it."""
        self._inside[name] = inside
        self._attributes(name).forget()

    def renew(self, change: ResourceChange, *, reference: bool | None) -> None:
        """Set the data of a changed resource; `reference` is whether its ID also changes, None if uncertain."""
        name, found = change.name, self._reference(change.name)
        if reference is not False:
            known = found if isinstance(found, str) else None
            found = _reference(name, NewKey(reference_key(name), known, certain=reference is True))
        is_new = change.action in (Action.ADDED, Action.REPLACED)
        self.renewed[name] = NodeData(found, self._renewed(name) if is_new else self._updated(change))

    def _reference(self, name: str) -> object:
        """Return the reference ID of a resource before the update."""
        return self._now[name].reference_id if name in self._now else _reference(name, reference_key(name))

    def _attributes(self, name: str) -> AttributeMap:
        """Return the attributes of a resource before the update."""
        if name not in self._before:
            names = self._names(name, after=False)
            self._before[name] = AttributeMap(lambda attribute: self._old(name, attribute), names)
        return self._before[name]

    def _updated(self, change: ResourceChange) -> AttributeMap:
        """Return the attributes of a resource after an update in place."""
        name, causes = change.name, [cause.path for cause in change.causes]
        changed = frozenset(str(path[1]) for path in causes if path[:1] == ("properties",) and len(path) > 1)
        parts = frozenset(str(path[0]) for path in causes if len(path) == 1)

        def find(attribute: str) -> object:
            inside = self._inside.get(name)
            if inside is not None and inside.after is not None and attribute not in self._rules(name, after=True):
                with suppress(KeyError):
                    return inside.after.attribute(attribute)
            has_paths = any(key.startswith(attribute + STEP) for key in self._rules(name, after=True))
            return PathAttribute(partial(at, attribute)) if has_paths else at(attribute, ())

        def at(attribute: str, path: tuple[object, ...]) -> object:
            kept = not self._may_change(name, (attribute, *path), changed, parts)
            return select(self._attributes(name)[attribute] if kept else self._new(name, attribute), list(path))

        return AttributeMap(find, self._names(name, after=True))

    def _renewed(self, name: str) -> AttributeMap:
        """Return the attributes of a resource that is created or replaced."""
        return AttributeMap(lambda attribute: self._new(name, attribute), self._names(name, after=True))

    def _old(self, name: str, attribute: str) -> object:
        inside = self._inside.get(name)
        if inside is not None and inside.before is not None and attribute not in self._rules(name, after=False):
            with suppress(KeyError):
                return inside.before.attribute(attribute)
        reported = self.running[name].attributes if name in self.running else {}
        if attribute in reported:
            return reported[attribute]
        with suppress(KeyError):
            return self._of_property(name, attribute, after=False)
        is_reference = attribute == self._sides[False].behavior(name).reference_attribute
        return Unknown(reference_key(name) if is_reference else (ATTRIBUTE, name, attribute), _origins(name))

    def _new(self, name: str, attribute: str) -> object:
        with suppress(KeyError):
            return self._of_property(name, attribute, after=True)
        return Unknown((ATTRIBUTE, name, attribute, RENEWED), _origins(name))

    def _may_change(self, name: str, path: tuple[object, ...], changed: frozenset[str], parts: frozenset[str]) -> bool:
        """Return whether an update in place that changes these properties and parts may change the value at a path."""
        rule = self._rule(name, path, after=True)
        if rule is not None:
            return EVERY_UPDATE in rule.follows or not (changed | parts).isdisjoint(rule.follows)
        if name in self._inside:
            return self._inside[name].changes
        side = self._sides[True]
        return bool(changed) or not side.types.knowledge.is_bundled(side.found(name).target)

    def _of_property(self, name: str, attribute: str, *, after: bool) -> object:
        """Return the value of an attribute that mirrors a property. Raise KeyError for other attributes."""
        rule, kind = self._rule(name, (attribute,), after=after), self._sides[after].found(name).type
        if rule is None or not rule.value_of or kind is None or self._depth >= LONGEST_CHAIN:
            raise KeyError(attribute)
        side = self._sides[after]
        self._depth += 1
        try:
            value = side.properties(side.definition.resource_definition(name), kind)[rule.value_of]
        except PropertyError:
            raise KeyError(attribute) from None
        finally:
            self._depth -= 1
        if value is None or value == "":
            raise KeyError(attribute)
        return value

    def _rule(self, name: str, path: tuple[object, ...], *, after: bool) -> AttributeRule | None:
        rules = self._rules(name, after=after)
        for key, rule in rules.items():
            steps = key.split(STEP)
            if len(steps) in range(2, len(path) + 1) and all(map(_matches, steps, path)):
                return rule
        return rules.get(str(path[0]), rules.get(ANY_ATTRIBUTE))

    def _rules(self, name: str, *, after: bool) -> Mapping[str, AttributeRule]:
        return self._sides[after].behavior(name).attributes

    def _names(self, name: str, *, after: bool) -> Collection[str]:
        """Return the names of the attributes of the type, or the wildcard if the type is unknown."""
        kind = self._sides[after].found(name).type
        return kind.attributes if kind is not None else (ANY_ATTRIBUTE,)


def _matches(step: str, key: object) -> bool:
    return step in (ANY_STEP, str(key))


def _origins(name: str) -> frozenset[str]:
    return frozenset({f"resource:{name}"})


def _reference(name: str, key: Hashable) -> Unknown:
    return Unknown(key, frozenset({f"resource:{name}"}), Shape.TEXT)
