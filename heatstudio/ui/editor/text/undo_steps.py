"""The boundaries of undo steps: at words, after a pause, and after the cursor moves."""

from time import monotonic

from PySide6.QtGui import QTextDocument

PAUSE = 1.0
"""Seconds without a key after which typing starts a new undo step."""


class UndoSteps:
    """The separation of undo steps that Qt would merge, as their characters are adjacent."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._typed_at = 0.0
        self._last = ""
        self._place = (0, 0)

    def begin(self) -> None:
        """Start a new undo step for the following typing."""
        self._last = ""
        self._document.setModified(False)  # Qt does not extend an undo step after a saved state

    def before_key(self, typed: str, caret: int) -> None:
        """Begin an undo step if necessary; must be called before a key may change the text."""
        now = monotonic()
        ends_word = typed.isspace() and not self._last.isspace()
        is_elsewhere = self._place != (self._document.revision(), caret)
        if is_elsewhere or ends_word or now - self._typed_at > PAUSE:
            self.begin()
        self._typed_at = now
        self._place = (self._document.revision(), caret)

    def after_key(self, typed: str, caret: int) -> None:
        """Note the change of a key; must be called after it, as a key that only moves the cursor ends a step too."""
        revision, before = self._place
        if self._document.revision() != revision:
            self._last = typed
        elif caret != before:
            self.begin()
        self._place = (self._document.revision(), caret)
