"""Opening, saving and closing, with the few questions that must be asked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from heatstudio.assets import resource_path
from heatstudio.text import Document as FileDocument
from heatstudio.text import DocumentError, save_document
from heatstudio.ui.banner import Banner
from heatstudio.ui.document import Document
from heatstudio.ui.old_sides import FILE_FILTER, OldSides
from heatstudio.ui.session import Session

if TYPE_CHECKING:  # recovery begins after the first paint
    from heatstudio.ui.recovery import Unsaved

SAMPLE = ("samples", "web-server.yaml")


class Files(QObject):
    """Talks to the disk for the window; what goes wrong is said in the banner.

    Dialogs are imported when they are wanted: Qt makes all enums of a class when it is first named.
    """

    reloaded = Signal(object)
    told = Signal(str)
    """What came of a command."""

    def __init__(self, session: Session, banner: Banner, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._banner = banner
        self._window = window
        self.old_sides = OldSides(session, banner, window)
        session.changed_on_disk.connect(self._tell_of_change)

    def new(self) -> None:
        """Begins a template."""
        self._session.begin("heat_template_version: 2021-04-16\n\nresources:\n")

    def open_sample(self) -> None:
        """Opens a copy of the sample template, which has no file yet."""
        self._session.begin(resource_path(*SAMPLE).read_text(encoding="utf-8"), SAMPLE[-1])

    def restore(self, unsaved: Sequence[Unsaved]) -> None:
        """Opens texts that were never saved because the program did not end properly, and says so."""
        restored, moved_on = [], []
        for one in unsaved:
            document = self._restored(one)
            restored.append(document)
            if one.path and document.modified_on_disk != one.modified:
                moved_on.append(document.title)
        if restored:
            names = ", ".join(document.title for document in restored)
            more = f" Another program changed {', '.join(moved_on)} meanwhile: compare." if moved_on else ""
            self._banner.say(
                f"Heat Studio did not end properly: what was not saved of {names} is here again.{more}",
                ("Keep", lambda: None),
                ("Compare with the file", lambda: self.old_sides.compare_with_disk(restored[-1])),
                ("Discard", lambda: self._discard(restored)),
            )

    def _restored(self, one: Unsaved) -> Document:
        try:
            document = self._session.open(Path(one.path)) if one.path else self._session.new(one.text, one.title)
        except DocumentError:
            document = self._session.new(one.text, one.title)
        document.change(one.text)
        self.reloaded.emit(document)
        return document

    def _discard(self, documents: Sequence[Document]) -> None:
        for document in documents:
            if document.path is None:
                self._session.close(document)
            else:
                self.reload(document)

    def ask_and_open(self) -> None:
        """Asks for files and opens them."""
        from PySide6.QtWidgets import QFileDialog

        current = self._session.current
        folder = str(current.path.parent) if current and current.path else ""
        names, _ = QFileDialog.getOpenFileNames(self._window, "Open templates", folder, FILE_FILTER)
        self.open(names)

    def open(self, names: Iterable[str]) -> None:
        """Opens files; those that cannot be read are named in the banner."""
        for name in names:
            try:
                document = self._session.open(Path(name))
                if document.is_large:
                    self._tell_of_size(document)
                self._session.settings.add_recent_file(str(Path(name).absolute()))
            except DocumentError as error:
                self._banner.say(error.message)

    def _tell_of_size(self, document: Document) -> None:
        lines = document.text.count("\n") + 1
        self._banner.say(
            f"{document.title} has {lines:,} lines: it is not checked while you type, and nothing is proposed. "
            "Heat takes 512 KiB of a template unless it is told otherwise.",
            ("Check it once", self._session.check),
        )

    def save(self, document: Document | None, ask: bool = False) -> bool:
        """Saves a document, asking for the file if it has none; tells whether it is saved."""
        if document is None:
            return False
        path = document.path
        if path is None or ask:
            from PySide6.QtWidgets import QFileDialog

            suggested = str(path or Path.cwd() / document.title)
            name, _ = QFileDialog.getSaveFileName(self._window, "Save the template", suggested, FILE_FILTER)
            if not name:
                return False
            path = Path(name)
        return self._write(document, path, overwrite=False)

    def _write(self, document: Document, path: Path, *, overwrite: bool) -> bool:
        try:
            self._session.save(document, path, overwrite=overwrite)
        except DocumentError as error:
            if error.code == "changed-on-disk":
                self._banner.say(
                    error.message,
                    ("Save mine anyway", lambda: self._write(document, path, overwrite=True)),
                    ("Compare", lambda: self.old_sides.compare_with_disk(document)),
                    ("Reload", lambda: self.reload(document)),
                )
            else:
                self._banner.say(error.message)
            return False
        self._session.settings.add_recent_file(str(path.absolute()))
        self.told.emit(f"{document.title} is saved.")
        return True

    def save_all(self) -> bool:
        """Saves every modified document; tells whether all are saved."""
        saved = [self.save(document) for document in self._session.documents if document.modified]
        return all(saved)

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
        except DocumentError as error:
            self._banner.say(error.message)
            return
        self.reloaded.emit(document)

    def export_plan(self, document: Document | None) -> None:
        """Asks for a file and writes the update preview to it, as JSON."""
        if document is None or document.plan is None:
            return
        from PySide6.QtWidgets import QFileDialog

        from heatstudio.stack.update.plan_text import plan_data

        name, _ = QFileDialog.getSaveFileName(self._window, "Export the preview", "preview.json", "JSON (*.json)")
        if name:
            text = json.dumps(plan_data(document.plan), indent=2, ensure_ascii=False) + "\n"
            try:
                save_document(FileDocument(text, Path(name)), overwrite=True)
            except DocumentError as error:
                self._banner.say(error.message)

    def ask_environments(self, document: Document) -> list[Path]:
        """Asks for environment files of a document."""
        from PySide6.QtWidgets import QFileDialog

        folder = str(document.path.parent) if document.path else ""
        names, _ = QFileDialog.getOpenFileNames(self._window, "Add environment files", folder, FILE_FILTER)
        return list(map(Path, names))

    def ask_folder(self) -> None:
        """Asks for the folder that templates may refer into."""
        from PySide6.QtWidgets import QFileDialog

        name = QFileDialog.getExistingDirectory(self._window, "Open a folder of templates")
        if name:
            self._session.open_folder(Path(name))

    def _keep_mine(self, document: Document) -> None:
        try:
            document.keep_mine()
        except DocumentError as error:
            self._banner.say(error.message)

    def _tell_of_change(self, document: Document) -> None:
        if document.is_gone:
            self._banner.say(
                f"{document.title} was removed or renamed by another program; the text is kept here.",
                ("Save it again", lambda: self._save_again(document)),
                ("Close", lambda: self.close(document)),
            )
            return
        if not document.modified:
            self.reload(document)
            self._banner.say(f"{document.title} was changed by another program and read again.")
            return
        self._banner.say(
            f"{document.title} was changed by another program, and here too.",
            ("Take the file's text", lambda: self.reload(document)),
            ("Keep mine", lambda: self._keep_mine(document)),
            ("Compare", lambda: self.old_sides.compare_with_disk(document)),
        )

    def _save_again(self, document: Document) -> None:
        if document.path is not None:
            self._write(document, document.path, overwrite=True)
