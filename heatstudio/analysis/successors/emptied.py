"""Ways out of an old map whose parts are properties of their own now: each part moves out of it, the map goes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from heatstudio.analysis.successors.move import MISSING, Move
from heatstudio.analysis.successors.use import Proposal, Use
from heatstudio.template import DeleteEntry, SetValue


def has_parts(use: Use) -> bool:
    """Whether rules move parts out of this property."""
    return any(_is_part(rule.source, use.names) for rule in use.replacing())


def emptied(use: Use) -> Iterator[Proposal]:
    """The ways out, if the map is written as a map."""
    moves = _moves(use)
    gone = DeleteEntry(use.path)
    if not moves:
        yield Proposal(f"Remove `{use.name}`, which Heat ignores", (gone,), only_if_same=True)
        return
    taken = tuple(move for move in moves if use.value_at(move.target) is not MISSING)
    added = [change for move in moves if move not in taken for change in list(move.changes(use.data))[:1]]
    if not taken:
        yield Proposal(f"Replace `{use.name}` by {_listed(moves)}", (*added, gone))
        return
    beside = tuple(move.target for move in taken)
    kept = [change for move in taken for change in move.keep_old() if isinstance(change, SetValue)]
    yield Proposal(f"Keep {_listed(taken)}", (*added, gone), beside=beside)
    yield Proposal(f"Keep `{use.name}`'s values as {_listed(taken)}", (*added, *kept, gone), beside=beside)


def _moves(use: Use) -> list[Move]:
    """Where the parts go that are written, in the order of the text."""
    value = use.written.value
    depth = len(use.path)
    moves = []
    for rule in use.replacing():
        if rule.source is not None and _is_part(rule.source, use.names):
            source = (*use.path, *rule.source[len(use.names) :])
            if use.value_at(source) is not MISSING:
                moves.append(Move(source, use.places(rule.path)[0]))
    order = list(value) if isinstance(value, Mapping) else []
    return sorted(moves, key=lambda move: order.index(move.source[depth]))


def _is_part(path: tuple[str, ...] | None, whole: tuple[str, ...]) -> bool:
    return path is not None and len(path) > len(whole) and path[: len(whole)] == whole


def _listed(moves: list[Move] | tuple[Move, ...]) -> str:
    return ", ".join(f"`{move.target[-1]}`" for move in moves)
