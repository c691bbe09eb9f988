"""The number on the program's icon in the taskbar, where the desktop shows one."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication

from heatstudio.text import Severity
from heatstudio.ui.documents.document import Document
from heatstudio.ui.workspace.session import Session


def errors_of(document: Document | None) -> int:
    """How many errors a document has, as far as it was checked."""
    found = document.problems if document is not None else None
    return sum(one.severity is Severity.ERROR for one in found or ())


def set_badge(session: Session) -> None:
    """Shows the errors of the current document from now on; none is no badge, and warnings never are one."""

    def show(_changed: object) -> None:
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.setBadgeNumber(errors_of(session.current))

    session.current_changed.connect(show)
    session.analysis_changed.connect(show)
    session.summarized.connect(show)
