"""Open, save and close documents, with the necessary questions."""

import json
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import QObject, QTimer, Signal

from heatstudio.assets import resource_path
from heatstudio.text import DocumentError, FileDocument, Severity, Span, counted, real_path, save_document
from heatstudio.ui.commands.preview_baselines import FILE_FILTER, BaselineController
from heatstudio.ui.documents.document import LONG_LINE, Document, read_formatted
from heatstudio.ui.tasks.jobs import no_op
from heatstudio.ui.widgets.banner import Banner
from heatstudio.ui.widgets.dialogs import ask
from heatstudio.ui.workspace.session import Session, Then

_BEGINNING = "heat_template_version: 2021-04-16\n\nresources:\n  "
_AT_ONCE = 8
"""The number of files that are opened in one turn of the event loop."""
_LEFT_TO_THE_USER = frozenset(("changed-on-disk", "no-permission"))
SAMPLE = ("samples", "web-server.yaml")


def sample_text() -> str:
    """Return the text of the sample template."""
    return resource_path(*SAMPLE).read_text(encoding="utf-8")


class FileCommands(QObject):
    """The file commands of the window; errors are shown in the banner.

    Dialog classes are accessed on demand, as PySide creates all enums of a class at its first access.
    """

    reloaded = Signal(object)
    begun = Signal(object)
    """The position of the first resource in a new template, as a span."""
    opening = Signal(bool)
    """Whether many files are being opened; emitted at the beginning and at the end."""
    saving = Signal(object)
    """A document whose text is about to be saved."""
    compared = Signal()
    """Emitted when two texts of a document are to be shown side by side."""

    def __init__(self, session: Session, banner: Banner, window: QtWidgets.QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._banner = banner
        self._window = window
        self.baselines = BaselineController(session, banner, window)
        session.changed_on_disk.connect(self._announce_change)

    def command_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the file commands."""
        session = self._session
        return {
            "new": self.new,
            "open": self.ask_and_open,
            "open-sample": self.open_sample,
            "save-as": lambda: self.save(session.current, ask=True),
            "save-utf8": lambda: self.save_with_utf8(session.current),
            "save-all": self.save_all,
            "open-folder": self.ask_folder,
            "reload": lambda: self.reload(session.current),
            "export-preview": lambda: self.export_plan(session.current),
        }

    def new(self) -> None:
        """Create a template."""
        self._session.begin(_BEGINNING)
        self.begun.emit(Span(len(_BEGINNING), len(_BEGINNING)))

    def open_sample(self) -> None:
        """Show the open sample template, or open an unsaved copy of it."""
        places = {None, resource_path(*SAMPLE)}
        found = (one for one in self._session.documents if one.title == SAMPLE[-1] and one.path in places)
        known = next(found, None)
        if known is None:
            self._session.begin(sample_text(), SAMPLE[-1])
        else:
            self._session.make_current(known)

    def ask_and_open(self) -> None:
        """Ask for files and open them."""
        current = self._session.current
        folder = str(current.path.parent) if current and current.path else ""
        names, _ = QtWidgets.QFileDialog.getOpenFileNames(self._window, "Open templates", folder, FILE_FILTER)
        self.open(names)

    def open(
        self,
        names: Iterable[str],
        then: Then = no_op,
        after: Callable[[], object] = no_op,
        *,
        ignored: Container[str] = (),
    ) -> None:
        """Open files, and call `then` with each, and `after` at the end; a folder becomes the open folder.

        The banner shows all errors, except those with an ignored code.
        """
        errors: list[str] = []

        def fail(path: Path, error: DocumentError) -> None:
            if error.code == "directory":
                self._open_folder(path)
            elif error.code == LONG_LINE:
                show, tell = partial(self._show_formatted, path), lambda _: self._show_error(error)
                self._session.disk.run(f"Formatting {path.name}", partial(read_formatted, path), show, tell)
            elif error.code not in ignored:
                errors.append(error.message)

        def end(_: object) -> None:
            if errors:
                self._banner.say("\n".join(errors), stays=True, severity=Severity.ERROR)
            after()

        def open_file(path: Path, is_behind: bool) -> None:
            self._session.open(path, partial(self._take_opened, then), partial(fail, path), behind=is_behind)

        self._open_all(list(map(Path, names)), open_file, end)

    def _open_all(
        self, paths: Sequence[Path], open_file: Callable[[Path, bool], object], end: Callable[[object], object]
    ) -> None:
        """Open files, those after the first ones behind them and in later turns, as they would block the window."""
        job = self._session.jobs.begin(f"Opening {counted(len(paths), 'file')}")

        def open_some(start: int, stop: int) -> None:
            for number, path in enumerate(paths[start:stop], start):
                open_file(path, _AT_ONCE <= number < len(paths) - 1)
            job.steps = stop, len(paths)
            if stop < len(paths) and not job.is_stopped:
                QTimer.singleShot(0, self, lambda: open_some(stop, stop + 1))
                return
            self._session.jobs.end(job)
            self.opening.emit(False)
            self._session.disk.run("", no_op, end)

        self.opening.emit(len(paths) > _AT_ONCE)
        open_some(0, _AT_ONCE)

    def _show_formatted(self, path: Path, text: str) -> None:
        self._session.show(text, f"{path.stem}.formatted{path.suffix}")
        self._banner.say(f"{path.name} has a line that is too long for an editor. Save this formatted copy to edit it.")

    def _take_opened(self, then: Then, document: Document) -> None:
        if document.is_large:
            self._announce_size(document)
        if not document.is_utf8:
            self._announce_encoding(document)
        if document.path is not None:
            self._session.settings.add_recent_file(str(document.path))
        then(document)

    def _announce_size(self, document: Document) -> None:
        lines = document.text.count("\n") + 1
        self._banner.say(
            f"{document.title} has {lines:,} lines. Completion and checks while typing are off. "
            "By default, Heat rejects templates larger than 512 KiB.",
            ("Check Once", self._session.check),
        )

    def _announce_encoding(self, document: Document) -> None:
        self._banner.say(
            f"{document.title} is {document.encoding_word}. Heat reads templates as UTF-8.",
            ("Save with UTF-8", lambda: self.save_with_utf8(document)),
            about=(document,),
        )

    def save_with_utf8(self, document: Document | None, path: Path | None = None) -> None:
        """Save a document as UTF-8, the encoding that Heat reads, in another file if a path is given."""
        if document is not None:
            document.use_utf8()
            if path is not None:
                self._write(document, path)
            else:
                self.save(document)

    def save(self, document: Document | None, ask: bool = False) -> None:
        """Save a document, asking for the file if it has none."""
        if document is None:
            return
        if document.path is not None and not ask:
            self._write(document, document.path)
            return
        suggested = str(document.path or Path.cwd() / document.title)
        name, _ = QtWidgets.QFileDialog.getSaveFileName(self._window, "Save As", suggested, FILE_FILTER)
        if name:
            self._session.disk.run("", partial(real_path, Path(name)), partial(self._save_as, document, Path(name)))

    def _save_as(self, document: Document, path: Path, real: Path) -> None:
        other = self._session.document_at(path, real)
        if other is not None and other is not document:
            self._announce_tab(document, path, other)
        else:
            self._write(document, path)

    def _announce_tab(self, document: Document, path: Path, other: Document) -> None:
        """Report that the file is open in another tab; two tabs of one file would overwrite each other."""
        self._session.make_current(document)
        unsaved = " with unsaved changes" if other.modified else ""
        self._banner.say(
            f"{document.title} was not saved: {path.name} is open in another tab{unsaved}.",
            ("Close Other Tab and Save", lambda: self._replace(document, path, other)),
            ("Save As…", lambda: self.save(document, ask=True)),
            about=(document,),
        )

    def _replace(self, document: Document, path: Path, other: Document) -> None:
        if other in self._session.documents:
            self.close(other, partial(self._write, document, path))
        else:
            self._write(document, path)

    def _write(self, document: Document, path: Path) -> None:
        def saved() -> None:
            self._settle(document)
            self._session.settings.add_recent_file(str(document.path))
            self._session.show_message(f"{document.title} is saved.")

        def fail(error: DocumentError) -> None:
            self._session.make_current(document)
            if error.code == "changed-on-disk":
                self._ask_which(document, f"{document.title} was not saved: the file was changed on disk.")
            else:
                self._tell_not_saved(document, path, error)

        if document in self._session.documents:  # it may be closed while a question is pending
            self.saving.emit(document)
            self._session.save(document, path, saved, fail)

    def _tell_not_saved(self, document: Document, path: Path, error: DocumentError) -> None:
        """Report why a document was not saved, with buttons that stay until one of them is pressed."""
        own = {
            "missing": ("Create Folder", lambda: self._write_into_new_folder(document, path)),
            "not-in-encoding": ("Save with UTF-8", lambda: self.save_with_utf8(document, path)),
        }
        self._banner.say(
            error.message,
            *([own[error.code]] if error.code in own else []),
            ("Save As…", lambda: self.save(document, ask=True)),
            ("Try Again", lambda: self._write(document, path)),
            about=(document,),
        )

    def _write_into_new_folder(self, document: Document, path: Path) -> None:
        def make() -> None:
            with suppress(OSError):  # `_write` reports the reason
                path.parent.mkdir(parents=True, exist_ok=True)

        self._session.disk.run("", make, lambda _: self._write(document, path))

    def save_all(self) -> None:
        """Save every modified document, one in each turn of the event loop."""
        self._save_next(iter(self._session.documents))

    def _save_next(self, left: Iterator[Document]) -> None:
        for document in left:
            if document.modified and document in self._session.documents:
                self.save(document)
                QTimer.singleShot(0, self, lambda: self._save_next(left))
                return

    def autosave(self) -> None:
        """Save modified documents without questions; conflicts on disk and missing permissions are left to the user."""
        saved: list[Document] = []

        def settle(document: Document) -> None:
            self._settle(document)
            saved.append(document)

        def fail(document: Document, path: Path, error: DocumentError) -> None:
            if error.code not in _LEFT_TO_THE_USER:
                self._tell_not_saved(document, path, error)

        def tell(_: object) -> None:
            if saved:
                self._session.show_message(f"{counted(len(saved), 'file')} saved automatically.")

        for document in self._session.documents:
            path = document.path
            if path is None or document.stamp is None or document.is_read_only or not document.needs_saving:
                continue
            if not document.differs_from_disk:
                self.saving.emit(document)
                self._session.save(document, path, partial(settle, document), partial(fail, document, path))
        self._session.disk.run("", no_op, tell)

    def close(self, document: Document | None, then: Callable[[], object] = no_op) -> None:
        """Close a document, after a question if it is not saved, and call `then`."""

        def close() -> None:
            if document is not None:
                self._session.close(document)
                then()

        if document is not None:
            self.may_close([document], close)

    def may_close(self, documents: Iterable[Document], then: Callable[[], object]) -> None:
        """Call `then` when no changes would be lost, after a question about unsaved ones and after they are saved."""
        documents = list(documents)
        unsaved = [document for document in documents if document.needs_saving]
        awaited = [document for document in documents if document.is_being_written]
        if unsaved:
            answer = self._ask_to_save(unsaved)
            if answer == "Cancel":
                return
            if answer == "Save":
                awaited = list(dict.fromkeys((*awaited, *unsaved)))
                for document in unsaved:
                    self.save(document)
        self._when_saved(awaited, then)

    def _when_saved(self, documents: Sequence[Document], then: Callable[[], object]) -> None:
        """Call `then` when all documents are saved, unless one could not be saved."""
        if any(document.is_being_written for document in documents):
            self._session.disk.run("", no_op, lambda _: self._when_saved(documents, then))
        elif not any(document.needs_saving for document in documents if document in self._session.documents):
            then()

    def _ask_to_save(self, unsaved: Sequence[Document]) -> str:
        names = ", ".join(self._session.name_of(document) for document in unsaved)
        words = {"Save": "&Save", "Discard": "&Discard", "Cancel": "&Cancel"}
        return ask(
            self._window, "Unsaved changes", f"Save changes to {names}? They are lost if you discard them.", **words
        )

    def reload(self, document: Document | None) -> None:
        """Load the text of the file, and discard unsaved changes."""
        if document is not None:
            self._session.reload(document, partial(self._take_reloaded, document), self._show_error)

    def _take_reloaded(self, document: Document) -> None:
        self._settle(document)
        self.reloaded.emit(document)

    def _show_error(self, error: DocumentError) -> None:
        self._banner.say(error.message, stays=True, severity=Severity.ERROR)

    def compare(self, document: Document) -> None:
        """Show the text of the file on disk beside that of the editor."""
        self._session.make_current(document)
        self.baselines.compare_with_disk(document)
        self.compared.emit()

    def export_plan(self, document: Document | None) -> None:
        """Ask for a file and write the update preview to it as JSON."""
        plan = document.state.plan if document is not None and document.state is not None else None
        if plan is None:
            return
        from heatstudio.update.plan.plan_text import plan_data

        name, _ = QtWidgets.QFileDialog.getSaveFileName(self._window, "Export preview", "preview.json", "JSON (*.json)")
        if name:
            text = json.dumps(plan_data(plan), indent=2, ensure_ascii=False) + "\n"
            write = partial(save_document, FileDocument(text, Path(name)), overwrite=True)
            self._session.disk.run(f"Saving {Path(name).name}", write, no_op, self._show_error)

    def ask_environments(self, document: Document) -> list[Path]:
        """Ask for environment files of a document."""
        folder = str(document.path.parent) if document.path else ""
        names, _ = QtWidgets.QFileDialog.getOpenFileNames(self._window, "Add environment files", folder, FILE_FILTER)
        return list(map(Path, names))

    def ask_folder(self) -> None:
        """Ask for a folder and open it."""
        name = QtWidgets.QFileDialog.getExistingDirectory(self._window, "Open folder")
        if name:
            self._open_folder(Path(name))

    def _open_folder(self, folder: Path) -> None:
        self._session.open_folder(folder)
        self._session.show_message(f"The folder {folder.absolute().name} is open. Ctrl+P finds its files.")

    def _announce_change(self, document: Document) -> None:
        if document.is_gone:
            self._banner.say(
                f"{document.title} was deleted or renamed on disk. The text is still open here.",
                ("Save Again", lambda: self.save(document)),
                ("Close", lambda: self.close(document)),
                about=(document,),
            )
        elif not document.differs_from_disk:  # the file is restored
            self._banner.forget(document)
        elif document.modified:
            self._ask_which(document, f"{document.title} was changed both on disk and in the editor.")
        else:
            self.reload(document)
            self._banner.say(f"{document.title} was changed on disk and reloaded.")

    def _ask_which(self, document: Document, sentence: str) -> None:
        """Ask which version to keep; both are kept until the question is answered."""
        self._banner.say(
            sentence,
            ("Use File on Disk", lambda: self.reload(document)),
            ("Keep Mine", lambda: self._keep_mine(document)),
            ("Compare", lambda: self._compare_and_ask(document)),
            about=(document,),
        )

    def _compare_and_ask(self, document: Document) -> None:
        self.compare(document)
        self._ask_which(document, f"Compare both versions of {document.title}. Which one do you want to keep?")

    def _keep_mine(self, document: Document) -> None:
        def settle() -> None:
            self._settle(document)
            self._session.show_message(f"Kept your version of {document.title}. Save to overwrite the file on disk.")

        self._session.reload(document, settle, self._show_error, keep_mine=True)

    def _settle(self, document: Document) -> None:
        """Drop the question about a conflict with the file, and the comparison with it."""
        self._banner.forget(document)
        self.baselines.leave_disk(document)
