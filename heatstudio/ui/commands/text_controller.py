"""The base class of what acts on the current text: it queries the text in threads, and edits it in one undo step."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from PySide6.QtCore import QObject
from shiboken6 import isValid

from heatstudio.service.workspace.job import Job
from heatstudio.service.workspace.language_service import LanguageService
from heatstudio.text import Fix, TextEdit
from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.documents.document import Document
from heatstudio.ui.tasks.jobs import no_op
from heatstudio.ui.workspace.session import Session

NOT_READ_YET = "The template is still being read. Try again in a moment."
CHANGED_MEANWHILE = "The text changed in the meantime. Try again."
_Found = TypeVar("_Found")


class TextController(QObject):
    """A controller of texts in editors; threads answer queries, so that typing is not blocked."""

    def __init__(self, session: Session, area: EditorArea) -> None:
        super().__init__(area)
        self._session, self._area = session, area

    def _query(
        self, document: Document, name: str, find: Callable[[LanguageService], _Found], take: Callable[[_Found], object]
    ) -> None:
        """Query a text for the user; show a message if there is no answer."""
        if self._ask(document, name, find, self._while_same(document, take, self._say_changed)) is None:
            self._session.show_message(NOT_READ_YET)

    def _ask(
        self, document: Document, name: str, find: Callable[[LanguageService], _Found], take: Callable[[_Found], object]
    ) -> Job | None:
        """Query a text with the last analysis of its stack; return None if it is not analyzed yet."""
        if document.state is None:
            return None
        analysis, text = document.state.analysis, document.text
        return self._session.run(name, lambda *_: find(LanguageService.of(analysis, text)), take)

    def _while_same(
        self, document: Document, take: Callable[[_Found], object], late: Callable[[], object] = no_op
    ) -> Callable[[_Found], None]:
        """Return a function for an answer about the text as it is now; later, it calls `late` instead of `take`."""
        text = document.text

        def use(found: _Found) -> None:
            is_open = isValid(self) and document in self._session.documents  # the window may have been closed
            if is_open and document.text == text:
                take(found)
            else:
                late()

        return use

    def _apply(self, document: Document, found: Fix | str) -> None:
        """Apply a fix in one undo step, or say why there is none."""
        if isinstance(found, Fix):
            self._edit(document, found.edits)
        self._session.show_message(found if isinstance(found, str) else f"Done: {found.title}. Undo reverts it.")

    def _edit(self, document: Document, edits: Sequence[TextEdit]) -> None:
        """Edit an open text in one undo step."""
        self._area.editor_of(document).apply_edits(edits)

    def _say_changed(self) -> None:
        self._session.show_message(CHANGED_MEANWHILE)
