"""What a fix does to the lines it touches, read off its edits without comparing texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from heatstudio.text import Fix, LineIndex, Span, TextEdit, apply_edits, ordered_edits


class LineKind(StrEnum):
    """What happens to a line."""

    KEPT = " "
    REMOVED = "-"
    ADDED = "+"


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a mini-diff; `number` counts from 1 in the text it belongs to."""

    kind: LineKind
    number: int
    text: str


@dataclass(slots=True)
class _Hunk:
    first: int
    last: int
    edits: list[TextEdit]


def mini_diff(text: str, fix: Fix, context: int = 1) -> list[DiffLine]:
    """The lines that the fix changes, with `context` lines around them."""
    lines = LineIndex(text)
    shift = 0
    result: list[DiffLine] = []
    for hunk in _hunks(fix.edits, lines, context):
        start, end = lines.line_span(hunk.first).start, lines.line_span(hunk.last).end
        old = text[start:end]
        local = [TextEdit(Span(edit.span.start - start, edit.span.end - start), edit.text) for edit in hunk.edits]
        new = apply_edits(old, local).split("\n")
        result += _compare(old.split("\n"), new, hunk.first + 1, hunk.first + 1 + shift)
        shift += len(new) - (hunk.last - hunk.first + 1)
    return result


def _hunks(edits: Iterable[TextEdit], lines: LineIndex, context: int) -> Iterator[_Hunk]:
    """Edits whose lines touch or overlap, together with the lines around them."""
    current: _Hunk | None = None
    for edit in ordered_edits(edits):
        first = max(lines.position(edit.span.start).line - context, 0)
        last = min(lines.position(edit.span.end).line + context, len(lines) - 1)
        if current is not None and first <= current.last + 1:
            current.last = max(current.last, last)
            current.edits.append(edit)
            continue
        if current is not None:
            yield current
        current = _Hunk(first, last, [edit])
    if current is not None:
        yield current


def _compare(old: list[str], new: list[str], old_number: int, new_number: int) -> list[DiffLine]:
    """Equal lines at the top and the bottom are kept, those between are removed and added."""
    shorter = min(len(old), len(new))
    above = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    rest = shorter - above
    below = next((at for at in range(rest) if old[-1 - at] != new[-1 - at]), rest)
    result = [DiffLine(LineKind.KEPT, old_number + at, old[at]) for at in range(above)]
    result += [DiffLine(LineKind.REMOVED, old_number + at, old[at]) for at in range(above, len(old) - below)]
    result += [DiffLine(LineKind.ADDED, new_number + at, new[at]) for at in range(above, len(new) - below)]
    return result + [DiffLine(LineKind.KEPT, old_number + at, old[at]) for at in range(len(old) - below, len(old))]
