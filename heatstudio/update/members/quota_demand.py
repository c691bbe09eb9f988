"""What a resource takes of a project's quota, with everything in its nested stack.

The rules of the types are in resources/quota.json.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from heatstudio.catalog.cloud.quota_rule import AskRule, TakeRule, Values, quota_facts
from heatstudio.catalog.rules.update_rule import MemberRule
from heatstudio.catalog.schema import Family
from heatstudio.stack.definition.types import Origin
from heatstudio.stack.resource_proxy import no_data
from heatstudio.stack.unknown import Unknown
from heatstudio.update.members.nested_stack import NestedStacks, nested_stacks, sample_member
from heatstudio.update.plan.demand import ANY_KIND, Ask, CloudSize, Demand, DemandCase, Unit
from heatstudio.update.running_stack import Resources
from heatstudio.update.sides.update_side import Owner, StackSide

Units = Counter[Unit | Ask]
_UNKNOWN_CONTENT = Units({Unit(ANY_KIND, known=False): 1})
_NONE: Resources = {}
_TEMPLATES = (Origin.TEMPLATE, Origin.UNREAD_TEMPLATE)


class QuotaDemands:
    """The demands of the resources of a plan, for which it examines a limited number of nested resources."""

    def __init__(self, most_nested: int) -> None:
        self._left = most_nested

    def created(self, stack: StackSide, name: str) -> Demand:
        """Return what a new resource takes."""
        return _demand(self._of(stack, name))

    def freed(self, stack: StackSide, name: str, running: Resources) -> Demand:
        """Return what the deletion of a resource gives back, with the known running resources of its nested stack."""
        if not stack.definition.names_resource(name):
            return _demand(_UNKNOWN_CONTENT)
        return _demand(self._of(stack, name, running, is_freed=True))

    def own(self, stack: StackSide, name: str, running: Resources = _NONE, *, is_content_known: bool = True) -> Demand:
        """Return what a resource takes without its nested stack, whose content is counted elsewhere if it is known."""
        return _demand(self._of(stack, name, running, counts_inside=False if is_content_known else None))

    def _of(
        self,
        stack: StackSide,
        name: str,
        running: Resources = _NONE,
        *,
        is_freed: bool = False,
        counts_inside: bool | None = True,
    ) -> Units:
        """Return the units of a resource; `counts_inside` is None if the content of the nested stack is unknown."""
        definition = stack.definition.resource_definition(name)
        policy = str(stack.resolved(definition.deletion_policy)).title() if is_freed else ""
        if stack.resolved(definition.external_id) is not None or policy == "Retain":
            return Units()
        found = stack.found(name)
        rule = quota_facts().types.get(found.target)
        units = Units()
        if found.origin in _TEMPLATES or stack.behavior(name).members is not None:
            owner = Owner(stack, definition, found, stack.side(definition, found.type), lambda _name: (), running)
            units = self._inside(owner, is_freed=is_freed, counts_inside=counts_inside)
        elif found.type is None or not stack.types.knowledge.is_bundled(found.target):
            units = _UNKNOWN_CONTENT
        elif rule is not None and Family.NO_OP not in found.type.families:  # older releases may create the resource
            properties = stack.properties(definition, found.type)
            names = rule.property_names().intersection(properties.names)  # older releases lack some
            data = {name: properties.value(name) for name in names}
            for take in rule.takes:
                units.update(_taken(take, data, is_freed=is_freed))
            units.update(ask for one in rule.asks for ask in _asked(one, data))
        is_sure = isinstance(stack.definition.is_enabled(name), bool) and policy in ("", "None", "Delete")
        return units if is_sure else _possible(units)

    def _inside(self, owner: Owner, *, is_freed: bool, counts_inside: bool | None) -> Units:
        """Return the units of a nested stack, and, unless it is deleted, those that later scaling adds."""
        rule = owner.behavior.members or MemberRule()
        if counts_inside is False and (rule.limits is None or is_freed):
            return Units()
        nested = nested_stacks(owner, owner)
        units = Units()
        if counts_inside is not False:
            elsewhere = rule.context and owner.side.properties.value(rule.context) is not None
            is_unknown = counts_inside is None or nested is None or elsewhere
            units = _UNKNOWN_CONTENT if is_unknown or nested is None else self._all(nested, owner, is_freed=is_freed)
        return units if rule.limits is None or is_freed else units + self._scaled(owner, rule, nested)

    def _all(self, nested: NestedStacks, owner: Owner, *, is_freed: bool) -> Units:
        """Return the units of all resources of a nested stack; members with equal data are examined once."""
        side = nested.before if is_freed else nested.after  # a running group may not have the size of its template
        inner = StackSide(*side.define(no_data, None), side)
        found: dict[object, Units] = {}
        units = Units()
        last = Units()
        for name in inner.definition.enabled_resource_names:
            members = owner.running[name].members if name in owner.running else _NONE
            key = name if members else id(inner.definition.resource_definition(name).data)
            if key not in found:
                self._left -= 1
                found[key] = self._of(inner, name, members, is_freed=is_freed) if self._left >= 0 else _UNKNOWN_CONTENT
            last = found[key]
            units.update(last)
        for unit, count in last.items():
            units[unit] += count * nested.numbered.how_many_unlisted(after=not is_freed)
        return units if nested.certain or not is_freed else _possible(units)

    def _scaled(self, owner: Owner, rule: MemberRule, nested: NestedStacks | None) -> Units:
        """Return the units that a scaling group adds when it grows to its maximum size."""
        most = owner.side.properties.value(rule.limits[1]) if rule.limits is not None else None
        sample = sample_member(owner, owner)
        if not isinstance(most, int) or nested is None or sample is None:
            return Units({Unit(ANY_KIND, known=False, case=DemandCase.SCALED): 1})
        size = len(nested.numbered.after) + nested.numbered.how_many_unlisted(after=True)
        one = self._all(sample, owner, is_freed=False) if most > size else Units()
        return Units({unit._replace(case=DemandCase.SCALED): count * (most - size) for unit, count in one.items()})


def _demand(units: Units) -> Demand:
    return tuple(units.items())


def _possible(units: Units) -> Units:
    """Return the units, none of which are certain."""
    found = Units()
    for unit, count in units.items():
        found[unit._replace(case=DemandCase.POSSIBLE) if unit.case is DemandCase.CERTAIN else unit] += count
    return found


def _taken(take: TakeRule, data: Mapping[str, object], *, is_freed: bool) -> Units:
    """Return the units that a rule of a type takes."""
    if not take.each:
        return _units(take, data, is_freed=is_freed)
    items = data.get(take.each)
    units = Units()
    for item in items if isinstance(items, list) else [items] if isinstance(items, Unknown) else ():
        units.update(_units(take, item, is_freed=is_freed))
    return units


def _asked(rule: AskRule, data: Mapping[str, object]) -> Iterator[Ask]:
    """Yield what a resource asks of the objects that a rule concerns, as far as the names are known."""
    others = _values(data, rule.other[0]) if rule.other else [None]
    if _holds(rule.unless, data) is not False or len(others) != 1 or isinstance(others[0], Unknown):
        return
    other = CloudSize(rule.other[1], rule.other[2], str(others[0])) if len(rule.other) > 1 else others[0]
    for name in _values(data, rule.path):
        if isinstance(name, str) and isinstance(other, CloudSize | int | None):
            yield Ask(rule.words, rule.how, CloudSize(rule.constraint, rule.field, name), rule.values, other)


def _units(take: TakeRule, data: object, *, is_freed: bool) -> Units:
    """Return the units that the values of a resource, or of an item of a list, take."""
    if not isinstance(data, Mapping):
        return Units({Unit(take.kind, known=False): 1})
    wanted = _holds(take.when, data) if take.when else True
    refused = _holds(take.unless, data)
    kept = is_freed and take.freed_with and _values(data, take.freed_with) != [True]
    if wanted is False or refused is True or kept:
        return Units()
    case = DemandCase.CERTAIN if wanted is True and refused is False else DemandCase.POSSIBLE
    amount: object = take.number
    if take.amount:
        amount = next(iter(_values(data, take.amount)), take.absent)
    if take.lookup is not None and isinstance(amount, str):
        return Units({Unit(take.kind, CloudSize(*take.lookup, amount), case=case): 1})
    if isinstance(amount, int) and amount >= 0 and take.lookup is None:
        return Units({Unit(take.kind, case=case): amount} if amount else {})
    return Units({Unit(take.kind, known=False, case=case): 1})


def _holds(values: Values, data: Mapping[str, object]) -> bool | None:
    """Return whether any path has one of its values; None if that is unknown. An unknown value is some value."""
    answer: bool | None = False
    for path, wanted in values.items():
        for value in _values(data, path):
            if not wanted or (not isinstance(value, Unknown) and value in wanted):
                return True
            answer = None if isinstance(value, Unknown) else answer
    return answer


def _values(data: object, path: str) -> list[object]:
    """Return the values at a path, of all items of the lists on the way; none for missing, empty and null ones."""
    values = [data]
    for step in path.split("."):
        below = [item for value in values for item in (value if isinstance(value, list) else [value])]
        values = [
            item if isinstance(item, Unknown) else item.get(step)
            for item in below
            if isinstance(item, (Mapping, Unknown))
        ]
    return [value for value in values if value not in (None, "", [])]
