"""The lines of edits, by file; unchecked lines are not changed."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QTreeWidget, QTreeWidgetItem

from heatstudio.text import LineIndex, TextEdit
from heatstudio.text.invisible import visible
from heatstudio.ui.widgets.check_box import TickDelegate
from heatstudio.ui.widgets.plain_text import plain
from heatstudio.ui.widgets.row_delegate import style_rows

EDIT = Qt.ItemDataRole.UserRole
"""The file of a row, and the start and end of the replaced text."""
_MARK = EDIT + 1
_TINT = 0.25
_BEFORE, _BEHIND = 60, 200
"""The number of characters shown before a match, and behind it."""


class MarkDelegate(TickDelegate):
    """A delegate that tints the match in a row."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        mark = index.data(_MARK)
        if mark is not None:
            whole = QStyleOptionViewItem(option)
            self.initStyleOption(whole, index)
            place = self._view.style().subElementRect(QStyle.SubElement.SE_ItemViewItemText, whole, self._view)
            before, marked = (option.fontMetrics.horizontalAdvance(words) for words in mark)
            left = place.left() + self._view.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin) + before + 1
            tint = QColor(option.palette.color(QPalette.ColorRole.Accent))
            tint.setAlphaF(_TINT)  # a frame would hide the underscores of names
            painter.fillRect(QRectF(left - 1, place.top() + 1, marked + 1, place.height() - 2), tint)


class EditTree(QTreeWidget):
    """A tree of the lines of edits; Space includes or excludes a line."""

    ticked = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        style_rows(self, name)
        self.setItemDelegate(MarkDelegate(self))
        self.setHeaderHidden(True)
        self.itemChanged.connect(self._tick)
        self._left_out: set[tuple[str, int]] = set()
        """The unchecked edits, by file and start offset."""

    def add_file(self, file: str, words: str, text: str, edits: Sequence[TextEdit], *, can_tick: bool = True) -> None:
        """Add the lines of a file; checkable lines show the new text behind an arrow."""
        top = QTreeWidgetItem([visible(words)])
        top.setToolTip(0, plain(file))
        lines = LineIndex(text)
        for edit in edits:
            number = lines.position(edit.span.start).line
            line = lines.line_span(number)
            start = max(line.start, edit.span.start - _BEFORE)
            before = f"{number + 1}: {text[start : edit.span.start].lstrip()}"
            old = text[edit.span.start : edit.span.end]
            marked = (f"{old} \u2192 {edit.text}" if can_tick else old).replace("\n", "\u23ce")
            before, marked = visible(before), visible(marked)
            behind = visible(text[edit.span.end : min(line.end, edit.span.end + _BEHIND)])
            item = QTreeWidgetItem(top, [before + marked + behind])
            item.setData(0, EDIT, (file, edit.span.start, edit.span.end))
            item.setData(0, _MARK, (before, marked))
            if can_tick:
                is_in = (file, edit.span.start) not in self._left_out
                item.setCheckState(0, Qt.CheckState.Checked if is_in else Qt.CheckState.Unchecked)
        if edits and can_tick:
            top.setFlags(top.flags() | Qt.ItemFlag.ItemIsAutoTristate | Qt.ItemFlag.ItemIsUserCheckable)
        self.addTopLevelItem(top)
        top.setExpanded(True)

    def chosen(self, file: str, edits: Iterable[TextEdit]) -> tuple[TextEdit, ...]:
        """Return the checked edits."""
        return tuple(edit for edit in edits if (file, edit.span.start) not in self._left_out)

    def _tick(self, item: QTreeWidgetItem) -> None:
        edit = item.data(0, EDIT)
        if edit is not None:
            is_in = item.checkState(0) is Qt.CheckState.Checked
            (self._left_out.discard if is_in else self._left_out.add)((edit[0], edit[1]))
            self.ticked.emit()
