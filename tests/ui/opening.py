"""Opening of files in tests, in which the window waits for the disk."""

from __future__ import annotations

from pathlib import Path

from heatstudio.ui.documents.document import Document
from heatstudio.ui.workspace.session import Session
from heatstudio.update.plan.update_plan import UpdatePlan


def opened_document(session: Session, path: Path) -> Document:
    """Open a file and return its document."""
    found: list[Document] = []
    session.open(path, found.append)
    return found[0]


def plan_of(document: Document | None) -> UpdatePlan | None:
    """Return the last plan of a document; None until there is one."""
    return document.state.plan if document is not None and document.state is not None else None
