"""The fixes of a broken property group: properties to add, remove or set."""

from collections.abc import Iterator, Mapping
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog.property_groups.property_group import (
    EACH_ELEMENT,
    Arithmetic,
    Combination,
    Expression,
    GroupReference,
    Member,
    Operator,
    Presence,
    PropertyGroup,
    Quantifier,
    Root,
    Term,
    ViolationKind,
)
from heatstudio.catalog.schema import AllowedValues
from heatstudio.stack.groups.group_truth import CombinationResult, GroupTruth, MemberTruth, ValueAt
from heatstudio.stack.unknown import Unknown
from heatstudio.template import TreePath
from heatstudio.text import enumerated

LIST_ITEM_KEY = 3
"""Length of a path to a property of the items of a list."""


class GroupFix(Struct, frozen=True):
    """One fix that makes a group hold; paths start at the top of the properties."""

    title: str
    add: tuple[TreePath, ...] = ()
    """Properties to give a value."""
    remove: tuple[TreePath, ...] = ()
    set: tuple[tuple[TreePath, object], ...] = ()
    """Properties with their new values."""


def group_fixes(group: PropertyGroup, outcome: CombinationResult, truth: GroupTruth) -> tuple[GroupFix, ...]:
    """Return the fixes that make a broken group hold, the usual one first."""
    found: list[GroupFix] = []
    exempting = _exempting_fixes(group, outcome) if group.exempt else ()
    for fix in chain(exempting, _fixes(group.expression.operator, outcome, truth), _guard_fixes(group.when, truth)):
        if fix not in found and _helps(fix, group, truth):
            found.append(fix)
    if not any(fix.remove for fix in found):
        found.sort(key=lambda fix: fix.add != ((*truth.here, group.usual),))
    return tuple(_placed(fix) if [one.title for one in found].count(fix.title) > 1 else fix for fix in found)


def _placed(fix: GroupFix) -> GroupFix:
    """Return the fix with the list items in its title, if it changes properties of list items."""
    items = [_item(path) for path in (*fix.remove, *(path for path, _ in fix.set)) if _is_in_item(path)]
    return replace(fix, title=f"{fix.title} ({', '.join(items)})") if items else fix


def _helps(fix: GroupFix, group: PropertyGroup, truth: GroupTruth) -> bool:
    changed = replace(truth, properties=after(truth.properties, fix))
    if group.when is not None and changed.holds(group.when) is not True:
        return True
    return changed.combine(group.expression).truth is not False


def _exempting_fixes(group: PropertyGroup, outcome: CombinationResult) -> Iterator[GroupFix]:
    """Yield a fix for each member to keep that sets the properties with which the other list items do not count."""
    places = [place.path for held in outcome.members if held.truth for place in _places(held)]
    for kept in places:
        others = [path for path in places if path != kept]
        if not all(map(_is_in_item, others)):
            continue
        changes = tuple(((*path[:-1], name), value) for path in others for name, value in group.exempt.items())
        words = " and ".join(f"{_names((path,))} of {_item(path)} to {value}" for path, value in changes)
        yield GroupFix(f"Set {words}", set=changes)


def item_removal(fix: GroupFix) -> GroupFix | None:
    """Return the fix that removes whole list items instead of their properties; None if it removes others."""
    items = tuple(dict.fromkeys(path[:-1] for path in fix.remove if _is_in_item(path)))
    if fix.add or fix.set or len(items) != len(fix.remove):
        return None
    return GroupFix(f"Remove {' and '.join(_item(path) for path in fix.remove)}", remove=items)


def _is_in_item(path: TreePath) -> bool:
    """Return whether a property belongs to an item of a list."""
    return len(path) >= LIST_ITEM_KEY and isinstance(path[-2], int)


def _item(path: TreePath) -> str:
    """Return the list item of a property in words."""
    return f"item {int(path[-2]) + 1} of {_names((path[:-2],))}"


def _guard_fixes(guard: Expression | None, truth: GroupTruth) -> Iterator[GroupFix]:
    """Yield the fixes that add a property so that the group no longer applies."""
    match guard:
        case Combination(operator=Operator.NONE, members=members):
            for member in members:
                if isinstance(member, Member) and member.is_presence:
                    yield from _satisfying_fixes(member, truth)
        case Combination(operator=Operator.AND, members=members):
            for member in members:
                if isinstance(member, Combination):
                    yield from _guard_fixes(member, truth)


def _fixes(operator: Operator, outcome: CombinationResult, truth: GroupTruth) -> Iterator[GroupFix]:
    present = [held for held in outcome.members if held.truth]
    absent = [held for held in outcome.members if held.truth is False]
    match operator:
        case Operator.XOR | Operator.AT_MOST_ONE | Operator.OR:
            yield from _choice_fixes(outcome, present, absent, truth)
        case Operator.AND:
            yield from _all_satisfying_fixes(absent, truth)
            for held in absent:
                yield from _removals([held] if isinstance(held.member, Member) and held.member.constraints else [], "")
        case Operator.DEPENDS_ON:
            yield from _all_satisfying_fixes(absent, truth)
            yield from _removals(list(outcome.members[:1]), "")
        case Operator.NONE:
            yield from _removals(present, "")
        case Operator.LE | Operator.EQUAL:
            yield from _equalizing_fixes(outcome, truth)
            yield from _sorting_fix(outcome)
        case Operator.UNIQUE:
            for place in (place for held in outcome.members for place in held.places):
                yield from _removal_of(place)
        case Operator.SUBSET | Operator.DISJOINT:
            yield from _removals(list(outcome.members[:1]), "")


def _choice_fixes(
    outcome: CombinationResult, present: list[MemberTruth], absent: list[MemberTruth], truth: GroupTruth
) -> Iterator[GroupFix]:
    """Yield a fix per present member to keep if there are too many; otherwise a fix per absent member to add."""
    if outcome.situation is ViolationKind.MANY:
        titles = [_title(held, truth) for held in present]
        for kept, short in zip(present, titles, strict=True):
            paths = [place.path for place in _places(kept)]
            is_clear = titles.count(short) == 1 or not all(map(_is_in_item, paths))
            title = short if is_clear else " and ".join(f"{_names((path,))} of {_item(path)}" for path in paths)
            yield from _removals([held for held in present if held is not kept], f"Keep only {title}")
    else:
        for held in absent:
            yield from _satisfying_fixes(held.member, truth)


def _all_satisfying_fixes(members: list[MemberTruth], truth: GroupTruth) -> Iterator[GroupFix]:
    """Yield one fix that makes all members hold, or the alternative fixes of a single member."""
    if len(members) == 1:
        yield from _satisfying_fixes(members[0].member, truth)
    elif members and all(isinstance(held.member, Member) and held.member.is_presence for held in members):
        absent = (held.member for held in members if isinstance(held.member, Member))
        paths = tuple(path for member in absent for path in _target(member, truth))
        yield GroupFix(f"Add {_names(paths)}", add=paths)


def _satisfying_fixes(member: Expression | Term, truth: GroupTruth) -> Iterator[GroupFix]:
    """Yield the fixes that make one member hold."""
    match member:
        case Member(path=path) if path.root is not Root.FACT and member.follow is None:
            if member.is_presence and EACH_ELEMENT not in path.steps:
                targets = _target(member, truth)
                yield GroupFix(f"Add {_names(targets)}", add=targets)
            elif member.is_presence:
                yield from _list_item_fixes(member, truth)
            paths = tuple(place.path for place in truth.places(member))
            for constraint in member.constraints:
                if paths and isinstance(constraint, AllowedValues) and member.quantifier is Quantifier.ANY:
                    for value in constraint.values:
                        changes = tuple((target, value) for target in paths)
                        yield GroupFix(f"Set {_names(paths)} to {value}", set=changes)
        case Combination():
            yield from _fixes(member.operator, truth.combine(member), truth)
        case GroupReference():
            yield from _satisfying_fixes(truth.referenced(member), truth)


def _list_item_fixes(member: Member, truth: GroupTruth) -> Iterator[GroupFix]:
    """Yield the fix that adds a list of one item with the property, if there is no list yet."""
    steps = member.path.steps
    is_new = member.path.root is not Root.SCOPE or not truth.here
    if is_new and len(steps) == LIST_ITEM_KEY and steps[1] == EACH_ELEMENT and truth.properties.get(steps[0]) is None:
        yield GroupFix(f"Add {_names((steps[:1],))} with {_names((steps[2:],))}", add=((steps[0], 0, steps[2]),))


def _target(member: Member, truth: GroupTruth) -> tuple[TreePath, ...]:
    """Return the existing paths of a member, or the path that it would have."""
    places = truth.places(member)
    start: TreePath = truth.here if member.path.root is Root.SCOPE else ()
    return tuple(place.path for place in places) or ((*start, *member.path.steps),)


def _removals(members: list[MemberTruth], title: str) -> Iterator[GroupFix]:
    """Yield one fix that removes members; true values are set to false, because the default may be true."""
    places = dict.fromkeys((place.path, place.value is True) for held in members for place in _places(held))
    removed = tuple(path for path, is_on in places if not is_on)
    turned_off = tuple((path, False) for path, is_on in places if is_on)
    parts = [f"remove {_names(removed)}"] if removed else []
    parts += [f"set {_names(tuple(path for path, _ in turned_off))} to false"] if turned_off else []
    if parts:
        own_title = " and ".join(parts)
        yield GroupFix(title or own_title[0].upper() + own_title[1:], remove=removed, set=turned_off)


def _places(held: MemberTruth) -> Iterator[ValueAt]:
    is_truthy = isinstance(held.member, Member) and held.member.presence is Presence.TRUTHY
    for place in held.places:
        is_there = bool(place.value) if is_truthy else place.value is not None
        if is_there and place.root is not Root.FACT:
            yield place


def _equalizing_fixes(outcome: CombinationResult, truth: GroupTruth) -> Iterator[GroupFix]:
    """Yield the fixes that set one value to another value, or remove terms of a sum or product."""
    values = (value for held in outcome.members for value in truth.values(held.member))
    levels = [value for value in values if isinstance(value, str | int | float)]
    for held in outcome.members:
        if isinstance(held.member, Arithmetic):
            parts = [MemberTruth(term, None, tuple(truth.places(term))) for term in _leaves(held.member)]
            for part in parts:
                yield from _removals([part], "")
            yield from _removals(parts, "")
        elif len(held.places) == 1 and held.places[0].root is not Root.FACT:
            place = held.places[0]
            for value in dict.fromkeys(levels):
                if value != place.value:
                    yield GroupFix(f"Set {_names((place.path,))} to {value}", set=((place.path, value),))


def _leaves(term: Arithmetic) -> Iterator[Member]:
    for part in term.terms:
        if isinstance(part, Member):
            yield part
        elif isinstance(part, Arithmetic):
            yield from _leaves(part)


def _sorting_fix(outcome: CombinationResult) -> Iterator[GroupFix]:
    """Yield the fix that sorts the values in ascending order."""
    places = [held.places[0] for held in outcome.members if len(held.places) == 1 and held.places[0].value is not None]
    if len(places) < 3 or any(place.root is Root.FACT or not isinstance(place.value, int | float) for place in places):
        return
    values = sorted(place.value for place in places if isinstance(place.value, int | float))
    changes = tuple((p.path, value) for p, value in zip(places, values, strict=True) if p.value != value)
    words = " and ".join(f"{_names((path,))} to {value}" for path, value in changes)
    yield GroupFix(f"Set {words}", set=changes)


def _removal_of(place: ValueAt) -> Iterator[GroupFix]:
    """Yield the fix that removes a duplicate value; in a list, the whole item."""
    numbers = [index for index, step in enumerate(place.path) if isinstance(step, int)]
    path = place.path[: numbers[-1] + 1] if numbers else place.path
    number, above = path[-1], (path[:-1],)
    title = f"Remove item {number + 1} of {_names(above)}" if isinstance(number, int) else f"Remove {_names((path,))}"
    yield GroupFix(title, remove=(path,))


def _title(held: MemberTruth, truth: GroupTruth) -> str:
    paths = tuple(place.path for place in _places(held))
    if not paths and isinstance(held.member, Member):
        paths = _target(held.member, truth)
    return _names(paths)


def _names(paths: tuple[TreePath, ...]) -> str:
    names = (next((step for step in reversed(path) if isinstance(step, str)), "") for path in paths)
    return enumerated(dict.fromkeys(f"`{name}`" for name in names))


def after(values: Mapping[str, object], fix: GroupFix) -> Mapping[str, object]:
    """Return the values after a fix, with unknown values for added properties."""
    changed: object = values
    for path in fix.add:
        changed = _put(changed, path, Unknown(("added", path)))
    for path, value in fix.set:
        changed = _put(changed, path, value)
    for path in sorted(fix.remove, key=str, reverse=True):
        changed = _put(changed, path, None)
    return changed if isinstance(changed, Mapping) else values


def _put(container: object, path: TreePath, value: object) -> object:
    """Return a copy of nested maps and lists with one value changed; None removes the value."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if container is None and step == 0:
        return [_put(None, rest, value)]
    if isinstance(container, list) and isinstance(step, int):
        changed = [*container]
        changed[step] = _put(container[step], rest, value)
        return changed if rest or value is not None else [*container[:step], *container[step + 1 :]]
    known = container if isinstance(container, Mapping) else {}
    if not rest and value is None and isinstance(step, str):
        return {key: item for key, item in known.items() if key != step}
    return {**known, step: _put(known.get(step), rest, value)}
