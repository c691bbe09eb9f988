"""The menu of a tab: closing it, or the others, and where its file lies."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QApplication, QMenu

from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.commands.files import Files
from heatstudio.ui.documents.document import Document
from heatstudio.ui.workspace.session import Session


class TabMenu(QObject):
    """Asks once about all that is not saved before it closes several documents."""

    def __init__(self, session: Session, area: EditorArea, files: Files) -> None:
        super().__init__(area)
        self._session = session
        self._area = area
        self._files = files
        area.tab_menu_requested.connect(self.show)

    def show(self, document: Document, point: QPoint) -> None:
        """Shows the menu of a document at a point of the screen."""
        menu = QMenu(self._area)
        menu.setAccessibleName(f"Actions for {document.title}")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        others = [one for one in self._session.documents if one is not document]
        menu.addAction("&Close", lambda: self._close([document]))
        menu.addAction("Close &Others", lambda: self._close(others)).setEnabled(bool(others))
        menu.addAction("Close &All", lambda: self._close(self._session.documents))
        menu.addSeparator()
        copy = menu.addAction("Copy &Path", lambda: QApplication.clipboard().setText(str(document.path)))
        copy.setEnabled(document.path is not None)
        menu.popup(point)

    def _close(self, documents: Sequence[Document]) -> None:
        if self._files.may_close(documents):
            for document in documents:
                self._session.close(document)
