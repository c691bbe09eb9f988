"""Texts with unknown parts in a normal form, so that equal texts have equal keys and differences can be detected."""

from collections.abc import Hashable, Iterable, Iterator
from itertools import groupby

from msgspec import Struct

from heatstudio.stack.unknown import NewKey, Shape, Unknown

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
            length = _common_length(first, second)
            if not length:
                break
            one[:1] = [first[length:]] if first[length:] else []
            other[:1] = [second[length:]] if second[length:] else []
        else:
            break
    return one, other


def _common_length(first: str, second: str) -> int:
    for position, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return position
    return min(len(first), len(second))


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
