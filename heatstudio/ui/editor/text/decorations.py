"""The decorations of an editor, such as markers and outcomes, and their painting under and over the text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QPainter, QPainterPath, QPen, QPixmap

from heatstudio.text import Hunk, Severity, Span
from heatstudio.ui.documents.qt_text import DIRECT
from heatstudio.ui.editor.text import overlay
from heatstudio.ui.editor.text.brackets import matching_bracket
from heatstudio.ui.editor.text.code_page import MARGIN, CodePage, VisibleLine
from heatstudio.ui.editor.text.folds import Folding
from heatstudio.ui.editor.text.indentation import STEP, indent_of
from heatstudio.ui.editor.text.marks import Mark, MarkList, PositionedMarker
from heatstudio.ui.editor.text.text_document import Piece
from heatstudio.ui.widgets.theme import SEVERITY_ICONS, Color, Theme, fill_background

if TYPE_CHECKING:  # outcomes import the engine
    from heatstudio.ui.widgets.outcome import ShownOutcome, ShownTest

_PEN: Final = 1.2
_HALF_WAVE: Final = {Severity.ERROR: 2.0, Severity.WARNING: 3.0}
_HEIGHT: Final = 2.5
_ROOM: Final = 1.0
"""The space for the pen above and below a wave."""
_WAVES: Final = 8
"""The waves in a tile, which is then a whole number of pixels wide at every common display scale."""
DIMMED = 0.5
"""The opacity of the background color over inactive text."""


def paint_squiggles(painter: QPainter, line: VisibleLine, marks: Sequence[PositionedMarker], theme: Theme) -> None:
    """Paint the underlines of a line: waves for errors and warnings, dashes and dots for lower severities."""
    first = line.block.position()
    for one in reversed(marks):
        start = min(one.start, first + max(line.block.length() - 2, 0))
        end = max(min(one.end, first + line.block.length() - 1), start + 1)
        for rect in line.rects(start, end):
            _underline(painter, rect, one.mark.severity, theme.color(SEVERITY_ICONS[one.mark.severity][1]))


def _underline(painter: QPainter, rect: QRectF, severity: Severity, color: QColor) -> None:
    bottom = rect.bottom() - 1.5
    if severity in _HALF_WAVE:
        tile = _tile(_HALF_WAVE[severity], color.rgba(), painter.device().devicePixelRatioF())
        top = bottom - _HEIGHT - _ROOM
        painter.drawTiledPixmap(QRectF(rect.left(), top, rect.width(), _HEIGHT + 2 * _ROOM), tile, QPointF())
        return
    style = Qt.PenStyle.DashLine if severity is Severity.INFORMATION else Qt.PenStyle.DotLine
    painter.setPen(QPen(color, _PEN, style))
    painter.drawLine(QPointF(rect.left(), bottom), QPointF(rect.right(), bottom))


@lru_cache(maxsize=32)
def _tile(half: float, rgba: int, scale: float) -> QPixmap:
    """Return a tile of waves, as painting a long line of waves takes longer than painting its text."""
    width, height = 2 * half * _WAVES, _HEIGHT + 2 * _ROOM
    tile = QPixmap(round(width * scale), ceil(height * scale))
    tile.setDevicePixelRatio(scale)
    tile.fill(Qt.GlobalColor.transparent)
    path = QPainterPath(QPointF(-half, _ROOM))
    for at in range(2 * _WAVES + 2):
        path.lineTo(at * half, _ROOM + (_HEIGHT if at % 2 == 0 else 0))
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor.fromRgba(rgba), _PEN))
    painter.drawPath(path)
    painter.end()
    return tile


class Decorations(QObject):
    """The decorations of an editor; positions are Qt's, in UTF-16 units, and lines are counted from 0."""

    changed = Signal()
    line_left = Signal()
    """The cursor has left a line whose new problems are withheld."""

    def __init__(self, page: CodePage, folding: Folding) -> None:
        super().__init__(page)
        self._page, self._folding = page, folding
        self.marks, self.inactive, self.hints = MarkList(), MarkList(), MarkList()
        self._sections, self.sections_version = MarkList(), 0
        self.matches: Sequence[tuple[int, int]] = ()
        """The spans that a search found."""
        self.occurrences: Sequence[tuple[int, int]] = ()
        """The definition and uses of the name at the cursor."""
        self.fields: Sequence[tuple[int, int]] = ()
        """The tab stops of an inserted snippet."""
        self.brackets: Sequence[tuple[int, int]] = ()
        self.insertion: int | None = None
        """The position behind whose line a dragged type would be inserted."""
        self.changes: Mapping[int, ShownOutcome | ShownTest] = {}
        """The outcomes of an update, or the results of tests, by line."""
        self.hunks: Sequence[Hunk] = ()
        """The lines that differ from the baseline."""
        self.are_changes_old = False
        """Whether the outcomes belong to an older text."""
        self.shown = {"messages": True, "advice-messages": False, "blanks": False}
        """Whether messages and advice at the ends of lines, and blanks, are shown."""
        self.withholds = False
        """Whether new problems wait until the typed line is left."""
        self._caret_state: tuple[int, int, tuple[int, int] | None] | None = None
        page.cursorPositionChanged.connect(self._follow_caret)
        page.text_document.changed.connect(self._follow_change)
        self.changed.connect(page.repaint_all)

    def clear(self) -> None:
        """Remove what belongs to a text, before another one is loaded."""
        for marks in (self.marks, self.inactive, self.hints, self._sections):
            marks.place((), DIRECT)
        self.changes, self.matches, self.occurrences, self.fields, self.hunks = {}, (), (), (), ()
        self.changed.emit()

    def copy(self, other: Decorations) -> None:
        """Take over what another view of the same text shows about it."""
        self.marks.copy(other.marks)
        self.inactive.copy(other.inactive)
        self.hints.copy(other.hints)
        self._sections.copy(other._sections)
        self.changes, self.are_changes_old, self.hunks = other.changes, other.are_changes_old, other.hunks

    def set_marks(self, marks: Sequence[Mark]) -> None:
        """Replace the markers of the current text."""
        positions = self._page.text_document.positions()
        self.marks.place([mark for mark in marks if not mark.is_inactive], positions)
        self.inactive.place([mark for mark in marks if mark.is_inactive], positions)
        self.changed.emit()

    def set_sections(self, starts: Iterable[int]) -> None:
        """Set the offsets of the sections of the template."""
        before = [one.start for one in self._sections.all()]
        marks = [Mark(Span(start, start), Severity.HINT, "") for start in starts]
        self._sections.place(marks, self._page.text_document.positions())
        self.sections_version += before != [one.start for one in self._sections.all()]

    def section_start(self, position: int) -> int | None:
        """Return the start of the section at a document position; None before the first one."""
        return max((one.start for one in self._sections.starting_between(0, position)), default=None)

    def set_hints(self, hints: Sequence[Mark]) -> None:
        """Replace the hints at the ends of lines."""
        self.hints.place(hints, self._page.text_document.positions())
        self.changed.emit()

    def set_changes(self, changes: Mapping[int, ShownOutcome | ShownTest]) -> None:
        """Show outcomes of an update, or results of tests, next to lines."""
        self.changes, self.are_changes_old = changes, False
        self.changed.emit()

    def words_of_sign(self, line: int) -> str:
        """Return the outcome or the result of a test beside a line, in words; empty if there is none."""
        sign, old = self.changes.get(line), " before the errors" if self.are_changes_old else ""
        return f"{sign.source}{old}: {sign.word}" if sign is not None else ""

    def set_hunks(self, hunks: Sequence[Hunk]) -> None:
        """Show bars beside lines that differ from the baseline."""
        self.hunks = hunks
        self.changed.emit()

    def age_changes(self) -> None:
        """Show that the outcomes belong to an older text, until others are set."""
        self.are_changes_old = True
        self.changed.emit()

    def set_matches(self, matches: Sequence[tuple[int, int]]) -> None:
        """Highlight spans, also in the scroll bar."""
        self.matches = matches
        self.changed.emit()

    def set_occurrences(self, spans: Sequence[tuple[int, int]]) -> None:
        """Highlight the occurrences of a name until the text changes."""
        if spans != self.occurrences:
            self.occurrences = spans
            self.changed.emit()

    def set_fields(self, fields: Sequence[tuple[int, int]]) -> None:
        """Highlight the tab stops of an inserted snippet."""
        self.fields = fields
        self.changed.emit()

    def set_insertion(self, position: int | None) -> None:
        """Show behind which line a dragged type would be inserted."""
        self.insertion = position
        self.changed.emit()

    def switch(self, name: str, on: bool) -> None:
        """Show or hide a part of `shown`."""
        self.shown[name] = on
        self.changed.emit()

    def _follow_caret(self) -> None:
        """Repaint the page if the cursor's line, depth or brackets changed; Qt only repaints the edited line."""
        cursor = self._page.textCursor()
        pair = matching_bracket(cursor.block(), cursor.positionInBlock())
        self.brackets = [(at, at + 1) for at in pair] if pair else ()
        state = (cursor.blockNumber(), indent_of(cursor.block().text()), pair)
        if state != self._caret_state:
            is_left = self.withholds and self._caret_state is not None and state[0] != self._caret_state[0]
            self._caret_state = state
            self._page.repaint_all()
            if is_left:
                self.line_left.emit()

    def _follow_change(self) -> None:
        """Shift markers and outcomes with their lines, until they are replaced; occurrences end."""
        self.set_occurrences(())
        for piece in self._page.text_document.pieces:
            for marks in (self.marks, self.inactive, self.hints, self._sections):
                marks.shift(piece.position, piece.removed, piece.added)
            if piece.more and self.changes:
                lines = (
                    (line + piece.more if line >= piece.line else line, what) for line, what in self.changes.items()
                )
                self.changes = dict(lines)
            if piece.more and self.hunks:
                self.hunks = [Hunk(hunk.old, _moved(hunk.new, piece)) for hunk in self.hunks]

    def paint_below(self, painter: QPainter, lines: Sequence[VisibleLine]) -> None:
        """Paint the background, the cursor's line, guides, matches, brackets and tab stops of all visible lines."""
        theme, caret_line = self._page.theme, self._page.caret_line()
        # Not the palette's color: a style sheet of the application may set another background.
        fill_background(painter, painter.viewport(), theme.color(Color.EDITOR_GROUND))
        for line in lines:
            if line.block.blockNumber() == caret_line:
                whole = QRectF(0, line.rect.top(), line.rect.width(), line.rect.height())
                fill_background(painter, whole, theme.color(Color.CURRENT_LINE))
        step = QFontMetricsF(self._page.font()).horizontalAdvance(" ") * STEP
        overlay.paint_guides(painter, lines, theme, step=step, margin=MARGIN, caret_line=caret_line)
        if not (self.matches or self.occurrences or self.brackets or self.fields) or not lines:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        first = lines[0].block.position()
        last = lines[-1].block.position() + lines[-1].block.length()
        ground, accent = theme.color(Color.MATCH_GROUND), theme.color(Color.ACCENT)
        places = [span for span in self.matches if span[0] == span[1]]
        for spans, color, edge in (
            (self.occurrences, theme.color(Color.HOVER_GROUND), theme.color(Color.BORDER)),
            (self.matches, ground, theme.color(Color.WARNING)),
            (places, accent, None),  # too thin for a background color
            (self.brackets, theme.color(Color.HOVER_GROUND), theme.color(Color.MUTED)),
            (self.fields, theme.color(Color.HOVER_GROUND), accent),
        ):
            visible = [span for span in spans if span[0] <= last and span[1] >= first]
            if visible:
                overlay.paint_grounds(painter, lines, visible, color, edge)

    def paint_above(self, painter: QPainter, lines: Sequence[VisibleLine]) -> None:
        """Paint underlines, the signs of folds, and the messages and hints at the ends of lines."""
        theme, folding = self._page.theme, self._folding
        if len(self.inactive):
            veil = theme.color(Color.EDITOR_GROUND)
            veil.setAlphaF(DIMMED)
            overlay.paint_grounds(painter, lines, [(one.start, one.end) for one in self.inactive.all()], veil, None)
        cursor = self._page.textCursor()
        current = (cursor.selectionStart(), cursor.selectionEnd())
        if current in self.matches:  # the selection hides the background of the current match
            clear = QColor(Qt.GlobalColor.transparent)
            overlay.paint_grounds(painter, lines, [current], clear, theme.color(Color.WARNING))
        if self.shown["blanks"]:
            overlay.paint_blanks(painter, lines, theme)
        overlay.paint_invisible(painter, lines, theme)
        self._paint_insertion(painter, lines)
        font = QFont(QGuiApplication.font())
        font.setPixelSize(max(self._page.font().pixelSize() - 1, 6))
        for line in lines:
            marks = self.marks.in_line(line.block)
            hints = self.hints.in_line(line.block)
            is_folded = folding.is_folded(line.block)
            if not marks and not hints and not is_folded:
                continue
            if marks:
                paint_squiggles(painter, line, marks, theme)
            end = line.text_end
            if is_folded:
                end = overlay.paint_fold(painter, line, folding.hidden_lines(line.block), theme, font)
            message = (
                overlay.line_end_message(marks, with_advice=self.shown["advice-messages"])
                if self.shown["messages"]
                else None
            )
            if message:
                end = overlay.paint_line_end(painter, line, message, theme, left=end, font=font)
            if hints:
                overlay.paint_hints(painter, line, hints, theme, left=end, font=font)

    def _paint_insertion(self, painter: QPainter, lines: Sequence[VisibleLine]) -> None:
        painter.setPen(QPen(self._page.theme.color(Color.ACCENT), 2))
        for line in lines:
            if self.insertion is not None and line.block.contains(self.insertion):
                painter.drawLine(line.rect.bottomLeft(), line.rect.bottomRight())


def _moved(lines: range, piece: Piece) -> range:
    """Return lines after a part of a change."""
    start, stop = (line + piece.more if line >= piece.line else line for line in (lines.start, lines.stop))
    return range(start, max(start, stop))
