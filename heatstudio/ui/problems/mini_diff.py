"""The lines that a fix changes, computed from its edits without comparing texts."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import zip_longest

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.text import Fix, LineIndex, TextEdit, apply_edits, ordered_edits
from heatstudio.text.span import shared_ends
from heatstudio.text.yaml_lexer import lex_line, state_at


class LineKind(StrEnum):
    """The change of a line."""

    KEPT = " "
    REMOVED = "-"
    ADDED = "+"


class DiffLine(Struct, frozen=True):
    """One line of a mini-diff; `number` is counted from 1, in the new text for added lines, else in the old text."""

    kind: LineKind
    number: int
    text: str
    state: int = 0
    """The highlighting state at the end of the line above."""


class _ChangedLines(Struct):
    """Edits that touch the same lines, `first` to `last`, counted from 0."""

    first: int
    last: int
    edits: list[TextEdit]


def mini_diff(text: str, fix: Fix, context: int = 1) -> list[DiffLine]:
    """Return the lines that a fix changes, with up to `context` lines around them."""
    lines = LineIndex(text)
    changes = _changes(fix.edits, lines)
    runs: list[tuple[int, list[DiffLine]]] = []
    shift, shown = 0, 0
    for change, following in zip_longest(changes, changes[1:]):
        begin = max(shown, change.first - context)
        if begin > shown or not runs:
            runs.append((begin, []))
        run = runs[-1][1]
        run += _kept(text, lines, range(begin, change.first))
        before, after = _two_sides(text, lines, change)
        run += _compare(before, after, change.first + 1, change.first + 1 + shift)
        shift += len(after) - len(before)
        shown = min(change.last + 1 + context, following.first if following else len(lines))
        run += _kept(text, lines, range(change.last + 1, shown))
    starts = [state_at(text, lines.line_span(begin).start).encode() for begin, _ in runs]
    return [line for (_, run), state in zip(runs, starts, strict=True) for line in _with_states(run, state)]


def _with_states(run: Iterable[DiffLine], state: int) -> Iterator[DiffLine]:
    """Yield each line with the highlighting state of its side; both sides start with the same state."""
    old = new = state
    for line in run:
        yield replace(line, state=old if line.kind is LineKind.REMOVED else new)
        if line.kind is not LineKind.ADDED:
            _, old = lex_line(line.text, old)
        if line.kind is not LineKind.REMOVED:
            _, new = lex_line(line.text, new)


def _changes(edits: Iterable[TextEdit], lines: LineIndex) -> list[_ChangedLines]:
    changes: list[_ChangedLines] = []
    for edit in ordered_edits(edits):
        first, last = lines.position(edit.span.start).line, lines.position(edit.span.end).line
        if changes and first <= changes[-1].last:
            changes[-1].last = max(changes[-1].last, last)
            changes[-1].edits.append(edit)
        else:
            changes.append(_ChangedLines(first, last, [edit]))
    return changes


def _kept(text: str, lines: LineIndex, numbers: range) -> Iterator[DiffLine]:
    for number in numbers:
        span = lines.line_span(number)
        yield DiffLine(LineKind.KEPT, number + 1, text[span.start : span.end])


def _two_sides(text: str, lines: LineIndex, change: _ChangedLines) -> tuple[list[str], list[str]]:
    """Return the lines before and after a change."""
    start, end = lines.line_span(change.first).start, lines.line_span(change.last).end
    before = text[start:end]
    after = apply_edits(before, (TextEdit(edit.span.shifted(-start), edit.text) for edit in change.edits))
    return before.split("\n"), after.split("\n")


def _compare(old: list[str], new: list[str], old_number: int, new_number: int) -> list[DiffLine]:
    """Return a diff that keeps equal lines at the start and the end, and replaces those between."""
    above, below = shared_ends(old, new)
    result = [DiffLine(LineKind.KEPT, old_number + at, old[at]) for at in range(above)]
    result += [DiffLine(LineKind.REMOVED, old_number + at, old[at]) for at in range(above, len(old) - below)]
    result += [DiffLine(LineKind.ADDED, new_number + at, new[at]) for at in range(above, len(new) - below)]
    return result + [DiffLine(LineKind.KEPT, old_number + at, old[at]) for at in range(len(old) - below, len(old))]
