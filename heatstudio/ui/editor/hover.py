"""The hover popup."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QCursor, QHelpEvent, QKeyEvent, QMouseEvent
from shiboken6 import isValid

from heatstudio.text.markup import Html
from heatstudio.ui.editor.editor import TextEditor
from heatstudio.ui.editor.text.code_page import FloatingFrame, is_leaving, shown_frames
from heatstudio.ui.editor.text.marks import PositionedMarker
from heatstudio.ui.widgets import SEVERITY_ICONS, Color, Theme, in_column
from heatstudio.ui.widgets.announcer import announce
from heatstudio.ui.widgets.html_label import HtmlLabel
from heatstudio.ui.widgets.shown_keys import with_keys

HoverProvider = Callable[[int, Callable[[Html], object]], object]
"""A function that supplies HTML for a code point offset, at once or later; empty if there is no hover."""

_WIDEST = 560


class HoverPopup(FloatingFrame):
    """A popup of rich text over the editor."""

    def __init__(self, editor: TextEditor) -> None:
        super().__init__(editor)
        self.setAccessibleName("Hover")
        self.label = HtmlLabel()
        self.label.setAccessibleDescription("Hover")
        self.fill(in_column(self.label, edges=(12, 8, 12, 8)))

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the popup when the mouse leaves it."""
        super().leaveEvent(event)
        self.hide()

    def show_text(self, html: Html, anchor: QRect) -> None:
        """Show HTML next to a rectangle of the screen, as wide as necessary."""
        self.label.setMinimumWidth(0)  # that of the text before, which the size hint respects
        self.label.setWordWrap(False)
        self.label.set_html(html)
        self.label.setFixedWidth(min(self.label.sizeHint().width() + 2, _WIDEST))
        self.label.setWordWrap(True)
        self.show_beside(anchor)


class HoverController(QObject):
    """The hover of an editor: problems, then documentation, until the mouse leaves the word or a key is pressed."""

    def __init__(self, editor: TextEditor) -> None:
        super().__init__(editor)
        self.provider: HoverProvider | None = None
        self._popup: HoverPopup | None = None
        self._editor = editor
        self._word: tuple[int, int] | None = None
        self._number = 0
        """The number of the last request: answers to earlier ones are dropped."""
        editor.installEventFilter(self)
        editor.viewport().installEventFilter(self)
        editor.verticalScrollBar().valueChanged.connect(self.hide)
        editor.cursorPositionChanged.connect(self.hide)
        editor.text_document.changed.connect(self.hide)

    @property
    def popup(self) -> HoverPopup:
        """The popup, created on first use."""
        if self._popup is None:
            self._popup = HoverPopup(self._editor)
        return self._popup

    def hide(self) -> None:
        """Hide the popup, and drop pending requests."""
        self._number += 1
        self._word = None
        if self._popup is not None:
            self._popup.hide()

    def show_at(self, position: int, *, aloud: bool = False) -> None:
        """Show the hover of a document position, if there is one, when it is complete.

        Until then, the previous popup stays; `aloud` announces the text to screen readers.
        """
        self._number += 1
        cursor = self._editor.textCursor()
        cursor.setPosition(position)
        cursor.select(cursor.SelectionType.WordUnderCursor)
        self._word = (cursor.selectionStart(), cursor.selectionEnd())
        take = partial(self._take, self._number, position, aloud)
        if self.provider is None:
            take(Html(""))
        else:
            self.provider(self._editor.text_document.positions().offset(position), take)

    def show_at_caret(self) -> None:
        """Show the hover at the cursor, and announce it."""
        self.show_at(self._editor.textCursor().position(), aloud=True)

    def _take(self, number: int, position: int, aloud: bool, said: Html) -> None:
        """Show an answer, unless there was another request or action in the meantime.

        The mouse may rest where suggestions are shown; they stay.
        """
        if not isValid(self) or number != self._number:
            return
        if not aloud and any(frame is not self._popup for frame in shown_frames(self._editor)):
            return
        reasons = [Html.sentence(one.mark.message) for one in self._editor.decorations.inactive.covering(position)[:1]]
        parts = [_problems(self._editor.decorations.marks.covering(position), self._editor.theme), *reasons, said]
        entry = Html('<div style="margin-top:{}px">{}</div>')
        html = Html("").join(entry.fill(8 * bool(at), part) for at, part in enumerate(filter(None, parts)))
        if not html:
            self.hide()
            return
        cursor = self._editor.textCursor()
        cursor.setPosition(position)
        rect = self._editor.cursorRect(cursor)
        self.popup.show_text(html, QRect(self._editor.viewport().mapToGlobal(rect.topLeft()), rect.size()))
        if aloud:
            announce(self._editor, self.popup.label.plain_text())

    def press(self, event: QKeyEvent) -> bool:
        """Hide the popup on any key; return whether Escape only hid it."""
        was_shown = self._popup is not None and self._popup.isVisible()
        if event.text() or event.key() == Qt.Key.Key_Escape:
            self.hide()
        return was_shown and event.key() == Qt.Key.Key_Escape

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_inside = self._popup is not None and self._popup.geometry().contains(QCursor.pos())
        if (event.type() is QEvent.Type.Leave and not is_inside) or is_leaving(event):
            self.hide()  # also when the tab is hidden, but not when the popup appears below the mouse
        if watched is self._editor:
            return False
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._rest_at(event.pos())
            return True
        if event.type() is QEvent.Type.MouseMove and isinstance(event, QMouseEvent) and self._word is not None:
            position = self._editor.position_at(event.position())
            if position is None or not self._word[0] <= position <= self._word[1]:
                self.hide()
        return False

    def _rest_at(self, point: QPoint) -> None:
        position = self._editor.position_at(point.toPointF())
        if position is None:
            self.hide()
        else:
            self.show_at(position)


def _problems(marks: Sequence[PositionedMarker], theme: Theme) -> Html:
    muted = Html('<span style="color:{}">{}</span>')
    problem = Html('<b style="color:{}">{}</b> {} {}')
    lines = []
    for one in marks:
        color, message = theme.value(SEVERITY_ICONS[one.mark.severity][1]), Html.sentence(one.mark.message)
        lines.append(problem.fill(color, one.mark.word, message, muted.fill(theme.value(Color.MUTED), one.mark.code)))
    if any(one.mark.fixable for one in marks):
        lines.append(muted.fill(theme.value(Color.MUTED), with_keys("Alt+Enter shows the fixes")))
    return Html("<br>").join(lines)
