"""Check boxes with a visible edge in every theme, alone and in lists."""

from PySide6 import QtWidgets
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QAbstractItemView, QCheckBox, QStyle, QStyleOptionButton, QStyleOptionViewItem

_RADIUS = 3


class CheckBox(QCheckBox):
    """A check box painted from the palette; the style positions the text."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        style, palette = self.style(), self.palette()
        group = QPalette.ColorGroup.Active if self.isEnabled() else QPalette.ColorGroup.Disabled
        place = QRectF(style.subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, self))
        words = style.subElementRect(QStyle.SubElement.SE_CheckBoxContents, option, self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette.setCurrentColorGroup(group)
        _paint_box(painter, place, palette, self.checkState(), is_lit=self.hasFocus())
        painter.setPen(palette.color(group, QPalette.ColorRole.WindowText))
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextShowMnemonic, self.text())
        if self.hasFocus():
            painter.setPen(QPen(palette.color(group, QPalette.ColorRole.Accent), 1, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(words).adjusted(-1.5, 0.5, -0.5, -0.5))
        painter.end()


class TickDelegate(QtWidgets.QStyledItemDelegate):
    """A delegate for checkable rows, whose box the style would paint without an edge in dark themes."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        data = index.data(Qt.ItemDataRole.CheckStateRole)
        if data is None:
            return
        whole = QStyleOptionViewItem(option)
        self.initStyleOption(whole, index)
        inside = QStyle.SubElement.SE_ItemViewItemCheckIndicator
        place = QRectF(self._view.style().subElementRect(inside, whole, self._view))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _paint_box(painter, place, self._view.palette(), Qt.CheckState(data), is_lit=False)
        painter.restore()


def _paint_box(painter: QPainter, place: QRectF, palette: QPalette, state: Qt.CheckState, *, is_lit: bool) -> None:
    """Paint a box with a check mark, with a dash if it is partly checked, or empty."""
    is_empty = state is Qt.CheckState.Unchecked
    edge = QPalette.ColorRole.PlaceholderText if is_empty and not is_lit else QPalette.ColorRole.Accent
    painter.setPen(QPen(palette.color(edge), 1))
    painter.setBrush(palette.color(QPalette.ColorRole.Base))
    box = place.adjusted(0.5, 0.5, -0.5, -0.5)
    painter.drawRoundedRect(box, _RADIUS, _RADIUS)
    painter.setPen(QPen(palette.color(QPalette.ColorRole.Accent), 1.8))
    x, y = box.center().x(), box.center().y()
    if state is Qt.CheckState.Checked:
        painter.drawPolyline([QPointF(x - 3.5, y), QPointF(x - 1, y + 3), QPointF(x + 4, y - 3)])
    elif not is_empty:
        painter.drawLine(QPointF(x - 3, y), QPointF(x + 3, y))
