"""The list of ways out of one problem, with what the selected one would change."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QLabel, QListWidget, QListWidgetItem, QPlainTextEdit, QVBoxLayout, QWidget

from heatstudio.text import Applicability, Fix
from heatstudio.ui.appearance import ICON_SIZE, Appearance
from heatstudio.ui.problems.mini_diff import DiffLine, LineKind, mini_diff
from heatstudio.ui.theme import Color

_WIDTH = 560
_ROW = 28
_MOST_ROWS = 6
_MOST_LINES = 12
_HINTS = {
    Applicability.SAFE: "Enter applies it; one undo takes it back.",
    Applicability.UNSAFE: "Look twice: this may change what the template means.",
    Applicability.DECISION: "A decision: this cannot be made for you.",
}
_LINE_LOOK = {
    LineKind.ADDED: (Color.ADDED_GROUND, Color.ADDED),
    LineKind.REMOVED: (Color.ERROR_GROUND, Color.DELETED),
    LineKind.KEPT: (Color.EDITOR_GROUND, Color.MUTED),
}


class FixChooser(QFrame):
    """A small popup: arrows select, Enter applies, Escape leaves everything as it is."""

    fix_requested = Signal(object)

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._appearance = appearance
        self._text = ""
        self.setAccessibleName("Fixes")
        self.setFrameShape(QFrame.Shape.Box)
        self._list = QListWidget()
        self._list.setAccessibleName("Ways out of the problem")
        self._list.setIconSize(ICON_SIZE)
        self._list.currentItemChanged.connect(self._show_diff)
        self._list.itemActivated.connect(self._apply)
        self._list.itemClicked.connect(self._apply)
        self._diff = QPlainTextEdit()
        self._diff.setAccessibleName("What the fix changes")
        self._diff.setReadOnly(True)
        self._diff.setFrameShape(QFrame.Shape.NoFrame)
        self._diff.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._diff.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._diff.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._hint = QLabel()
        self._hint.setContentsMargins(8, 4, 8, 4)
        self._hint.setForegroundRole(self._hint.palette().ColorRole.PlaceholderText)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        for widget in (self._list, self._diff, self._hint):
            layout.addWidget(widget)
        self.setFocusProxy(self._list)

    def choose(self, text: str, fixes: Sequence[Fix], at: QPoint) -> None:
        """Shows the fixes of one diagnostic below a point of the screen; the preferred one is selected."""
        self._text = text
        self._diff.setFont(self._appearance.fixed_font())
        self._list.clear()
        ordered = sorted(fixes, key=lambda fix: (not fix.preferred, -fix.applicability))
        for fix in ordered:
            self._list.addItem(self._item(fix))
        self._list.setFixedHeight(min(len(fixes), _MOST_ROWS) * _ROW + 4)
        self._list.setCurrentRow(0)
        self.adjustSize()
        self._place(at)
        self.show()
        self._list.setFocus()

    def fixes(self) -> list[Fix]:
        """The fixes in the order in which they are shown."""
        items = (self._list.item(row) for row in range(self._list.count()))
        return [fix for item in items if isinstance(fix := item.data(Qt.ItemDataRole.UserRole), Fix)]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter applies also where the list does not take it."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._list.currentItem():
            self._apply(self._list.currentItem())
        else:
            super().keyPressEvent(event)

    def _item(self, fix: Fix) -> QListWidgetItem:
        item = QListWidgetItem(self._appearance.icon("fix", Color.ACCENT if fix.preferred else Color.MUTED), fix.title)
        item.setData(Qt.ItemDataRole.UserRole, fix)
        item.setSizeHint(QSize(_WIDTH - 24, _ROW))
        item.setToolTip(fix.title)
        font = item.font()
        font.setBold(fix.preferred)
        item.setFont(font)
        return item

    def _apply(self, item: QListWidgetItem) -> None:
        fix = item.data(Qt.ItemDataRole.UserRole)
        self.hide()
        if isinstance(fix, Fix):
            self.fix_requested.emit(fix)

    def _show_diff(self, item: QListWidgetItem | None) -> None:
        fix = item.data(Qt.ItemDataRole.UserRole) if item else None
        if not isinstance(fix, Fix):
            return
        lines = mini_diff(self._text, fix)
        self._hint.setText(_HINTS[fix.applicability])
        self._diff.clear()
        cursor = QTextCursor(self._diff.document())
        for line in lines[:_MOST_LINES]:
            self._write(cursor, line)
        height = self._diff.fontMetrics().lineSpacing() * max(min(len(lines), _MOST_LINES), 1)
        self._diff.setFixedHeight(height + 2 * int(self._diff.document().documentMargin()) + 4)
        self._diff.setFixedWidth(_WIDTH)

    def _write(self, cursor: QTextCursor, line: DiffLine) -> None:
        ground, color = _LINE_LOOK[line.kind]
        look = QTextCharFormat()
        look.setForeground(self._appearance.theme.color(color))
        block = cursor.blockFormat()
        block.setBackground(self._appearance.theme.color(ground))
        if not cursor.atStart():
            cursor.insertBlock()
        cursor.setBlockFormat(block)
        cursor.insertText(f"{line.kind} {line.number:>4}  {line.text}", look)

    def _place(self, at: QPoint) -> None:
        """Keeps the popup on the screen."""
        screen = QGuiApplication.screenAt(at) or QGuiApplication.primaryScreen()
        place = QRect(at, self.sizeHint())
        room = screen.availableGeometry()
        place.moveRight(min(place.right(), room.right()))
        place.moveBottom(min(place.bottom(), room.bottom()))
        self.move(max(place.left(), room.left()), max(place.top(), room.top()))
