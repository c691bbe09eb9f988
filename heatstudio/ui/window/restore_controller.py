"""Restoring of unsaved changes after a crash."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from heatstudio.text import DocumentError, read_text
from heatstudio.ui.commands.files import FileCommands
from heatstudio.ui.documents.document import Document
from heatstudio.ui.widgets.banner import Banner
from heatstudio.ui.workspace.recovery import TextBackup
from heatstudio.ui.workspace.session import Session


class RestoreController:
    """A controller that restores texts and leaves the files unchanged."""

    def __init__(self, session: Session, files: FileCommands, banner: Banner) -> None:
        self._session = session
        self._files = files
        self._banner = banner

    def open(self, unsaved: Sequence[TextBackup]) -> list[Document]:
        """Open the texts, the newest first, except those that were saved after all."""
        return [self._restored(one) for one in unsaved if not _is_saved(one)]

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

    def _restored(self, one: TextBackup) -> Document:
        """Restore one text; if a newer text of the file is already restored, as a new document."""
        path = Path(one.path) if one.path else None
        if path is None:
            return self._session.new(one.text, one.title)
        if any(document.path == path and document.modified for document in self._session.documents):
            return self._session.new(one.text, f"{path.stem}-also-not-saved{path.suffix}")
        try:
            document = self._session.open(path)
        except DocumentError:
            return self._session.restore(one.text, path, one.stamp)
        document.change(one.text)
        self._files.reloaded.emit(document)
        if document.stamp != one.stamp:
            document.date_back(one.stamp)
        return document

    def _discard(self, documents: Sequence[Document]) -> None:
        for document in documents:
            if document.path is None or document.is_gone:
                self._session.close(document)
            else:
                self._files.reload(document)


def _is_saved(one: TextBackup) -> bool:
    """Return whether the file has the text, that is, whether the program ended right after saving."""
    try:
        return bool(one.path) and read_text(Path(one.path)) == one.text
    except DocumentError:
        return False


def _names(documents: Sequence[Document]) -> str:
    return ", ".join(document.title for document in documents)
