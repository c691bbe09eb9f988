"""A delegate for tree rows: icon, text, muted detail, and a badge at the right."""

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF, QIcon, QMouseEvent, QPainter, QPalette
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from heatstudio.text import Severity
from heatstudio.ui.widgets.announcer import RowAnnouncer
from heatstudio.ui.widgets.appearance import Appearance, scaled
from heatstudio.ui.widgets.change_text import ChangePainter
from heatstudio.ui.widgets.code_text import CodeText, without_marks
from heatstudio.ui.widgets.fuzzy import marked_places
from heatstudio.ui.widgets.palette import fill_background
from heatstudio.ui.widgets.theme import SEVERITY_ICONS, Color
from heatstudio.ui.widgets.tree_model import (
    ACCENT_ROLE,
    BADGE_ROLE,
    CHANGE_ROLE,
    COUNTS_ROLE,
    DETAIL_ROLE,
    ICON_ROLE,
    LINES_ROLE,
    STRONG_ROLE,
    WRAP_ROLE,
)

_ROW_HEIGHT = 24
LOW_ROW_HEIGHT = 18
"""The height of a row with a changed property, many of which are compared at a glance."""
_MARGIN = 4
_ICON = 16
_SMALL_ICON = 12
_GAP = 8
_LINE_PADDING = 6
_LEAST_DETAIL = 40
_BAR = 3
"""The width of the bar at the left of a selected row, whose background has little contrast."""
_LEAST_BADGE = 0.4
"""The minimum share of a row's width for the badge."""
_ROW_RULES = """
QAbstractItemView { outline: 0; }
QAbstractItemView::item { padding: 4px; border: 0; }
QAbstractItemView::item:selected { background: palette(highlight); color: palette(text); }
"""
_EDGE = 16
NOTHING = "No matches."


class EmptyViewPlaceholder(QObject):
    """A sentence painted instead of rows while there are none."""

    def __init__(self, view: QTreeView) -> None:
        super().__init__(view)
        self._view = view
        self.sentence = NOTHING
        view.viewport().installEventFilter(self)

    @property
    def is_shown(self) -> bool:
        """Whether the tree is empty."""
        model = self._view.model()
        return model is not None and model.rowCount() == 0

    def say(self, sentence: str) -> None:
        """Replace the sentence."""
        self.sentence = sentence
        self._view.viewport().update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Paint the sentence; the background is painted already."""
        if event.type() is QEvent.Type.Paint and self.is_shown:
            painter = QPainter(self._view.viewport())
            painter.setPen(self._view.palette().color(QPalette.ColorRole.PlaceholderText))
            room = self._view.viewport().rect().adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
            painter.drawText(room, Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignHCenter, self.sentence)
            painter.end()
        return super().eventFilter(watched, event)


class RowDelegate(QStyledItemDelegate):
    """A delegate for every tree of the window, based on item roles."""

    badge_clicked = Signal()
    """Emitted when the badge of the current row is clicked."""

    def __init__(self, appearance: Appearance, view: QTreeView, least_badge: float = _LEAST_BADGE) -> None:
        super().__init__(view)
        self._appearance = appearance
        self._view = view
        self._least_badge = least_badge
        self.query, self.is_fuzzy = "", False
        """The searched words, which are marked, also if their letters are scattered."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint one cell."""
        painter.save()
        self._paint_ground(painter, option, index)
        room = option.rect.adjusted(_MARGIN, 0, -_GAP, 0)
        icon = index.data(ICON_ROLE)
        if isinstance(icon, tuple):
            square = QRect(room.left(), room.top() + (min(room.height(), row_height()) - _ICON) // 2, _ICON, _ICON)
            self._appearance.icon(icon[0], icon[1]).paint(painter, square, mode=QIcon.Mode.Normal)
            room.setLeft(square.right() + 1 + _GAP)
        badge = index.data(BADGE_ROLE)
        if isinstance(badge, tuple):
            text_width = round(self._text(option, index, room.width()).width)
            room.setRight(self._paint_badge(painter, option, room, badge, text_width))
        self._paint_counts(painter, option, room, index.data(COUNTS_ROLE) or ())
        change, lines = index.data(CHANGE_ROLE), index.data(LINES_ROLE)
        changes = ChangePainter(painter, option.font, self._appearance.fixed_font(), self._appearance.theme.color)
        if isinstance(change, tuple):
            changes.draw_change(room, str(index.data(Qt.ItemDataRole.DisplayRole)), change)
        elif isinstance(lines, tuple):
            changes.draw_lines(room, lines)
        else:
            self._paint_text(painter, option, room, index)
        painter.restore()

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        badge = index.data(BADGE_ROLE)
        if event.type() is QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent) and badge:
            width = QFontMetrics(caption_font(option.font)).horizontalAdvance(badge[0])
            if event.position().x() >= option.rect.right() - width - 2 * _GAP:
                QTimer.singleShot(0, self.badge_clicked.emit)  # after the default handling of the click
        return super().editorEvent(event, model, option, index)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        size, lines = super().sizeHint(option, index), index.data(LINES_ROLE)
        if isinstance(lines, tuple):
            return QSize(
                size.width(), len(lines) * QFontMetrics(self._appearance.fixed_font()).height() + _LINE_PADDING
            )
        if not index.data(WRAP_ROLE):
            return QSize(size.width(), scaled(LOW_ROW_HEIGHT) if index.data(CHANGE_ROLE) else row_height())
        depth, above = 1, index.parent()
        while above.isValid():
            depth, above = depth + 1, above.parent()
        used = depth * self._view.indentation() + _MARGIN + _GAP + (_ICON + _GAP if index.data(ICON_ROLE) else 0)
        width = max(self._view.viewport().width() - used, 80)
        return QSize(width, max(row_height(), ceil(self._text(option, index, width).height) + _LINE_PADDING))

    def _paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme = self._appearance.theme
        if QStyle.StateFlag.State_Selected in option.state:
            fill_background(painter, option.rect, theme.color(Color.SELECTION))
        elif QStyle.StateFlag.State_MouseOver in option.state:
            fill_background(painter, option.rect, theme.color(Color.HOVER_GROUND))
        if index.column() == 0 and QStyle.StateFlag.State_Selected in option.state:
            is_here = self._view.hasFocus() and index == self._view.currentIndex()
            bar = QRect(0, option.rect.top(), _BAR, option.rect.height())
            painter.fillRect(bar, theme.color(Color.ACCENT if is_here else Color.EDGE))

    def _paint_badge(
        self, painter: QPainter, option: QStyleOptionViewItem, room: QRect, badge: tuple[str, Color], text_width: int
    ) -> int:
        """Paint a badge, shortened if necessary; return the right edge of the remaining space."""
        words, color = badge
        metrics = QFontMetrics(caption_font(option.font))
        whole = metrics.horizontalAdvance(words)
        width = min(whole, max(room.width() - text_width - _GAP, round(room.width() * self._least_badge)))
        if width < whole:  # an abbreviated state is clearer than a truncated one
            words = words.partition(" since ")[0]
            whole = metrics.horizontalAdvance(words)
            width = min(whole, max(width, 3 * _GAP))
        if width < min(whole, _GAP):
            return room.right()
        place = QRect(room.right() - width, room.top(), width + 1, min(room.height(), row_height()))
        painter.setFont(caption_font(option.font))
        painter.setPen(self._appearance.theme.color(color))
        shown = words if width == whole else metrics.elidedText(words, Qt.TextElideMode.ElideRight, width)
        painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), shown)
        return place.left() - _GAP

    def _paint_counts(
        self, painter: QPainter, option: QStyleOptionViewItem, room: QRect, counts: Sequence[tuple[Severity, int]]
    ) -> None:
        """Paint numbers of problems beside the icons of their severities, and leave the remaining space."""
        painter.setFont(caption_font(option.font))
        for severity, number in reversed(counts):
            icon, color = SEVERITY_ICONS[severity]
            place = QRect(room.left(), room.top(), room.width(), min(room.height(), row_height()))
            painter.setPen(self._appearance.theme.color(color))
            painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), str(number))
            left = place.right() - painter.fontMetrics().horizontalAdvance(str(number)) - _SMALL_ICON - _MARGIN
            top = place.center().y() - _SMALL_ICON // 2 + 1
            square = QRect(left, top, _SMALL_ICON, _SMALL_ICON)
            self._appearance.icon(icon, color).paint(painter, square)
            room.setRight(left - _GAP)

    def _paint_text(
        self, painter: QPainter, option: QStyleOptionViewItem, room: QRect, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme = self._appearance.theme
        text = self._text(option, index, room.width())
        accent = index.data(ACCENT_ROLE)
        painter.setPen(theme.color(Color(accent) if accent else Color.TEXT))  # Qt returns a plain string
        is_right = bool(index.data(Qt.ItemDataRole.TextAlignmentRole))
        text.draw(painter, QRectF(room), Qt.AlignmentFlag.AlignRight if is_right else Qt.AlignmentFlag.AlignLeft)
        detail = str(index.data(DETAIL_ROLE) or "")
        room.setLeft(room.left() + ceil(text.width) + _GAP)
        if detail and not index.data(WRAP_ROLE) and room.width() > _LEAST_DETAIL:
            painter.setPen(theme.color(Color.MUTED))
            if "::" in detail and " " not in detail:
                detail = fitting_type(detail, QFontMetrics(option.font), room.width())
            CodeText(
                detail,
                option.font,
                self._appearance.fixed_font(),
                room.width(),
                marked=self._marked(detail, fuzzy=False),
            ).draw(painter, QRectF(room))

    def _text(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex, width: float) -> CodeText:
        font = QFont(option.font)
        font.setBold(bool(index.data(STRONG_ROLE)))
        text = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
        marked = self._marked(text, fuzzy=self.is_fuzzy)
        return CodeText(
            text, font, self._appearance.fixed_font(), width, wraps=bool(index.data(WRAP_ROLE)), marked=marked
        )

    def _marked(self, text: str, *, fuzzy: bool) -> list[int]:
        return marked_places(self.query, without_marks(text), scattered=fuzzy) if self.query else []


def mark_matches(view: QTreeView, query: str, *, scattered: bool) -> None:
    """Mark the words of a query in the rows of a tree, also scattered letters if a row can match by them."""
    delegate = view.itemDelegate()
    if isinstance(delegate, RowDelegate):
        delegate.query, delegate.is_fuzzy = query, scattered
        view.viewport().update()


def fitting_type(name: str, metrics: QFontMetrics | QFontMetricsF, width: float) -> str:
    """Return a type name if it fits, else its last part, which says the most."""
    return name if metrics.horizontalAdvance(name) <= width else name.rpartition("::")[2]


def row_height() -> int:
    """Return the height of a row with one line, in pixels."""
    return scaled(_ROW_HEIGHT)


def caption_font(font: QFont) -> QFont:
    """Return the smaller font of captions and badges."""
    caption = QFont(font)
    caption.setPixelSize(scaled(11))
    return caption


def style_tree(
    view: QTreeView, appearance: Appearance, name: str, least_badge: float = _LEAST_BADGE
) -> EmptyViewPlaceholder:
    """Set the shared appearance and behavior of trees, and return the placeholder for the empty tree."""
    view.setAccessibleName(name)
    view.setItemDelegate(RowDelegate(appearance, view, least_badge))
    view.setHeaderHidden(True)
    view.header().setAccessibleName(f"Columns of {name}")
    view.installEventFilter(RowAnnouncer(view))
    view.setIndentation(16)
    view.setMouseTracking(True)
    view.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
    view.setVerticalScrollMode(QTreeView.ScrollMode.ScrollPerPixel)
    view.setExpandsOnDoubleClick(False)
    view.header().sectionResized.connect(lambda *_: view.scheduleDelayedItemsLayout())
    view.setTextElideMode(Qt.TextElideMode.ElideRight)
    return EmptyViewPlaceholder(view)


def style_rows(view: QAbstractItemView, name: str) -> None:
    """Style a plain list or tree like the panes: the same row height, a flat selection, and announced rows."""
    view.setStyleSheet(_ROW_RULES)
    view.setAccessibleName(name)
    view.installEventFilter(RowAnnouncer(view))


def list_view(model: QAbstractItemModel, appearance: Appearance, name: str) -> QTreeView:
    """Return a flat list as a tree view whose rows have the same height."""
    view = QTreeView(uniformRowHeights=True, rootIsDecorated=False)
    style_tree(view, appearance, name)
    view.setIndentation(0)
    view.setModel(model)
    return view
