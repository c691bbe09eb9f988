"""Whose problems are listed: those of documents in tabs, and those of closed files in the opened folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from heatstudio.ui.document import Document
from heatstudio.ui.folder_problems import FolderProblems
from heatstudio.ui.problems.grouping import Places, Scope
from heatstudio.ui.session import Session
from heatstudio.ui.shown_names import shown_names
from heatstudio.ui.sight import Sight

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis.finding import Diagnostic

Place = Document | Path
"""An open document, or a file that is in no tab."""
MOST_LISTED = 5000
"""Rows of problems; more nobody reads, and each has to be made anew when something changes."""


class Listed(NamedTuple):
    """A text whose problems are listed."""

    place: Place
    name: str
    problems: Sequence[Diagnostic | Sight] | None
    """None before anybody looked."""
    lines: Places


def listed(session: Session, folder: FolderProblems, scope: Scope, current: Document | None) -> list[Listed]:
    """The current document and, as the scope says, others behind it; the files of a folder stay in their order."""
    if scope is Scope.FOLDER:
        return _in_folder(session, folder, session.root) if session.root is not None else []
    if current is None:
        return []
    others = [one for one in session.documents if one is not current] if scope is Scope.OPEN else []
    names = shown_names(session.documents)
    return [_of(document, names.get(document, document.title)) for document in (current, *others)]


def _of(document: Document, name: str) -> Listed:
    return Listed(document, name, document.problems, document.lines)


def _in_folder(session: Session, folder: FolderProblems, root: Path) -> list[Listed]:
    documents = {one.path: one for one in session.documents if one.path is not None}
    found = []
    for path, name in folder.named:
        document, answer = documents.pop(path, None), folder.about(path)
        if document is not None:
            found.append(_of(document, name))
        elif answer is not None and answer.sights:
            found.append(Listed(path, name, answer.sights, answer.lines))
    inside = (one for path, one in documents.items() if path.is_relative_to(root))
    return found + [_of(one, str(one.path.relative_to(root)) if one.path is not None else "") for one in inside]
