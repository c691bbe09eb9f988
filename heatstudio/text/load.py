"""Reads documents from files and saves them, whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from heatstudio.text.document import Document, DocumentError, Stamp
from heatstudio.text.line_ends import editable

SIZE_LIMIT = 20 * 1024 * 1024
"""Bytes; Heat itself takes templates of half a megabyte."""


def read_text(path: Path) -> str:
    """The text of a file as an editor takes it, without byte order mark, lines ending with LF; raises DocumentError."""
    return editable(read_document(path).text).text


def read_document(path: Path) -> Document:
    """Read a file of UTF-8 text; raises DocumentError."""
    try:
        kind = path.stat().st_mode
        if stat.S_ISDIR(kind):
            raise DocumentError("directory", f"{path} is a folder: choose a file in it.")
        if not stat.S_ISREG(kind):
            # To open a pipe would wait for its writer.
            raise DocumentError("not-a-file", f"{path} is no ordinary file: choose another one.")
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            if status.st_size > SIZE_LIMIT:
                raise DocumentError("too-large", f"{path} is larger than 20 MB: this is hardly a template.")
            content = file.read(SIZE_LIMIT + 1)
    except (OSError, ValueError) as error:
        raise _cannot("read", path, error) from error
    return Document(_decoded(path, content), path, 0, _stamp(status))


def save_document(document: Document, *, overwrite: bool = False) -> Document:
    """Save a document in its file, whole or not at all, and return it with its new stamp; raises DocumentError.

    A file that was changed by others meanwhile is kept, unless `overwrite` is true. Links, permissions and the owner
    stay.
    """
    if document.path is None:
        raise DocumentError("no-path", "The document has no file yet: save it under a name.")
    try:
        content = document.text.encode("utf-8")
    except UnicodeEncodeError as error:
        character = f"U+{ord(document.text[error.start]):04X}"
        message = f"The text has half a character ({character}) at {error.start}, which no file can hold: remove it."
        raise DocumentError("not-utf-8", message) from error
    try:
        target = document.path.resolve()
        status = target.stat() if target.exists() else None
        if status is not None:
            _check_target(target, status)

        def check() -> None:
            if not overwrite:
                _check_unchanged(document, target)

        check()
        return document._replace(stamp=_write(target, content, status, check))
    except (OSError, RuntimeError, ValueError) as error:
        raise _cannot("save", document.path, error) from error


def changed_on_disk(document: Document) -> bool:
    """Whether the file of a document is not as it was read or saved; a file that is gone has changed."""
    return document.path is not None and document.stamp is not None and stamp_of(document.path) != document.stamp


def stamp_of(path: Path) -> Stamp | None:
    """What a file looks like now; None if it is not there, or cannot be reached."""
    try:
        return _stamp(path.stat())
    except (OSError, ValueError):
        return None


def _check_target(target: Path, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise DocumentError("directory", f"{target} is a folder: choose another name.")
    if not stat.S_ISREG(status.st_mode):
        raise DocumentError("not-a-file", f"{target} is no ordinary file: choose another name.")
    if not os.access(target, os.W_OK):
        raise DocumentError("no-permission", f"{target} may not be changed: save the document under another name.")


def _check_unchanged(document: Document, target: Path) -> None:
    """Raises DocumentError if others changed the file; one that they removed may be written again."""
    found = stamp_of(target)
    if found is not None and document.stamp is not None and found != document.stamp:
        message = f"{target} was changed by another program meanwhile: reload it, or save the document anyway."
        raise DocumentError("changed-on-disk", message)


def _write(target: Path, content: bytes, status: os.stat_result | None, check: Callable[[], None]) -> Stamp:
    """Write a file beside the target and put it in the target's place, unless `check` raises at the last moment."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            if status is not None:
                _give_to_owner(temporary, status)
            temporary.chmod(stat.S_IMODE(status.st_mode) if status else _new_mode())
            os.fsync(file.fileno())
            written = os.fstat(file.fileno())
        check()
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    return _stamp(written)


def _give_to_owner(file: Path, status: os.stat_result) -> None:
    """As far as one may; Windows knows no owners of this kind."""
    if sys.platform != "win32":
        with suppress(PermissionError):
            os.chown(file, status.st_uid, status.st_gid)


def _new_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _stamp(status: os.stat_result) -> Stamp:
    return Stamp(status.st_mtime_ns, status.st_size, status.st_ino)


def _decoded(path: Path, content: bytes) -> str:
    if len(content) > SIZE_LIMIT:
        raise DocumentError("too-large", f"{path} is larger than 20 MB: this is hardly a template.")
    if b"\0" in content:
        raise DocumentError("binary", f"{path} is no text: choose a template or an environment file.")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"{path} is not UTF-8 (line {line}): convert it, for example with `iconv -t utf-8`."
        raise DocumentError("not-utf-8", message) from error


_REASONS = {
    errno.ENOENT: ("missing", "does not exist: check the name."),
    errno.ENOTDIR: ("missing", "does not exist: check the name."),
    errno.EACCES: ("no-permission", "is not yours to {verb}: ask for permission, or choose another place."),
    errno.EPERM: ("no-permission", "is not yours to {verb}: ask for permission, or choose another place."),
    errno.EROFS: ("no-permission", "lies on a disk that can only be read: choose another place."),
    errno.EISDIR: ("directory", "is a folder: choose a file in it."),
    errno.ENOSPC: ("disk-full", "does not fit on the disk: make room, or choose another place."),
    errno.EDQUOT: ("disk-full", "does not fit into your quota: make room, or choose another place."),
    errno.EFBIG: ("disk-full", "is larger than this disk or your limits allow: make room, or choose another place."),
    errno.ENAMETOOLONG: ("bad-name", "has too long a name: choose a shorter one."),
    errno.ELOOP: ("bad-name", "is a link that leads to itself: choose another file."),
}


def _cannot(verb: str, path: Path, error: Exception) -> DocumentError:
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.ENOENT and verb == "save":
        words = f"cannot be saved, because the folder {path.parent} is not there: make it, or choose another place."
        return DocumentError("missing", f"{path.name} {words}")
    if number in _REASONS:
        code, words = _REASONS[number]
        return DocumentError(code, f"{path} {words.format(verb=verb)}")
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    if verb == "read":
        return DocumentError("unreadable", f"Cannot read {path}: {reason}.")
    return DocumentError("not-saved", f"Cannot save {path}: {reason}. Try again, or choose another place.")
