"""A box to tick whose edge can be seen in every theme."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QCheckBox, QStyle, QStyleOptionButton

_RADIUS = 3


class CheckBox(QCheckBox):
    """Painted from the palette alone; the words stand where the style puts them."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Qt's hook."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        style, palette = self.style(), self.palette()
        group = QPalette.ColorGroup.Active if self.isEnabled() else QPalette.ColorGroup.Disabled
        place = QRectF(style.subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, self))
        words = style.subElementRect(QStyle.SubElement.SE_CheckBoxContents, option, self)
        edge = QPalette.ColorRole.Accent if self.isChecked() or self.hasFocus() else QPalette.ColorRole.PlaceholderText
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(palette.color(group, edge), 1))
        painter.setBrush(palette.color(group, QPalette.ColorRole.Base))
        box = place.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, _RADIUS, _RADIUS)
        if self.isChecked():
            painter.setPen(QPen(palette.color(group, QPalette.ColorRole.Accent), 1.8))
            x, y = box.center().x(), box.center().y()
            painter.drawPolyline([QPointF(x - 3.5, y), QPointF(x - 1, y + 3), QPointF(x + 4, y - 3)])
        painter.setPen(palette.color(group, QPalette.ColorRole.WindowText))
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextShowMnemonic, self.text())
        if self.hasFocus():
            painter.setPen(QPen(palette.color(group, QPalette.ColorRole.Accent), 1, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(words).adjusted(-1.5, 0.5, -0.5, -0.5))
        painter.end()
