"""Query the current text with the last analysis of its stack, in a thread."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from heatstudio.analysis import Analysis, EnvironmentAnalysis
from heatstudio.analysis.assist import (
    Completion,
    PlainSemanticModel,
    SemanticModel,
    complete,
    complete_environment,
    environment_hover,
    hover,
    is_seen_outside,
)
from heatstudio.service.engine import Engine
from heatstudio.stack.load_owners import Owner, load_owners
from heatstudio.template import parse_template
from heatstudio.ui.documents.document import Document
from heatstudio.ui.tasks.jobs import Finish, Job
from heatstudio.ui.workspace.session import Session

NOT_READ_YET = "The template is still being read. Try again in a moment."
CHANGED_MEANWHILE = "The text changed in the meantime. Try again."
_Found = TypeVar("_Found")


class QueryController(QObject):
    """Queries without blocking the keyboard; a late answer is dropped."""

    message_requested = Signal(str)
    """A sentence for the status bar."""

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
        own_name = document.path.name if document.path is not None else ""

        def find(analysis: Analysis, text: str) -> Sequence[Completion]:
            owner = owner_of(analysis)
            if owner is not None:
                return complete_environment(owner, text, offset)
            return complete(model_for(analysis, text), offset, explicit, own_name)

        self._completing = self._start(document, "Finding suggestions", find, take)
        if self._completing is None:
            take(())

    def explain(self, document: Document, offset: int, take: Callable[[str], object]) -> None:
        """Request the hover text at an offset, empty if there is none; earlier requests are canceled."""
        if self._explaining is not None:
            self._explaining.stop()

        def find(analysis: Analysis, text: str) -> str:
            owner = owner_of(analysis)
            if owner is not None:
                found = environment_hover(owner, text, offset)
            else:
                found = hover(model_for(analysis, text), offset)
            return found.html if found is not None else ""

        self._explaining = self._start(document, "Loading the hover text", find, take)
        if self._explaining is None:
            take("")

    def about(
        self, document: Document, name: str, find: Callable[[SemanticModel], _Found], take: Callable[[_Found], object]
    ) -> None:
        """Has something found out about a text; nothing is taken of it where the text is another one by then."""
        self._tell(document, name, lambda analysis, text: find(model_for(analysis, text)), take)

    def about_environment(
        self, document: Document, name: str, find: Callable[[Analysis, str], _Found], take: Callable[[_Found], object]
    ) -> None:
        """The same for an environment: `find` gets the template that it is checked with, and its own text."""
        self._tell(document, name, lambda analysis, text: find(owner_of(analysis) or analysis, text), take)

    def quietly(
        self, document: Document, name: str, find: Callable[[SemanticModel], _Found], take: Callable[[_Found], object]
    ) -> Job | None:
        """The same for automatic requests, without messages. None if the text is not parsed yet."""
        return self._start(document, name, lambda analysis, text: find(model_for(analysis, text)), take)

    def find_out(self, name: str, find: Callable[[], _Found], take: Callable[[_Found], object]) -> Job:
        """Has something found out for which the asker has all that is needed; who stops it gets no answer."""

        def work(_engine: Engine, _job: Job) -> Finish:
            found = find()
            return lambda: take(found)

        return self._session.run(name, work)

    def _tell(
        self, document: Document, name: str, find: Callable[[Analysis, str], _Found], take: Callable[[_Found], object]
    ) -> None:
        """Query the current text; report if there can be no answer, or if it comes too late."""

        text = document.text

        def show(found: _Found) -> None:
            if document not in self._session.documents or document.text != text:
                self.message_requested.emit(CHANGED_MEANWHILE)
            else:
                take(found)

        if self._start(document, name, find, show) is None:
            self.message_requested.emit(NOT_READ_YET)

    def _start(
        self, document: Document, name: str, find: Callable[[Analysis, str], _Found], take: Callable[[_Found], object]
    ) -> Job | None:
        """Asks about the text as it is now; None before its first analysis."""
        analysis, text = document.analysis, document.text
        if analysis is None:
            return None
        return self.find_out(name, lambda: find(analysis, text), take)


def model_for(analysis: Analysis, text: str) -> SemanticModel:
    """A text with the stack of the analysis of an earlier one."""
    if analysis.template.text == text:
        return analysis
    return PlainSemanticModel.like(analysis, parse_template(text, analysis.template))


def owner_of(analysis: Analysis | None) -> Analysis | None:
    """The template that an environment is checked with; None if the text is no environment, or not analyzed yet."""
    return analysis.owner if isinstance(analysis, EnvironmentAnalysis) else None


def owner_search(session: Session, document: Document) -> Callable[[SemanticModel, int], tuple[Owner, ...]]:
    """What finds the templates that nest this one, where they may name what is at an offset; for another thread."""
    path = document.path
    texts = {one.path: one.text for one in session.documents if one.path is not None}
    known = {place: one.environments for one in session.documents if (place := one.path) is not None}

    def find(model: SemanticModel, offset: int) -> tuple[Owner, ...]:
        if path is None or not is_seen_outside(model, offset):
            return ()
        files = (Path(name) for name in session.files_near(path))
        candidates = dict.fromkeys((*texts, *files))
        environments_of = session.settings.environments_of
        return tuple(load_owners(path, candidates, lambda file: known.get(file) or environments_of(file), texts))

    return find
