"""Opening, saving and closing, with the few questions that must be asked."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from heatstudio.assets import resource_path
from heatstudio.ui.banner import Banner
from heatstudio.ui.document import Baseline, Document
from heatstudio.ui.session import Session

SAMPLE = ("samples", "web-server.yaml")
_FILTER = "Heat templates (*.yaml *.yml *.json *.template *.env);;All files (*)"
_GIT_PATIENCE = 5000


class Files(QObject):
    """Talks to the disk for the window; what goes wrong is said in the banner.

    Dialogs are imported when they are wanted: Qt makes all enums of a class when it is first named.
    """

    reloaded = Signal(object)

    def __init__(self, session: Session, banner: Banner, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._banner = banner
        self._window = window
        session.changed_on_disk.connect(self._tell_of_change)

    def new(self) -> None:
        """Begins a template."""
        self._session.new("heat_template_version: 2021-04-16\n\nresources:\n")

    def open_sample(self) -> None:
        """Opens a copy of the sample template, which has no file yet."""
        self._session.new(resource_path(*SAMPLE).read_text(encoding="utf-8"))

    def ask_and_open(self) -> None:
        """Asks for files and opens them."""
        from PySide6.QtWidgets import QFileDialog

        current = self._session.current
        folder = str(current.path.parent) if current and current.path else ""
        names, _ = QFileDialog.getOpenFileNames(self._window, "Open templates", folder, _FILTER)
        self.open(names)

    def open(self, names: Iterable[str]) -> None:
        """Opens files; those that cannot be read are named in the banner."""
        for name in names:
            try:
                self._session.open(Path(name))
                self._session.settings.add_recent_file(str(Path(name).absolute()))
            except OSError as error:
                self._banner.say(f"{name} cannot be opened: {error.strerror or error}.")
            except UnicodeDecodeError:
                self._banner.say(f"{name} is not a text in UTF-8, so it is no template.")

    def save(self, document: Document | None, ask: bool = False) -> bool:
        """Saves a document, asking for the file if it has none; tells whether it is saved."""
        if document is None:
            return False
        path = document.path
        if path is None or ask:
            from PySide6.QtWidgets import QFileDialog

            suggested = str(path or Path.cwd() / document.title)
            name, _ = QFileDialog.getSaveFileName(self._window, "Save the template", suggested, _FILTER)
            if not name:
                return False
            path = Path(name)
        try:
            self._session.save(document, path)
        except OSError as error:
            self._banner.say(f"{path} cannot be saved: {error.strerror or error}.")
            return False
        self._session.settings.add_recent_file(str(path.absolute()))
        return True

    def save_all(self) -> bool:
        """Saves every modified document; tells whether all are saved."""
        return all(self.save(document) for document in self._session.documents if document.modified)

    def close(self, document: Document | None) -> bool:
        """Closes a document, after a question if it is not saved; tells whether it is closed."""
        if document is None or not self.may_close([document]):
            return False
        self._session.close(document)
        return True

    def may_close(self, documents: Iterable[Document]) -> bool:
        """Whether nothing would be lost, or the user agrees that it is."""
        unsaved = [document for document in documents if document.modified]
        if not unsaved:
            return True
        from PySide6.QtWidgets import QMessageBox

        buttons = QMessageBox.StandardButton
        names = ", ".join(document.title for document in unsaved)
        answer = QMessageBox.question(
            self._window,
            "Unsaved changes",
            f"Save the changes of {names}?",
            buttons.Save | buttons.Discard | buttons.Cancel,
            buttons.Save,
        )
        if answer == buttons.Save:
            return all(self.save(document) for document in unsaved)
        return bool(answer == buttons.Discard)

    def reload(self, document: Document | None) -> None:
        """Takes the text of the file, whatever was typed."""
        if document is None or document.path is None:
            return
        try:
            document.reload()
        except (OSError, UnicodeDecodeError) as error:
            self._banner.say(f"{document.title} cannot be read again: {error}.")
            return
        self.reloaded.emit(document)

    def compare_with_file(self, document: Document | None) -> None:
        """Asks for the old side of the update preview."""
        if document is None:
            return
        from PySide6.QtWidgets import QFileDialog

        name, _ = QFileDialog.getOpenFileName(self._window, "Compare with", "", _FILTER)
        if name:
            try:
                text = Path(name).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                self._banner.say(f"{name} cannot be read: {error}.")
                return
            self._session.set_baseline(document, Baseline(Path(name).name, text))

    def compare_with_git(self, document: Document | None) -> None:
        """Compares with what git has committed last; says so if git knows nothing of the file."""
        if document is None or document.path is None:
            self._banner.say("A template that was never saved has no commit to compare with.")
            return
        from PySide6.QtCore import QProcess

        git = QProcess(self)
        git.setWorkingDirectory(str(document.path.parent))
        git.start("git", ["show", f"HEAD:./{document.path.name}"])
        if git.waitForFinished(_GIT_PATIENCE) and git.exitCode() == 0:
            text = bytes(git.readAllStandardOutput().data()).decode("utf-8", "replace").replace("\r\n", "\n")
            self._session.set_baseline(document, Baseline("git HEAD", text))
        else:
            self._banner.say(f"git knows no committed version of {document.title}.")

    def _tell_of_change(self, document: Document) -> None:
        if not document.modified:
            self.reload(document)
            self._banner.say(f"{document.title} was changed by another program and read again.")
            return
        self._banner.say(
            f"{document.title} was changed by another program, and here too.",
            ("Take the file's text", lambda: self.reload(document)),
            ("Keep mine", lambda: None),
        )
