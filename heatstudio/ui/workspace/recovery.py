"""Back up unsaved changes, and restore them at the next start after a crash."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from uuid import uuid4

from msgspec import Struct, convert
from msgspec.structs import asdict
from PySide6.QtCore import QLockFile, QObject, QStandardPaths, QThreadPool, QTimer, Signal

from heatstudio.text import DocumentError, FileDocument, Stamp, read_bytes, save_document
from heatstudio.ui.documents.document import Document
from heatstudio.ui.workspace.crash_log import CrashLog
from heatstudio.ui.workspace.session import Session

PAUSE = 400
"""Milliseconds from a change to its backup, also during continuous typing."""
_AGAIN = 3000
"""Milliseconds until a failed backup is tried again."""
_MOST = 64 * 2**20
"""The maximum size of a backup in bytes; JSON may need six characters for one of a text."""
_ENDING = ".json"
_UNREADABLE = ".unreadable"
_LOG, _STARTING = "crash.log", "starting"
"""The other files in the folder: the crash report, and a marker that exists until a start has succeeded."""
if sys.platform != "win32":
    import fcntl
_LOCK = "running"


class LockedFolder:
    """A folder that this program owns from `take` to `remove`, or to the end of the process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = QLockFile(str(path / _LOCK))
        self._lock.setStaleLockTime(0)

    def take(self) -> bool:
        """Lock the folder, and return whether it was possible; false if another running program owns it."""
        return self._lock.tryLock(0) or (self._is_abandoned() and self._lock.tryLock(0))

    def remove(self, but: str = "") -> None:
        """Remove the folder, or all its files except one, which the next start then finds."""
        try:
            for file in self.path.iterdir():
                if file.name not in (_LOCK, but):
                    file.unlink(missing_ok=True)
            self._lock.unlock()
            self.path.rmdir()
        except OSError:
            self._lock.unlock()

    def _is_abandoned(self) -> bool:
        """Remove the lock of an ended program whose process ID was reused; return whether the lock is free.

        Qt compares only process IDs and names; the file lock shows whether the owner still runs.
        """
        if sys.platform == "win32":
            return False
        name = self._lock.fileName()
        try:
            file = os.open(name, os.O_RDWR)
        except OSError:
            return False
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(file), Path(name).stat()):  # otherwise another program has replaced it
                Path(name).unlink()
            return True
        except OSError:
            return False
        finally:
            os.close(file)


def state_folder() -> Path:
    """Return the folder of this user's backups."""
    state = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericStateLocation)
    return Path(state) / "heatstudio" / "unsaved"


class TextBackup(Struct, frozen=True):
    """The backup of an unsaved text."""

    title: str
    text: str
    path: str = ""
    """The path of the file; empty if there is none."""
    modified: int = 0
    """The modification time of the loaded file in nanoseconds since 1970."""
    size: int = 0
    inode: int = 0

    @property
    def stamp(self) -> Stamp | None:
        """The stamp of the loaded file; None if there is none."""
        return Stamp(self.modified, self.size, self.inode) if self.path else None


class Recovery(QObject):
    """The backups: each running program has its own locked folder; unlocked folders are from crashes."""

    failed = Signal(str)
    """Why backups fail; emitted once until a backup succeeds."""
    _written = Signal(str, str)
    """The name of a written file, and the error, empty on success."""

    def __init__(self, session: Session, folder: Path) -> None:
        super().__init__(session)
        self._session = session
        self._folder = folder
        self._own = LockedFolder(folder / uuid4().hex)
        self._is_owner = False
        self._taken: list[LockedFolder] = []
        self._files: dict[Document, Path] = {}
        self._changed: set[Document] = set()
        self._in_flight = 0
        self._pool = QThreadPool(self, maxThreadCount=1)
        self._pause = QTimer(self, singleShot=True)
        self._pause.timeout.connect(self.keep)
        self._is_starting = False
        self._written.connect(self._take_note)
        self._complained = False
        self._log: CrashLog | None = None
        self.did_start_fail = False
        """Whether an earlier start failed."""
        self.report = ""
        """The crash reports of earlier processes."""
        self.unreadable: list[Path] = []
        """The backups that cannot be read; they are kept."""
        session.document_opened.connect(self._watch)
        session.document_closed.connect(self._forget)
        session.freshness_changed.connect(self._end_start)
        for document in session.documents:
            self._watch(document)

    def take(self) -> list[TextBackup]:
        """Return the unsaved texts of crashed programs once, the newest first.

        Their folders stay until the restored texts are backed up again, as another crash may follow.
        """
        found: list[tuple[int, TextBackup]] = []
        for folder in self._abandoned():
            self._taken.append(folder)
            self.did_start_fail |= (folder.path / _STARTING).exists()
            self.report += _report_in(folder.path / _LOG)
            found += self._texts_in(folder.path)
        self._keep_soon()
        found.sort(key=lambda one: one[0], reverse=True)
        return list(dict.fromkeys(one for _, one in found))

    def note_start(self, *, is_over: bool) -> None:
        """Create the marker of a running start, or remove it; the first call also opens the crash log."""
        if not self._has_folder():
            return
        marker = self._own.path / _STARTING
        with suppress(OSError):
            marker.unlink(missing_ok=True) if is_over else marker.touch()
            if self._log is None:
                self._log = CrashLog(self._own.path / _LOG)

    def watch_start(self) -> None:
        """Mark the start as running until every open document was checked once."""
        self.note_start(is_over=False)
        self._is_starting = True
        self._end_start()

    def _end_start(self) -> None:
        if self._is_starting and not self._session.is_analyzing:
            self._is_starting = False
            self.note_start(is_over=True)

    def keep(self) -> None:
        """Back up every text that changed since its last backup, in a thread."""
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
        """Stop backups; remove them if the user agreed to exit, but keep them all if the display was lost."""
        self._pause.stop()
        self._is_starting = False
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
        """Create and lock the own folder if necessary, and return whether it can be used."""
        if not self._is_owner or not self._own.path.is_dir():
            try:
                self._own.path.mkdir(parents=True, exist_ok=True, mode=0o700)
            except OSError as error:
                self._complain(error.strerror or str(error))
                return False
            self._own = LockedFolder(self._own.path)
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
        """Remove the folders of crashed programs if the restored texts are backed up again or dismissed."""
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
        document.text_changed.connect(self._note)
        document.state_changed.connect(self._note)
        self._note(document)

    def _note(self, document: Document) -> None:
        if document.modified:
            self._changed.add(document)
            self._keep_soon()
        else:
            self._forget(document)  # at once: the backup is older than the saved file

    def _keep_soon(self) -> None:
        if not self._pause.isActive():
            self._pause.start(PAUSE)

    def _forget(self, document: Document) -> None:
        file = self._files.pop(document, None)
        self._changed.discard(document)
        if file is not None:
            self._pool.start(partial(_remove, file))

    def _texts_in(self, folder: Path) -> list[tuple[int, TextBackup]]:
        """Return the backups in a folder with their times in nanoseconds; move unreadable ones aside."""
        texts = []
        for file in sorted(folder.glob(f"*{_ENDING}")):
            try:
                found = convert(json.loads(read_bytes(file, _MOST)), TextBackup)
                texts.append((file.stat().st_mtime_ns, found))
            except (DocumentError, OSError, ValueError, RecursionError):
                aside = self._folder / f"{file.name}{_UNREADABLE}"
                with suppress(OSError):
                    self.unreadable.append(file.replace(aside))
        return texts

    def _abandoned(self) -> Iterator[LockedFolder]:
        known = {self._own.path, *(one.path for one in self._taken)}
        try:
            folders = [LockedFolder(one) for one in self._folder.iterdir() if one.is_dir() and one not in known]
        except OSError:
            return
        yield from (folder for folder in folders if folder.take())


def _unsaved(document: Document) -> TextBackup:
    stamp = document.stamp or Stamp(0, 0, 0)
    path = str(document.path or "")
    return TextBackup(document.title, document.text, path, stamp.modified, stamp.size, stamp.inode)


def _write(unsaved: TextBackup, file: Path, written: Callable[[str, str], object]) -> None:
    """Write a backup (in a thread, which must not hold a document, as it could be the one to delete it)."""
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
        return read_bytes(log).decode("utf-8", "replace")
    except DocumentError:
        return ""
