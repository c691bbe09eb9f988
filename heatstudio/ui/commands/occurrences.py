"""The highlighted occurrences of the name at the cursor: its definition and its uses in the text."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, QTimer

from heatstudio.analysis.assist import Location
from heatstudio.service.workspace.language_service import LanguageService
from heatstudio.text import counted
from heatstudio.ui.commands.editor_area import WAY_ON, EditorArea
from heatstudio.ui.commands.query_controller import QueryController
from heatstudio.ui.workspace.session import Session

REST: Final = 400
"""Milliseconds without a key, after which the occurrences are found in a thread."""


class Occurrences(QObject):
    """The controller that follows the resting cursor of the current editor."""

    def __init__(self, session: Session, area: EditorArea, asking: QueryController) -> None:
        super().__init__(area)
        self._session, self._area, self._asking = session, area, asking
        self._words = ""
        self._timer = QTimer(self, singleShot=True, interval=REST)
        self._timer.timeout.connect(self._find)
        session.analysis_changed.connect(self._wait)
        area.follow(lambda pane: pane.editor.cursorPositionChanged, self._wait)

    def _wait(self) -> None:
        """Remove the highlights as soon as the cursor leaves them, and find others when it rests."""
        editor = self._area.editor
        if editor is not None:
            at = editor.editor.textCursor().position()
            if not any(start <= at <= end for start, end in editor.decorations.occurrences):
                editor.decorations.set_occurrences(())
                self._describe("")
            self._timer.start()

    def _find(self) -> None:
        document, editor = self._session.current, self._area.editor
        if document is None or editor is None or document.current_analysis is None or editor.editor.carets.are_many:
            return
        offset, text = editor.caret_offset(), document.text

        def find(language: LanguageService) -> Sequence[Location]:
            return [one for one in language.references(offset) if one.file is None]

        def show(found: Sequence[Location]) -> None:
            if editor is self._area.editor and document.text == text and editor.caret_offset() == offset:
                position = editor.editor.text_document.positions().position
                spans = [(position(one.span.start), position(one.span.end)) for one in found]
                editor.decorations.set_occurrences(spans if len(spans) > 1 else ())
                self._describe(counted(len(spans), "occurrence") if len(spans) > 1 else "")

        self._asking.query_silently(document, "Finding occurrences", find, show)

    def _describe(self, words: str) -> None:
        """Describe the occurrences for screen readers, unless the line has a problem or an outcome."""
        text = self._area.editor.editor if self._area.editor is not None else None
        if text is not None and text.accessibleDescription() in (WAY_ON, self._words):
            text.setAccessibleDescription(words or WAY_ON)
            self._words = words
