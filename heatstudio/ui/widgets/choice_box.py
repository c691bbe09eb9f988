"""A combo box in the style of the other fields."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QComboBox

from heatstudio.ui.widgets.plain_text import plain
from heatstudio.ui.widgets.popup import HoverEnd

_RADIUS = 4
_INNER = 8
_ARROW = 22


class ChoiceBox(QComboBox):
    """A combo box painted from the palette, with a border that shows the focus."""

    def __init__(self) -> None:
        super().__init__()
        self._hover_end = HoverEnd(self)

    def showPopup(self) -> None:
        self._hover_end.expect()
        super().showPopup()

    def sizeHint(self) -> QSize:
        """Return the style's size with space for the arrow."""
        return super().sizeHint() + QSize(_ARROW - _INNER, 0)

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint() + QSize(_ARROW - _INNER, 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        palette, group = self.palette(), QPalette.ColorGroup.Active
        if not self.isEnabled():
            group = QPalette.ColorGroup.Disabled
        edge = QPalette.ColorRole.Accent if self.hasFocus() else QPalette.ColorRole.Shadow
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(palette.color(group, edge), 1))
        painter.setBrush(palette.color(group, QPalette.ColorRole.Base))
        body = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(body, _RADIUS, _RADIUS)
        painter.setPen(QPen(palette.color(group, QPalette.ColorRole.PlaceholderText), 1.4))
        x, y = body.right() - _ARROW / 2, body.center().y()
        painter.drawPolyline([QPointF(x - 4, y - 2), QPointF(x, y + 2), QPointF(x + 4, y - 2)])
        painter.setPen(palette.color(group, QPalette.ColorRole.Text))
        room = body.adjusted(_INNER, 0, -_ARROW, 0)
        text = self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()


def choice_box(name: str) -> ChoiceBox:
    """Return a combo box with accessible names for itself and its list."""
    box = ChoiceBox()
    box.setAccessibleName(name)
    box.setToolTip(plain(name))
    box.view().setAccessibleName(name)
    return box
