"""Apply the fixes of many diagnostics together, in rounds until none is left."""

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from heatstudio.analysis.migrations.migration_report import Step, steps
from heatstudio.analysis.scope.finding import Finding
from heatstudio.template import CannotEditError, DataFix, Template, parse_template, render
from heatstudio.text import Applicability, Span, TextEdit, apply_edits, ordered_edits

Piece = Span | str
"""A part of a text: an unchanged span of the original text, or new text."""
MOST_ROUNDS = 50
"""The maximum number of rounds, in case two fixes undo each other."""


class Composition:
    """A text with successive edits, which tracks the unchanged parts of the original text."""

    def __init__(self, text: str) -> None:
        self._original = text
        self._pieces: list[Piece] = [Span(0, len(text))]

    @property
    def text(self) -> str:
        """The current text."""
        kept = self._original
        return "".join(piece if isinstance(piece, str) else kept[piece.start : piece.end] for piece in self._pieces)

    def apply(self, edits: Iterable[TextEdit]) -> None:
        """Apply edits of the current text. Raise OverlappingEditsError."""
        pieces: list[Piece] = []
        at = 0
        for edit in ordered_edits(edits):
            pieces += (*self._between(at, edit.span.start), edit.text)
            at = edit.span.end
        self._pieces = [*pieces, *self._between(at, sum(map(_length, self._pieces)))]

    def _between(self, start: int, end: int) -> Iterator[Piece]:
        """Yield the pieces of a part of the current text."""
        offset = 0
        for piece in self._pieces:
            first, last = max(start - offset, 0), min(end - offset, _length(piece))
            if first < last:
                yield piece[first:last] if isinstance(piece, str) else Span(piece.start + first, piece.start + last)
            offset += _length(piece)

    def edits(self) -> tuple[TextEdit, ...]:
        """Return all applied edits, relative to the original text."""
        edits: list[TextEdit] = []
        at, added = 0, ""
        for piece in (*self._pieces, Span(len(self._original), len(self._original))):
            if isinstance(piece, str):
                added += piece
                continue
            if added != self._original[at : piece.start]:
                edits.append(TextEdit(Span(at, piece.start), added))
            at, added = piece.end, ""
        return tuple(edits)


def _length(piece: Piece) -> int:
    return len(piece) if isinstance(piece, str) else piece.end - piece.start


class RefusedFix(Struct, frozen=True):
    """A fix that cannot be applied to the text, with the reason."""

    fix: DataFix
    reason: str


class Migration(Struct, frozen=True):
    """The result of applying all fixes."""

    template: Template
    """The template after the fixes."""
    edits: tuple[TextEdit, ...]
    """The edits, relative to the original text."""
    steps: tuple[Step, ...]
    refusals: tuple[RefusedFix, ...]


def fix_all(
    template: Template, find: Callable[[Template], Iterable[Finding]], least: Applicability = Applicability.SAFE
) -> Migration:
    """Apply the best fix of every finding if it is at least as applicable as `least`.

    `find` returns the findings of a template; it is called again after each round.
    """
    composition = Composition(template.text)
    reported: list[Step] = []
    refusals: dict[str, RefusedFix] = {}
    for _ in range(MOST_ROUNDS):
        offered: dict[str, DataFix] = {}
        for fix in _best(find(template), max(least, Applicability.UNSAFE)):
            if repr(fix.changes) not in refusals:
                offered.setdefault(repr(fix.changes), fix)
        if not offered:
            break
        made, edits = _together(template, list(offered.values()))
        if not made:
            key, fix = next(iter(offered.items()))
            refusals[key] = RefusedFix(fix, _reason(template, fix))
            continue
        composition.apply(edits)
        reported += steps(change for fix in made for change in fix.changes)
        template = parse_template(apply_edits(template.text, edits), template)
    return Migration(template, composition.edits(), tuple(reported), tuple(refusals.values()))


def _best(findings: Iterable[Finding], least: Applicability) -> Iterator[DataFix]:
    for finding in findings:
        best = max(finding.fixes, key=lambda fix: fix.applicability, default=None)
        if best is not None and best.applicability >= least:
            yield best


def _together(template: Template, fixes: list[DataFix]) -> tuple[list[DataFix], tuple[TextEdit, ...]]:
    """Return the first block of fixes, found by bisection, that can be applied together, with their edits."""
    try:
        return fixes, render(template, [change for fix in fixes for change in fix.changes])
    except CannotEditError:
        if len(fixes) == 1:
            return [], ()
    half = len(fixes) // 2
    made, edits = _together(template, fixes[:half])
    return (made, edits) if made else _together(template, fixes[half:])


def _reason(template: Template, fix: DataFix) -> str:
    try:
        render(template, fix.changes)
    except CannotEditError as error:
        return error.reason
    return "Conflicts with other changes."
