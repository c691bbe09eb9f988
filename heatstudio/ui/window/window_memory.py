"""The saved state of the window: geometry, panes, open files and their view states, and texts after a crash."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

from heatstudio.text import DocumentError, read_text
from heatstudio.ui.commands.actions import SWITCHES
from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.commands.files import FileCommands
from heatstudio.ui.documents.document import Document
from heatstudio.ui.documents.settings import NOWHERE
from heatstudio.ui.editor.text.code_page import TEXT_SIZE
from heatstudio.ui.tasks.jobs import no_op
from heatstudio.ui.widgets.banner import Banner
from heatstudio.ui.widgets.dialogs import resize_within_screen
from heatstudio.ui.window.sides import Sides
from heatstudio.ui.workspace.session import Session

if TYPE_CHECKING:  # texts of a crash are read after the first paint
    from heatstudio.ui.workspace.recovery import TextBackup


class RestoreController:
    """A controller that restores texts and leaves the files unchanged."""

    def __init__(self, session: Session, files: FileCommands, banner: Banner) -> None:
        self._session = session
        self._files = files
        self._banner = banner

    def restore(self, unsaved: Sequence[TextBackup], then: Callable[[Sequence[Document]], object]) -> None:
        """Open the texts, the newest first, except those that were saved after all, and call `then` with them."""
        disk, restored = self._session.disk, list[Document]()
        for one in unsaved:
            if one.path:
                disk.run("", partial(_text_at, Path(one.path)), partial(self._restore_file, one, restored))
            else:
                restored.append(self._session.new(one.text, one.title))
        # All texts are read before the first of these tasks, which then lets all files be opened before the second.
        disk.run("", no_op, lambda _: disk.run("", no_op, lambda _: then(restored)))

    def tell(self, restored: Sequence[Document]) -> None:
        """Report the restored documents and the state of their files."""
        if not restored:
            return
        changed = [one for one in restored if one.differs_from_disk and not one.is_gone]
        gone = [one for one in restored if one.is_gone]
        sentences = [f"Restored unsaved changes to {_names(restored)} after an unexpected exit."]
        if changed:
            sentences.append(f"Changed on disk in the meantime: {_names(changed)}.")
        if gone:
            sentences.append(f"No file on disk for {_names(gone)}; saving creates the file again.")
        compared = [*changed, *(one for one in restored if one.path is not None and not one.is_gone)][:1]
        self._banner.say(
            " ".join(sentences),
            ("Keep", lambda: None),
            *(("Compare with File", partial(self._files.compare, one)) for one in compared),
            ("Discard", lambda: self._discard(restored)),
            about=restored,
        )

    def _restore_file(self, one: TextBackup, restored: list[Document], text: str | None) -> None:
        """Restore the text of a file; if a newer text of the file is already restored, as a new document."""
        path = Path(one.path)

        def show(document: Document) -> None:
            if document.modified:
                document = self._session.new(one.text, f"{path.stem}-also-not-saved{path.suffix}")
            else:
                document.change(one.text)
                self._files.reloaded.emit(document)
                if document.stamp != one.stamp:
                    document.date_back(one.stamp)
            restored.append(document)

        def fail(_: object) -> None:
            restored.append(self._session.restore(one.text, path, one.stamp))

        if text != one.text:
            self._session.open(path, show, fail)

    def _discard(self, documents: Sequence[Document]) -> None:
        for document in documents:
            if document.path is None or document.is_gone:
                self._session.close(document)
            else:
                self._files.reload(document)


def _text_at(path: Path) -> str | None:
    """Return the text of a file, or None; if it is the backup, the program ended right after saving."""
    try:
        return read_text(path)
    except DocumentError:
        return None


def _names(documents: Sequence[Document]) -> str:
    return ", ".join(document.title for document in documents)


_FIRST_SIZE = (1280, 800)
_ROOMY = QSize(1366, 800)
"""The size of the work area below which the first window is maximized."""
_SAVE_DELAY = 800
"""Milliseconds from a change to its saving, which a crash may lose."""


class WindowMemory(QObject):
    """The persistent state of the window, also saved during work, as the program may crash."""

    def __init__(
        self, window: QMainWindow, session: Session, sides: Sides, area: EditorArea, files: FileCommands
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._sides = sides
        self._area = area
        self._files = files
        self._soon = QTimer(self, singleShot=True, interval=_SAVE_DELAY)
        self._soon.timeout.connect(self.keep)

    def restore_shape(self) -> None:
        """Restore the geometry of the window and its panes; the first time, the window fits on the screen."""
        settings = self._session.settings
        self._area.use_font(settings.text_size or TEXT_SIZE, settings.text_family)
        for name, usually in SWITCHES.items():
            if settings.is_on(name, usually=usually) != usually:
                self._area.switch(name, not usually)
        if not settings.geometry.isEmpty():
            self._window.restoreGeometry(settings.geometry)
        else:
            resize_within_screen(self._window, *_FIRST_SIZE)
        self._sides.restore(settings.layout)

    def show_window(self) -> None:
        """Show the window; on a small screen, the first one is maximized."""
        room = QGuiApplication.primaryScreen().availableSize()
        if self._session.settings.geometry.isEmpty() and room.boundedTo(_ROOMY) != _ROOMY:
            self._window.showMaximized()
        else:
            self._window.show()

    def reopen(self) -> None:
        """Open the files of the last session with their view states."""
        places = self._session.settings.places

        def go_back(document: Document) -> None:
            self._area.go_back(document, places.get(_key(document), NOWHERE))

        def end() -> None:
            self._show_current()
            self._area.groups.end_restoring()

        self._area.groups.restore(self._session.settings.groups)
        self._files.open(self._session.settings.files, go_back, end, ignored=("missing",))

    def restore(self, unsaved: Sequence[TextBackup]) -> None:
        """Restore unsaved changes after a crash with their view states."""
        restoring = RestoreController(self._session, self._files, self._area.banner)
        places = self._session.settings.places

        def show(restored: Sequence[Document]) -> None:
            for document in restored:
                self._area.go_back(document, places.get(_key(document), NOWHERE))
            if restored:
                self._show_current()
            restoring.tell(restored)

        restoring.restore(unsaved, show)

    def follow(self) -> None:
        """Save the state shortly after each change from now on."""
        session = self._session
        for change in (session.document_opened, session.document_closed, session.current_changed):
            change.connect(self.keep_soon)
        self._sides.changed.connect(self.keep_soon)
        self._area.groups.arranged.connect(self.keep_soon)
        self._area.turned.connect(self.keep_soon)
        self._area.font_changed.connect(self.keep_soon)
        self._area.follow(lambda pane: pane.editor.cursorPositionChanged, self.keep_soon)
        self._area.follow(lambda pane: pane.editor.verticalScrollBar().valueChanged, self.keep_soon)

    def keep(self) -> None:
        """Save the state."""
        self._soon.stop()
        settings = self._session.settings
        settings.text_size, settings.text_family = self._area.text_size, self._area.text_family
        settings.geometry = self._window.saveGeometry()
        settings.layout = asdict(self._sides.state)
        settings.groups = self._area.groups.state()
        shown = self._area.places()
        settings.files = [str(document.path) for document, _ in shown if document.path]
        settings.places = {_key(document): place for document, place in shown}
        self.keep_current()

    def keep_current(self) -> None:
        """Save which document is current, so that it stays current while others are restored."""
        current = self._session.current
        self._session.settings.current_file = _key(current) if current is not None else ""

    def keep_soon(self) -> None:
        """Save the state after the delay."""
        if not self._soon.isActive():
            self._soon.start()

    def _show_current(self) -> None:
        current = self._session.settings.current_file
        shown = (document for document in self._session.documents if _key(document) == current)
        self._session.make_current(next(shown, self._session.current))


def _key(document: Document) -> str:
    """Return the key of a document in the settings; one without a file is restored only after a crash."""
    return str(document.path or document.title)
