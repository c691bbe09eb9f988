"""The margin of the editor: outcomes, problems, line numbers and folds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from heatstudio.ui.editor.change_kind import ChangeKind
from heatstudio.ui.editor.folding import Folding
from heatstudio.ui.editor.icon_painter import paint_icon
from heatstudio.ui.editor.marks import COLOR_OF_SEVERITY, MarkList, icon_of_severity, worst_of
from heatstudio.ui.editor.overlay import marks_of_line
from heatstudio.ui.editor.visible_lines import VisibleLine, lines_within
from heatstudio.ui.ground import paint_ground
from heatstudio.ui.theme import Color, Theme

_ICON: Final = 14.0
_COLUMN: Final = 18
_PADDING: Final = 6
_FOLD_GAP: Final = 2


class GutterHost(Protocol):
    """What the gutter asks of the editor beside it."""

    theme: Theme
    marks: MarkList
    folding: Folding
    changes: Mapping[int, ChangeKind]

    def visible_lines(self) -> list[VisibleLine]:
        """The lines on the screen."""

    def caret_line(self) -> int:
        """The line of the caret, from 0."""


class Gutter(QWidget):
    """Painted from what the editor shows; every click is told, nothing is done here."""

    fold_clicked = Signal(int)
    problem_clicked = Signal(int)
    line_clicked = Signal(int)

    def __init__(self, parent: QWidget, host: GutterHost) -> None:
        super().__init__(parent)
        self._host = host
        self._digits = 3
        self.setAccessibleName("Line numbers, problems and folds")
        self.setMouseTracking(True)

    def needed_width(self, lines: int) -> int:
        """The width for a document of so many lines, in pixels."""
        self._digits = max(3, len(str(lines)))
        return round(self._fold_left() + _COLUMN)

    def sizeHint(self) -> QSize:
        """As wide as it needs to be."""
        return QSize(round(self._fold_left() + _COLUMN), 0)

    def _change_width(self) -> int:
        return _COLUMN if self._host.changes else 0

    def _number_right(self) -> float:
        digits = QFontMetricsF(self.font()).horizontalAdvance("9") * self._digits
        return self._change_width() + _COLUMN + _PADDING + digits

    def _fold_left(self) -> float:
        return self._number_right() + _FOLD_GAP

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, caret_line = self._host.theme, self._host.caret_line()
        paint_ground(painter, event.rect(), theme.color(Color.EDITOR_GROUND))
        right = self._number_right()
        for line in lines_within(self._host.visible_lines(), event.rect()):
            self._paint_line(painter, line, right, is_current=line.block.blockNumber() == caret_line)
        painter.end()

    def _paint_line(self, painter: QPainter, line: VisibleLine, right: float, *, is_current: bool) -> None:
        """A line whose number ends at `right`."""
        theme, rect = self._host.theme, line.rect
        if is_current:
            row = QRectF(0, rect.top(), self.width(), rect.height())
            paint_ground(painter, row, theme.color(Color.CURRENT_LINE))
        painter.setPen(theme.color(Color.TEXT if is_current else Color.MUTED))
        number = QRectF(0, rect.top(), right, rect.height())
        align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(number, align, str(line.block.blockNumber() + 1))
        change = self._host.changes.get(line.block.blockNumber())
        if change is not None:
            paint_icon(painter, self._icon_rect(line, 0), change.icon, theme, change.color)
        marks = marks_of_line(self._host.marks, line)
        worst = worst_of(marks)
        if worst is not None:
            color = COLOR_OF_SEVERITY[worst.mark.severity]
            is_bulb = is_current and any(one.mark.fixable for one in marks)
            icon = "fix" if is_bulb else icon_of_severity(worst.mark.severity)
            paint_icon(painter, self._icon_rect(line, self._change_width()), icon, theme, color)
        if self._host.folding.can_fold(line.block):
            x = right + _FOLD_GAP + _COLUMN / 2
            self._paint_fold(painter, x, line, is_folded=self._host.folding.is_folded(line.block))

    def _icon_rect(self, line: VisibleLine, left: float) -> QRectF:
        return QRectF(left + 3, round(line.rect.center().y() - _ICON / 2), _ICON, _ICON)

    def _paint_fold(self, painter: QPainter, x: float, line: VisibleLine, *, is_folded: bool) -> None:
        color = Color.ACCENT if is_folded else Color.MUTED if self.underMouse() else Color.DISABLED
        y = line.rect.center().y()
        painter.setPen(QPen(self._host.theme.color(color), 1.4))
        if is_folded:
            painter.drawPolyline([QPointF(x - 2, y - 3.5), QPointF(x + 1.5, y), QPointF(x - 2, y + 3.5)])
        else:
            painter.drawPolyline([QPointF(x - 3.5, y - 2), QPointF(x, y + 1.5), QPointF(x + 3.5, y - 2)])

    def _line_at(self, y: float) -> VisibleLine | None:
        lines = self._host.visible_lines()
        return next((line for line in lines if line.rect.top() <= y < line.rect.bottom()), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: tells which line was clicked, and in which column."""
        line = self._line_at(event.position().y())
        if line is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        number, x = line.block.blockNumber(), event.position().x()
        if x >= self._fold_left():
            self.fold_clicked.emit(number)
        elif x < self._change_width() + _COLUMN and marks_of_line(self._host.marks, line):
            self.problem_clicked.emit(number)
        else:
            self.line_clicked.emit(number)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Qt's hook: the signs of folds come forward."""
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Qt's hook: the signs of folds step back."""
        super().leaveEvent(event)
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Qt's hook: scrolls the text."""
        event.ignore()

    def event(self, event: QEvent) -> bool:
        """Qt's hook: a tool tip says in words what the icons of a line say."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            line = self._line_at(event.pos().y())
            QToolTip.showText(event.globalPos(), self.description_of(line) if line else "", self)
            return True
        return super().event(event)

    def description_of(self, line: VisibleLine) -> str:
        """What the icons of a line mean, one sentence in a line."""
        change = self._host.changes.get(line.block.blockNumber())
        sentences = [change.sentence] if change else []
        marks = marks_of_line(self._host.marks, line)
        sentences += [f"{one.mark.word}: {one.mark.message}" for one in marks]
        if any(one.mark.fixable for one in marks):
            sentences.append("Alt+Enter shows the fixes")
        return "\n".join(sentences)
