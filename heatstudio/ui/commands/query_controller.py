"""Query the current text with the last analysis of its stack, in a thread."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject

from heatstudio.analysis.assist import Completion
from heatstudio.service.workspace.job import Job
from heatstudio.service.workspace.language_service import LanguageService
from heatstudio.stack.parent_templates import ParentTemplate, load_parents
from heatstudio.text.markup import Html
from heatstudio.ui.documents.document import Document
from heatstudio.ui.workspace.session import Session

NOT_READ_YET = "The template is still being read. Try again in a moment."
CHANGED_MEANWHILE = "The text changed in the meantime. Try again."
_Found = TypeVar("_Found")


class QueryController(QObject):
    """Queries in threads, so that typing is not blocked; outdated answers are dropped."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._completing: Job | None = None
        self._explaining: Job | None = None

    def complete(
        self, document: Document, offset: int, explicit: bool, take: Callable[[Sequence[Completion]], object]
    ) -> None:
        """Request suggestions; earlier requests are canceled."""
        if self._completing is not None:
            self._completing.stop()
        find = partial(LanguageService.complete, offset=offset, explicit=explicit)
        self._completing = self.query_silently(document, "Finding suggestions", find, take)
        if self._completing is None:
            take(())

    def explain(self, document: Document, offset: int, take: Callable[[Html], object]) -> None:
        """Request the hover text at an offset, empty if there is none; earlier requests are canceled."""
        if self._explaining is not None:
            self._explaining.stop()

        def find(language: LanguageService) -> Html:
            found = language.hover(offset)
            return Html.popup(found.title, found.lines) if found is not None else Html("")

        self._explaining = self.query_silently(document, "Loading the hover text", find, take)
        if self._explaining is None:
            take(Html(""))

    def query(
        self, document: Document, name: str, find: Callable[[LanguageService], _Found], take: Callable[[_Found], object]
    ) -> None:
        """Query the text of a document; call `take` with the answer unless the text has changed, which is reported."""
        text = document.text

        def show(found: _Found) -> None:
            if document not in self._session.documents or document.text != text:
                self._session.show_message(CHANGED_MEANWHILE)
            else:
                take(found)

        if self.query_silently(document, name, find, show) is None:
            self._session.show_message(NOT_READ_YET)

    def query_silently(
        self, document: Document, name: str, find: Callable[[LanguageService], _Found], take: Callable[[_Found], object]
    ) -> Job | None:
        """Query a text automatically, without messages; return None if the text is not analyzed yet."""
        analysis, text = document.analysis, document.text
        if analysis is None:
            return None
        return self.run_in_thread(name, lambda: find(LanguageService.of(analysis, text)), take)

    def run_in_thread(self, name: str, find: Callable[[], _Found], take: Callable[[_Found], object]) -> Job:
        """Run a query in a thread; `take` is not called if the job is stopped."""
        return self._session.run(name, lambda *_: find(), take)


def parent_search(session: Session, document: Document) -> Callable[[LanguageService, int], tuple[ParentTemplate, ...]]:
    """Return a function for threads that finds the parent templates which may refer to the name at an offset."""
    path = document.path
    texts = {one.path: one.text for one in session.documents if one.path is not None}

    def find(language: LanguageService, offset: int) -> tuple[ParentTemplate, ...]:
        if path is None or not language.is_seen_outside(offset):
            return ()
        files = (Path(name) for name in session.files_near(path))
        candidates = dict.fromkeys((*texts, *files))
        return tuple(load_parents(path, candidates, session.workspace.environments_of, texts))

    return find
