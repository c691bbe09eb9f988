"""Three-valued evaluation of the expressions of property groups: True, False or None for unknown."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog.property_groups.property_group import (
    EACH_ELEMENT,
    EACH_KEY,
    Arithmetic,
    ClientVersion,
    Combination,
    Constant,
    Expression,
    Format,
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
from heatstudio.catalog.schema import PropertySchema, PropertyType
from heatstudio.stack.groups.group_context import GroupContext
from heatstudio.stack.numeric import number as to_number
from heatstudio.stack.unknown import Unknown, all_of, any_of, has_unknown
from heatstudio.stack.values.constraints import violation
from heatstudio.stack.values.network_address import is_ip_address
from heatstudio.stack.values.properties import Properties
from heatstudio.stack.values.property_problem import PropertyError
from heatstudio.template import TreePath

_WILDCARDS = frozenset({EACH_ELEMENT, EACH_KEY})
Truth = bool | None
"""True, False, or None for unknown."""

_DURATION = re.compile(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$")


class ValueAt(NamedTuple):
    """One value at a path."""

    path: TreePath
    """The path from the top of the properties, or of the facts."""
    value: object
    exists: bool = True
    """Whether the key exists; an Unknown with False stands for any value below an unknown value."""
    root: Root = Root.TOP


def at(value: object, path: TreePath) -> object:
    """Return the value at a path; None if there is none."""
    for step in path:
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def follow(start: ValueAt, steps: tuple[str, ...]) -> list[ValueAt]:
    """Return all places at a path with wildcards; the path stops at unknown values and missing elements."""
    path, value = start.path, start.value
    for index, step in enumerate(steps):
        if isinstance(value, Unknown):
            return [ValueAt(path, value, exists=False)]
        if step in _WILDCARDS:
            tail = steps[index + 1 :]
            return [
                place for key, item in _children(value, step) for place in follow(ValueAt((*path, key), item), tail)
            ]
        if not isinstance(value, Mapping) or step not in value:
            tail = steps[index:]
            return [] if not _WILDCARDS.isdisjoint(tail) else [ValueAt((*path, *tail), None, exists=False)]
        path, value = (*path, step), value[step]
    return [ValueAt(path, value)]


def _children(value: object, step: str) -> Iterable[tuple[str | int, object]]:
    if step == EACH_ELEMENT:
        return enumerate(value) if isinstance(value, list) else ()
    return value.items() if isinstance(value, Mapping) else ()


def present(presence: Presence, place: ValueAt) -> Truth:
    """Return whether the value at a place passes a presence test."""
    if isinstance(place.value, Unknown):
        return None if presence is Presence.TRUTHY or not place.exists else True
    match presence:
        case Presence.KEY:
            return place.exists
        case Presence.TRUTHY:
            return bool(place.value)
        case Presence.GIVEN:
            return place.value is not None


def ascending(values: list[object]) -> bool:
    """Return whether each number is at most the next; other values are ignored."""
    numbers = [number for value in values if (number := _number(value)) is not None]
    return all(low <= high for low, high in pairwise(numbers))


def _number(value: object) -> int | float | None:
    try:
        return to_number(value)
    except (ValueError, TypeError):
        return None


def calculate(operation: str, values: list[object]) -> object:
    """Return the sum or the product of the numbers; unknown if a value is unknown."""
    unknown = next((value for value in values if isinstance(value, Unknown)), None)
    if unknown is not None:
        return unknown
    numbers = [value for value in values if isinstance(value, int | float)]
    result: int | float = 0 if operation == "sum" else 1
    for number in numbers:
        result = result + number if operation == "sum" else result * number
    return result


def measured(member: Member, value: object) -> object:
    """Return the value that a member's constraints check: the seconds of a duration, or the value itself."""
    return seconds(value) if member.format is Format.DURATION else value


def seconds(value: object) -> int | None:
    """Return the seconds of an ISO 8601 duration as Heat reads it (PT#H#M#S); None for any other value."""
    found = _DURATION.match(value) if isinstance(value, str) else None
    if found is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return hours * 3600 + minutes * 60 + seconds


def is_base64(value: object) -> bool:
    """Return whether Python decodes a string as base64, ignoring other characters, as in Heat; True for non-strings."""
    try:
        base64.b64decode(value if isinstance(value, str) else b"")
    except ValueError:
        return False
    return True


def conversion_fault(wanted: PropertyType, value: object) -> str | None:
    """Return Heat's message if a value does not have the wanted type; otherwise None."""
    try:
        Properties({}, {}).converted(PropertySchema("", wanted), value, (), validate=False)
    except PropertyError as error:
        return error.problems[0].message
    return None


class MemberTruth(Struct, frozen=True):
    """One member of a combination, and whether it holds; `places` are the values that the member reads."""

    member: Expression | Term
    truth: Truth
    places: tuple[ValueAt, ...] = ()


class CombinationResult(Struct, frozen=True):
    """The result of a combination: whether it holds, the kind of violation, and its members."""

    truth: Truth
    situation: ViolationKind | None
    members: tuple[MemberTruth, ...]
    missing: tuple[object, ...] = ()
    """The violating values: for SUBSET, values not in the second term; for DISJOINT, shared; for UNIQUE, duplicates."""


class GroupTruth(Struct, frozen=True, dict=True):
    """An evaluator of expressions for the property values of one resource, relative to one path in the values."""

    properties: Mapping[str, object]
    context: GroupContext
    groups: Mapping[str, PropertyGroup]
    here: TreePath = ()

    @cached_property
    def _start(self) -> ValueAt:
        return ValueAt(self.here, at(self.properties, self.here))

    def places(self, member: Member) -> list[ValueAt]:
        """Return the places of a member, filtered by its `where` and `excepted`."""
        steps, root = member.path.steps, member.path.root
        if root is Root.FACT:
            places = [place._replace(root=root) for place in follow(ValueAt((), self.context.facts(steps)), steps)]
        else:
            places = follow(self._start if root is Root.SCOPE else ValueAt((), self.properties), steps)
        if member.excepted:
            places = [place for place in places if place.path[-1] not in member.excepted]
        if member.where is not None:
            places = [place for place in places if self._counts(member, place) is not False]
        return places

    def _counts(self, member: Member, place: ValueAt) -> Truth:
        if member.where is None:
            return True
        positions = [index for index, step in enumerate(place.path) if isinstance(step, int)]
        element = place.path[: positions[-1] + 1] if positions else self.here
        return replace(self, here=element).holds(member.where)

    def referenced(self, reference: GroupReference) -> Combination:
        """Return the expression of a referenced group."""
        return self.groups[reference.name].expression

    def holds(self, expression: Expression) -> Truth:
        """Return whether an expression holds; unlike `combine`, stop as soon as the result is known."""
        match expression:
            case Member():
                return self._holds_at(expression, self.places(expression))
            case Combination(operator, members):
                join = _OPERATORS.get(operator)
                if join is None:
                    return self._relate(expression).truth
                return join(held.truth for member in members for held in self._held(member))
            case GroupReference(name):
                group = self.groups[name]
                guard = True if group.when is None else self.holds(group.when)
                return any_of(iter([negation(guard), self.holds(group.expression)]))
            case ClientVersion(client_plugin):
                version = self.context.client_version(client_plugin)
                return None if version is None else expression.supports(version)

    def _holds_at(self, member: Member, places: Sequence[ValueAt]) -> Truth:
        if len(places) == 1:
            return self.place_truth(member, places[0])
        return any_of(self.place_truth(member, place) for place in places)

    def place_truth(self, member: Member, place: ValueAt) -> Truth:
        """Return whether the value at one place satisfies the member."""
        truth = present(member.presence, place)
        if truth is not True:
            return truth
        if member.is_presence and member.follow is None:
            return self._counts(member, place)
        value = self._followed(member, place)
        if has_unknown(value):
            return False if member.type is not None and conversion_fault(member.type, value) else None
        if member.follow is not None and not present(member.presence, ValueAt(place.path, value)):
            return False
        is_valid = self._has_form(member, value) and not any(
            violation(constraint, measured(member, value)) for constraint in member.constraints
        )
        return self._counts(member, place) if is_valid else False

    def _followed(self, member: Member, place: ValueAt) -> object:
        if member.follow is None:
            return place.value
        if self.context.neighbors is None:
            return Unknown(place.path, frozenset())
        return self.context.neighbors.property_value(str(place.value), member.follow)

    def _has_form(self, member: Member, value: object) -> bool:
        if member.type is not None:
            return conversion_fault(member.type, value) is None
        neighbors = self.context.neighbors
        match member.format:
            case Format.BASE64:
                return is_base64(value)
            case Format.IP_ADDRESS:
                return isinstance(value, str) and is_ip_address(value)
            case Format.DURATION:
                return seconds(value) is not None
            case Format.RESOURCE:
                return neighbors is None or (isinstance(value, str) and value in neighbors.names())
            case Format.REQUIRED_RESOURCE:
                return neighbors is None or (isinstance(value, str) and neighbors.requires(value))
            case None:
                return True

    def combine(self, combination: Combination) -> CombinationResult:
        """Return whether a combination holds, with the details for a message."""
        join = _OPERATORS.get(combination.operator)
        if join is None:
            return self._relate(combination)
        members = tuple(held for member in combination.members for held in self._held(member))
        truths = [held.truth for held in members]
        truth = join(iter(truths))
        situation = None
        if truth is False and combination.operator in (Operator.XOR, Operator.OR, Operator.AT_MOST_ONE):
            situation = ViolationKind.MANY if True in truths else ViolationKind.NONE
        return CombinationResult(truth, situation, members)

    def _held(self, member: Expression | Term) -> Iterator[MemberTruth]:
        match member:
            case Member(quantifier=Quantifier.EACH):
                for place in self.places(member):
                    yield MemberTruth(member, self.place_truth(member, place), (place,))
            case Member():
                places = tuple(self.places(member))
                yield MemberTruth(member, self._holds_at(member, places), places)
            case Combination() | GroupReference():
                outcome = self.combine(member if isinstance(member, Combination) else self.referenced(member))
                truth = outcome.truth if isinstance(member, Combination) else self.holds(member)
                yield MemberTruth(member, truth, tuple(place for held in outcome.members for place in held.places))
            case ClientVersion():
                yield MemberTruth(member, self.holds(member))

    def _relate(self, combination: Combination) -> CombinationResult:
        terms = [self.values(term) for term in combination.members]
        flat = [value for values in terms for value in values]
        if any(has_unknown(value) for value in flat):
            return CombinationResult(None, None, self._terms(combination))
        missing: tuple[object, ...] = ()
        match combination.operator:
            case Operator.LE:
                truth = ascending([values[0] for values in terms if values])
            case Operator.EQUAL:
                truth = all(value == flat[0] for value in flat)
            case Operator.UNIQUE:
                missing = tuple(value for value in flat if flat.count(value) > 1)
                truth = not missing
            case Operator.SUBSET:
                missing = tuple(value for value in terms[0] if value not in terms[1])
                truth = not missing
            case _:
                missing = tuple(value for value in terms[0] if any(value in values for values in terms[1:]))
                truth = not missing
        return CombinationResult(truth, None, self._terms(combination, missing), missing)

    def _terms(self, combination: Combination, guilty: tuple[object, ...] = ()) -> tuple[MemberTruth, ...]:
        """Return the terms with the places that they read, or with the places of the `guilty` values if any."""
        members = []
        for index, term in enumerate(combination.members):
            places = tuple(self.places(term)) if isinstance(term, Member) else ()
            if guilty and isinstance(term, Member):
                is_named = not index or combination.operator is Operator.UNIQUE
                places = tuple(_guilty_places(term, places, guilty)) if is_named else ()
            members.append(MemberTruth(term, None, places))
        return tuple(members)

    def values(self, term: Expression | Term) -> list[object]:
        """Return the values of a term at the places that are present."""
        match term:
            case Member():
                return self._member_values(term)
            case Constant(values):
                return list(values)
            case Arithmetic(operation, terms):
                return [calculate(operation, [value for part in terms for value in self.values(part)])]
            case _:
                return []

    def _member_values(self, member: Member) -> list[object]:
        places = [place for place in self.places(member) if present(member.presence, place) is not False]
        if member.once:
            seen: list[tuple[TreePath, object]] = []
            for place in places:
                if (place.path[:-1], place.value) not in seen:
                    seen.append((place.path[:-1], place.value))
            return [value for _, value in seen]
        if member.keys:
            return [key for place in places if isinstance(place.value, Mapping) for key in place.value]
        return [place.value for place in places]


def _guilty_places(member: Member, places: tuple[ValueAt, ...], guilty: tuple[object, ...]) -> Iterator[ValueAt]:
    for place in places:
        if member.keys and isinstance(place.value, Mapping):
            yield from (ValueAt((*place.path, key), value) for key, value in place.value.items() if key in guilty)
        elif place.value in guilty:
            yield place


def negation(truth: Truth) -> Truth:
    """Return the three-valued negation."""
    return None if truth is None else not truth


def _exactly_one(truths: Iterator[Truth]) -> Truth:
    known = list(truths)
    return all_of(iter([any_of(iter(known)), _at_most_one(iter(known))]))


def _at_most_one(truths: Iterator[Truth]) -> Truth:
    known = list(truths)
    if known.count(True) > 1:
        return False
    return True if known.count(True) + known.count(None) <= 1 else None


def _depends_on(truths: Iterator[Truth]) -> Truth:
    first = next(truths, False)
    return True if first is False else any_of(iter([negation(first), all_of(truths)]))


_OPERATORS: Mapping[Operator, Callable[[Iterator[Truth]], Truth]] = {
    Operator.AND: all_of,
    Operator.OR: any_of,
    Operator.XOR: _exactly_one,
    Operator.NONE: lambda truths: negation(any_of(truths)),
    Operator.AT_MOST_ONE: _at_most_one,
    Operator.DEPENDS_ON: _depends_on,
}
