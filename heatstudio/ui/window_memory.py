"""What the window was like: its place and its panes, the open files, and where in them one was reading."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow

from heatstudio.ui.editor_area import EditorArea
from heatstudio.ui.files import Files
from heatstudio.ui.reading_place import NOWHERE
from heatstudio.ui.session import Session

_REST = 800
"""Milliseconds from a change to the settings: what a crash can take away."""


class WindowMemory(QObject):
    """Kept while one works, not only at the end: a crash ends no work properly."""

    def __init__(self, window: QMainWindow, session: Session, area: EditorArea, files: Files) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._area = area
        self._files = files
        self.has_shape = False
        """Whether the panes are where they were the last time."""
        self._soon = QTimer(self, singleShot=True, interval=_REST)
        self._soon.timeout.connect(self.keep)

    def restore_shape(self) -> None:
        """Puts the window and its panes where they were."""
        settings = self._session.settings
        if not settings.geometry.isEmpty():
            self._window.restoreGeometry(settings.geometry)
        self.has_shape = not settings.docks.isEmpty() and self._window.restoreState(settings.docks)

    def reopen(self) -> None:
        """Opens the files of the last session, and shows of each what was seen of it."""
        settings = self._session.settings
        places = settings.places
        self._files.open([name for name in settings.files if Path(name).exists()])
        shown = self._session.current
        for document in self._session.documents:
            self._area.go_back(document, places.get(str(document.path), NOWHERE))
            if str(document.path) == settings.current_file:
                shown = document
        self._session.make_current(shown)

    def follow(self) -> None:
        """Keeps everything from now on, a moment after each change."""
        session = self._session
        for change in (session.document_opened, session.document_closed, session.current_changed):
            change.connect(self.keep_soon)
        for dock in self._window.findChildren(QDockWidget):
            dock.visibilityChanged.connect(self.keep_soon)
            dock.dockLocationChanged.connect(self.keep_soon)
        self._area.caret_moved.connect(self.keep_soon)
        self._area.scrolled.connect(self.keep_soon)

    def keep(self) -> None:
        """Writes everything down."""
        self._soon.stop()
        settings, current = self._session.settings, self._session.current
        settings.geometry = self._window.saveGeometry()
        settings.docks = self._window.saveState()
        places = {str(document.path): place for document, place in self._area.places() if document.path}
        settings.files = list(places)
        settings.places = places
        settings.current_file = str(current.path) if current is not None and current.path else ""

    def keep_soon(self) -> None:
        """Writes everything down in a moment."""
        if not self._soon.isActive():
            self._soon.start()
