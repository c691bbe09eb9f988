"""Keeps what is not saved where a crash cannot reach it, and gives it back at the next start."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

from msgspec import Struct
from msgspec.structs import asdict
from PySide6.QtCore import QLockFile, QObject, QRunnable, QStandardPaths, QThreadPool, QTimer, Signal

from heatstudio.text import Document as FileDocument
from heatstudio.text import DocumentError, save_document
from heatstudio.ui.document import Document
from heatstudio.ui.session import Session

PAUSE = 600
"""Milliseconds from a key to the file; also while the typing goes on."""
_LOCK = "running"
_ENDING = ".json"


def state_folder() -> Path:
    """Where this user's unsaved texts are kept."""
    state = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericStateLocation)
    return Path(state) / "heatstudio" / "unsaved"


class Unsaved(Struct, frozen=True):
    """A text as it was last seen."""

    title: str
    text: str
    path: str = ""
    """Its file; empty if it never had one."""
    modified: int = 0
    """When the file was changed that the text began from, in nanoseconds since 1970."""


class Recovery(QObject):
    """Each running program has a folder of its own with a lock; folders without a program are what crashes left."""

    failed = Signal(str)
    """Why texts cannot be kept; said once."""

    def __init__(self, session: Session, folder: Path) -> None:
        super().__init__(session)
        self._session = session
        self._folder = folder
        self._own = folder / uuid4().hex
        self._lock: QLockFile | None = None
        self._files: dict[Document, Path] = {}
        self._changed: set[Document] = set()
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self.keep)
        self._complained = False
        session.document_opened.connect(self._watch)
        session.document_closed.connect(self._forget)
        for document in session.documents:
            self._watch(document)

    def take(self) -> list[Unsaved]:
        """What programs that did not end properly have left; it is given back once."""
        found = []
        for folder in self._abandoned():
            found += [one for file in sorted(folder.glob(f"*{_ENDING}")) if (one := _read(file)) is not None]
            _remove(folder)
        return found

    def keep(self) -> None:
        """Writes every text that changed since it was kept last; the disk is waited for by another thread."""
        changed, self._changed = self._changed, set()
        for document in changed & set(self._session.documents):
            if document.modified:
                self._start()
                file = self._files.setdefault(document, self._own / f"{uuid4().hex}{_ENDING}")
                self._pool.start(_Writing(file, _seen(document), self))
            else:
                self._forget(document)

    def stop(self) -> None:
        """The program ends properly: there is nothing to give back."""
        self._pause.stop()
        self._pool.waitForDone()
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None
            _remove(self._own)

    def complain(self, reason: str) -> None:
        """Tells once that texts cannot be kept."""
        if not self._complained:
            self._complained = True
            self.failed.emit(f"Unsaved texts cannot be kept for the case of a crash: {reason}")

    def _start(self) -> None:
        if self._lock is None:
            try:
                self._own.mkdir(parents=True, exist_ok=True, mode=0o700)
            except OSError as error:
                self.complain(error.strerror or str(error))
            self._lock = QLockFile(str(self._own / _LOCK))
            self._lock.setStaleLockTime(0)
            self._lock.tryLock(0)

    def _watch(self, document: Document) -> None:
        document.text_changed.connect(lambda: self._note(document))
        document.state_changed.connect(lambda: self._note(document))
        self._note(document)

    def _note(self, document: Document) -> None:
        self._changed.add(document)
        if not self._pause.isActive():
            self._pause.start()

    def _forget(self, document: Document) -> None:
        file = self._files.pop(document, None)
        self._changed.discard(document)
        if file is not None:
            self._pool.start(_Removing(file))

    def _abandoned(self) -> Iterator[Path]:
        try:
            folders = [one for one in self._folder.iterdir() if one.is_dir() and one != self._own]
        except OSError:
            return
        for folder in folders:
            lock = QLockFile(str(folder / _LOCK))
            lock.setStaleLockTime(0)
            if lock.tryLock(0):
                lock.unlock()
                yield folder


class _Writing(QRunnable):
    def __init__(self, file: Path, unsaved: Unsaved, recovery: Recovery) -> None:
        super().__init__()
        self._file, self._unsaved, self._recovery = file, unsaved, recovery

    def run(self) -> None:
        """Qt's hook."""
        try:
            save_document(FileDocument(json.dumps(asdict(self._unsaved)), self._file), overwrite=True)
        except DocumentError as error:
            self._recovery.complain(error.message)


class _Removing(QRunnable):
    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file

    def run(self) -> None:
        """Qt's hook."""
        try:
            self._file.unlink(missing_ok=True)
        except OSError:
            return


def _seen(document: Document) -> Unsaved:
    return Unsaved(document.title, document.text, str(document.path or ""), document.modified_on_disk)


def _read(file: Path) -> Unsaved | None:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        title, text, path, modified = (found[name] for name in ("title", "text", "path", "modified"))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    whole = isinstance(title, str) and isinstance(text, str) and isinstance(path, str) and isinstance(modified, int)
    return Unsaved(title, text, path, modified) if whole else None


def _remove(folder: Path) -> None:
    """Takes away a folder of kept texts; what cannot be removed stays until the next start."""
    try:
        for file in folder.iterdir():
            file.unlink(missing_ok=True)
        folder.rmdir()
    except OSError:
        return
