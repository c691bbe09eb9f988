"""Conversion of values between a stack and its nested stack.

The conversion marks the keys of unknown values, so that the keys of the two stacks never collide.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace

from heatstudio.stack.unknown import Gap, NewKey, PartialText, Unknown
from heatstudio.template.editing.rendering_plan import with_parts
from heatstudio.update.difference import REFERENCE
from heatstudio.update.plan.update_plan import Reason

OUTER = "outer "
INNER = "inner"
Explain = Callable[[str], Iterable[Reason]]
"""A function that returns why values that depend on a resource of the outer stack change."""


def outer(value: object, explain: Explain) -> object:
    """Return a value of the outer stack for use in the nested stack; origins of unknowns include the reasons."""

    def marked(part: Unknown) -> Unknown:
        return replace(part, key=_key(part.key), origins=frozenset(_origins(part, explain)))

    return with_parts(value, Unknown, marked)


def _origins(value: Unknown, explain: Explain) -> Iterable[str]:
    for origin in value.origins:
        kind, _, name = origin.partition(":")
        if kind == "resource":
            yield from (Reason(reason, reason.subject, rank) for rank, reason in enumerate(explain(name)))
            yield f"{OUTER}resource:{name}"
        else:
            yield origin


def inside_out(value: object, owner: str) -> object:
    """Return a value of a nested stack for use in the stack of its owner."""

    def unmarked(part: Unknown) -> Unknown:
        outside = (origin.removeprefix(OUTER) for origin in part.origins if origin.startswith(OUTER))
        return replace(part, key=_outside(part.key, owner), origins=frozenset({f"resource:{owner}", *outside}))

    return with_parts(value, Unknown, unmarked)


def _outside(key: Hashable, owner: str) -> Hashable:
    if isinstance(key, NewKey):
        return replace(key, instead_of=_outside(key.instead_of, owner))
    if isinstance(key, PartialText):
        pieces = (Gap(_outside(p.key, owner)) if isinstance(p, Gap) else p for p in key.pieces)
        return PartialText(tuple(pieces))
    if isinstance(key, tuple) and len(key) == 2:
        kind, inner = key
        if kind == "outer":
            outside: Hashable = inner
            return outside
        if kind == REFERENCE:
            from_outside = isinstance(inner, tuple) and inner[0] == "outer"
            return (REFERENCE, inner[1] if from_outside else (INNER, owner, inner))
    return (INNER, owner, key)


def _key(key: Hashable) -> Hashable:
    if isinstance(key, NewKey):
        return replace(key, instead_of=_key(key.instead_of))
    if isinstance(key, PartialText):
        return PartialText(tuple(Gap(_key(piece.key)) if isinstance(piece, Gap) else piece for piece in key.pieces))
    if isinstance(key, tuple) and len(key) == 2 and key[0] == REFERENCE:
        return (REFERENCE, ("outer", key[1]))
    return ("outer", key)
