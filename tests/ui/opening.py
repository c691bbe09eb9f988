"""Opening of files in tests, in which the window waits for the disk."""

from __future__ import annotations

from pathlib import Path

from heatstudio.ui.documents.document import Document
from heatstudio.ui.workspace.session import Session


def opened_document(session: Session, path: Path) -> Document:
    """Open a file and return its document."""
    found: list[Document] = []
    session.open(path, found.append)
    return found[0]
