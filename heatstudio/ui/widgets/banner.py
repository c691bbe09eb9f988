"""A non-modal notice above the text."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QFrame, QPushButton, QWidget

from heatstudio.text import Severity
from heatstudio.ui.widgets.appearance import Appearance, icon_size
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.layouts import in_row
from heatstudio.ui.widgets.panel import EDGE, GAP, tool_button
from heatstudio.ui.widgets.plain_text import PlainLabel
from heatstudio.ui.widgets.shown_keys import with_keys
from heatstudio.ui.widgets.theme import SEVERITY_ICONS, Color

_MIN_WORDS_WIDTH = 360
"""The minimum width of the sentence if the answers are beside it."""
_FOCUS_HINT = "Shift+F6 moves from the editor to the buttons."
Answer = tuple[str, Callable[[], object]]


class _Notice(NamedTuple):
    """A sentence with its answers; a question about documents stays pending until it is answered."""

    sentence: str
    answers: tuple[Answer, ...] = ()
    severity: Severity = Severity.WARNING


class Banner(QFrame):
    """One sentence and its buttons; hidden while there is nothing to show.

    A question about a document is shown again whenever the document becomes current, until it is answered. A
    notice that stays is shown until it is dismissed or answered.
    """

    left = Signal()
    """Emitted when the banner is hidden while it has the focus, which then has to move."""
    said = Signal(str)
    """The sentence and its answers, for a screen reader."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.setAccessibleName("Notice")
        self.setAutoFillBackground(True)
        self._appearance = appearance
        self._icon = PlainLabel()
        self._words = PlainLabel(wraps=True)
        for part in (self._icon, self._words):
            part.setMinimumHeight(27)
        self._buttons: list[QPushButton] = []
        self._close = tool_button(appearance, "close", "Close notice", self.dismiss)
        self._notice = _Notice("")
        self._waiting: dict[object, _Notice] = {}
        self._staying: list[_Notice] = []
        self._current: object = None
        self._answers = in_row(gap=GAP)
        self._parts = in_row((self._words, 1), self._answers, gap=4)
        top = Qt.AlignmentFlag.AlignTop
        in_row((self._icon, top), (self._parts, 1), (self._close, top), of=self, edges=(EDGE, 4, GAP, 4), gap=GAP)
        appearance.theme_changed.connect(self._apply_theme)
        self.hide()

    def say(
        self,
        sentence: str,
        *answers: Answer,
        about: Iterable[object] = (),
        stays: bool = False,
        severity: Severity = Severity.WARNING,
    ) -> None:
        """Show a sentence with a button per answer; a question about documents (`about`) stays pending."""
        notice = _Notice(sentence, answers, severity)
        if stays:
            self._staying = [*(one for one in self._staying if one.sentence != sentence), notice]
        for one in about:
            self.forget(one)
            if answers:
                self._waiting[one] = notice
        self._show(notice)

    def repeat(self) -> None:
        """Announce the current notice again, as it may have been shown before a listener was connected."""
        if not self.isHidden():
            self._announce()

    def _announce(self) -> None:
        answers = [*(f"{text}." for text, _ in self._notice.answers), _FOCUS_HINT] if self._notice.answers else []
        self.said.emit(" ".join([self._notice.sentence, *answers]))

    def turn_to(self, current: object) -> None:
        """Show the pending question about the current document, or the permanent notice."""
        self._current = current
        self._show_waiting()

    def forget(self, about: object) -> None:
        """Drop the notice about a document, or about another object whose state it reports."""
        notice = self._waiting.pop(about, None)
        self._staying = [one for one in self._staying if one is not notice]
        if notice is self._notice and notice not in self._waiting.values():
            self._show_waiting()

    def dismiss(self) -> None:
        """Dismiss the notice; an earlier question about this document is shown again."""
        self._waiting = {one: notice for one, notice in self._waiting.items() if notice is not self._notice}
        self._staying = [notice for notice in self._staying if notice is not self._notice]
        self._show_waiting()

    def _show_waiting(self) -> None:
        notice = self._waiting.get(self._current) or next(reversed(self._staying), None)
        if notice is None:
            self._notice = _Notice("")
            if self._has_focus():
                self.left.emit()
            self.hide()
        elif notice is not self._notice or self.isHidden():
            self._show(notice)

    def _has_focus(self) -> bool:
        focus = QApplication.focusWidget()
        return focus is not None and self.isAncestorOf(focus)

    def _show(self, notice: _Notice) -> None:
        has_focus = self._has_focus()
        for button in self._buttons:
            self._answers.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._notice = notice
        self._buttons = [self._button(text, act) for text, act in notice.answers]
        for button in self._buttons:
            self._answers.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self._words.setText(without_marks(with_keys(notice.sentence)))
        self._apply_theme()
        self._arrange()
        self.setAccessibleDescription(notice.sentence)
        self.show()
        if has_focus:
            self.stops[0].setFocus()
        self._announce()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Move the buttons below the text in a narrow window."""
        super().resizeEvent(event)
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        """Do not constrain the width of the window."""
        return QSize(0, super().minimumSizeHint().height())

    def _arrange(self) -> None:
        narrow = self.width() < self._answers.minimumSize().width() + _MIN_WORDS_WIDTH
        direction = QBoxLayout.Direction
        self._parts.setDirection(direction.TopToBottom if narrow else direction.LeftToRight)
        self._answers.setAlignment(Qt.AlignmentFlag.AlignLeft if narrow else Qt.AlignmentFlag.AlignRight)

    @property
    def sentence(self) -> str:
        """The current message; empty if there is none."""
        return "" if self.isHidden() else self._words.text()

    @property
    def stops(self) -> list[QWidget]:
        """The focusable widgets: the buttons, then the close button; none without a message."""
        return [] if self.isHidden() else [*self._buttons, self._close]

    def press(self, answer: str) -> None:
        """Click the button of an answer."""
        next(button for button in self._buttons if button.text() == answer).click()

    def _button(self, text: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setAccessibleName(text)
        button.clicked.connect(self.dismiss)
        button.clicked.connect(lambda _checked: act())
        return button

    def _apply_theme(self) -> None:
        palette = self.palette()
        palette.setColor(palette.ColorRole.Window, self._appearance.theme.color(Color.WARNING_GROUND))
        self.setPalette(palette)
        icon, color = SEVERITY_ICONS[self._notice.severity]
        self._icon.setPixmap(self._appearance.icon(icon, color).pixmap(icon_size()))
