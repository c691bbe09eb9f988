"""The lines of the enclosing section and entry, at the top of the editor while they are scrolled out."""

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QTextBlock, QWheelEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from shiboken6 import isValid

from heatstudio.text.invisible import visible
from heatstudio.ui.editor.text.code_page import CodePage
from heatstudio.ui.editor.text.decorations import Decorations
from heatstudio.ui.editor.text.gutter import Gutter
from heatstudio.ui.editor.text.indentation import indent_of
from heatstudio.ui.widgets.palette import fill_background
from heatstudio.ui.widgets.theme import Color

_MOST_LINES: Final = 3000
"""The number of lines of an entry above which its first line is not looked for."""


class StickyLines(QWidget):
    """A cover of the first rows of the text and the gutter; a click goes to the line."""

    def __init__(self, page: CodePage, gutter: Gutter, decorations: Decorations) -> None:
        super().__init__(page)
        self._page, self._gutter, self._decorations = page, gutter, decorations
        self._known: tuple[int, ...] | None = None
        self._end = 0
        """The document position behind which changes of the text do not matter."""
        self._blocks: list[QTextBlock] = []
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

    def _enclosing(self) -> list[QTextBlock]:
        page, found = self._page, list[QTextBlock]()
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

    def _height(self, block: QTextBlock) -> float:
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

    def paintEvent(self, _event: QPaintEvent) -> None:
        page, theme = self._page, self._page.theme
        painter = QPainter(self)
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

    def mousePressEvent(self, event: QMouseEvent) -> None:
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

    def wheelEvent(self, event: QWheelEvent) -> None:
        QPlainTextEdit.wheelEvent(self._page, event)


def _visible_after(block: QTextBlock) -> QTextBlock:
    """Return the next visible line, or the line itself if it is the last one."""
    after = block.next()
    while after.isValid() and not after.isVisible():
        after = after.next()
    return after if after.isValid() else block


def _entry_of(block: QTextBlock, section: QTextBlock) -> QTextBlock | None:
    """Return the first line of the section's entry at a line, by the indentation of the first entry."""
    depth = indent_of(_content_from(section.next()).text())
    for _ in range(_MOST_LINES):
        if block.blockNumber() <= section.blockNumber():
            return None
        if _is_content(block) and indent_of(block.text()) <= depth:
            return block if indent_of(block.text()) == depth and depth else None
        block = block.previous()
    return None


def _content_from(block: QTextBlock) -> QTextBlock:
    """Return the first line from a line on that is neither blank nor a comment, or the line itself."""
    found = block
    for _ in range(_MOST_LINES):
        if not found.isValid() or _is_content(found):
            return found if found.isValid() else block
        found = found.next()
    return block


def _is_content(block: QTextBlock) -> bool:
    return not block.text().lstrip().startswith("#") and bool(block.text().strip())
