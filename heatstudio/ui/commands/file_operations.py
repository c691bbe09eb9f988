"""Create, rename and delete files of the open folder, and update their tabs."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from stat import S_IFDIR

from PySide6.QtCore import QFile, QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QWidget

from heatstudio.text import DocumentError, is_file, real_path
from heatstudio.ui.commands.files import FileCommands
from heatstudio.ui.tasks.disk import make_new
from heatstudio.ui.tasks.jobs import no_op
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
        self._create(beside, name, lambda path: path.open("x").close(), lambda path: self._files.open([str(path)]))

    def create_folder(self, beside: Path, name: str) -> None:
        """Create a folder in a folder, or next to a file."""
        self._create(beside, name, Path.mkdir, no_op)

    def rename(self, path: Path, name: str) -> None:
        """Rename a file or folder; tabs keep their texts, and templates keep their environments."""
        session, new = self._session, path.parent / name
        if name == path.name or not self._is_free(new, name):
            return
        moved = {one: one.path for one in session.documents if one.path is not None and one.path.is_relative_to(path)}
        if any(document.is_being_written for document in moved):
            session.disk.run("", no_op, lambda _: self.rename(path, name))
            return
        paths = [new / file.relative_to(path) for file in moved.values()]

        def work() -> dict[Path, Path]:
            make_new(new, partial(path.rename, new))
            return {file: real_path(file) for file in paths}

        def end(finish: Callable[[], object]) -> None:
            for document in moved:
                document.is_being_renamed = False
            finish()

        for document in moved:
            document.is_being_renamed = True  # saving waits for the new name
        session.disk.run(
            f"Renaming {path.name}",
            work,
            lambda real_paths: end(partial(session.follow_rename, path, new, real_paths)),
            lambda error: end(partial(self._refuse, name, error)),
        )
        session.check_disk()

    def _create(self, beside: Path, name: str, make: Callable[[Path], object], then: Callable[[Path], object]) -> None:
        disk = self._session.disk

        def create(folder: Path) -> None:
            path = folder / name
            if self._is_free(path, name):
                work = partial(make_new, path, partial(make, path))
                disk.run(f"Creating {name}", work, lambda _: then(path), partial(self._refuse, name))
                self._session.check_disk()

        disk.run(f"Creating {name}", partial(_inside, beside), create)

    def _is_free(self, path: Path, name: str) -> bool:
        """Return whether a name is valid and no open tab has it; otherwise report the error."""
        reason = ""
        if name in ("", ".", "..") or any(sign in name for sign in ("/", os.sep, "\0")):
            reason = "not a valid file name."
        elif self._session.document_at(path) is not None:
            reason = "an open tab already has this name."
        if reason:
            self._refuse(name, DocumentError("bad-name", reason))
        return not reason

    def _refuse(self, name: str, error: DocumentError) -> None:
        self._banner.say(f"Cannot use the name “{name}”: {error.message}", stays=True)

    def ask_and_delete(self, path: Path) -> None:
        """Move a file or folder to the trash after a confirmation; open texts stay in their tabs, unsaved."""
        if path == self._session.root:
            return
        if ask(self._window, "Delete", f"Move {path.name} to the trash?", Cancel="&Cancel", Yes="&Move") != "Yes":
            return

        name, announce = f"Moving {path.name} to the trash", partial(self._announce_deletion, path)
        self._session.disk.run(name, QFile(str(path)).moveToTrash, announce)

    def _announce_deletion(self, path: Path, is_done: bool) -> None:
        if not is_done:
            self._banner.say(f"{path.name} was not deleted: the trash is not available for this location.", stays=True)
        self._session.check_disk()

    def _reveal(self, path: Path) -> None:
        def show(folder: Path) -> None:
            if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
                self._banner.say("No file manager found.")

        self._session.disk.run(f"Opening {path.name}", partial(_inside, path), show)

    def _ask_name(self, title: str, take: Callable[[Path, str], object], path: Path) -> None:
        is_rename = take == self.rename
        if is_rename and path == self._session.root:
            return
        text, accept = (path.name, "Rename") if is_rename else ("", "Create")
        ask_text(self._window, title, "Name:", partial(take, path), text=text, accept=accept)


def _inside(path: Path) -> Path:
    """Return a folder itself, or the folder of a file or symbolic link (in the thread of the disk)."""
    return path if is_file(path, S_IFDIR) and not path.is_symlink() else path.parent
