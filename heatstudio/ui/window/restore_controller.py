"""Restoring of unsaved changes after a crash."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from heatstudio.text import DocumentError, read_text
from heatstudio.ui.commands.files import FileCommands
from heatstudio.ui.documents.document import Document
from heatstudio.ui.tasks.jobs import no_op
from heatstudio.ui.widgets.banner import Banner
from heatstudio.ui.workspace.recovery import TextBackup
from heatstudio.ui.workspace.session import Session


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
