"""The ways out of a broken property group: what to add, remove or set so that it holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heatstudio.catalog.property_group import (
    EACH_ELEMENT,
    Combination,
    Expression,
    Member,
    Operator,
    Presence,
    PropertyGroup,
    Quantifier,
    Root,
    Situation,
    Term,
)
from heatstudio.catalog.schema import AllowedValues
from heatstudio.stack.group_places import Path, Place
from heatstudio.stack.group_truth import GroupTruth, Held, Outcome


@dataclass(frozen=True, slots=True)
class WayOut:
    """One way to make a group hold; paths start at the top of the properties."""

    title: str
    add: tuple[Path, ...] = ()
    """Properties to give a value."""
    remove: tuple[Path, ...] = ()
    set: tuple[tuple[Path, object], ...] = ()
    """Properties to give this value."""


def ways_out(group: PropertyGroup, outcome: Outcome, truth: GroupTruth) -> tuple[WayOut, ...]:
    """The ways out of a broken group; empty where no single change is sure to help."""
    return tuple(dict.fromkeys(_ways(group.expression.operator, outcome, truth)))


def _ways(operator: Operator, outcome: Outcome, truth: GroupTruth) -> Iterator[WayOut]:
    present = [held for held in outcome.members if held.truth]
    absent = [held for held in outcome.members if held.truth is False]
    match operator:
        case Operator.XOR | Operator.AT_MOST_ONE if outcome.situation is Situation.MANY:
            for kept in present:
                yield from _remove([held for held in present if held is not kept], f"Keep only {_title(kept, truth)}")
        case Operator.XOR | Operator.OR:
            for held in absent:
                yield from _make(held.member, truth)
        case Operator.AND:
            yield from _make_all(absent, truth)
        case Operator.ALL_OR_NONE:
            yield from _make_all(absent, truth)
            yield from _remove(present, "")
        case Operator.NONE:
            yield from _remove(present, "")
        case Operator.DEPENDS_ON:
            yield from _make_all(absent, truth)
            yield from _remove(list(outcome.members[:1]), "")
        case Operator.LE | Operator.EQUAL:
            yield from _level(outcome)


def _make_all(members: list[Held], truth: GroupTruth) -> Iterator[WayOut]:
    """One way that makes all members hold, or the choices of the only one."""
    if len(members) == 1:
        yield from _make(members[0].member, truth)
    elif members and all(isinstance(held.member, Member) and held.member.is_presence for held in members):
        paths = tuple(
            path for held in members if isinstance(held.member, Member) for path in _target(held.member, truth)
        )
        yield WayOut(f"Add {_names(paths)}", add=paths)


def _make(member: Expression | Term, truth: GroupTruth) -> Iterator[WayOut]:
    """The ways to make one member hold."""
    match member:
        case Member(path=path) if path.root is not Root.FACT and member.follow is None:
            paths = _target(member, truth)
            if member.is_presence:
                yield WayOut(f"Add {_names(paths)}", add=paths)
            for constraint in member.constraints:
                if isinstance(constraint, AllowedValues) and member.quantifier is Quantifier.ANY:
                    for value in constraint.values:
                        changes = tuple((target, value) for target in paths)
                        yield WayOut(f"Set {_names(paths)} to {value}", set=changes)
        case Combination():
            yield from _ways(member.operator, truth.combine(member), truth)


def _target(member: Member, truth: GroupTruth) -> tuple[Path, ...]:
    """Where a member's value belongs: the places it has, or the place it would have."""
    places = truth.places(member)
    if places:
        return tuple(place.path for place in places)
    start: Path = truth.here if member.path.root is Root.SCOPE else ()
    return ((*start, *(0 if step == EACH_ELEMENT else step for step in member.path.steps)),)


def _remove(members: list[Held], title: str) -> Iterator[WayOut]:
    paths = tuple(dict.fromkeys(place.path for held in members for place in _places(held)))
    if paths:
        yield WayOut(title or f"Remove {_names(paths)}", remove=paths)


def _places(held: Held) -> Iterator[Place]:
    for place in held.places:
        is_there = bool(place.value) if _is_truthy(held.member) else place.value is not None
        if is_there and place.root is not Root.FACT:
            yield place


def _is_truthy(member: Expression | Term) -> bool:
    return isinstance(member, Member) and member.presence is Presence.TRUTHY


def _level(outcome: Outcome) -> Iterator[WayOut]:
    places = [held.places[0] for held in outcome.members if len(held.places) == 1]
    if len(places) == 2 == len(outcome.members) and Root.FACT not in (places[0].root, places[1].root):
        for changed, other in ((places[0], places[1]), (places[1], places[0])):
            title = f"Set {_names((changed.path,))} to {other.value}"
            yield WayOut(title, set=((changed.path, other.value),))


def _title(held: Held, truth: GroupTruth) -> str:
    paths = tuple(place.path for place in _places(held))
    if not paths and isinstance(held.member, Member):
        paths = _target(held.member, truth)
    return _names(paths)


def _names(paths: tuple[Path, ...]) -> str:
    names = list(dict.fromkeys(f"`{next((s for s in reversed(path) if isinstance(s, str)), '')}`" for path in paths))
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
