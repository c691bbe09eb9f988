"""Query the current text with the last analysis of its stack, in a thread."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from heatstudio.analysis import Analysis, EnvironmentAnalysis
from heatstudio.analysis.assist import (
    Completion,
    SemanticModel,
    StoredSemanticModel,
    complete,
    complete_environment,
    environment_hover,
    hover,
    is_seen_outside,
)
from heatstudio.service.engine import Engine
from heatstudio.stack.parent_templates import ParentTemplate, load_parents
from heatstudio.template import parse_template
from heatstudio.text.markup import Html
from heatstudio.ui.documents.document import Document
from heatstudio.ui.tasks.jobs import Finish, Job
from heatstudio.ui.workspace.session import Session

NOT_READ_YET = "The template is still being read. Try again in a moment."
CHANGED_MEANWHILE = "The text changed in the meantime. Try again."
_Found = TypeVar("_Found")


class QueryController(QObject):
    """Queries in threads, so that typing is not blocked; outdated answers are dropped."""

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

    def explain(self, document: Document, offset: int, take: Callable[[Html], object]) -> None:
        """Request the hover text at an offset, empty if there is none; earlier requests are canceled."""
        if self._explaining is not None:
            self._explaining.stop()

        def find(analysis: Analysis, text: str) -> Html:
            owner = owner_of(analysis)
            if owner is not None:
                found = environment_hover(owner, text, offset)
            else:
                found = hover(model_for(analysis, text), offset)
            return Html.popup(found.title, found.lines) if found is not None else Html("")

        self._explaining = self._start(document, "Loading the hover text", find, take)
        if self._explaining is None:
            take(Html(""))

    def about(
        self, document: Document, name: str, find: Callable[[SemanticModel], _Found], take: Callable[[_Found], object]
    ) -> None:
        """Query the text of a document; call `take` with the answer unless the text has changed, which is reported."""
        self._tell(document, name, lambda analysis, text: find(model_for(analysis, text)), take)

    def about_environment(
        self, document: Document, name: str, find: Callable[[Analysis, str], _Found], take: Callable[[_Found], object]
    ) -> None:
        """Query an environment like `about`; `find` gets the analysis of its template, and the environment's text."""
        self._tell(document, name, lambda analysis, text: find(owner_of(analysis) or analysis, text), take)

    def quietly(
        self, document: Document, name: str, find: Callable[[SemanticModel], _Found], take: Callable[[_Found], object]
    ) -> Job | None:
        """Query a text automatically, without messages; return None if the text is not analyzed yet."""
        return self._start(document, name, lambda analysis, text: find(model_for(analysis, text)), take)

    def find_out(self, name: str, find: Callable[[], _Found], take: Callable[[_Found], object]) -> Job:
        """Run a query in a thread; `take` is not called if the job is stopped."""

        def work(_engine: Engine, _job: Job) -> Finish:
            found = find()
            return lambda: take(found)

        return self._session.run(name, work)

    def _tell(
        self, document: Document, name: str, find: Callable[[Analysis, str], _Found], take: Callable[[_Found], object]
    ) -> None:
        """Query the current text; report if it is not analyzed yet, or changes before the answer."""

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
        """Query the current text; return None before its first analysis."""
        analysis, text = document.analysis, document.text
        if analysis is None:
            return None
        return self.find_out(name, lambda: find(analysis, text), take)


def model_for(analysis: Analysis, text: str) -> SemanticModel:
    """Return a model of a text with the stack from the analysis of an earlier text."""
    if analysis.template.text == text:
        return analysis
    return StoredSemanticModel.like(analysis, parse_template(text, analysis.template))


def owner_of(analysis: Analysis | None) -> Analysis | None:
    """Return the template with which an environment is checked; None if the text is no environment or not analyzed."""
    return analysis.owner if isinstance(analysis, EnvironmentAnalysis) else None


def owner_search(session: Session, document: Document) -> Callable[[SemanticModel, int], tuple[ParentTemplate, ...]]:
    """Return a function for threads that finds the parent templates which may refer to the name at an offset."""
    path = document.path
    texts = {one.path: one.text for one in session.documents if one.path is not None}
    known = {place: one.environments for one in session.documents if (place := one.path) is not None}

    def find(model: SemanticModel, offset: int) -> tuple[ParentTemplate, ...]:
        if path is None or not is_seen_outside(model, offset):
            return ()
        files = (Path(name) for name in session.files_near(path))
        candidates = dict.fromkeys((*texts, *files))
        environments_of = session.settings.environments_of
        return tuple(load_parents(path, candidates, lambda file: known.get(file) or environments_of(file), texts))

    return find
