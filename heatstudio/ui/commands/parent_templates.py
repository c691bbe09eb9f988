"""The templates that nest a document's template: looked for when somebody asks about its names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from heatstudio.analysis.assist import SemanticModel, is_seen_outside
from heatstudio.stack.load_owners import Owner, load_owners
from heatstudio.ui.documents.document import Document
from heatstudio.ui.workspace.session import Session

FindOwners = Callable[["SemanticModel", int], tuple["Owner", ...]]


def owner_search(session: Session, document: Document) -> FindOwners:
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
