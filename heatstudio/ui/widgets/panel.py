"""The frame of all panes: the content, or a placeholder that says what will appear and how."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, QTimer, SignalInstance
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLayout,
    QPlainTextEdit,
    QPushButton,
    QStackedLayout,
    QToolButton,
    QWidget,
)

from heatstudio.ui.widgets.appearance import ICON_SIZE, Appearance
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.layouts import in_column
from heatstudio.ui.widgets.plain_text import PlainLabel, plain
from heatstudio.ui.widgets.theme import Color

GAP = 8
_PICTURE = QSize(24, 24)
_LONG_TEXT = 60_000
"""Characters from which a pane takes longer to fill than a key may wait."""
LARGE = ("Large file", "Press F5 to check it.")
"""What a pane shows before its first content."""
_REST = 160
"""Milliseconds without news after which a pane shows what a long text has."""
_PATIENCE = 150
"""Milliseconds after which an older answer is marked as such."""
UPDATING = "Updating…"
_DIMMED = 0.5
"""The share of the background color that dims an older answer."""
EDGE = 12
_ROW_RULES = """
QAbstractItemView { outline: 0; }
QAbstractItemView::item { padding: 4px; border: 0; }
QAbstractItemView::item:selected { background: palette(highlight); color: palette(text); }
"""


class EmptyState(QWidget):
    """An icon, a headline and a sentence, in the middle of an empty pane."""

    def __init__(self, appearance: Appearance, icon: str, headline: str, sentence: str) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._icon = appearance.icon(icon)
        self._picture = PlainLabel()
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        appearance.theme_changed.connect(self._dress)
        self._dress()
        self._headline = _words(headline)
        self._sentence = _words(sentence)
        self._sentence.setEnabled(True)
        self._sentence.setForegroundRole(self._sentence.palette().ColorRole.PlaceholderText)
        self._column = in_column(
            2,
            self._picture,
            self._headline,
            self._sentence,
            3,
            of=self,
            edges=(EDGE * 2, EDGE, EDGE * 2, EDGE),
            gap=GAP,
        )
        self.say(headline, sentence)

    def say(self, headline: str, sentence: str) -> None:
        """Change the words."""
        self._headline.setText(headline)
        self._sentence.setText(without_marks(sentence))
        self.setAccessibleName(headline)
        self.setAccessibleDescription(self._sentence.text())

    def offer(self, words: str, asked: SignalInstance) -> None:
        """Put a button below the words, which is the way to a content."""
        button = QPushButton(words)
        button.clicked.connect(asked)
        self._column.insertWidget(4, button, 0, Qt.AlignmentFlag.AlignHCenter)

    def _dress(self) -> None:
        self._picture.setPixmap(self._icon.pixmap(_PICTURE))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Where there is nothing else to hold the focus, its place is seen."""
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setPen(self.palette().accent().color())
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
            painter.end()


def _words(text: str) -> QLabel:
    label = PlainLabel(text)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setWordWrap(True)
    return label


class _OutdatedCover(QWidget):
    """Dims a result that is older than the text, and says so; lets mouse events through."""

    def __init__(self, panel: QWidget) -> None:
        super().__init__(panel)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(UPDATING)
        self.hide()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        ground = self.palette().color(QPalette.ColorRole.Window)
        painter.setOpacity(_DIMMED)
        painter.fillRect(self.rect(), ground)
        painter.setOpacity(1)
        words = painter.fontMetrics().boundingRect(UPDATING).adjusted(-GAP, -4, GAP, 4)
        words.moveBottomRight(self.rect().bottomRight())
        painter.fillRect(words, ground)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        painter.drawText(words, Qt.AlignmentFlag.AlignCenter, UPDATING)
        painter.end()


class Panel(QWidget):
    """A named pane; shows its content or its empty state."""

    def __init__(self, title: str, empty: EmptyState) -> None:
        super().__init__()
        self.title = title
        self.setAccessibleName(title)
        self.empty = empty
        self._content: QWidget = empty
        self._home: QWidget = empty
        self._rest = QTimer(self, singleShot=True, interval=_REST)
        self._rest.timeout.connect(self._catch_up)
        self._cover = _OutdatedCover(self)
        self._is_outdated: Callable[[], bool] = bool
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE)
        self._patience.timeout.connect(self._mark_outdated)
        self.is_shown = False
        """Whether the pane is visible; for Qt, panes behind other tabs are visible, too."""
        self._is_in_dock = False
        self._stack = QStackedLayout()
        self._column = in_column((self._stack, 1), of=self, gap=0)
        self._stack.addWidget(empty)
        self.setFocusProxy(empty)

    def lead_to(self, home: QWidget) -> None:
        """What has the focus when the pane gets it; as long as the pane is empty, its words have it."""
        self._home = home
        self._follow_content()

    def set_shown(self, shown: bool) -> None:
        """Must be called when the pane becomes visible or hidden; then it updates its content."""
        self._is_in_dock = True
        self.is_shown = shown
        if shown:
            self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """A pane that is in no dock notices by itself that it is seen."""
        super().showEvent(event)
        if not self._is_in_dock:
            self.set_shown(True)
            self._is_in_dock = False

    def refresh_for(self, text: str) -> None:
        """Show what is new of a text: at once if it is short, and when the typing rests if it is long."""
        if not self.is_shown:
            return
        if len(text) < _LONG_TEXT:
            self.refresh()
        else:
            self._rest.start()

    def mark_outdated(self, changed: SignalInstance, is_outdated: Callable[[], bool]) -> None:
        """Mark the content as older than the text for as long as it is so, if that is longer than a moment."""
        self._is_outdated = is_outdated
        changed.connect(self._follow_age)

    def _follow_age(self) -> None:
        if not self._is_outdated():
            self._patience.stop()
            self._cover.hide()
        elif not self._patience.isActive() and self._cover.isHidden():
            self._patience.start()

    def _mark_outdated(self) -> None:
        self._cover.setGeometry(self.rect())
        self._cover.show()
        self._cover.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cover.setGeometry(self.rect())

    def refresh(self) -> None:
        """Show what there is now; every pane knows how."""

    def _catch_up(self) -> None:
        self.refresh()

    def set_head(self, *parts: QWidget) -> None:
        """Put parts above the content, which stay where the pane is empty."""
        for place, part in enumerate(parts):
            self._column.insertWidget(place, part)

    def set_content(self, *parts: QLayout | QWidget) -> None:
        """Lay out the parts vertically; the last one takes the remaining space."""
        self._content = QWidget()
        self._stack.addWidget(self._content)  # before it has parts: Qt dresses all that is in what moves
        in_column(*parts, of=self._content, gap=0).setStretch(len(parts) - 1, 1)

    def set_filled(self, filled: bool) -> None:
        """Show the content, or the words for an empty pane; the focus goes along."""
        shown = self._content if filled else self.empty
        if shown is not self._stack.currentWidget():
            focus, vanishing = QApplication.focusWidget(), self.empty if filled else self._content
            is_here = focus is not None and (focus is vanishing or vanishing.isAncestorOf(focus))
            if focus is not None and is_here:
                focus.clearFocus()  # what vanishes would give it to whatever comes next
            self._stack.setCurrentWidget(shown)
            self._follow_content()
            if is_here:
                self.setFocus()

    def _follow_content(self) -> None:
        is_empty = self._stack.currentWidget() is self.empty
        self.setFocusProxy(self.empty if is_empty else self._home)


def style_rows(view: QWidget) -> None:
    """Give plain lists and trees rows as high as those of the panes, and flat where they are selected."""
    view.setStyleSheet(_ROW_RULES)


def make_readable(text: QPlainTextEdit) -> None:
    """Lets a text be read and copied with the keyboard too, but not changed: its cursor shows where the focus is."""
    text.setReadOnly(True)
    text.setTextInteractionFlags(text.textInteractionFlags() | Qt.TextInteractionFlag.TextSelectableByKeyboard)


def tool_button(appearance: Appearance, icon: str, name: str, color: Color = Color.MUTED) -> QToolButton:
    """Return a flat button with an icon; its name is read aloud and shown as a tool tip."""
    button = QToolButton()
    button.setIcon(appearance.icon(icon, color))
    button.setIconSize(ICON_SIZE)
    button.setAccessibleName(name)
    button.setToolTip(plain(name))
    button.setAutoRaise(True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
