"""Values of a stack as its nested stack sees them: what is not known must not be taken for something of its own."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace

from heatstudio.stack.functions.partial_text import Hole, PartialText
from heatstudio.stack.unknown import Anew, Unknown
from heatstudio.stack.update.difference import REFERENCE
from heatstudio.stack.update.reason import Reason

Explain = Callable[[str], Iterable[Reason]]
"""Why what depends on a resource of the outer stack sees another value."""


def outer(value: object, explain: Explain) -> object:
    """A value of the outer stack, to be used inside; unknown parts say why they changed."""
    if isinstance(value, Unknown):
        return replace(value, key=_key(value.key), origins=frozenset(_origins(value, explain)))
    if isinstance(value, Mapping):
        return {key: outer(item, explain) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [outer(item, explain) for item in value]
    return value


def _origins(value: Unknown, explain: Explain) -> Iterable[str]:
    for origin in value.origins:
        kind, _, name = origin.partition(":")
        if kind == "resource":
            yield from (Reason(reason, reason.subject, rank) for rank, reason in enumerate(explain(name)))
            yield f"outer resource:{name}"
        else:
            yield origin


def _key(key: Hashable) -> Hashable:
    if isinstance(key, Anew):
        return replace(key, instead_of=_key(key.instead_of))
    if isinstance(key, PartialText):
        return PartialText(tuple(Hole(_key(piece.key)) if isinstance(piece, Hole) else piece for piece in key.pieces))
    if isinstance(key, tuple) and len(key) == 2 and key[0] == REFERENCE:
        return (REFERENCE, ("outer", key[1]))
    return ("outer", key)
