"""Values that are not known yet, such as parameters without a value, and texts that are known in part."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from itertools import groupby

from msgspec import Struct

from heatstudio.text.span import shared_ends


class Shape(Enum):
    """The known kind of an unknown value: a parameter has a type before it has a value."""

    ANY = auto()
    TEXT = auto()
    CHARACTER = auto()
    """A string of at most one character: an item of a string."""
    STACK_ID = auto()
    """The ID of a stack; the string `None` when Heat validates a stack that does not exist yet."""
    NUMBER = auto()
    BOOLEAN = auto()
    LIST = auto()
    """A list of strings."""
    ITEMS = auto()
    """A list of any values."""
    MAP = auto()

    def may_be(self, value: object) -> bool:
        """Return whether an unknown value of this shape may equal a known value."""
        kinds = _KINDS.get(self)
        return kinds is None or isinstance(value, kinds)


LISTS = (Shape.LIST, Shape.ITEMS)
SEQUENCES = (*LISTS, Shape.TEXT, Shape.CHARACTER, Shape.STACK_ID)
_KINDS: Mapping[Shape, tuple[type, ...]] = {
    Shape.TEXT: (str,),
    Shape.CHARACTER: (str,),
    Shape.STACK_ID: (str,),
    Shape.NUMBER: (int, float),
    Shape.BOOLEAN: (int, float),
    Shape.LIST: (list,),
    Shape.ITEMS: (list,),
    Shape.MAP: (Mapping,),
}
"""The types of the values that may equal a value of each shape: True equals 1."""


ATTRIBUTE = "attribute"
UNREADABLE = "unreadable"
"""The first part of the key of a parameter that Heat fails to read; the second part is the reason."""
UNBOUNDED = "unbounded"
"""The first part of the key of a value that is too large, or takes too long, to compute."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that is not known yet. Values with equal keys are equal; values with different keys may be equal."""

    key: Hashable
    origins: frozenset[str] = frozenset()
    """The inputs of the value: `parameter:<name>`, `resource:<name>`, `file:<name>` or `function:<name>`.

    In a nested stack of an update plan, also the reasons why a value from the owner changes.
    """
    shape: Shape = field(default=Shape.ANY, compare=False)

    @property
    def is_attribute(self) -> bool:
        """Whether the value is a whole attribute of a resource, which is null in Heat until the resource exists."""
        return isinstance(self.key, tuple) and self.key[:1] == (ATTRIBUTE,)

    def item(self, key: str | int) -> Unknown:
        """Return the item at a key or index. Raise TypeError or ValueError if there is certainly no such item."""
        if self.shape in (Shape.ANY, Shape.ITEMS, Shape.MAP):
            return derived("select", self, [key])
        if self.shape in (Shape.NUMBER, Shape.BOOLEAN):
            raise TypeError("can't traverse path")
        shape = Shape.TEXT if self.shape is Shape.LIST else Shape.CHARACTER
        return replace(derived("select", self, [int(key)]), shape=shape)


@dataclass(frozen=True, slots=True)
class NewKey:
    """The key of a value that replaces an older value and differs from it."""

    instead_of: Hashable
    known: str | None = field(default=None, compare=False)
    """The older value, if it is known."""
    certain: bool = True
    """False if the value may equal the older value."""


_PLAIN = (str, int, float)


def fits(value: object, kind: type[dict[object, object] | list[object] | str]) -> bool:
    """Return whether a value is of a type, or may be if it is unknown."""
    return value.shape.may_be(kind()) if isinstance(value, Unknown) else isinstance(value, kind)


def type_name(value: object) -> str:
    """Return the name of the type of a value, as in messages of Python."""
    return _KINDS[value.shape][0].__name__ if isinstance(value, Unknown) else type(value).__name__


def freeze(value: object) -> Hashable:
    """Return a hashable form of plain data; equal forms mean that no function can distinguish the values."""
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
    """Yield every Unknown inside a value, including keys of maps."""
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
    """Return whether any part of a value is unknown."""
    if isinstance(value, _PLAIN) or value is None:
        return False
    if isinstance(value, Unknown):
        return True
    if isinstance(value, Mapping):
        return any(has_unknown(part) for pair in value.items() for part in pair)
    return isinstance(value, (list, tuple)) and any(map(has_unknown, value))


def derived(name: str, *sources: object) -> Unknown:
    """Return the unknown result of a function with at least one unknown source."""
    origins = frozenset(origin for source in sources for unknown in unknowns(source) for origin in unknown.origins)
    return Unknown((name, *map(freeze, sources)), origins)


Differ = Callable[[object, object], bool]
"""A function that returns whether two values, at least one of them unknown, certainly differ."""


def _never(_first: object, _second: object) -> bool:
    return False


def same(first: object, second: object, differ: Differ = _never) -> bool | None:
    """Return whether two values are equal; None if the result depends on unknown parts and `differ` is not true."""
    if isinstance(first, Unknown) or isinstance(second, Unknown):
        if isinstance(first, Unknown) and isinstance(second, Unknown) and first.key == second.key:
            return True
        return False if differ(first, second) else None
    if first == second:  # fast path in C for most values; equal unknown parts have the same key
        return True
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        if first.keys() != second.keys():
            return None if has_unknown(list(first)) or has_unknown(list(second)) else False
        return all_of(same(item, second[key], differ) for key, item in first.items())
    if isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)):
        if len(first) != len(second):
            return False
        return all_of(same(item, other, differ) for item, other in zip(first, second, strict=True))
    return False


def all_of(answers: Iterator[bool | None]) -> bool | None:
    """Return the three-valued `all`: False if any is False, else None if any is None."""
    result: bool | None = True
    for answer in answers:
        if answer is False:
            return False
        if answer is None:
            result = None
    return result


def any_of(answers: Iterator[bool | None]) -> bool | None:
    """Return the three-valued `any`: True if any is True, else None if any is None."""
    result: bool | None = False
    for answer in answers:
        if answer is True:
            return True
        if answer is None:
            result = None
    return result


class ValueSet:
    """Values that can be searched in constant time, except by and among values with unknown parts."""

    def __init__(self, values: Iterable[object] = ()) -> None:
        self._all: list[object] = []
        self._partly_known: list[object] = []
        self._keys: set[Hashable] = set()
        for value in values:
            self.add(value)

    def add(self, value: object) -> None:
        """Add a value."""
        self._all.append(value)
        if has_unknown(value):
            self._partly_known.append(value)
        else:
            self._keys.add(_key(value))

    def include(self, value: object) -> bool | None:
        """Return the three-valued `in`."""
        if has_unknown(value):
            return any_of(same(value, item) for item in self._all)
        return _key(value) in self._keys or any_of(same(value, item) for item in self._partly_known)


def _key(value: object) -> Hashable:
    """Return a hashable form of a value without unknown parts; equal values have equal forms."""
    if value is None or isinstance(value, _PLAIN):
        return value
    if isinstance(value, Mapping):
        return ("map", frozenset((_key(key), _key(item)) for key, item in value.items()))
    if isinstance(value, (list, tuple)):
        return ("list", *map(_key, value))
    return (type(value).__name__, repr(value))


_TEXTS = (Shape.TEXT, Shape.CHARACTER, Shape.STACK_ID)


class Gap(Struct, frozen=True):
    """An unknown part of a text, identified by the key of an unknown value."""

    key: Hashable


class PartialText(Struct, frozen=True):
    """The key of a partly known text: non-empty known pieces, separated by holes."""

    pieces: tuple[str | Gap, ...]


def joined(pieces: Iterable[str | Unknown]) -> str | Unknown:
    """Return the concatenation of pieces."""
    given = [piece for piece in pieces if piece != ""]
    unknown = [piece for piece in given if isinstance(piece, Unknown)]
    if not unknown:
        return "".join(map(str, given))
    if len(given) == 1 and unknown[0].shape in _TEXTS:
        return unknown[0]
    result: list[str | Gap] = []
    parts = (part for piece in given for part in _parts(piece))
    for is_known, group in groupby(parts, lambda part: isinstance(part, str)):
        run = list(group)
        result += ["".join(map(str, run))] if is_known else run
    origins = frozenset(origin for piece in unknown for origin in piece.origins)
    return Unknown(PartialText(tuple(result)), origins, Shape.TEXT)


def _parts(piece: str | Unknown) -> Iterator[str | Gap]:
    if isinstance(piece, str):
        yield piece
    elif isinstance(piece.key, PartialText):
        yield from piece.key.pieces
    else:
        yield Gap(piece.key)


def length(text: str | Unknown) -> int:
    """Return the number of characters of a text, with one for each hole."""
    if isinstance(text, str):
        return len(text)
    return sum(length(part) if isinstance(part, str) else 1 for part in _parts(text))


def texts_differ(first: object, second: object) -> bool:
    """Return whether two texts, at least one of them partial, differ for all values of the holes."""
    one, other = text_pieces(first), text_pieces(second)
    if one is None or other is None:
        return False
    if _old_text(one) == other or _old_text(other) == one:
        return True
    one, other = _without_common_start(one, other)
    backward = _without_common_start(_reversed(one), _reversed(other))
    one, other = _reversed(backward[0]), _reversed(backward[1])
    return (
        _starts_differ(one, other)
        or _starts_differ(_reversed(one), _reversed(other))
        or _ids_differ(one, other)
        or _lengths_differ(one, other)
    )


def _old_text(pieces: list[str | Gap]) -> list[str | Gap] | None:
    """Return the old text if its only hole replaces a known value; None for any other text."""
    keys = [piece.key for piece in pieces if isinstance(piece, Gap)]
    known = keys[0].known if len(keys) == 1 and isinstance(keys[0], NewKey) and keys[0].certain else None
    return ["".join(piece if isinstance(piece, str) else known for piece in pieces)] if known is not None else None


def text_pieces(value: object) -> list[str | Gap] | None:
    """Return the pieces of a text; None if the value may be something else."""
    if isinstance(value, str):
        return [value] if value else []
    if not isinstance(value, Unknown):
        return None
    if isinstance(value.key, PartialText):
        return list(value.key.pieces)
    return [Gap(value.key)] if value.shape in _TEXTS else None


def _reversed(pieces: list[str | Gap]) -> list[str | Gap]:
    return [piece[::-1] if isinstance(piece, str) else piece for piece in reversed(pieces)]


def _without_common_start(one: list[str | Gap], other: list[str | Gap]) -> tuple[list[str | Gap], list[str | Gap]]:
    one, other = list(one), list(other)
    while one and other:
        first, second = one[0], other[0]
        if first == second:
            del one[0], other[0]
        elif isinstance(first, str) and isinstance(second, str):
            length = shared_ends(first, second)[0]
            if not length:
                break
            one[:1] = [first[length:]] if first[length:] else []
            other[:1] = [second[length:]] if second[length:] else []
        else:
            break
    return one, other


def _starts_differ(one: list[str | Gap], other: list[str | Gap]) -> bool:
    """Return whether texts without a common prefix certainly start with different characters."""
    if not one or not other:
        return any(isinstance(piece, str) for piece in (*one, *other))
    return isinstance(one[0], str) and isinstance(other[0], str)


def _ids_differ(one: list[str | Gap], other: list[str | Gap]) -> bool:
    """Return whether the texts differ only in holes whose IDs were replaced."""
    different = [pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]]
    return len(one) == len(other) and bool(different) and all(_replaces_id(*pair) for pair in different)


def _replaces_id(one: str | Gap, other: str | Gap) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return False
    return NewKey(one.key) == other.key or NewKey(other.key) == one.key


def _lengths_differ(one: list[str | Gap], other: list[str | Gap]) -> bool:
    """Return whether the texts have the same holes and known parts of different total lengths."""
    holes = [sorted(repr(piece.key) for piece in pieces if isinstance(piece, Gap)) for pieces in (one, other)]
    lengths = [sum(len(piece) for piece in pieces if isinstance(piece, str)) for pieces in (one, other)]
    return holes[0] == holes[1] and lengths[0] != lengths[1]
