"""One painting of the visible page: what lies under the text and what lies over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QGuiApplication, QPainter, QTextDocument

from heatstudio.ui.editor.folding import Folding
from heatstudio.ui.editor.indentation import STEP
from heatstudio.ui.editor.marks import MarkList
from heatstudio.ui.editor.overlay import (
    line_end_message,
    marks_of_line,
    paint_blanks,
    paint_fold,
    paint_grounds,
    paint_guides,
    paint_line_end,
)
from heatstudio.ui.editor.squiggles import paint_squiggles
from heatstudio.ui.editor.visible_lines import VisibleLine
from heatstudio.ui.ground import paint_ground
from heatstudio.ui.theme import Color, Theme


class Page(Protocol):
    """What the painting asks of the editor; spans are document positions."""

    theme: Theme
    marks: MarkList
    folding: Folding
    matches: Sequence[tuple[int, int]]
    fields: Sequence[tuple[int, int]]
    brackets: Sequence[tuple[int, int]]
    shows_messages: bool
    shows_blanks: bool

    def caret_line(self) -> int:
        """The line of the caret, from 0."""

    def document(self) -> QTextDocument:
        """The document of the text."""

    def font(self) -> QFont:
        """The face of the text."""


def paint_below(painter: QPainter, page: Page, lines: Sequence[VisibleLine]) -> None:
    """All visible lines: the ground, the caret's line, guides, matches, brackets and the fields of a snippet."""
    theme, caret_line = page.theme, page.caret_line()
    # Not left to the palette: a style sheet of the application may give the page another ground.
    paint_ground(painter, painter.viewport(), theme.color(Color.EDITOR_GROUND))
    for line in lines:
        if line.block.blockNumber() == caret_line:
            whole = QRectF(0, line.rect.top(), line.rect.width(), line.rect.height())
            paint_ground(painter, whole, theme.color(Color.CURRENT_LINE))
    step = QFontMetricsF(page.font()).horizontalAdvance(" ") * STEP
    margin = page.document().documentMargin()
    paint_guides(painter, lines, theme, step=step, margin=margin, caret_line=caret_line)
    if not (page.matches or page.brackets or page.fields) or not lines:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    first = lines[0].block.position()
    last = lines[-1].block.position() + lines[-1].block.length()
    ground, accent = theme.color(Color.MATCH_GROUND), theme.color(Color.ACCENT)
    places = [span for span in page.matches if span[0] == span[1]]
    for spans, color, edge in (
        (page.matches, ground, None),
        (places, accent, None),  # too thin for the color of a ground
        (page.brackets, theme.color(Color.HOVER_GROUND), theme.color(Color.MUTED)),
        (page.fields, theme.color(Color.HOVER_GROUND), accent),
    ):
        visible = [span for span in spans if span[0] <= last and span[1] >= first]
        if visible:
            paint_grounds(painter, lines, visible, color, edge)


def paint_above(painter: QPainter, page: Page, lines: Sequence[VisibleLine]) -> None:
    """Those lines that have to be painted: underlines, the signs of folds and the messages behind the lines."""
    if page.shows_blanks:
        paint_blanks(painter, lines, page.theme)
    font = QFont(QGuiApplication.font())
    font.setPixelSize(max(page.font().pixelSize() - 1, 6))
    for line in lines:
        marks = marks_of_line(page.marks, line)
        is_folded = page.folding.is_folded(line.block)
        if not marks and not is_folded:
            continue
        if marks:
            paint_squiggles(painter, line, marks, page.theme)
        end = line.text_end
        if is_folded:
            end = paint_fold(painter, line, page.folding.hidden_lines(line.block), page.theme, font)
        message = line_end_message(marks) if page.shows_messages else None
        if message:
            paint_line_end(painter, line, message, page.theme, left=end, font=font)
