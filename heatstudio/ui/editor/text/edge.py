"""The base class of gutters, which are painted next to the lines and explained by tool tips."""

from PySide6.QtCore import QEvent
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from heatstudio.ui.editor.text.code_page import CodePage
from heatstudio.ui.editor.text.floating_frame import shown_frames
from heatstudio.ui.editor.text.visible_lines import VisibleLine
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.plain_text import plain


class Edge(QWidget):
    """A widget with line numbers and other information next to the text."""

    def __init__(self, page: CodePage, name: str) -> None:
        super().__init__(page)
        self._page = page
        self._digits = 3
        self.setAccessibleName(name)

    def set_lines(self, lines: int) -> None:
        """Reserve the width for the numbers of a number of lines."""
        self._digits = max(3, len(str(lines)))

    def explain(self, _line: VisibleLine) -> str:
        """Return the meaning of the signs of a line, one sentence per line."""
        return ""

    def numbers_width(self) -> float:
        """Return the width of the line numbers in pixels."""
        return QFontMetricsF(self.font()).horizontalAdvance("9") * self._digits

    def line_at(self, y: float) -> VisibleLine | None:
        """Return the line at a vertical position, if any."""
        lines = self._page.visible_lines()
        return next((line for line in lines if line.rect.top() <= y < line.rect.bottom()), None)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def event(self, event: QEvent) -> bool:
        """Show a tool tip that explains the signs of a line."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            line = self.line_at(event.pos().y())
            words = self.explain(line) if line and not shown_frames(self._page) else ""
            QToolTip.showText(event.globalPos(), plain(without_marks(words)), self)
            return True
        return super().event(event)
