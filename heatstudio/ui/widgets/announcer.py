"""Announcements for screen readers, without effect if no screen reader is active."""

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from heatstudio.ui.widgets.plain_text import PlainLabel

_ANNOUNCE_DELAY = 1000
"""Milliseconds without changes before a state that changes with every key is announced."""
SHORT_REST = 300
"""The delay for results that the user waits for after typing."""


_FILL_DELAY = 100
"""Milliseconds until a newly visible pane has its rows; Qt sends the focus event earlier."""


def announce(speaker: QWidget, words: str, *, urgent: bool = False) -> None:
    """Announce a sentence politely or, if it is urgent, assertively."""
    politeness = QAccessible.AnnouncementPoliteness
    event = QAccessibleAnnouncementEvent(speaker, words)
    event.setPoliteness(politeness.Assertive if urgent else politeness.Polite)
    QAccessible.updateAccessibility(event)


class ScreenReaderAnnouncer(QObject):
    """An announcer of sentences for a widget, at once or after a pause."""

    said = Signal(str, bool)
    """The sentence, and whether it is urgent."""

    def __init__(self, speaker: QWidget, rest: int = _ANNOUNCE_DELAY) -> None:
        super().__init__(speaker)
        self._speaker = speaker
        self._waiting = ""
        self._last = ""
        self._rest = QTimer(self, singleShot=True, interval=rest)
        self._rest.timeout.connect(self._say_waiting)

    def say(self, words: str, *, urgent: bool = False) -> None:
        """Announce a sentence now."""
        announce(self._speaker, words, urgent=urgent)
        self.said.emit(words, urgent)

    def say_later(self, words: str) -> None:
        """Announce a state when typing pauses, if it differs from the last one."""
        self._waiting = words
        self._rest.start()

    def cancel(self) -> None:
        """Cancel the pending announcement; the last one may be repeated."""
        self._rest.stop()
        self._last = ""

    def _say_waiting(self) -> None:
        if self._waiting != self._last:
            self._last = self._waiting
            self.say(self._waiting)


class ChoiceAnnouncer(ScreenReaderAnnouncer):
    """An announcer of a list's current row while the focus stays in a text field."""

    def __init__(self, speaker: QWidget) -> None:
        super().__init__(speaker, SHORT_REST)

    def choose(self, words: str, row: int, count: int) -> None:
        """Announce a row (counted from 0, below 0 for none) with its position."""
        of_all = f"{row + 1} of {count}" if row >= 0 else f"{count} to choose from"
        self.say_later(f"{words}, {of_all}" if words else of_all)


class RowAnnouncer(QObject):
    """An event filter that announces a tree's current row on focus; Qt announces only later changes."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.FocusIn and QAccessible.isActive():
            QTimer.singleShot(_FILL_DELAY, self, self._announce_row)
        return super().eventFilter(watched, event)

    def _announce_row(self) -> None:
        tree = QAccessible.queryAccessibleInterface(self._view)
        row = tree.focusChild() if tree is not None and self._view.hasFocus() else None
        if row is not None:
            QAccessible.updateAccessibility(QAccessibleEvent(row, QAccessible.Event.Focus))


class AnnouncingLabel(PlainLabel):
    """A label that announces its changes; the accessible description names its subject."""

    def __init__(self, about: str, *, wraps: bool = False) -> None:
        super().__init__(wraps=wraps)
        self.setAccessibleDescription(about)
        self._voice = ScreenReaderAnnouncer(self, SHORT_REST)

    def setText(self, words: str) -> None:
        """Change the text, and announce it if the label is visible."""
        if words == self.text():
            return
        super().setText(words)
        if words and self.window().isVisible():
            self._voice.say_later(words)
        else:
            self._voice.cancel()
