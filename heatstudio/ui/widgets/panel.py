"""The base class of panes, which show their content or, if there is none, an explanation."""

from collections.abc import Callable

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QLayout, QPlainTextEdit, QPushButton, QToolButton, QWidget

from heatstudio.ui.widgets.appearance import Appearance, icon_size
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.layouts import in_column
from heatstudio.ui.widgets.plain_text import PlainLabel, plain
from heatstudio.ui.widgets.shown_keys import with_keys
from heatstudio.ui.widgets.theme import Color

GAP = 8
_PICTURE = QSize(24, 24)
EDGE = 12


class EmptyState(QWidget):
    """The content of an empty pane: icon, headline and sentence."""

    def __init__(self, appearance: Appearance, icon: str, headline: str, sentence: str) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._icon = appearance.icon(icon)
        self._picture = PlainLabel()
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        appearance.theme_changed.connect(self._apply_theme)
        self._apply_theme()
        self._headline = _words(headline)
        self._sentence = _words(sentence)
        self._sentence.setEnabled(True)
        self._sentence.setForegroundRole(self._sentence.palette().ColorRole.PlaceholderText)
        parts, edges = (self._picture, self._headline, self._sentence), (EDGE * 2, EDGE, EDGE * 2, EDGE)
        self._column = in_column(2, *parts, 3, of=self, edges=edges, gap=GAP)
        self.say(headline, sentence)

    def say(self, headline: str, sentence: str) -> None:
        """Change headline and sentence."""
        self._said = headline, sentence
        self._headline.setText(headline)
        self._sentence.setText(without_marks(with_keys(sentence)))
        self.setAccessibleName(headline)
        self.setAccessibleDescription(self._sentence.text())
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show the icon if it leaves the words their height."""
        width = self.width() - 4 * EDGE
        words = sum(label.heightForWidth(width) for label in (self._headline, self._sentence)) + GAP
        self._picture.setVisible(self.height() - 2 * EDGE >= words + GAP + _PICTURE.height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.say(*self._said)

    def minimumSizeHint(self) -> QSize:
        """Take no room from the lines above in a low pane, whose content has a place here at other times."""
        return QSize(0, 0)

    def offer(self, words: str, asked: SignalInstance) -> None:
        """Add a button that emits a signal when it is clicked."""
        button = QPushButton(words)
        button.clicked.connect(asked)
        self._column.insertWidget(4, button, 0, Qt.AlignmentFlag.AlignHCenter)

    def _apply_theme(self) -> None:
        self._picture.setPixmap(self._icon.pixmap(_PICTURE))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a focus frame."""
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setPen(self.palette().accent().color())
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
            painter.end()


def _words(text: str) -> QLabel:
    label = PlainLabel(text, wraps=True)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return label


class Panel(QWidget):
    """A pane with a title that shows its content or its empty state."""

    text_requested = Signal()
    """Emitted when the text of a row that is already shown is to get the focus."""

    def __init__(self, title: str, empty: EmptyState) -> None:
        super().__init__()
        self.title = title
        self.setAccessibleName(title)
        self.empty = empty
        self._content: QWidget = empty
        self._home: QWidget = empty
        self._stack = QtWidgets.QStackedLayout()
        self._column = in_column((self._stack, 1), of=self, gap=0)
        self._stack.addWidget(empty)
        self.setFocusProxy(empty)

    def lead_to(self, home: QWidget) -> None:
        """Set the widget that gets the pane's focus; an empty pane focuses its empty state."""
        self._home = home
        self._follow_content()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Show the current content; implemented by every pane."""

    def run(self, _command: str) -> bool:
        """Run a command for the text of the pane; return whether the pane has it."""
        return False

    def set_head(self, *parts: QWidget) -> None:
        """Add parts above the content; they stay if the pane is empty."""
        for place, part in enumerate(parts):
            self._column.insertWidget(place, part)

    def set_content(self, *parts: QLayout | QWidget) -> None:
        """Set the parts of the content in a column; the last one gets the remaining height."""
        self._content = QWidget()
        self._stack.addWidget(self._content)  # before parts are added: moving a widget makes Qt restyle its descendants
        in_column(*parts, of=self._content, gap=0).setStretch(len(parts) - 1, 1)

    def set_filled(self, filled: bool) -> None:
        """Show the content or the empty state, and keep the focus in the pane."""
        shown = self._content if filled else self.empty
        if shown is not self._stack.currentWidget():
            focus, vanishing = QApplication.focusWidget(), self.empty if filled else self._content
            is_here = focus is not None and (focus is vanishing or vanishing.isAncestorOf(focus))
            if focus is not None and is_here:
                focus.clearFocus()  # a hidden widget would pass the focus to an arbitrary next one
            self._stack.setCurrentWidget(shown)
            self._follow_content()
            if is_here:
                self.setFocus()

    def _follow_content(self) -> None:
        is_empty = self._stack.currentWidget() is self.empty
        self.setFocusProxy(self.empty if is_empty else self._home)


def show_code(text: QPlainTextEdit, appearance: Appearance, name: str) -> None:
    """Make a text a readable part of a page: in the font of code, without a frame."""
    text.setAccessibleName(name)
    text.setFont(appearance.fixed_font())
    text.setFrameShape(QFrame.Shape.NoFrame)
    make_readable(text)


def make_readable(text: QPlainTextEdit) -> None:
    """Make a text read-only but selectable by keyboard, with a visible caret."""
    text.setReadOnly(True)
    text.setTextInteractionFlags(text.textInteractionFlags() | Qt.TextInteractionFlag.TextSelectableByKeyboard)


class _IconButton(QToolButton):
    """A flat button whose tool tip is its name, which may contain a key."""

    def __init__(self, name: str) -> None:
        super().__init__(autoRaise=True)
        self._name = name
        self.setAccessibleName(name)
        self.setToolTip(plain(with_keys(name)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange and self._name.endswith(")"):
            self.setToolTip(plain(with_keys(self._name)))


def tool_button(
    appearance: Appearance,
    icon: str,
    name: str,
    act: Callable[[], object] | SignalInstance | None = None,
    color: Color = Color.MUTED,
) -> QToolButton:
    """Return a flat icon button with an accessible name and tool tip, and with what a click does, if that is given."""
    button = _IconButton(name)
    button.setIcon(appearance.icon(icon, color))
    button.setIconSize(icon_size())
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    if act is not None:
        button.clicked.connect(act)
    return button
