"""Documents: texts with their line endings and encodings, and reading and atomic saving of their files."""

from __future__ import annotations

import codecs
import errno
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Collection
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

from heatstudio.text.span import shared_ends

UTF_8 = "utf-8"
ENCODING_WORDS = {
    UTF_8: "UTF-8",
    "utf-16-le": "UTF-16 LE",
    "utf-16-be": "UTF-16 BE",
    "latin-1": "ISO 8859-1",
    "cp1252": "Windows-1252",
}
"""The recognized encodings with their display names."""
BYTE_ORDER_MARK = "\ufeff"
_LINE_END = re.compile(r"\r\n|\n|\r")
NEWLINE_WORDS = {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}
TEXT_LIMIT = 4 * 2**20
"""The maximum size of a template, environment or included file in bytes; Heat's own limit is half a megabyte."""
DATA_LIMIT = 8 * 2**20
"""The maximum size of other files in bytes, such as exported stacks."""
_MOST_LINES = 100_000

_OTHER_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_ONLY_WINDOWS, _NOT_WINDOWS = re.compile(rb"[\x80-\x9f]"), re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
"""Bytes that are characters only in Windows-1252, and bytes that Windows-1252 leaves undefined."""


class Stamp(NamedTuple):
    """The state of a file when it was read or written: modification time, size and identity."""

    modified: int
    """Nanoseconds since 1970."""
    size: int
    inode: int


class FileDocument(NamedTuple):
    """A text as in its file, with the file's line endings and byte order mark."""

    text: str
    path: Path | None = None
    stamp: Stamp | None = None
    """None if the document was never read from or written to a file."""
    encoding: str = UTF_8
    """One of `ENCODING_WORDS`."""

    def with_text(self, text: str) -> FileDocument:
        """Return the document with another text."""
        return self._replace(text=text)

    def with_path(self, path: Path) -> FileDocument:
        """Return the document with another path; saving may then overwrite that file."""
        return self._replace(path=path, stamp=None)


class DocumentError(Exception):
    """An error for a document that cannot be read or saved; the message tells the user the reason and the fix."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class EditableText(NamedTuple):
    """A text with `\n` line endings only, and the data to write it back unchanged."""

    text: str = ""
    newline: str = "\n"
    """The most frequent line ending of the file."""
    byte_order_mark: bool = False
    mixed_ends: tuple[str, ...] = ()
    """The ending of each line if the endings differ; otherwise empty."""

    @property
    def newline_word(self) -> str:
        """The name of the line endings, for the status bar."""
        return "mixed line endings" if self.mixed_ends else NEWLINE_WORDS[self.newline]

    def in_file(self, text: str) -> str:
        """Return an edited text as it is written to the file; unchanged lines keep their own line endings."""
        mark = BYTE_ORDER_MARK if self.byte_order_mark else ""
        if not self.mixed_ends:
            return mark + text.replace("\n", self.newline)
        lines = text.split("\n")
        ends = [*self._ends_of(lines), ""]
        return mark + "".join(line + end for line, end in zip(lines, ends, strict=True))

    def _ends_of(self, lines: list[str]) -> list[str]:
        """Return the ending of every line but the last; equal lines at the top and the bottom keep their endings."""
        old = self.text.split("\n")
        same_above, same_below = shared_ends(old[:-1], lines[:-1])
        between = len(lines) - 1 - same_above - same_below
        below = self.mixed_ends[len(self.mixed_ends) - same_below :]
        return [*self.mixed_ends[:same_above], *[self.newline] * between, *below]


def editable(text: str) -> EditableText:
    """Convert the text of a file to an editor's text."""
    marked = text.startswith(BYTE_ORDER_MARK)
    text = text.removeprefix(BYTE_ORDER_MARK)
    ends = _LINE_END.findall(text)
    newline = max(dict.fromkeys(ends), key=ends.count, default="\n")
    mixed = tuple(ends) if len(set(ends)) > 1 else ()
    return EditableText(_LINE_END.sub("\n", text), newline, marked, mixed)


def read_bytes(path: Path, limit: int = DATA_LIMIT) -> bytes:
    """Return the content of a regular file; raise DocumentError. All files of the user are read by this function."""
    return _read(path, limit)[0]


def read_text(path: Path, encodings: Collection[str] = (UTF_8,), limit: int = TEXT_LIMIT) -> str:
    """Return a file's text without byte order mark and with LF line endings; raise DocumentError."""
    return editable(read_document(path, encodings, limit).text).text


def read_document(path: Path, encodings: Collection[str] = (UTF_8,), limit: int = TEXT_LIMIT) -> FileDocument:
    """Read a text file in UTF-8 or another of the accepted encodings; raise DocumentError."""
    content, stamp = _read(path, limit)
    found = encoding_of(content)
    encoding = found if found in encodings else UTF_8
    text = _decoded(path, content, encoding)
    if limit <= TEXT_LIMIT and max(map(text.count, "\n\r")) > _MOST_LINES:
        raise DocumentError("too-large", f"{path} has more than {_MOST_LINES:,} lines, too many for a template.")
    return FileDocument(text, path, stamp, encoding)


def _read(path: Path, limit: int) -> tuple[bytes, Stamp]:
    try:
        _check_kind(path, path.stat(), "another file")  # opening a pipe would block until it has a writer
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            content = file.read(limit + 1) if status.st_size <= limit else b""
    except (OSError, ValueError) as error:
        raise _error_of("read", path, error) from error
    if max(status.st_size, len(content)) > limit:
        raise DocumentError("too-large", f"{path} is larger than {_size(limit)}, the limit for such a file.")
    return content, _stamp(status)


def _size(limit: int) -> str:
    return f"{limit >> 20} MB" if limit >> 20 else f"{limit >> 10} KB"


def save_document(document: FileDocument, *, overwrite: bool = False) -> FileDocument:
    """Save a document atomically and return it with its new stamp; raise DocumentError.

    Unless `overwrite` is true, raise an error if the file has changed on disk since it was read or saved. Links,
    permissions, attributes and the owner are preserved.
    """
    if document.path is None:
        raise DocumentError("no-path", "The document has no file yet. Use Save As.")
    try:
        content = document.text.encode(document.encoding)
    except UnicodeEncodeError as error:
        found, line = document.text[error.start], document.text.count("\n", 0, error.start) + 1
        character = f"U+{ord(found):04X}"
        if not document.encoding.startswith("utf"):
            word = ENCODING_WORDS[document.encoding]
            message = f"{document.path.name} was not saved: {word} cannot encode {found} ({character}, line {line})."
            raise DocumentError("not-in-encoding", message) from error
        message = f"The text has an unpaired surrogate ({character}, line {line}). Remove it to save."
        raise DocumentError("not-utf-8", message) from error
    try:
        target = real_path(document.path)
        if target.is_symlink():
            raise OSError(errno.ELOOP, "")
        status = target.stat() if target.exists() else None
        if status is not None:
            _check_target(target, status)

        def check() -> None:
            if not overwrite:
                _check_unchanged(document, target)

        check()
        return document._replace(stamp=_write(target, content, status, check))
    except (OSError, ValueError) as error:
        raise _error_of("save", document.path, error) from error


def changed_on_disk(document: FileDocument) -> bool:
    """Return whether a document's file was changed or deleted since it was read or saved."""
    return document.path is not None and document.stamp is not None and stamp_of(document.path) != document.stamp


def real_path(path: Path) -> Path:
    """Resolve symbolic links; in every Python version, return a link to itself unresolved."""
    with suppress(ValueError):  # the file name is invalid
        return Path(os.path.realpath(path))
    return path


def is_file(path: Path, kind: int = stat.S_IFREG) -> bool:
    """Return whether a file of a kind exists and is accessible; unlike `Path.is_file`, never raise OSError."""
    with suppress(OSError, ValueError):
        return stat.S_IFMT(path.stat().st_mode) == kind
    return False


def stamp_of(path: Path) -> Stamp | None:
    """Return the stamp of a file; None if the file does not exist or cannot be accessed."""
    try:
        return _stamp(path.stat())
    except (OSError, ValueError):
        return None


def _check_kind(path: Path, status: os.stat_result, choice: str) -> None:
    kind = _OTHER_KINDS.get(stat.S_IFMT(status.st_mode))
    if kind is not None:
        code = "directory" if kind == "a folder" else "not-a-file"
        raise DocumentError(code, f"{path} is {kind}. Choose {choice}.")


def _check_target(target: Path, status: os.stat_result) -> None:
    _check_kind(target, status, "another name")
    if not os.access(target, os.W_OK):
        raise DocumentError("no-permission", f"{target} is read-only. Save the document under another name.")


def _check_unchanged(document: FileDocument, target: Path) -> None:
    """Raise DocumentError if the file changed on disk; a file that was deleted may be written again."""
    found = stamp_of(target)
    if found is not None and document.stamp is not None and found != document.stamp:
        message = f"{target} was changed on disk. Reload it, or save the document anyway."
        raise DocumentError("changed-on-disk", message)


def _write(target: Path, content: bytes, status: os.stat_result | None, check: Callable[[], None]) -> Stamp:
    """Replace the target with a new file, or rewrite it in place; call `check` just before, which may raise."""
    is_folder_closed = status is not None and not os.access(target.parent, os.W_OK)
    handle, name = tempfile.mkstemp(prefix=".heatstudio-", dir=None if is_folder_closed else target.parent)
    os.close(handle)
    beside = Path(name)
    with ExitStack() as stack:
        stack.callback(beside.unlink, missing_ok=True)
        if status is not None and (is_folder_closed or not _copy_attributes(beside, target, status)):
            return _change(target, content, beside, stack, check)
        written = _overwrite(beside, content)
        if status is None:
            beside.chmod(_new_mode())
        check()
        beside.replace(target)
        with suppress(OSError):  # not every file system supports syncing a folder
            stack.callback(os.close, folder := os.open(target.parent, os.O_RDONLY))
            os.fsync(folder)
        return written


def _change(target: Path, content: bytes, beside: Path, stack: ExitStack, check: Callable[[], None]) -> Stamp:
    """Rewrite the target in place; `beside` keeps its old content until the write succeeds or is undone."""
    _overwrite(beside, old := read_bytes(target))
    check()
    try:
        return _overwrite(target, content)
    except BaseException as error:
        try:
            _overwrite(target, old)
        except OSError:
            stack.pop_all()
            raise DocumentError("not-saved", f"{target} was partly saved; its previous text is in {beside}.") from error
        raise


def _overwrite(file: Path, content: bytes) -> Stamp:
    with file.open("r+b") as opened:
        opened.write(content)
        opened.truncate()
        opened.flush()
        os.fsync(opened.fileno())
        return _stamp(os.fstat(opened.fileno()))


def _copy_attributes(new: Path, old: Path, status: os.stat_result) -> bool:
    """Copy owner, permissions and attributes to a new file; return False if that fails or `old` has hard links."""
    try:
        if sys.platform != "win32" and (new.stat().st_uid, new.stat().st_gid) != (status.st_uid, status.st_gid):
            os.chown(new, status.st_uid, status.st_gid)
        if sys.platform == "linux":
            current, wanted = ({name: os.getxattr(file, name) for name in os.listxattr(file)} for file in (new, old))
            for name in current.keys() - wanted.keys():
                os.removexattr(new, name)
            for name, value in wanted.items() - current.items():
                os.setxattr(new, name, value)
        new.chmod(stat.S_IMODE(status.st_mode))
    except OSError:
        return False
    return status.st_nlink == 1


def _new_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _stamp(status: os.stat_result) -> Stamp:
    return Stamp(status.st_mtime_ns, status.st_size, status.st_ino)


def encoding_of(content: bytes) -> str:
    """Guess the encoding of a text; content that is not Unicode counts as Western European."""
    if content[:2] in _UTF_16:
        return _UTF_16[content[:2]]
    with suppress(UnicodeDecodeError):
        content.decode(UTF_8)
        return UTF_8
    return "cp1252" if _ONLY_WINDOWS.search(content) and not _NOT_WINDOWS.search(content) else "latin-1"


def _decoded(path: Path, content: bytes, encoding: str) -> str:
    not_text = DocumentError("binary", f"{path} is not a text file. Choose a template or an environment file.")
    if b"\0" in content and content[:2] not in _UTF_16:
        raise not_text
    try:
        text = content.decode(encoding)
        if "\0" in text:
            raise not_text
        return text
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"{path} is not UTF-8 (line {line}). Convert it, for example with `iconv -f latin1 -t utf-8`."
        raise DocumentError("not-utf-8", message) from error


_REASONS = {
    errno.ENOENT: ("missing", "no such file; check the name."),
    errno.ENOTDIR: ("missing", "no such file; check the name."),
    errno.EACCES: ("no-permission", "permission denied; check the permissions, or choose another location."),
    errno.EPERM: ("no-permission", "permission denied; check the permissions, or choose another location."),
    errno.EROFS: ("no-permission", "the disk is read-only; choose another location."),
    errno.EISDIR: ("directory", "it is a folder; choose a file in it."),
    errno.ENOSPC: ("disk-full", "the disk is full; free some space, or choose another location."),
    errno.EDQUOT: ("disk-full", "your disk quota is exceeded; free some space, or choose another location."),
    errno.EFBIG: ("disk-full", "the file exceeds a size limit (file system or `ulimit -f`); choose another location."),
    errno.ENAMETOOLONG: ("bad-name", "the name is too long; choose a shorter one."),
    errno.ELOOP: ("bad-name", "the link points to itself; choose another file."),
}


def _error_of(verb: str, path: Path, error: Exception) -> DocumentError:
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.ENOENT and verb == "save":
        reason = f"the folder {path.parent} does not exist; create it, or choose another location."
        return DocumentError("missing", f"{path.name} cannot be saved, because {reason}")
    if number in _REASONS:
        code, words = _REASONS[number]
        return DocumentError(code, f"Cannot {verb} {path}: {words}")
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    if verb == "read":
        return DocumentError("unreadable", f"Cannot read {path}: {reason}.")
    return DocumentError("not-saved", f"Cannot save {path}: {reason}. Try again, or choose another location.")
