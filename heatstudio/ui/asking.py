"""Asking about a text as it is now, with what the last analysis knows of its stack: by a thread that may wait."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from heatstudio.ui.document import Document
from heatstudio.ui.jobs import Finish, Job
from heatstudio.ui.session import Session

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis import Analysis
    from heatstudio.analysis.assistance import Completion, Desk
    from heatstudio.ui.engine import Engine

NOT_READ_YET = "The template is not read yet."
CHANGED_MEANWHILE = "The text was changed meanwhile: ask again."
_Found = TypeVar("_Found")


class Asking(QObject):
    """No key waits for an answer; one that comes too late is not shown."""

    told = Signal(str)
    """A sentence for the status bar."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._completing: Job | None = None

    def complete(
        self, document: Document, offset: int, explicit: bool, take: Callable[[Sequence[Completion]], object]
    ) -> None:
        """Has proposals found; those that were asked for before are not wanted any more."""
        if self._completing is not None:
            self._completing.stop()
        analysis, text = document.analysis, document.text
        own_name = document.path.name if document.path is not None else ""
        if analysis is None:
            take(())
            return

        def work(_engine: Engine, _job: Job) -> Finish:
            found = _completions(analysis, text, offset, explicit, own_name)
            return lambda: take(found)

        self._completing = self._session.run("Looking for proposals", work)

    def about(
        self, document: Document, name: str, find: Callable[[Desk], _Found], take: Callable[[_Found], object]
    ) -> None:
        """Has something found out about a text; nothing is taken of it where the text is another one by then."""
        analysis, text = document.analysis, document.text
        if analysis is None:
            self.told.emit(NOT_READ_YET)
            return

        def show(found: _Found) -> None:
            if document not in self._session.documents or document.text != text:
                self.told.emit(CHANGED_MEANWHILE)
            else:
                take(found)

        def work(_engine: Engine, _job: Job) -> Finish:
            found = find(desk_for(analysis, text))
            return lambda: show(found)

        self._session.run(name, work)


def desk_of(document: Document) -> Desk | None:
    """The text as it is now with the stack of the last analysis; None before the first one."""
    return desk_for(document.analysis, document.text) if document.analysis is not None else None


def desk_for(analysis: Analysis, text: str) -> Desk:
    """A text with the stack of the analysis of an earlier one."""
    if analysis.template.text == text:
        return analysis
    from heatstudio.analysis.assistance import PlainDesk
    from heatstudio.template import parse_template

    return PlainDesk.like(analysis, parse_template(text, analysis.template))


def owner_of(document: Document) -> Analysis | None:
    """The template that an environment is checked with; None if the document is no environment."""
    return _owner(document.analysis)


def _owner(analysis: Analysis | None) -> Analysis | None:
    from heatstudio.analysis import EnvironmentAnalysis

    return analysis.owner if isinstance(analysis, EnvironmentAnalysis) else None


def _completions(analysis: Analysis, text: str, offset: int, explicit: bool, own_name: str) -> Sequence[Completion]:
    from heatstudio.analysis.assistance import complete, complete_environment

    owner = _owner(analysis)
    if owner is not None:
        return complete_environment(owner, text, offset)
    return complete(desk_for(analysis, text), offset, explicit, own_name)
