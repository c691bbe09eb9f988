"""The scope of the problems pane: documents in tabs, and closed files of the open folder."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from heatstudio.service.diagnostic_summary import DiagnosticSummary
from heatstudio.text import Span
from heatstudio.ui.documents.document import Document, shown_names
from heatstudio.ui.problems.grouping import Places, Scope
from heatstudio.ui.workspace.folder_problems import FolderProblems
from heatstudio.ui.workspace.session import Session

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis.scope.finding import Diagnostic

Place = Document | Path
"""An open document, or the path of a closed file."""
MOST_LISTED = 5000
"""The maximum number of rows, as each is rebuilt after a change."""


class ListedText(NamedTuple):
    """A text whose problems are listed."""

    place: Place
    name: str
    problems: Sequence[Diagnostic | DiagnosticSummary] | None
    """The problems of the text; None before the first check."""
    lines: Places


def listed(session: Session, folder: FolderProblems, scope: Scope, current: Document | None) -> list[ListedText]:
    """Return the current document and, depending on the scope, others after it; files of a folder keep their order.

    A template's problem in an environment file is omitted if the environment is listed with the same problem.
    """
    texts = _texts(session, folder, scope, current)
    if not any(one.elsewhere for text in texts for one in text.problems or ()):
        return texts
    own = {_key(text.place, one) for text in texts for one in text.problems or () if one.elsewhere is None}
    return [_without(text, own) if any(one.elsewhere for one in text.problems or ()) else text for text in texts]


def _key(place: Place, one: Diagnostic | DiagnosticSummary) -> tuple[str, str, Span]:
    if one.elsewhere is not None:
        return one.elsewhere.file, one.code, one.elsewhere.span
    return str(place.path if isinstance(place, Document) else place), one.code, one.span


def _without(text: ListedText, own: AbstractSet[tuple[str, str, Span]]) -> ListedText:
    kept = tuple(one for one in text.problems or () if one.elsewhere is None or _key(text.place, one) not in own)
    return text._replace(problems=kept)


def _texts(session: Session, folder: FolderProblems, scope: Scope, current: Document | None) -> list[ListedText]:
    if scope is Scope.FOLDER:
        return _in_folder(session, folder, session.root) if session.root is not None else []
    if current is None:
        return []
    others = [one for one in session.documents if one is not current] if scope is Scope.OPEN else []
    names = shown_names(session.documents)
    return [_of(document, names.get(document, document.title)) for document in (current, *others)]


def _of(document: Document, name: str) -> ListedText:
    return ListedText(document, name, document.problems, document.problem_lines)


def _in_folder(session: Session, folder: FolderProblems, root: Path) -> list[ListedText]:
    documents = {one.path: one for one in session.documents if one.path is not None}
    found = []
    for path, name in folder.named:
        document, answer = documents.pop(path, None), folder.about(path)
        if answer is not None and answer.summaries and (document is None or document.problems is None):
            found.append(ListedText(document or path, name, answer.summaries, answer.lines))
        elif document is not None:
            found.append(_of(document, name))
    inside = (one for path, one in documents.items() if path.is_relative_to(root))
    return found + [_of(one, str(one.path.relative_to(root)) if one.path is not None else "") for one in inside]
