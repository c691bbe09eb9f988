"""The trees of the window, and the delegate of their rows: icon, text, muted detail, and a badge at the right."""

from collections.abc import Callable, Sequence
from math import ceil

from PySide6 import QtGui
from PySide6.QtCore import QAbstractItemModel, QEvent, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QFont, QFontMetrics, QIcon, QKeySequence, QPainter, QPalette
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from heatstudio.text import Severity
from heatstudio.ui.widgets.announcer import RowAnnouncer
from heatstudio.ui.widgets.appearance import Appearance, scaled
from heatstudio.ui.widgets.change_text import ChangePainter
from heatstudio.ui.widgets.code_text import CodeText, without_marks
from heatstudio.ui.widgets.fuzzy import marked_places
from heatstudio.ui.widgets.theme import SEVERITY_ICONS, Color, fill_background
from heatstudio.ui.widgets.tree_model import CELL_ROLE, Cell, Index, TreeModel

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

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        self._paint_ground(painter, option, index)
        cell: Cell = index.data(CELL_ROLE)
        room = option.rect.adjusted(_MARGIN, 0, -_GAP, 0)
        if cell.icon is not None:
            side = scaled(_ICON)
            square = QRect(room.left(), room.top() + (min(room.height(), row_height()) - side) // 2, side, side)
            self._appearance.icon(*cell.icon).paint(painter, square, mode=QIcon.Mode.Normal)
            room.setLeft(square.right() + 1 + _GAP)
        text: CodeText | None = None
        if cell.badge is not None:
            text = self._text(option, cell, room.width())
            room.setRight(self._paint_badge(painter, option, room, cell.badge, round(text.width)))
        self._paint_counts(painter, option, room, cell.counts)
        changes = ChangePainter(painter, option.font, self._appearance.fixed_font(), self._appearance.theme.color)
        if cell.change is not None:
            changes.draw_change(room, cell.text, cell.change)
        elif cell.lines:
            changes.draw_lines(room, cell.lines)
        else:
            if text is None or cell.wraps:
                text = self._text(option, cell, room.width())
            self._paint_text(painter, option, room, cell, text)
        painter.restore()

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        badge = index.data(CELL_ROLE).badge
        if event.type() is QEvent.Type.MouseButtonRelease and isinstance(event, QtGui.QMouseEvent) and badge:
            width = QFontMetrics(caption_font(option.font)).horizontalAdvance(badge[0])
            if event.position().x() >= option.rect.right() - width - 2 * _GAP:
                QTimer.singleShot(0, self.badge_clicked.emit)  # after the default handling of the click
        return super().editorEvent(event, model, option, index)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        width, cell = super().sizeHint(option, index).width(), index.data(CELL_ROLE)
        if cell.lines:
            height = len(cell.lines) * QFontMetrics(self._appearance.fixed_font()).height()
            return QSize(width, height + _LINE_PADDING)
        if not cell.wraps:
            return QSize(width, scaled(LOW_ROW_HEIGHT) if cell.change is not None else row_height())
        depth, above = 1, index.parent()
        while above.isValid():
            depth, above = depth + 1, above.parent()
        used = (
            depth * self._view.indentation() + _MARGIN + _GAP + (scaled(_ICON) + _GAP if cell.icon is not None else 0)
        )
        width = max(self._view.viewport().width() - used, 80)
        return QSize(width, max(row_height(), ceil(self._text(option, cell, width).height) + _LINE_PADDING))

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
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
            side = scaled(_SMALL_ICON)
            left = place.right() - painter.fontMetrics().horizontalAdvance(str(number)) - side - _MARGIN
            square = QRect(left, place.center().y() - side // 2 + 1, side, side)
            self._appearance.icon(icon, color).paint(painter, square)
            room.setRight(left - _GAP)

    def _paint_text(
        self, painter: QPainter, option: QStyleOptionViewItem, room: QRect, cell: Cell, text: CodeText
    ) -> None:
        theme = self._appearance.theme
        painter.setPen(theme.color(cell.accent or Color.TEXT))
        text.draw(painter, QRectF(room), cell.alignment or Qt.AlignmentFlag.AlignLeft)
        detail = cell.detail
        room.setLeft(room.left() + ceil(text.width) + _GAP)
        if detail and not cell.wraps and room.width() > _LEAST_DETAIL:
            painter.setPen(theme.color(Color.MUTED))
            if "::" in detail and " " not in detail:
                detail = short_type(detail)
            marked, code = self._marked(detail, fuzzy=False), self._appearance.fixed_font()
            CodeText(detail, option.font, code, room.width(), marked=marked).draw(painter, QRectF(room))

    def _text(self, option: QStyleOptionViewItem, cell: Cell, width: float) -> CodeText:
        font = QFont(option.font)
        font.setBold(cell.strong)
        font.setStrikeOut(cell.is_struck)
        marked, code = self._marked(cell.text, fuzzy=self.is_fuzzy), self._appearance.fixed_font()
        return CodeText(cell.text, font, code, width, wraps=cell.wraps, marked=marked)

    def _marked(self, text: str, *, fuzzy: bool) -> list[int]:
        return marked_places(self.query, without_marks(text), scattered=fuzzy) if self.query else []


def short_type(name: str) -> str:
    """Return the last part of a type name, which says the most."""
    return name.rpartition("::")[2]


def row_height() -> int:
    """Return the height of a row with one line, in pixels."""
    return scaled(_ROW_HEIGHT)


def caption_font(font: QFont) -> QFont:
    """Return the smaller font of captions and badges."""
    caption = QFont(font)
    caption.setPixelSize(scaled(11))
    return caption


class RowTree(QTreeView):
    """A tree with the shared appearance and behavior, which shows a sentence while it has no rows.

    The first column takes the width that the others leave.
    """

    def __init__(self, model: TreeModel, appearance: Appearance, name: str, least_badge: float = _LEAST_BADGE) -> None:
        super().__init__()
        self.nothing = NOTHING
        """The sentence for an empty tree."""
        self._keys: dict[QKeySequence, QAction] = {}
        self.delegate = RowDelegate(appearance, self, least_badge)
        self.setItemDelegate(self.delegate)
        self.setModel(model)
        self.setAccessibleName(name)
        self.setHeaderHidden(True)
        header = self.header()
        header.setAccessibleName(f"Columns of {name}")
        header.setMinimumSectionSize(0)
        header.setStretchLastSection(False)
        header.setSectionResizeMode(header.ResizeMode.Fixed)
        header.setSectionResizeMode(0, header.ResizeMode.Stretch)
        self.installEventFilter(RowAnnouncer(self))
        self.setIndentation(16)
        self.setMouseTracking(True)
        self.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QTreeView.ScrollMode.ScrollPerPixel)
        self.setExpandsOnDoubleClick(False)
        header.sectionResized.connect(lambda *_: self.scheduleDelayedItemsLayout())
        self.setTextElideMode(Qt.TextElideMode.ElideRight)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """Paint the sentence instead of rows while there are none."""
        super().paintEvent(event)
        if self.model().rowCount() == 0:
            painter = QPainter(self.viewport())
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            room = self.viewport().rect().adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
            painter.drawText(room, Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignHCenter, self.nothing)
            painter.end()

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        """Select the row that Qt makes current, so that it can be seen what Enter opens."""
        super().focusInEvent(event)
        by_key = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if by_key and self.currentIndex().isValid() and not self.selectionModel().hasSelection():
            self.setCurrentIndex(self.currentIndex())

    def offer(self, words: str, act: Callable[[], object], key: str = "") -> None:
        """Add a command to the context menu; its key, if any, has precedence over the window's keys."""
        action = QAction(words, self)
        action.triggered.connect(act)
        self.addAction(action)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        if key:
            self._keys[QKeySequence(key)] = action

    def event(self, event: QEvent) -> bool:
        """Handle the keys of commands."""
        action = self._keys.get(QKeySequence(event.keyCombination())) if isinstance(event, QtGui.QKeyEvent) else None
        if action is not None and event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
        elif action is not None and event.type() is QEvent.Type.KeyPress:
            action.trigger()
            return True
        return super().event(event)

    def say_nothing(self, sentence: str) -> None:
        """Set the sentence for an empty tree."""
        self.nothing = sentence
        self.viewport().update()

    def mark_matches(self, query: str, *, scattered: bool) -> None:
        """Mark the words of a query in the rows, also scattered letters if a row can match by them."""
        self.delegate.query, self.delegate.is_fuzzy = query, scattered
        self.viewport().update()


def style_rows(view: QAbstractItemView, name: str) -> None:
    """Style a plain list or tree like the panes: the same row height, a flat selection, and announced rows."""
    view.setStyleSheet(_ROW_RULES)
    view.setAccessibleName(name)
    view.installEventFilter(RowAnnouncer(view))


def list_view(model: TreeModel, appearance: Appearance, name: str, least_badge: float = _LEAST_BADGE) -> RowTree:
    """Return a flat list as a tree view whose rows have the same height."""
    view = RowTree(model, appearance, name, least_badge)
    view.setUniformRowHeights(True)
    view.setRootIsDecorated(False)
    view.setIndentation(0)
    return view
