"""The attributes of resources that functions read, before and after an update.

Heat reads the attributes of a resource again when it was updated, replaced or created (heat/engine/resource.py,
state_set and node_data). Which of them an update in place leaves as they are is data: resources/update/attributes.json.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial

from msgspec import Struct

from heatstudio.catalog.rules.update_rule import PLAIN, AttributeRule, MemberAttribute, MemberAttributeKind, MemberRule
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.types import FoundType
from heatstudio.stack.functions.hot_functions import attribute_at, select
from heatstudio.stack.resource_proxy import PathAttribute
from heatstudio.stack.unknown import ATTRIBUTE, Unknown, derived, has_unknown
from heatstudio.stack.values.property_problem import PropertyError
from heatstudio.update.outer_value import inside_out
from heatstudio.update.running_stack import Resources
from heatstudio.update.update_plan import ResourceChange
from heatstudio.update.update_side import StackSide

ONE_MEMBER = "resource"
ANY_ATTRIBUTE = "*"


class InsideStack(Struct, frozen=True):
    """A nested stack as seen by its owner: its attributes follow from its content.

    heat/engine/resources/openstack/heat/resource_group.py, autoscaling_group.py, resource_chain.py,
    software_deployment.py and remote_stack.py; heat/engine/resources/aws/cfn/stack.py;
    heat/engine/resources/template_resource.py.
    """

    owner: str
    stack: StackSide
    rule: MemberRule | None
    """None for a resource that a template implements."""
    is_complete: bool
    """Whether all members are known."""

    def attribute(self, name: str) -> object:
        """An attribute of the owner; raises KeyError if the nested stack does not determine it."""
        kind, *asked = name.split(".", 2)
        if kind == ONE_MEMBER and asked:
            member, above = self._named(asked[0]), asked[1:]
            return PathAttribute(lambda path: self._of_member(member, (*above, *path)))
        if self.rule is None:
            return self._output(name)
        described = self.rule.attributes.get(name)
        if described is not None:
            return self._described(described)
        prefix = next((one for one, a in self.rule.attributes.items() if a.kind is MemberAttributeKind.OUTPUT), name)
        if name != prefix and name.startswith(prefix):
            return self._output(name.removeprefix(prefix))
        if not self.rule.passes_on:
            raise KeyError(name)
        members = self._members
        return PathAttribute(lambda path: [self._of_member(one, (name, *path)) for one in members])

    @property
    def _members(self) -> tuple[str, ...]:
        """The members in their order. Raises KeyError if not all are known."""
        if not self.is_complete:
            raise KeyError(self.owner)
        return self.stack.definition.enabled_resource_names()

    def _named(self, name: str) -> str:
        """A member by its name, or by its position where Heat makes up the names. Raises KeyError if not known."""
        if self.rule is not None and self.rule.scales:
            name = dict(enumerate(self._members))[int(name) if name.isdecimal() else -1]
        if name not in self.stack.definition.enabled_resource_names():
            raise KeyError(name)
        return name

    def _described(self, attribute: MemberAttribute) -> object:
        kinds = MemberAttributeKind
        if attribute.kind is kinds.OUTPUTS:
            names = self.stack.definition.output_names
            return {name: self._output(name) for name in names if self.stack.definition.is_output_enabled(name)}
        members = self._members
        if attribute.kind is kinds.SIZE:
            return len(members)
        as_map = attribute.kind in (kinds.MAP, kinds.REFERENCE_MAP)

        def at(path: tuple[object, ...]) -> object:
            found = [self._of_member(member, path) for member in members]
            return dict(zip(members, found, strict=True)) if as_map else found

        if attribute.kind in (kinds.REFERENCES, kinds.REFERENCE_MAP):
            return PathAttribute(lambda _path: at(())) if attribute.ignores_path else at(())
        return at((attribute.of,)) if attribute.of else PathAttribute(lambda path: at(_not_empty(path)))

    def _of_member(self, name: str, path: Sequence[object]) -> object:
        """An attribute of a member, or its reference id if the path is empty. Raises LookupError."""
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
    """A path that begins with the name of an attribute; Heat rejects any other."""
    if not path:
        raise KeyError("path")
    return path


RENEWED = "renewed"
EVERY_UPDATE = "*"
STEP, ANY_STEP = "/", "*"
"""In a rule for what a path leads to, below the name of the attribute."""
LONGEST_CHAIN = 10
"""How many attributes that have the value of a property are followed, one through the other."""


class Inside(Struct, frozen=True):
    """The known attributes of a nested stack for its owner, before and after the update."""

    before: InsideStack | None = None
    after: InsideStack | None = None
    changes: bool = True
    """Whether something inside has, or may have, another value than before."""


class AttributeMap(Mapping[str, object]):
    """The attributes of one resource on one side, each computed on first use."""

    def __init__(self, find: Callable[[str], object], names: Collection[str]) -> None:
        self._find = find
        self._names = names
        self._found: dict[str, object] = {}

    def __getitem__(self, name: str) -> object:
        if name not in self._found:
            self._found[name] = Unknown((ATTRIBUTE, "circle", name))  # for an attribute that depends on itself
            self._found[name] = self._find(name)
        return self._found[name]

    def forget(self) -> None:
        """Find what is requested from now on again."""
        self._found.clear()

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class AttributeValues:
    """The attributes of the resources of both sides of an update."""

    def __init__(self, knowledge: Knowledge, existing: Resources) -> None:
        self._knowledge = knowledge
        self._existing = existing
        self._sides: dict[bool, StackSide] = {}
        self._before: dict[str, AttributeMap] = {}
        self._inside: dict[str, Inside] = {}
        self._depth = 0

    def connect(self, before: StackSide, after: StackSide) -> None:
        """Let the values be taken from these two definitions."""
        self._sides = {False: before, True: after}

    def own(self, name: str, inside: Inside) -> None:
        """Note what a resource gives away of its nested stack; what was found without it is found again."""
        self._inside[name] = inside
        self.before(name).forget()

    def before(self, name: str) -> AttributeMap:
        """The attributes of a resource as it was before the update."""
        if name not in self._before:
            self._before[name] = AttributeMap(
                lambda attribute: self._old(name, attribute), self._names(name, after=False)
            )
        return self._before[name]

    def updated(self, change: ResourceChange) -> AttributeMap:
        """The attributes of a resource after an update in place."""
        name, causes = change.name, [cause.path for cause in change.causes]
        changed = frozenset(str(path[1]) for path in causes if path[:1] == ("properties",) and len(path) > 1)
        parts = frozenset(str(path[0]) for path in causes if len(path) == 1)

        def find(attribute: str) -> object:
            inside = self._inside.get(name)
            if inside is not None and inside.after is not None and attribute not in self._rules(name, after=True):
                with suppress(KeyError):
                    return inside.after.attribute(attribute)
            return PathAttribute(partial(at, attribute)) if self._has_paths(name, attribute) else at(attribute, ())

        def at(attribute: str, path: tuple[object, ...]) -> object:
            kept = not self._may_change(name, (attribute, *path), changed, parts)
            return select(self.before(name)[attribute] if kept else self._new(name, attribute), list(path))

        return AttributeMap(find, self._names(name, after=True))

    def renewed(self, name: str) -> AttributeMap:
        """The attributes of a resource that is created again."""
        return AttributeMap(lambda attribute: self._new(name, attribute), self._names(name, after=True))

    def _old(self, name: str, attribute: str) -> object:
        inside = self._inside.get(name)
        if inside is not None and inside.before is not None and attribute not in self._rules(name, after=False):
            with suppress(KeyError):
                return inside.before.attribute(attribute)
        reported = self._existing[name].attributes if name in self._existing else {}
        if attribute in reported:
            return reported[attribute]
        with suppress(KeyError):
            return self._of_property(name, attribute, after=False)
        return Unknown((ATTRIBUTE, name, attribute), _origins(name))

    def _new(self, name: str, attribute: str) -> object:
        with suppress(KeyError):
            return self._of_property(name, attribute, after=True)
        return Unknown((ATTRIBUTE, name, attribute, RENEWED), _origins(name))

    def _may_change(self, name: str, path: tuple[object, ...], changed: frozenset[str], parts: frozenset[str]) -> bool:
        """Whether an update in place may change what a path leads to, attribute first; `changed` are properties."""
        rule = self._rule(name, path, after=True)
        if rule is not None:
            return EVERY_UPDATE in rule.follows or not (changed | parts).isdisjoint(rule.follows)
        if name in self._inside:
            return self._inside[name].changes
        return bool(changed) or not self._knowledge.is_bundled(self._type(name, after=True).target)

    def _of_property(self, name: str, attribute: str, *, after: bool) -> object:
        """The value of an attribute that is that of a property; raises KeyError for any other."""
        rule, kind = self._rule(name, (attribute,), after=after), self._type(name, after=after).type
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
        return self._knowledge.update_behaviors.get(self._type(name, after=after).target, PLAIN).attributes

    def _has_paths(self, name: str, attribute: str) -> bool:
        """Whether the path into an attribute makes a difference."""
        return any(key.startswith(attribute + STEP) for key in self._rules(name, after=True))

    def _type(self, name: str, *, after: bool) -> FoundType:
        side = self._sides[after]
        return side.types.find(side.definition.resource_definition(name).type, name)

    def _names(self, name: str, *, after: bool) -> Collection[str]:
        """What there is to be had; one name for all of them where the type is not known."""
        kind = self._type(name, after=after).type
        return kind.attributes if kind is not None else (ANY_ATTRIBUTE,)


def _matches(step: str, asked: object) -> bool:
    return step in (ANY_STEP, str(asked))


def _origins(name: str) -> frozenset[str]:
    return frozenset({f"resource:{name}"})
