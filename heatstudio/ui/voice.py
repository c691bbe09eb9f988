"""What a screen reader is told; without one nothing happens."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

_REST = 1000
"""Milliseconds without news before something is told that changes with every key."""


class Voice(QObject):
    """Says sentences: politely, after what is being read, or at once where a decision waits."""

    said = Signal(str, bool)
    """The words, and whether they are urgent."""

    def __init__(self, speaker: QWidget) -> None:
        super().__init__(speaker)
        self._speaker = speaker
        self._waiting = ""
        self._last = ""
        self._rest = QTimer(self, singleShot=True, interval=_REST)
        self._rest.timeout.connect(self._say_waiting)

    def say(self, words: str, *, urgent: bool = False) -> None:
        """Says a sentence now."""
        politeness = QAccessible.AnnouncementPoliteness
        event = QAccessibleAnnouncementEvent(self._speaker, words)
        event.setPoliteness(politeness.Assertive if urgent else politeness.Polite)
        QAccessible.updateAccessibility(event)
        self.said.emit(words, urgent)

    def say_later(self, words: str) -> None:
        """Says a state when the typing rests, and only if it is another one than was said before."""
        self._waiting = words
        self._rest.start()

    def _say_waiting(self) -> None:
        if self._waiting != self._last:
            self._last = self._waiting
            self.say(self._waiting)
