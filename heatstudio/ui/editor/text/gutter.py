"""What surrounds the text: the gutter, the enclosing lines at the top, and the markers in the scroll bar."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtWidgets import QPlainTextEdit, QScrollBar, QWidget
from shiboken6 import isValid

from heatstudio.text import Hunk, LineChange, Severity
from heatstudio.text.invisible import visible
from heatstudio.ui.editor.text.code_page import CodePage, Edge, VisibleLine, lines_within
from heatstudio.ui.editor.text.decorations import Decorations
from heatstudio.ui.editor.text.folds import Folding
from heatstudio.ui.editor.text.indentation import indent_of
from heatstudio.ui.editor.text.marks import MarkList, worst_of
from heatstudio.ui.editor.text.text_document import selecting
from heatstudio.ui.widgets import SEVERITY_ICONS, Color, fill_background, paint_icon, scaled
from heatstudio.ui.widgets.shown_keys import with_keys

_ICON: Final = 14
_COLUMN: Final = 18
"""The sizes of icons and their columns at the usual size of all texts."""
_PADDING: Final = 6
_FOLD_GAP: Final = 8
"""The width of the column for the bars of changed lines."""
_BAR: Final = 4.0
_CHANGES = {
    LineChange.ADDED: ("Added", Color.ADDED),
    LineChange.CHANGED: ("Changed", Color.UPDATED),
    LineChange.DELETED: ("Lines deleted", Color.DELETED),
}
_OLD: Final = 0.45
"""The opacity of outcomes that belong to an older text."""
_AT_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_WIDTHS: Final = {Severity.ERROR: 1.0, Severity.WARNING: 0.75, Severity.INFORMATION: 0.5, Severity.HINT: 0.3}
_MATCH_WIDTH: Final = 0.5
_ROWS_REST: Final = 50
"""Milliseconds without another change of the rows until the ticks are updated."""
_MOST_LINES: Final = 3000
"""The number of lines of an entry above which its first line is not looked for."""


class _Pens(NamedTuple):
    """The values that all lines of one paint share, computed once because every key repaints all lines."""

    right: float
    """The right edge of the line numbers."""
    column: int
    """The width of the column of folds."""
    number: QtGui.QPen
    current_number: QtGui.QPen
    sign: QtGui.QPen
    """The pen for the sign of a foldable line."""
    folded_sign: QtGui.QPen


class Gutter(Edge):
    """The gutter of the editor; a click folds, selects a line, or requests the fixes of its problem."""

    fixes_requested = Signal()
    """Emitted when a problem is clicked, to which the cursor moved."""
    change_requested = Signal()
    """Emitted when the bar of a changed line is clicked, to which the cursor moved."""

    def __init__(self, page: CodePage, decorations: Decorations, folding: Folding) -> None:
        super().__init__(page, "Line numbers, problems and folds")
        self._decorations, self._folding = decorations, folding
        folding.changed.connect(self.update)
        self.setMouseTracking(True)

    def enterEvent(self, event: QtGui.QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Paint the signs of folds muted again; there is no hover event (`WA_Hover`) while a popup is open."""
        super().leaveEvent(event)
        self.update()

    def needed_width(self) -> int:
        """Return the required width in pixels for the current number of lines."""
        self.set_lines(self._page.blockCount())
        return round(self._fold_left() + scaled(_COLUMN))

    def number_right(self) -> float:
        """Return the right edge of the line numbers."""
        # Reserve the column of outcomes in advance, so that the text never moves.
        return 2 * scaled(_COLUMN) + _PADDING + self.numbers_width()

    def _fold_left(self) -> float:
        return self.number_right() + _FOLD_GAP

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        theme, caret_line = self._page.theme, self._page.caret_line()
        fill_background(painter, event.rect(), theme.color(Color.EDITOR_GROUND))
        pens = self._pens()
        lines = lines_within(self._page.visible_lines(), event.rect())
        for line in lines:
            number = line.block.blockNumber()
            self._paint_line(painter, line, number, pens, is_current=number == caret_line)
        for hunk in self._decorations.hunks:
            self._paint_hunk(painter, hunk, lines)
        painter.end()

    def _pens(self) -> _Pens:
        color = self._page.theme.color
        return _Pens(
            self.number_right(),
            scaled(_COLUMN),
            QtGui.QPen(color(Color.MUTED)),
            QtGui.QPen(color(Color.TEXT)),
            QtGui.QPen(color(Color.MUTED if self.underMouse() else Color.DISABLED), 1.4),
            QtGui.QPen(color(Color.ACCENT), 1.4),
        )

    def _paint_line(
        self, painter: QtGui.QPainter, line: VisibleLine, number: int, pens: _Pens, *, is_current: bool
    ) -> None:
        """Paint the signs of a line with a number from 0."""
        theme, rect = self._page.theme, line.rect
        if is_current:
            row = QRectF(0, rect.top(), self.width(), rect.height())
            fill_background(painter, row, theme.color(Color.CURRENT_LINE))
        painter.setPen(pens.current_number if is_current else pens.number)
        first_row = line.row(0)
        painter.drawText(QRectF(0, rect.top(), pens.right, first_row.height()), _AT_RIGHT, str(number + 1))
        change = self._decorations.changes.get(number)
        if change is not None:
            icon, color = change.icon
            painter.setOpacity(_OLD if self._decorations.are_changes_old else 1)
            paint_icon(painter, self._icon_rect(line, 0), icon, theme, color)
            painter.setOpacity(1)
        marks = self._decorations.marks.in_line(line.block)
        worst = worst_of(marks)
        if worst is not None:
            color = SEVERITY_ICONS[worst.mark.severity][1]
            is_bulb = is_current and any(one.mark.fixable for one in marks)
            icon = "fix" if is_bulb else SEVERITY_ICONS[worst.mark.severity][0]
            paint_icon(painter, self._icon_rect(line, scaled(_COLUMN)), icon, theme, color)
        if self._folding.can_fold(line.block):
            is_folded = self._folding.is_folded(line.block)
            painter.setPen(pens.folded_sign if is_folded else pens.sign)
            x = pens.right + _FOLD_GAP + pens.column / 2
            _paint_fold(painter, x, first_row.center().y(), pens.column / _COLUMN, is_folded=is_folded)

    def _paint_hunk(self, painter: QtGui.QPainter, hunk: Hunk, lines: Sequence[VisibleLine]) -> None:
        """Paint a bar beside added lines, a double line beside changed ones, and a wedge between deleted ones."""
        color = self._page.theme.color(_CHANGES[hunk.change][1])
        left, last = self.number_right() + 2, self._page.blockCount() - 1
        for line in lines:
            number, rect = line.block.blockNumber(), line.rect
            if number in hunk.new:
                edges = ((0, _BAR),) if hunk.change is LineChange.ADDED else ((0, 1), (_BAR - 1, 1))
                for at, width in edges:
                    painter.fillRect(QRectF(left + at, rect.top(), width, rect.height()), color)
            elif not hunk.new and number == min(hunk.new.start, last):
                y = rect.top() if number == hunk.new.start else rect.bottom()
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(color)
                painter.drawPolygon([QPointF(left, y - 4), QPointF(left + _BAR + 1, y), QPointF(left, y + 4)])

    def _hunk_at(self, line: VisibleLine) -> Hunk | None:
        number = line.block.blockNumber()
        return next((hunk for hunk in self._decorations.hunks if hunk.touches(number)), None)

    def _icon_rect(self, line: VisibleLine, left: float) -> QRectF:
        size = scaled(_ICON)
        return QRectF(left + 3, round(line.row(0).center().y() - size / 2), size, size)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """Act by the clicked column."""
        line = self.line_at(event.position().y())
        if line is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        x = event.position().x()
        if x >= self._fold_left():
            self._folding.toggle(line.block)
        elif x < 2 * scaled(_COLUMN) and (marks := self._decorations.marks.in_line(line.block)):
            problem = next((one for one in marks if one.mark.fixable), marks[0])
            self._page.setTextCursor(selecting(self._page.textCursor(), problem.start, problem.start))
            self.fixes_requested.emit()
        elif x >= self.number_right() and self._hunk_at(line) is not None:
            self._page.setTextCursor(QtGui.QTextCursor(line.block))
            self.change_requested.emit()
        else:
            cursor = QtGui.QTextCursor(line.block)
            cursor.movePosition(QtGui.QTextCursor.MoveOperation.NextBlock, QtGui.QTextCursor.MoveMode.KeepAnchor)
            self._page.setTextCursor(cursor)
            self._page.setFocus()

    def explain(self, line: VisibleLine) -> str:
        """Return the meaning of the icons of a line, one sentence per line."""
        sign = self._decorations.words_of_sign(line.block.blockNumber())
        sentences = [sign] if sign else []
        marks = self._decorations.marks.in_line(line.block)
        sentences += [f"{one.mark.word}: {one.mark.message}" for one in marks]
        if any(one.mark.fixable for one in marks):
            sentences.append(with_keys("Alt+Enter shows the fixes"))
        hunk = self._hunk_at(line)
        if hunk is not None:
            sentences.append(f"{_CHANGES[hunk.change][0]}; a click on the bar shows the old text")
        return "\n".join(sentences)


def _paint_fold(painter: QtGui.QPainter, x: float, y: float, size: float, *, is_folded: bool) -> None:
    """Paint the sign of a fold around a point."""
    corners = ((-2, -3.5), (1.5, 0), (-2, 3.5)) if is_folded else ((-3.5, -2), (0, 1.5), (3.5, -2))
    painter.drawPolyline([QPointF(x + right * size, y + down * size) for right, down in corners])


class Tick(NamedTuple):
    """A position between 0 (top) and 1 (bottom); a more severe problem has a wider tick, not only another color."""

    place: float
    color: Color
    width: float


def make_ticks(document: QtGui.QTextDocument, marks: MarkList, matches: Sequence[tuple[int, int]]) -> list[Tick]:
    """Return the ticks of matches and markers, the most severe last; folded lines take no space."""
    lines = max(document.lineCount(), 1)
    place = {start: document.findBlock(start).firstLineNumber() / lines for start, _ in matches}
    ticks = [Tick(at, Color.ACCENT, _MATCH_WIDTH) for at in sorted(set(place.values()))]
    for one in sorted(marks.all(), key=lambda placed: -placed.mark.severity):
        severity = one.mark.severity
        at = document.findBlock(one.start).firstLineNumber() / lines
        ticks.append(Tick(at, SEVERITY_ICONS[severity][1], _WIDTHS[severity]))
    return ticks


class ScrollBarMarkers(QScrollBar):
    """A vertical scroll bar with ticks over its groove."""

    def __init__(self, page: CodePage, decorations: Decorations) -> None:
        super().__init__(Qt.Orientation.Vertical, page)
        self._page, self._decorations = page, decorations
        self.ticks: Sequence[Tick] = ()
        self.setAccessibleName("Position in the file")
        # Wrapped or folded rows move the ticks; Qt emits many signals during the layout.
        self._rest = QTimer(self, singleShot=True, interval=_ROWS_REST)
        self._rest.timeout.connect(self._refresh)
        page.document().documentLayout().documentSizeChanged.connect(self.refresh_later)
        page.blockCountChanged.connect(self._refresh)
        decorations.changed.connect(self._refresh)

    def refresh_later(self) -> None:
        """Update the ticks when the layout of the text is complete."""
        self._rest.start()

    def _refresh(self) -> None:
        ticks = make_ticks(self._page.document(), self._decorations.marks, self._decorations.matches)
        if ticks != self.ticks:
            self.ticks = ticks
            self.update()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.ticks:
            return
        groove = self.rect()  # the whole bar: the style sheet of the application has no arrows
        painter = QtGui.QPainter(self)
        room = max(groove.height() - 3, 0)
        rows = {round(place * room): (color, width) for place, color, width in self.ticks}
        for y, (color, width) in rows.items():
            across = groove.width() * width
            row = QRectF(groove.right() + 1 - across, groove.top() + y, across, 3)
            fill_background(painter, row, self._page.theme.color(color))
        painter.end()


class StickyLines(QWidget):
    """A cover of the first rows of the text and the gutter; a click goes to the line."""

    def __init__(self, page: CodePage, gutter: Gutter, decorations: Decorations) -> None:
        super().__init__(page)
        self._page, self._gutter, self._decorations = page, gutter, decorations
        self._known: tuple[int, ...] | None = None
        self._end = 0
        """The document position behind which changes of the text do not matter."""
        self._blocks: list[QtGui.QTextBlock] = []
        self._is_on = True
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.hide()
        page.text_document.changed.connect(self._follow_change)
        page.updateRequest.connect(self.refresh)
        self._caret_timer = QTimer(self, singleShot=True, interval=0)  # Qt scrolls after it moved the cursor
        self._caret_timer.timeout.connect(self._uncover_caret)
        page.cursorPositionChanged.connect(self._caret_timer.start)
        decorations.changed.connect(self.refresh)

    @property
    def lines(self) -> list[int]:
        """The shown lines, from 0."""
        return [block.blockNumber() for block in self._blocks]

    def switch(self, on: bool) -> None:
        """Show or hide the lines."""
        self._is_on, self._known = on, None
        self.refresh()

    def refresh(self) -> None:
        """Show the lines that enclose the first visible line."""
        page = self._page
        if not isValid(page.document()):  # Qt requests updates while it deletes the text
            return
        first = page.firstVisibleBlock()
        rows = first.blockNumber(), _visible_after(first).blockNumber()
        now = (self._decorations.sections_version, *rows)
        if now != self._known:
            self._known = now
            self._blocks = self._enclosing() if self._is_on else []
            words = ", ".join(visible(block.text().strip()) for block in self._blocks)
            self.setAccessibleName(f"Enclosing lines: {words}")
            self.setToolTip("Go to this line")
        inside = page.viewport().geometry()
        left, height = self._gutter.geometry().left(), sum(map(self._height, self._blocks))
        self.setGeometry(left, inside.top(), inside.right() + 1 - left, round(height) + 1)
        self.setVisible(bool(self._blocks))
        self.update()

    def _enclosing(self) -> list[QtGui.QTextBlock]:
        page, found = self._page, list[QtGui.QTextBlock]()
        first = page.firstVisibleBlock()
        below = _content_from(_visible_after(first))
        self._end = below.position() + below.length()
        start = self._decorations.section_start(_content_from(first).position())
        section = page.document().findBlock(start) if start is not None else first
        if section.blockNumber() < first.blockNumber():
            found.append(section)
            first = _visible_after(first)
        entry = _entry_of(_content_from(first), section)
        if entry is not None and entry.blockNumber() < first.blockNumber():
            found.append(entry)
        return found

    def _follow_change(self, position: int) -> None:
        """Look again for the enclosing lines after a change above or of the first visible lines."""
        if position <= self._end:
            self._known = None

    def _height(self, block: QtGui.QTextBlock) -> float:
        self._page.blockBoundingRect(block)  # lays out the block
        layout = block.layout()
        return layout.lineAt(0).height() if layout.lineCount() else 0.0

    def _uncover_caret(self) -> None:
        """Scroll the line of the cursor out of the cover."""
        for _ in range(2):
            self.refresh()
            block, bar = self._page.textCursor().block(), self._page.verticalScrollBar()
            first = self._page.firstVisibleBlock()
            if not self._blocks or block.blockNumber() < first.blockNumber():
                return
            row = block.firstLineNumber() - bar.value()
            if row >= len(self._blocks):
                return
            bar.setValue(bar.value() - (len(self._blocks) - row))

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        page, theme = self._page, self._page.theme
        painter = QtGui.QPainter(self)
        fill_background(painter, self.rect(), theme.color(Color.EDITOR_GROUND))
        painter.setFont(page.font())
        text_left, top = page.viewport().x() - self.x(), 0.0
        for block in self._blocks:
            height = self._height(block)
            painter.setClipRect(QRectF(0, top, self.width(), height))
            painter.setPen(theme.color(Color.MUTED))
            number = QRectF(0, top, self._gutter.number_right(), height)
            painter.drawText(
                number, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(block.blockNumber() + 1)
            )
            painter.setClipRect(QRectF(text_left, top, self.width() - text_left, height))
            painter.setPen(theme.color(Color.TEXT))
            line = block.layout().lineAt(0)
            line.draw(painter, QPointF(text_left + page.contentOffset().x(), top - line.y()))
            top += height
        painter.setClipping(False)
        painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), theme.color(Color.BORDER))
        painter.end()

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """Go to the clicked line."""
        top = 0.0
        for row, block in enumerate(self._blocks):
            top += self._height(block)
            if event.position().y() < top:
                cursor = self._page.textCursor()
                cursor.setPosition(block.position() + indent_of(block.text()))
                self._page.verticalScrollBar().setValue(block.firstLineNumber() - row)
                self._page.setTextCursor(cursor)
                self._page.setFocus()
                return

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        QPlainTextEdit.wheelEvent(self._page, event)


def _visible_after(block: QtGui.QTextBlock) -> QtGui.QTextBlock:
    """Return the next visible line, or the line itself if it is the last one."""
    after = block.next()
    while after.isValid() and not after.isVisible():
        after = after.next()
    return after if after.isValid() else block


def _entry_of(block: QtGui.QTextBlock, section: QtGui.QTextBlock) -> QtGui.QTextBlock | None:
    """Return the first line of the section's entry at a line, by the indentation of the first entry."""
    depth = indent_of(_content_from(section.next()).text())
    for _ in range(_MOST_LINES):
        if block.blockNumber() <= section.blockNumber():
            return None
        if _is_content(block) and indent_of(block.text()) <= depth:
            return block if indent_of(block.text()) == depth and depth else None
        block = block.previous()
    return None


def _content_from(block: QtGui.QTextBlock) -> QtGui.QTextBlock:
    """Return the first line from a line on that is neither blank nor a comment, or the line itself."""
    found = block
    for _ in range(_MOST_LINES):
        if not found.isValid() or _is_content(found):
            return found if found.isValid() else block
        found = found.next()
    return block


def _is_content(block: QtGui.QTextBlock) -> bool:
    return not block.text().lstrip().startswith("#") and bool(block.text().strip())
