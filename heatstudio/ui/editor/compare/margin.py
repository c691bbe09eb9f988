"""The margin of a compared text: what an update does to a resource, the sign of the line, its number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QBrush, QFont, QFontMetricsF, QHelpEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from heatstudio.text.line_diff import LineChange
from heatstudio.ui.editor import ChangeKind
from heatstudio.ui.editor.compare.comparison import SideRow
from heatstudio.ui.editor.text.icon_painter import paint_icon
from heatstudio.ui.editor.text.visible_lines import VisibleLine, lines_within
from heatstudio.ui.widgets.plain_text import plain
from heatstudio.ui.widgets.theme import Color, Theme

_ICON: Final = 14.0
_ICON_COLUMN: Final = 20
_SIGN_COLUMN: Final = 18
_PADDING: Final = 6
_BAR: Final = 3
GROUNDS = {
    LineChange.CHANGED: Color.WARNING_GROUND,
    LineChange.ADDED: Color.ADDED_GROUND,
    LineChange.DELETED: Color.ERROR_GROUND,
    LineChange.MOVED: Color.MOVED_GROUND,
}
"""What lies under a line that differs."""
COLORS = {
    LineChange.CHANGED: Color.UPDATED,
    LineChange.ADDED: Color.ADDED,
    LineChange.DELETED: Color.DELETED,
    LineChange.MOVED: Color.MOVED,
}
"""The color of its sign."""
_WORDS = {
    LineChange.KEPT: "",
    LineChange.CHANGED: "This line was changed",
    LineChange.ADDED: "This line was added",
    LineChange.DELETED: "This line was deleted",
    LineChange.MOVED: "This line was moved",
}


class MarginHost(Protocol):
    """What the margin asks of the text beside it."""

    theme: Theme
    changes: Mapping[int, ChangeKind]
    run: range

    def row_at(self, row: int, /) -> SideRow:
        """What stands in a row."""

    def visible_lines(self) -> list[VisibleLine]:
        """The rows on the screen."""

    def caret_row(self) -> int:
        """The row of the caret."""


class Margin(QWidget):
    """Painted from what the text shows."""

    def __init__(self, parent: QWidget, host: MarginHost) -> None:
        super().__init__(parent)
        self._host = host
        self._digits = 3

    def set_lines(self, lines: int) -> None:
        """Makes room for the numbers of so many lines."""
        self._digits = max(3, len(str(lines)))

    def needed_width(self) -> int:
        """The width in pixels."""
        return round(self._number_right() + _SIGN_COLUMN)

    def _number_right(self) -> float:
        digits = QFontMetricsF(self.font()).horizontalAdvance("9") * self._digits
        return _BAR + (_ICON_COLUMN if self._host.changes else 0) + _PADDING + digits

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(event.rect(), self._host.theme.color(Color.EDITOR_GROUND))
        for line in lines_within(self._host.visible_lines(), event.rect()):
            self._paint_line(painter, line, line.block.blockNumber())
        painter.end()

    def _paint_line(self, painter: QPainter, line: VisibleLine, number: int) -> None:
        theme, row = self._host.theme, self._host.row_at(number)
        whole = QRectF(0, line.rect.top(), self.width(), line.rect.height())
        is_current = number == self._host.caret_row()
        if row.line is None:
            painter.fillRect(whole, QBrush(theme.color(Color.BORDER), Qt.BrushStyle.BDiagPattern))
        elif row.change is not LineChange.KEPT:
            painter.fillRect(whole, theme.color(GROUNDS[row.change]))
        elif is_current:
            painter.fillRect(whole, theme.color(Color.CURRENT_LINE))
        if number in self._host.run:
            painter.fillRect(QRectF(0, line.rect.top(), _BAR, line.rect.height()), theme.color(Color.ACCENT))
        if row.line is None:
            return
        painter.setFont(self.font())
        painter.setPen(theme.color(Color.TEXT if is_current else Color.MUTED))
        number_rect = QRectF(0, line.rect.top(), self._number_right(), line.rect.height())
        vertical = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(number_rect, Qt.AlignmentFlag.AlignRight | vertical, str(row.line + 1))
        if row.change is not LineChange.KEPT:
            font = QFont(self.font())
            font.setBold(True)
            painter.setFont(font)
            painter.setPen(theme.color(COLORS[row.change]))
            sign_rect = QRectF(self._number_right(), line.rect.top(), _SIGN_COLUMN, line.rect.height())
            painter.drawText(sign_rect, Qt.AlignmentFlag.AlignHCenter | vertical, row.change.sign)
        change = self._host.changes.get(row.line)
        if change is not None:
            icon = QRectF(_BAR + 3, round(line.rect.center().y() - _ICON / 2), _ICON, _ICON)
            paint_icon(painter, icon, change.icon, theme, change.color)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def event(self, event: QEvent) -> bool:
        """A tool tip says in words what the signs of a line say."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            lines = self._host.visible_lines()
            y = event.pos().y()
            line = next((line for line in lines if line.rect.top() <= y < line.rect.bottom()), None)
            words = self.description_of(line.block.blockNumber()) if line is not None else ""
            QToolTip.showText(event.globalPos(), plain(words), self)
            return True
        return super().event(event)

    def description_of(self, number: int) -> str:
        """What the signs of a row mean, one sentence in a line."""
        row = self._host.row_at(number)
        if row.line is None:
            return "This line is only in the other version"
        change = self._host.changes.get(row.line)
        moved = f" {row.moved}" if row.moved else ""
        return "\n".join(filter(None, (_WORDS[row.change] + moved, change.sentence if change else "")))
