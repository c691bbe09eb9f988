"""The boundaries of undo steps: at words, after a pause, and after the cursor moves; and the places of the steps."""

from collections.abc import Callable, Mapping
from time import monotonic
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QPlainTextEdit

from heatstudio.ui.editor.text.carets import Caret, Carets

PAUSE = 1.0
"""Seconds without a key after which typing starts a new undo step."""


class UndoPlace(NamedTuple):
    """The carets and the scroll position of an editor."""

    view: QPlainTextEdit
    carets: tuple[Caret, ...]
    top: int
    left: int


class UndoSteps:
    """The undo steps of a text: the separation of those that Qt would merge, as their characters are adjacent."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self.view: QPlainTextEdit | None = None
        """The editor of the text that has, or last had, the focus."""
        self.before: dict[int, UndoPlace] = {}
        """The place when a text was left by a change, by the number of its undo steps."""
        self.after: dict[int, UndoPlace] = {}
        """The place when a text was reached by a change."""
        self._typed_at = 0.0
        self._last = ""
        self._place = (0, 0)

    def begin(self) -> None:
        """Start a new undo step for the following typing."""
        self._last = ""
        self._document.setModified(False)  # Qt does not extend an undo step after a saved state

    def before_key(self, typed: str, caret: int) -> bool:
        """Begin an undo step if necessary; must be called before a key may change the text.

        Return whether the key continues the typing of the last step.
        """
        now = monotonic()
        ends_word = typed.isspace() and not self._last.isspace()
        is_elsewhere = self._place != (self._document.revision(), caret)
        if is_elsewhere or ends_word or now - self._typed_at > PAUSE:
            self.begin()
        is_alike = typed == self._last or (typed.isprintable() and self._last.isprintable())
        continues = is_alike and bool(typed) and bool(self._last)
        self._typed_at = now
        self._place = (self._document.revision(), caret)
        return continues

    def after_key(self, typed: str, caret: int) -> None:
        """Note the change of a key; must be called after it, as a key that only moves the cursor ends a step too."""
        revision, before = self._place
        if self._document.revision() != revision:
            self._last = typed
        elif caret != before:
            self.begin()
        self._place = (self._document.revision(), caret)


class UndoPlaces(QObject):
    """The places of an editor in undo steps: undoing returns to the one before a change, redoing to that after it.

    The editor may not be the one where the change was made, if several ones show the text.
    """

    def __init__(self, editor: QPlainTextEdit, carets: Carets, steps: UndoSteps) -> None:
        super().__init__(editor)
        self._editor, self._carets, self._shared = editor, carets, steps
        self._steps, self._revision = 0, editor.document().revision()
        self._is_stepping = False
        self._selection: tuple[Caret, ...] = (Caret(0, 0),)
        """The carets before the current change; Qt moves cursors before it reports a change."""
        self._settled = QTimer(self, singleShot=True, interval=0)
        self._settled.timeout.connect(self._settle)
        editor.cursorPositionChanged.connect(self._note_selection)
        editor.selectionChanged.connect(self._note_selection)
        carets.changed.connect(self._note_selection)
        editor.document().contentsChange.connect(self._note_change)

    def clear(self) -> None:
        """Forget the places, as the undo history was cleared."""
        self._shared.before, self._shared.after, self._steps = {}, {}, 0
        self._settled.stop()

    def undo(self) -> None:
        """Undo a step, and return to the place before it."""
        self._step(self._editor.document().undo, self._shared.before)

    def redo(self) -> None:
        """Redo a step, and return to the place after it."""
        self._step(self._editor.document().redo, self._shared.after)

    def _step(self, move: Callable[[], object], places: Mapping[int, UndoPlace]) -> None:
        if self._settled.isActive():
            self._settle()
        self._is_stepping = True
        move()
        self._is_stepping = False
        place = places.get(self._steps)
        if place is not None:
            self._carets.place(place.carets)
            if place.view is self._editor:
                self._editor.verticalScrollBar().setValue(place.top)
                self._editor.horizontalScrollBar().setValue(place.left)
            else:
                self._editor.ensureCursorVisible()

    def _place(self) -> UndoPlace:
        editor = self._editor
        return UndoPlace(
            editor, self._selection, editor.verticalScrollBar().value(), editor.horizontalScrollBar().value()
        )

    def _note_selection(self) -> None:
        if not self._carets.is_acting:
            self._selection = self._carets.value()

    def _note_change(self) -> None:
        document = self._editor.document()
        is_change = document.revision() != self._revision  # highlighting is reported as a change too
        if is_change and not self._is_stepping and self._shared.view in (None, self._editor):
            self._shared.before[self._steps] = self._place()
            self._settled.start()
        self._steps, self._revision = document.availableUndoSteps(), document.revision()

    def _settle(self) -> None:
        """Note the place after a change, when the commands that made it have moved the cursor and scrolled."""
        self._settled.stop()
        self._note_selection()
        self._shared.after[self._steps] = self._place()
