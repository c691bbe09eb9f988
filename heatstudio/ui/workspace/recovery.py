"""Back up unsaved changes, and restore them at the next start after a crash."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from uuid import uuid4

from msgspec import Struct, convert
from msgspec.structs import asdict
from PySide6.QtCore import QObject, QStandardPaths, QThreadPool, QTimer, Signal

from heatstudio.text import Document as FileDocument
from heatstudio.text import DocumentError, Stamp, save_document
from heatstudio.ui.documents.document import Document
from heatstudio.ui.documents.locked_folder import KeptFolder
from heatstudio.ui.workspace.crash_log import CrashLog
from heatstudio.ui.workspace.session import Session

PAUSE = 400
"""Milliseconds from a key to the file; also while the typing goes on."""
_AGAIN = 3000
"""Milliseconds until it is tried again where it failed."""
_ENDING = ".json"
_UNREADABLE = ".unreadable"
_LOG, _STARTING = "crash.log", "starting"
"""The other files in the folder: the crash report, and a marker that exists until a start has succeeded."""


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
    size: int = 0
    inode: int = 0

    @property
    def stamp(self) -> Stamp | None:
        """What the file looked like that the text began from."""
        return Stamp(self.modified, self.size, self.inode) if self.path else None


class Recovery(QObject):
    """Each running program has its own locked folder; folders without a running program are from crashes."""

    failed = Signal(str)
    """Why texts cannot be kept; said once, and again where it went well in between."""
    _written = Signal(str, str)
    """A file was written, or why it was not."""

    def __init__(self, session: Session, folder: Path) -> None:
        super().__init__(session)
        self._session = session
        self._folder = folder
        self._own = KeptFolder(folder / uuid4().hex)
        self._is_owner = False
        self._taken: list[KeptFolder] = []
        self._files: dict[Document, Path] = {}
        self._changed: set[Document] = set()
        self._in_flight = 0
        self._pool = QThreadPool(self, maxThreadCount=1)
        self._pause = QTimer(self, singleShot=True)
        self._pause.timeout.connect(self.keep)
        self._written.connect(self._take_note)
        self._complained = False
        self._log: CrashLog | None = None
        self.did_start_fail = False
        """Whether a start before this one did not end well."""
        self.report = ""
        """What went wrong before this start and nothing caught."""
        self.unreadable: list[Path] = []
        """Files with texts that cannot be given back; they are kept."""
        session.document_opened.connect(self._watch)
        session.document_closed.connect(self._forget)
        for document in session.documents:
            self._watch(document)

    def take(self) -> list[Unsaved]:
        """The unsaved texts of programs that crashed, the newest first; returned once.

        It stays there until what came of it is kept anew: a crash may follow a crash.
        """
        found: list[tuple[int, Unsaved]] = []
        for folder in self._abandoned():
            self._taken.append(folder)
            self.did_start_fail |= (folder.path / _STARTING).exists()
            self.report += _report_in(folder.path / _LOG)
            found += self._texts_in(folder.path)
        self._keep_soon()
        found.sort(key=lambda one: one[0], reverse=True)
        return list(dict.fromkeys(one for _, one in found))

    def note_start(self, *, is_over: bool) -> None:
        """Leave a sign that a start is under way, or take it away; from the first one on, faults are written down."""
        if not self._has_folder():
            return
        with suppress(OSError):
            if is_over:
                (self._own.path / _STARTING).unlink(missing_ok=True)
            else:
                (self._own.path / _STARTING).touch()
            if self._log is None:
                self._log = CrashLog(self._own.path / _LOG)

    def keep(self) -> None:
        """Writes every text that changed since it was kept last; the disk is waited for by another thread."""
        self._changed &= {document for document in self._session.documents if document.modified}
        if self._changed and not self._has_folder():
            self._pause.start(_AGAIN)
            return
        for document in self._changed:
            file = self._files.setdefault(document, self._own.path / f"{uuid4().hex}{_ENDING}")
            self._pool.start(partial(_write, _unsaved(document), file, self._written.emit))
        self._in_flight += len(self._changed)
        self._changed = set()
        self._let_go_of_taken()

    def stop(self, *, agreed: bool = True) -> None:
        """The program ends: there is nothing to give back if the user agreed, but all of it if the screen just went."""
        self._pause.stop()
        if not agreed:
            self.keep()
        self._pool.waitForDone()
        has_report = self._log is not None and self._log.close()
        self._log = None
        with suppress(OSError):
            (self._own.path / _STARTING).unlink(missing_ok=True)
        if not agreed:
            return
        for folder in self._taken:
            folder.remove()
        if self._is_owner:
            self._own.remove(but=_LOG if has_report else "")
        self._taken, self._is_owner = [], False

    def _has_folder(self) -> bool:
        """Whether there is a folder to write to, which no other program takes for abandoned."""
        if not self._is_owner or not self._own.path.is_dir():
            try:
                self._own.path.mkdir(parents=True, exist_ok=True, mode=0o700)
            except OSError as error:
                self._complain(error.strerror or str(error))
                return False
            self._own = KeptFolder(self._own.path)
            self._is_owner = self._own.take()
            if not self._is_owner:
                self._complain("cannot write a lock file there")
        return self._is_owner

    def _take_note(self, name: str, reason: str) -> None:
        self._in_flight -= 1
        if reason:
            self._changed.update(document for document, file in self._files.items() if str(file) == name)
            self._complain(reason)
            if not self._pause.isActive():
                self._pause.start(_AGAIN)
        else:
            self._complained = False
        self._let_go_of_taken()

    def _let_go_of_taken(self) -> None:
        """Called as soon as the restored texts are backed up again, or were dismissed."""
        if not self._changed and not self._in_flight:
            for folder in self._taken:
                folder.remove()
            self._taken = []

    def _complain(self, reason: str) -> None:
        if not self._complained:
            self._complained = True
            self.failed.emit(
                f"Unsaved changes cannot be backed up to {self._folder} ({reason}). Save often; "
                "Heat Studio keeps trying."
            )

    def _watch(self, document: Document) -> None:
        document.text_changed.connect(lambda: self._note(document))
        document.state_changed.connect(lambda: self._note(document))
        self._note(document)

    def _note(self, document: Document) -> None:
        if document.modified:
            self._changed.add(document)
            self._keep_soon()
        else:
            self._forget(document)  # at once: what is kept is older than what was saved

    def _keep_soon(self) -> None:
        if not self._pause.isActive():
            self._pause.start(PAUSE)

    def _forget(self, document: Document) -> None:
        file = self._files.pop(document, None)
        self._changed.discard(document)
        if file is not None:
            self._pool.start(partial(_remove, file))

    def _texts_in(self, folder: Path) -> list[tuple[int, Unsaved]]:
        """What is kept in a folder, each with the time when it was kept; what cannot be read is put aside."""
        texts = []
        for file in sorted(folder.glob(f"*{_ENDING}")):
            try:
                found = convert(json.loads(file.read_text(encoding="utf-8")), Unsaved)
                texts.append((file.stat().st_mtime_ns, found))
            except (OSError, ValueError, RecursionError):
                aside = self._folder / f"{file.name}{_UNREADABLE}"
                with suppress(OSError):
                    self.unreadable.append(file.replace(aside))
        return texts

    def _abandoned(self) -> Iterator[KeptFolder]:
        known = {self._own.path, *(one.path for one in self._taken)}
        try:
            paths = [one for one in self._folder.iterdir() if one.is_dir() and one not in known]
        except OSError:
            return
        for path in paths:
            folder = KeptFolder(path)
            if folder.take():
                yield folder


def _unsaved(document: Document) -> Unsaved:
    stamp = document.stamp or Stamp(0, 0, 0)
    path = str(document.path or "")
    return Unsaved(document.title, document.text, path, stamp.modified, stamp.size, stamp.inode)


def _write(unsaved: Unsaved, file: Path, written: Callable[[str, str], object]) -> None:
    """In a thread, which holds no document: it must not be the one to delete it."""
    reason = ""
    try:
        save_document(FileDocument(json.dumps(asdict(unsaved)), file), overwrite=True)
    except DocumentError as error:
        cause = error.__cause__
        reason = (cause.strerror if isinstance(cause, OSError) else None) or error.message
    written(str(file), reason)


def _remove(file: Path) -> None:
    with suppress(OSError):
        file.unlink(missing_ok=True)


def _report_in(log: Path) -> str:
    try:
        return log.read_text("utf-8", "replace")
    except OSError:
        return ""
