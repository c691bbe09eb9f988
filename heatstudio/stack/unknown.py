"""Values that are not known yet: parameters without a value, attributes of resources that do not exist."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto


class Shape(Enum):
    """The known facts about an unknown value: a parameter has a type before it has a value."""

    ANY = auto()
    TEXT = auto()
    CHARACTER = auto()
    """A text of one character, or an empty one: what a position in a text gives."""
    STACK_ID = auto()
    """The id of a stack: when Heat validates a stack that does not exist yet, it is the text `None`."""
    NUMBER = auto()
    BOOLEAN = auto()
    LIST = auto()
    """A list of texts."""

    def may_be(self, value: object) -> bool:
        """Whether an unknown value of this shape may turn out to be equal to a known one."""
        kinds = _KINDS.get(self)
        return kinds is None or isinstance(value, kinds)


_KINDS: Mapping[Shape, tuple[type, ...]] = {
    Shape.TEXT: (str,),
    Shape.CHARACTER: (str,),
    Shape.STACK_ID: (str,),
    Shape.NUMBER: (int, float),
    Shape.BOOLEAN: (int, float),
    Shape.LIST: (list,),
}
"""What is equal to a value of each shape at most: True is 1."""


ATTRIBUTE = "attribute"
UNREADABLE = "unreadable"
"""The key of a parameter that Heat fails to read, before the reason."""
UNBOUNDED = "unbounded"
"""The key of a value that is too large, or takes too long, to compute."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that is not known yet. Equal keys mean equal values; different keys mean nothing."""

    key: Hashable
    origins: frozenset[str] = frozenset()
    """What it waits for: `parameter:<name>`, `resource:<name>`, `file:<name>` or `function:<name>`.

    While an update is planned, in a nested stack also the reasons for which its owner gives another value.
    """
    shape: Shape = field(default=Shape.ANY, compare=False)

    @property
    def is_attribute(self) -> bool:
        """Whether it is a whole attribute of a resource: Heat has null for it while there is no such resource."""
        return isinstance(self.key, tuple) and self.key[:1] == (ATTRIBUTE,)

    def item(self, key: str | int) -> Unknown:
        """The value at a key or index. Raises TypeError or ValueError if it certainly does not exist."""
        if self.shape is Shape.ANY:
            return derived("select", self, [key])
        if self.shape in (Shape.NUMBER, Shape.BOOLEAN):
            raise TypeError("can't traverse path")
        shape = Shape.TEXT if self.shape is Shape.LIST else Shape.CHARACTER
        return replace(derived("select", self, [int(key)]), shape=shape)


@dataclass(frozen=True, slots=True)
class Anew:
    """The key of a value that replaces another one and differs from it."""

    instead_of: Hashable
    known: str | None = field(default=None, compare=False)
    """The value that it takes the place of, where that is known."""
    certain: bool = True
    """False if it may be the old value after all."""


_PLAIN = (str, int, float)


def freeze(value: object) -> Hashable:
    """A hashable copy of plain data: functions cannot distinguish values with equal copies."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Unknown):
        return ("unknown", value.key)
    if isinstance(value, Mapping):
        return ("map", tuple((freeze(key), freeze(item)) for key, item in value.items()))
    if isinstance(value, (list, tuple)):
        return ("list", tuple(map(freeze, value)))
    return (type(value).__name__, repr(value))


def unknowns(value: object) -> Iterator[Unknown]:
    """Every unknown inside a value, keys of maps included."""
    if isinstance(value, Unknown):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from unknowns(key)
            yield from unknowns(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from unknowns(item)


def has_unknown(value: object) -> bool:
    """Whether any part of a value is unknown."""
    if isinstance(value, _PLAIN) or value is None:
        return False
    if isinstance(value, Unknown):
        return True
    if isinstance(value, Mapping):
        return any(has_unknown(part) for pair in value.items() for part in pair)
    return isinstance(value, (list, tuple)) and any(map(has_unknown, value))


def derived(name: str, *sources: object) -> Unknown:
    """What a function makes of sources of which at least one is unknown."""
    origins = frozenset(origin for source in sources for unknown in unknowns(source) for origin in unknown.origins)
    return Unknown((name, *map(freeze, sources)), origins)


Differ = Callable[[object, object], bool]
"""Whether two values, at least one of them unknown, are certainly not equal."""


def _never(_first: object, _second: object) -> bool:
    return False


def same(first: object, second: object, differ: Differ = _never) -> bool | None:
    """Whether two values are equal; None if an unknown part decides it, unless `differ` knows."""
    if isinstance(first, Unknown) or isinstance(second, Unknown):
        if isinstance(first, Unknown) and isinstance(second, Unknown) and first.key == second.key:
            return True
        return False if differ(first, second) else None
    if first == second:  # most are, and this compares them at the speed of C; equal unknown parts are the same
        return True
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        if first.keys() != second.keys():
            return None if has_unknown(list(first)) or has_unknown(list(second)) else False
        return all_of(same(item, second[key], differ) for key, item in first.items())
    if isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)):
        if len(first) != len(second):
            return False
        return all_of(same(one, other, differ) for one, other in zip(first, second, strict=True))
    return False


def all_of(answers: Iterator[bool | None]) -> bool | None:
    """Three-valued `all`: one False decides, one None leaves it open."""
    result: bool | None = True
    for answer in answers:
        if answer is False:
            return False
        if answer is None:
            result = None
    return result


def any_of(answers: Iterator[bool | None]) -> bool | None:
    """Three-valued `any`: one True decides, one None leaves it open."""
    result: bool | None = False
    for answer in answers:
        if answer is True:
            return True
        if answer is None:
            result = None
    return result


def is_member(value: object, collection: list[object] | tuple[object, ...]) -> bool | None:
    """Three-valued `in`."""
    return any_of(same(value, item) for item in collection)
