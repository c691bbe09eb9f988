"""An open document: the current text, the saved text, and the results of the engine."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance
from shiboken6 import isValid

from heatstudio.service.inputs.snapshot import Snapshot, is_large
from heatstudio.text import (
    ENCODING_WORDS,
    UTF_8,
    DocumentError,
    FileDocument,
    LineIndex,
    Stamp,
    editable,
    read_document,
    read_text,
    real_path,
    save_document,
)
from heatstudio.text.invisible import visible

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis import Analysis, Diagnostic
    from heatstudio.service.workspace.workspace import TextState
    from heatstudio.update.running_stack import RunningStack

NO_FILE = "no file yet"


class Baseline(NamedTuple):
    """The baseline of the update preview; `text` is None for the text as last saved."""

    label: str
    text: str | None = None
    detail: str = ""
    """What the label does not say, such as the subject of a commit."""
    path: Path | None = None
    """The path of the old template if it differs from the new one's."""
    commit: str = ""
    """The git commit of the text and of the files next to it."""
    revision: str = ""
    """The requested revision of the commit, such as a branch."""
    stack: RunningStack | None = None
    """The running stack, which then provides environment, files and parameters."""

    @property
    def words(self) -> str:
        """The description in one line."""
        return f"{self.label}: {self.detail}" if self.detail else self.label


def running(stack: RunningStack, label: str = "") -> Baseline:
    """Return a running stack as the baseline, with its name as the default label."""
    return Baseline(label or f"stack {stack.name}".rstrip(), editable(stack.template).text, stack=stack)


LAST_SAVED = Baseline("last saved")
AS_OPENED = "as opened"
"""The label of the text that the file had when it was opened, or first saved."""


LONG_LINE = "long-line"
"""The code of the error for a file with a line that is too long for an editor."""


class FileOnDisk(NamedTuple):
    """A file as it was read or saved, with its path without links."""

    document: FileDocument
    real_path: Path | None = None


_LONGEST_LINE = 100_000
"""The number of characters above which each key in a line takes too long."""


def read_file(path: Path) -> FileOnDisk:
    """Read a file (in the thread of the disk), which `..` reaches also through links; raise DocumentError."""
    if ".." in path.parts:
        path = real_path(path)
    document = read_document(path, ENCODING_WORDS)
    longest = max(map(len, editable(document.text).text.split("\n")))
    if longest > _LONGEST_LINE:
        words = f"{path} has a line of {longest:,} characters, too long for an editor. Break it into several lines."
        raise DocumentError(LONG_LINE, words)
    return FileOnDisk(document, real_path(path))


def read_formatted(path: Path) -> str:
    """Return the formatted text of a JSON file (in the thread of the disk); raise DocumentError."""
    try:
        return json.dumps(json.loads(read_text(path)), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError) as error:
        raise DocumentError("unreadable", f"{path} is not valid JSON.") from error


def save_file(document: FileDocument, *, overwrite: bool) -> FileOnDisk:
    """Save a file atomically (in the thread of the disk); raise DocumentError, also if others changed it meanwhile."""
    saved = save_document(document, overwrite=overwrite)
    return FileOnDisk(saved, real_path(saved.path) if saved.path is not None else None)


OF_WRITING = frozenset({"yaml-syntax", "control-character", "too-deep"})
"""The codes of syntax errors, before whose fix all other problems are uncertain."""
QUIET = 700
"""Milliseconds without a key after which new problems of the typed line are shown."""


class Document(QObject):
    """A text with its file; computed results carry the version from which they were computed."""

    text_changed = Signal(object)
    """The document, as for the other signals."""
    state_changed = Signal(object)
    """Emitted when the document is saved, modified, renamed, or changed on disk."""
    environments_changed = Signal(object)
    rested = Signal(object)
    """Emitted when nothing was typed for a while, or the cursor leaves the typed line."""

    def __init__(self, title: str, file: FileOnDisk | None = None, stack: RunningStack | None = None) -> None:
        super().__init__()
        self.stack = stack
        """The running stack whose template this is; the text is then read-only."""
        self.is_view = False
        """Whether it is a read-only view of another document; a saved view is a normal document."""
        self.version = 0
        self.is_baseline_chosen = False
        """Whether the baseline was chosen, by the user or by default."""
        self.environments: tuple[Path, ...] = ()
        self.old_environments: tuple[Path, ...] | None = None
        """The environments of the baseline; None for the current ones."""
        self.parameter_values: dict[str, object] = {}
        """The values in the form of parameters."""
        self.parameter_defaults: dict[str, object] = {}
        """The values in the form for parameters of nested templates."""
        self.state: TextState | None = None
        """What is known about the text or an earlier version; only `take_state` and `outdate` replace it."""
        self.problems: tuple[Diagnostic, ...] | None = None
        """The problems that the window shows; None before the first check. New ones of the typed line wait."""
        self.problem_lines = LineIndex("")
        """The lines of the text to which the problems belong."""
        self.withholds = False
        """Whether problems wait until nothing is typed for a while, or the cursor leaves the typed line."""
        self._typed_line = 0
        self.title = title
        """The title of the tab."""
        self.is_being_renamed = False
        """Whether the file is about to get another name."""
        self._version_being_saved: int | None = None
        self.is_gone = False
        """Whether the file was missing at the last check."""
        self.real_path: Path | None = None
        """The path with symbolic links resolved."""
        self._file = FileDocument("")
        self._saved = editable("")
        self._seen: Stamp | None = None
        self._is_converted = False
        self._load(file or FileOnDisk(self._file))
        self._text = self._saved.text
        self.opened_text = self._text
        """The text of the file when it was opened, or first saved."""
        self.baseline = Baseline(AS_OPENED, self._text)
        self._lines: LineIndex | None = None
        self._typing = QTimer(self, singleShot=True, interval=QUIET)
        self._typing.timeout.connect(self.rest)

    def note_typing(self, line: int) -> None:
        """Note that something was typed in a line, from 0, so that its new problems wait."""
        self._typed_line = line
        self._typing.start()

    def rest(self) -> None:
        """End the quiet time after typing."""
        self._typing.stop()
        if self.withholds and self.current_analysis is not None:
            self._choose_problems(self.current_analysis.diagnostics)
        self._emit(self.rested)

    def take_state(self, state: TextState) -> None:
        """Take the result of an analysis or a plan, and choose the problems to show."""
        self.state = state
        if self.current_analysis is not None and isValid(self):  # a closed document may get a late result
            self._choose_problems(self.current_analysis.diagnostics)

    def _choose_problems(self, found: tuple[Diagnostic, ...]) -> None:
        """Show problems, except for those that wait; a new syntax error hides others, so that all stay as they are."""
        waiting = set[int]()
        if self.is_typing and self.problems is not None:
            line = self.lines.line_span(min(self._typed_line, len(self.lines) - 1))  # undo may have removed it
            known = {(one.code, one.message) for one in self.problems}
            new = [one for one in found if (one.code, one.message) not in known]
            waiting = {id(one) for one in new if one.code in OF_WRITING or line.start <= one.span.start <= line.end}
            if any(one.code in OF_WRITING for one in new):
                self.withholds = True
                return
        self.withholds = bool(waiting)
        self.problems = tuple(one for one in found if id(one) not in waiting) if waiting else found
        self.problem_lines = self.lines

    @property
    def is_typing(self) -> bool:
        """Whether something was typed just now."""
        return self._typing.isActive()

    @property
    def path(self) -> Path | None:
        """The path; None if the document was never saved."""
        return self._file.path

    @property
    def text(self) -> str:
        """The current text."""
        return self._text

    @property
    def lines(self) -> LineIndex:
        """The line index of the current text, cached per version."""
        if self._lines is None:
            self._lines = LineIndex(self._text)
        return self._lines

    @property
    def saved_text(self) -> str:
        """The text as last read or saved."""
        return self._saved.text

    @property
    def old_text(self) -> str:
        """The text of the baseline."""
        return self.saved_text if self.baseline.text is None else self.baseline.text

    @property
    def has_stack_environment(self) -> bool:
        """Whether the baseline is a stack with its own environment, which overrides all others."""
        stack = self.baseline.stack
        return stack is not None and stack.environment is not None

    @property
    def old_environment_words(self) -> str:
        """The description of the baseline's environments; empty if they are the current ones."""
        own = self.old_environments
        if own is None or self.has_stack_environment:
            return ""
        return f"Baseline environments: {', '.join(path.name for path in own) or 'none'}"

    @property
    def is_read_only(self) -> bool:
        """Whether the text is that of a running stack, or a view of another document."""
        return self.stack is not None or self.is_view

    @property
    def encoding_word(self) -> str:
        """The encoding of the file; empty for UTF-8 without byte order mark."""
        if self._file.encoding != UTF_8:
            return ENCODING_WORDS[self._file.encoding]
        return "UTF-8 with BOM" if self._saved.byte_order_mark else ""

    @property
    def is_utf8(self) -> bool:
        """Whether the file is UTF-8, as Heat requires."""
        return self._file.encoding == UTF_8

    @property
    def newline_word(self) -> str:
        """The name of the line ends: LF, CRLF, CR or mixed."""
        return self._saved.newline_word

    @property
    def is_large(self) -> bool:
        """Whether the text is checked only on demand."""
        return is_large(self._text)

    @property
    def modified(self) -> bool:
        """Whether the text differs from the file, or the file is gone."""
        return self.is_gone or self._is_converted or self._text != self._saved.text

    @property
    def current_analysis(self) -> Analysis | None:
        """The analysis if it belongs to the current text; only then do its fixes apply."""
        return self.state.analysis if self.state is not None and self.state.version == self.version else None

    @property
    def differs_from_disk(self) -> bool:
        """Whether another program had changed or removed the file at the last check."""
        return self.path is not None and self.stamp is not None and self._seen != self.stamp

    @property
    def stamp(self) -> Stamp | None:
        """The stamp of the file when it was loaded; None if there was none."""
        return self._file.stamp

    @property
    def is_being_saved(self) -> bool:
        """Whether a text is on its way to the disk."""
        return self._version_being_saved is not None

    @property
    def is_being_written(self) -> bool:
        """Whether the next save has to wait until the file is saved or renamed."""
        return self.is_being_saved or self.is_being_renamed

    @property
    def needs_saving(self) -> bool:
        """Whether closing would lose changes, as no text or an older one is on its way to the disk."""
        return self.modified and self._version_being_saved != self.version

    def outdate(self) -> None:
        """Note that a setting changed, so that the last analysis no longer belongs to the current text."""
        if self.state is not None:
            self.state = self.state._replace(version=-1)

    def note_stamp(self, found: Stamp | None) -> bool:
        """Note the stamp of the file on disk now, and return whether it has changed since the last check."""
        if self.path is None or self.stamp is None:
            return False
        is_changed, self._seen = found != self._seen, found
        if self.is_gone is not (found is None):
            self.is_gone = found is None
            self._emit(self.state_changed)
        return is_changed

    def date_back(self, stamp: Stamp | None) -> None:
        """Set an older stamp, so that saving asks before it overwrites the file."""
        self._file = self._file._replace(stamp=stamp)

    @property
    def used_environments(self) -> tuple[Path, ...]:
        """The chosen environments, or those of the project file with which the text was last analyzed."""
        if self.environments or self.state is None:
            return self.environments
        files = self.state.analysis.source.environments
        return tuple(Path(file.name) for file in files if file.text is not None)

    def snapshot(self) -> Snapshot:
        """Return a snapshot of the document without what lies around it."""
        return Snapshot(
            self._text,
            self.path,
            self.environments,
            parameter_values=dict(self.parameter_values),
            parameter_defaults=dict(self.parameter_defaults),
            stack=self.stack,
            encoding=self._file.encoding,
        )

    def old_snapshot(self, root: Path | None) -> Snapshot:
        """Return a snapshot of the baseline."""
        old = self.baseline
        environments = self.environments if self.old_environments is None else self.old_environments
        return Snapshot(self.old_text, old.path or self.path, environments, root, commit=old.commit, stack=old.stack)

    def change(self, text: str) -> None:
        """Replace the text after an edit."""
        if text == self._text:
            return
        was_modified = self.modified
        self._text, self._lines = text, None
        self.version += 1
        self._emit(self.text_changed)
        if self.modified is not was_modified:
            self._emit(self.state_changed)

    def set_environments(self, environments: tuple[Path, ...]) -> None:
        """Use other environment files for checks and previews."""
        if environments != self.environments:
            self.environments = environments
            self._emit(self.environments_changed)

    def file_at(self, path: Path) -> FileDocument:
        """Return the file to write for the current text."""
        file = self._file if path == self._file.path else self._file.with_path(path)
        return file.with_text(self._saved.in_file(self._text))

    def note_saving(self, *, is_being_saved: bool) -> None:
        """Note that the current text is on its way to the disk, or that it was not saved."""
        self._version_being_saved = self.version if is_being_saved else None
        self._emit(self.state_changed)

    def take_saved(self, file: FileOnDisk) -> None:
        """Note that a text was saved; the current text may be newer."""
        is_new = self.path is None
        self._load(file)
        if is_new:
            self.opened_text = self.saved_text
            if not self.is_baseline_chosen:
                self.baseline = Baseline(AS_OPENED, self.opened_text)
        self.stack, self.is_view, self._version_being_saved = None, False, None
        self._emit(self.state_changed)

    def use_utf8(self) -> None:
        """Use UTF-8 without byte order mark at the next save."""
        self._is_converted |= self.encoding_word != ""
        self._file = self._file._replace(encoding=UTF_8)
        self._saved = self._saved._replace(byte_order_mark=False)
        self._emit(self.state_changed)

    def take_file(self, file: FileOnDisk, *, keep_mine: bool = False) -> None:
        """Take the file's content as the saved text, and as the current one unless `keep_mine`."""
        self._load(file)
        if not keep_mine:
            self.change(self._saved.text)
        self._emit(self.state_changed)

    def follow_rename(self, path: Path, real: Path) -> None:
        """Follow the renaming of the file, whose content is unchanged; `real` is the new path without links."""
        self._file, self.real_path, self.title = self._file._replace(path=path), real, visible(path.name)
        self._emit(self.state_changed)

    def _emit(self, change: SignalInstance) -> None:
        """Emit a signal unless the document is closed, as others may still hold the deleted object."""
        if isValid(self):
            change.emit(self)

    def _load(self, file: FileOnDisk) -> None:
        self._file, self.real_path = file
        if self.path is not None:
            self.title = visible(self.path.name)
        self._saved = editable(file.document.text)
        self._seen = file.document.stamp
        self.is_gone = self._is_converted = False


def shown_names(documents: Iterable[Document]) -> dict[Document, str]:
    """Return the titles; equal ones get as much of the folder as distinguishes them."""
    by_title: dict[str, list[Document]] = defaultdict(list)
    names = {}
    for document in documents:
        names[document] = document.title
        by_title[document.title].append(document)
    for title, alike in by_title.items():
        if len(alike) > 1:
            names |= {document: f"{title} \u2014 {_folder(document, alike)}" for document in alike}
    return names


def _folder(document: Document, alike: list[Document]) -> str:
    """Return the fewest last folders of the path that no other document has."""
    if document.path is None:
        return NO_FILE
    parents = document.path.parent.parts
    others = [other.path.parent.parts for other in alike if other is not document and other.path is not None]
    length = 1
    while length < len(parents) and any(other[-length:] == parents[-length:] for other in others):
        length += 1
    return "/".join(parents[-length:]) if length < len(parents) else str(document.path.parent)
