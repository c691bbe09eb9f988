"""Announcements for screen readers; without a screen reader nothing happens."""

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from heatstudio.ui.widgets.plain_text import PlainLabel

_REST = 1000
"""Milliseconds without news before something is said that changes with every key."""
SHORT_REST = 300
"""The same pause for the results of a search field."""


_FILLED = 100
"""Milliseconds in which a pane that becomes visible has its rows; Qt announces the tree itself before."""


def announce(speaker: QWidget, words: str, *, urgent: bool = False) -> None:
    """Announce a sentence that no focus or value conveys: politely, or immediately if a decision is pending."""
    politeness = QAccessible.AnnouncementPoliteness
    event = QAccessibleAnnouncementEvent(speaker, words)
    event.setPoliteness(politeness.Assertive if urgent else politeness.Polite)
    QAccessible.updateAccessibility(event)


class ScreenReaderAnnouncer(QObject):
    """Announces sentences for a widget, immediately or after a short pause."""

    said = Signal(str, bool)
    """The words, and whether they are urgent."""

    def __init__(self, speaker: QWidget, rest: int = _REST) -> None:
        super().__init__(speaker)
        self._speaker = speaker
        self._waiting = ""
        self._last = ""
        self._rest = QTimer(self, singleShot=True, interval=rest)
        self._rest.timeout.connect(self._say_waiting)

    def say(self, words: str, *, urgent: bool = False) -> None:
        """Say a sentence now."""
        announce(self._speaker, words, urgent=urgent)
        self.said.emit(words, urgent)

    def say_later(self, words: str) -> None:
        """Say a state when the typing rests, and only if it is another one than was said before."""
        self._waiting = words
        self._rest.start()

    def cancel(self) -> None:
        """What waits is not said any more; what was said may be said again."""
        self._rest.stop()
        self._last = ""

    def _say_waiting(self) -> None:
        if self._waiting != self._last:
            self._last = self._waiting
            self.say(self._waiting)


class ChoiceAnnouncer(ScreenReaderAnnouncer):
    """Announces the selection of a list that never has the focus, because the focus stays in the text field."""

    def __init__(self, speaker: QWidget) -> None:
        super().__init__(speaker, SHORT_REST)

    def choose(self, words: str, row: int, count: int) -> None:
        """One of so many rows, counted from 0; a row below 0 is none."""
        of_all = f"{row + 1} of {count}" if row >= 0 else f"{count} to choose from"
        self.say_later(f"{words}, {of_all}" if words else of_all)


class RowAnnouncer(QObject):
    """Announces the current row when a tree gets the focus; Qt announces only changes of the row."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.FocusIn and QAccessible.isActive():
            QTimer.singleShot(_FILLED, self, self._tell)
        return super().eventFilter(watched, event)

    def _tell(self) -> None:
        tree = QAccessible.queryAccessibleInterface(self._view)
        row = tree.focusChild() if tree is not None and self._view.hasFocus() else None
        if row is not None:
            QAccessible.updateAccessibility(QAccessibleEvent(row, QAccessible.Event.Focus))


class SpokenLabel(PlainLabel):
    """A label that changes while the user types; its accessible description names its subject."""

    def __init__(self, about: str) -> None:
        super().__init__()
        self.setAccessibleDescription(about)
        self._voice = ScreenReaderAnnouncer(self, SHORT_REST)

    def setText(self, words: str) -> None:
        """Qt's way to change the words; where the label can be seen, they are said."""
        if words == self.text():
            return
        super().setText(words)
        if words and self.window().isVisible():
            self._voice.say_later(words)
        else:
            self._voice.cancel()
