"""Paints a row of a tree: icon, text, quieter detail, and a badge at the right end."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QIcon, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from heatstudio.ui.appearance import Appearance
from heatstudio.ui.ground import paint_ground
from heatstudio.ui.nothing_fits import NothingFits
from heatstudio.ui.theme import Color
from heatstudio.ui.tree_model import ACCENT_ROLE, BADGE_ROLE, DETAIL_ROLE, ICON_ROLE, STRONG_ROLE, WRAP_ROLE
from heatstudio.ui.voice import RowVoice

ROW_HEIGHT = 24
_MARGIN = 4
_ICON = 16
_GAP = 8
_LINE_PADDING = 6
_SINCE = " since "
_LEAST_BADGE = 0.4
"""The share of a row that a badge keeps beside a text that is too long."""


class RowDelegate(QStyledItemDelegate):
    """Reads only roles, so that one delegate serves every tree of the window."""

    def __init__(self, appearance: Appearance, view: QTreeView) -> None:
        super().__init__(view)
        self._appearance = appearance
        self._view = view

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paints one cell."""
        painter.save()
        self._paint_ground(painter, option, index)
        room = option.rect.adjusted(_MARGIN, 0, -_GAP, 0)
        icon = index.data(ICON_ROLE)
        if isinstance(icon, tuple):
            square = QRect(room.left(), room.top() + (min(room.height(), ROW_HEIGHT) - _ICON) // 2, _ICON, _ICON)
            self._appearance.icon(icon[0], icon[1]).paint(painter, square, mode=QIcon.Mode.Normal)
            room.setLeft(square.right() + 1 + _GAP)
        badge = index.data(BADGE_ROLE)
        if isinstance(badge, tuple):
            text = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
            text_width = QFontMetrics(_text_font(option, index)).horizontalAdvance(text)
            room.setRight(self._paint_badge(painter, option, room, badge, text_width))
        self._paint_text(painter, option, room, index)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """One line, or as many as a wrapped text needs."""
        size = super().sizeHint(option, index)
        if not index.data(WRAP_ROLE):
            return QSize(size.width(), ROW_HEIGHT)
        depth, above = 1, index.parent()
        while above.isValid():
            depth, above = depth + 1, above.parent()
        used = depth * self._view.indentation() + _MARGIN + _GAP + (_ICON + _GAP if index.data(ICON_ROLE) else 0)
        room = QRect(0, 0, max(self._view.viewport().width() - used, 80), 10_000)
        text = str(index.data(Qt.ItemDataRole.DisplayRole))
        bounds = QFontMetrics(option.font).boundingRect(room, int(Qt.TextFlag.TextWordWrap), text)
        return QSize(room.width(), max(ROW_HEIGHT, bounds.height() + _LINE_PADDING))

    def _paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme = self._appearance.theme
        if QStyle.StateFlag.State_Selected in option.state:
            paint_ground(painter, option.rect, theme.color(Color.SELECTION))
        elif QStyle.StateFlag.State_MouseOver in option.state:
            paint_ground(painter, option.rect, theme.color(Color.HOVER_GROUND))
        if index.column() == 0 and self._view.hasFocus() and index == self._view.currentIndex():
            painter.fillRect(QRect(0, option.rect.top(), 2, option.rect.height()), theme.color(Color.ACCENT))

    def _paint_badge(
        self, painter: QPainter, option: QStyleOptionViewItem, room: QRect, badge: tuple[str, Color], text_width: int
    ) -> int:
        """Paints the badge beside a text, as much of it as that leaves; returns what is left, as a right edge."""
        words, color = badge
        metrics = QFontMetrics(caption_font(option.font))
        whole = metrics.horizontalAdvance(words)
        width = min(whole, max(room.width() - text_width - _GAP, round(room.width() * _LEAST_BADGE)))
        if width < whole:  # a state that is read whole tells more than one with the beginning of its number
            words = words.partition(_SINCE)[0]
            whole = metrics.horizontalAdvance(words)
            width = min(whole, width)
        place = QRect(room.right() - width, room.top(), width + 1, min(room.height(), ROW_HEIGHT))
        painter.setFont(caption_font(option.font))
        painter.setPen(self._appearance.theme.color(color))
        shown = words if width == whole else metrics.elidedText(words, Qt.TextElideMode.ElideRight, width)
        painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), shown)
        return place.left() - _GAP

    def _paint_text(
        self, painter: QPainter, option: QStyleOptionViewItem, room: QRect, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme = self._appearance.theme
        text = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
        font = _text_font(option, index)
        metrics = QFontMetrics(font)
        accent = index.data(ACCENT_ROLE)
        painter.setFont(font)
        painter.setPen(theme.color(accent if isinstance(accent, Color) else Color.TEXT))
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        if index.data(WRAP_ROLE):
            painter.drawText(room, middle | int(Qt.TextFlag.TextWordWrap), text)
            return
        if index.data(Qt.ItemDataRole.TextAlignmentRole):
            middle |= int(Qt.AlignmentFlag.AlignRight)
        painter.drawText(room, middle, metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width()))
        detail = index.data(DETAIL_ROLE)
        room.setLeft(room.left() + metrics.horizontalAdvance(text) + _GAP)
        if detail and room.width() > _ICON:
            painter.setFont(option.font)
            painter.setPen(theme.color(Color.MUTED))
            elided = QFontMetrics(option.font).elidedText(str(detail), Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, middle, elided)


def _text_font(option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QFont:
    font = QFont(option.font)
    font.setBold(bool(index.data(STRONG_ROLE)))
    return font


def caption_font(font: QFont) -> QFont:
    """The face of captions and badges: the same, smaller."""
    caption = QFont(font)
    caption.setPixelSize(11)
    return caption


def dress_tree(view: QTreeView, appearance: Appearance, name: str) -> NothingFits:
    """Gives a tree the look and the keys that all trees of the window share, and words for when it has no row."""
    view.setAccessibleName(name)
    view.setItemDelegate(RowDelegate(appearance, view))
    view.setHeaderHidden(True)
    view.header().setAccessibleName(f"Columns of {name}")
    view.installEventFilter(RowVoice(view))
    view.setIndentation(16)
    view.setMouseTracking(True)
    view.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
    view.setVerticalScrollMode(QTreeView.ScrollMode.ScrollPerPixel)
    view.setExpandsOnDoubleClick(False)
    view.header().sectionResized.connect(lambda *_: view.scheduleDelayedItemsLayout())
    view.setTextElideMode(Qt.TextElideMode.ElideRight)
    return NothingFits(view)
