"""Create, rename and delete files of the open folder, and update their tabs."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QFile, QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QWidget

from heatstudio.ui.commands.files import FileCommands
from heatstudio.ui.widgets.banner import Banner
from heatstudio.ui.widgets.dialogs import ask, ask_text
from heatstudio.ui.workspace.session import Session


class FileOperations(QObject):
    """The file operations of the files pane; errors are shown in the banner."""

    def __init__(self, session: Session, files: FileCommands, banner: Banner, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._files, self._banner, self._window = session, files, banner, window
        self.commands: dict[str, Callable[[Path], object]] = {
            "New File…": partial(self._ask_name, "New file", self.create_file),
            "New Folder…": partial(self._ask_name, "New folder", self.create_folder),
            "Rename…\tF2": partial(self._ask_name, "Rename", self.rename),
            "Delete\tDel": self.ask_and_delete,
            "Reveal in File Manager": self._reveal,
            "Copy Path": lambda path: QApplication.clipboard().setText(str(path)),
        }

    def create_file(self, beside: Path, name: str) -> None:
        """Create an empty file in a folder, or next to a file, and open it."""
        path = _inside(beside) / name
        if self._try(path, name, lambda: path.open("x").close()):
            self._files.open([str(path)])

    def create_folder(self, beside: Path, name: str) -> None:
        """Create a folder in a folder, or next to a file."""
        path = _inside(beside) / name
        self._try(path, name, path.mkdir)

    def rename(self, path: Path, name: str) -> None:
        """Rename a file or folder; tabs keep their texts, and templates keep their environments."""
        new = path.parent / name

        def change() -> None:
            path.rename(new)
            self._session.follow_rename(path, new)

        if name != path.name:
            self._try(new, name, change)

    def _try(self, new: Path, name: str, change: Callable[[], object]) -> bool:
        """Make a change that needs an unused name, and return whether it was made; report an error in the banner."""
        reason = ""
        if name in ("", ".", "..") or any(sign in name for sign in ("/", os.sep, "\0")):
            reason = "not a valid file name."
        elif os.path.lexists(new) or self._session.document_at(new) is not None:
            reason = "a file, a folder or an open tab already has this name."
        else:
            try:
                change()
            except (OSError, ValueError) as error:
                reason = f"{getattr(error, 'strerror', None) or error}."
        if reason:
            self._banner.say(f"Cannot use the name “{name}”: {reason}", stays=True)
        self._session.check_disk()
        return not reason

    def ask_and_delete(self, path: Path) -> None:
        """Move a file or folder to the trash after a confirmation; open texts stay in their tabs, unsaved."""
        if path == self._session.root:
            return
        if ask(self._window, "Delete", f"Move {path.name} to the trash?", Cancel="&Cancel", Yes="&Move") != "Yes":
            return

        name, announce = f"Moving {path.name} to the trash", partial(self._announce_deletion, path)
        # In a thread, as the trash may be on another disk.
        self._session.jobs.start(name, lambda _job: QFile(str(path)).moveToTrash(), announce)

    def _announce_deletion(self, path: Path, is_done: bool) -> None:
        if not is_done:
            self._banner.say(f"{path.name} was not deleted: the trash is not available for this location.", stays=True)
        self._session.check_disk()

    def _reveal(self, path: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(_inside(path)))):
            self._banner.say("No file manager found.")

    def _ask_name(self, title: str, take: Callable[[Path, str], object], path: Path) -> None:
        is_rename = take == self.rename
        if is_rename and path == self._session.root:
            return
        ask_text(self._window, title, "Name:", partial(take, path), text=path.name if is_rename else "")


def _inside(path: Path) -> Path:
    """Return a folder itself, or the folder of a file or symbolic link."""
    return path if path.is_dir() and not path.is_symlink() else path.parent
