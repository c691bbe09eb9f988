"""An open document: its current text, its saved text and its analysis."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal, SignalInstance
from shiboken6 import isValid

from heatstudio.service.diagnostic_summary import DiagnosticSummary
from heatstudio.service.snapshot import Snapshot, Target, is_large
from heatstudio.text import (
    ENCODING_WORDS,
    UTF_8,
    LineIndex,
    Stamp,
    changed_on_disk,
    editable,
    read_document,
    real_path,
    save_document,
    stamp_of,
)
from heatstudio.text import Document as FileDocument
from heatstudio.text.line_ends import EditableText

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis import Analysis, Diagnostic
    from heatstudio.service.wire import Mark
    from heatstudio.update.running_stack import RunningStack
    from heatstudio.update.update_plan import UpdatePlan


class Baseline(NamedTuple):
    """The baseline of the update preview; no text means the text as last saved."""

    label: str
    text: str | None = None
    path: Path | None = None
    """The folder of the old template, if it differs from the current one."""
    commit: str = ""
    """The git commit that it comes from, as do the files next to it."""
    revision: str = ""
    """What the commit was requested by, such as a branch."""
    stack: RunningStack | None = None
    """The running stack that it is; then its environment, files and parameters are the stack's."""


def running(stack: RunningStack, label: str = "") -> Baseline:
    """Return a running stack as the old side; it is called by its name if nothing else is said."""
    return Baseline(label or f"stack {stack.name}".rstrip(), editable(stack.template).text, stack=stack)


LAST_SAVED = Baseline("last saved")


class Document(QObject):
    """One text with its file; everything computed from it carries the version of its source text."""

    text_changed = Signal()
    state_changed = Signal()
    """Saved, modified, renamed, or changed on disk."""
    environments_changed = Signal()

    def __init__(self, title: str, file: FileDocument | None = None, stack: RunningStack | None = None) -> None:
        super().__init__()
        self.stack = stack
        """The running stack whose template it is; such a text is not changed."""
        self.is_view = False
        """Whether it only shows another document in another way; saved, it is a text like others."""
        self.version = 0
        self.baseline = LAST_SAVED
        self.environments: tuple[Path, ...] = ()
        self.old_environments: tuple[Path, ...] | None = None
        """Those of the old side of the update preview; None as long as they are those of the new one."""
        self.parameter_values: dict[str, object] = {}
        """What was typed into the form of parameters."""
        self.parameter_defaults: dict[str, object] = {}
        """What was typed there for parameters of nested templates."""
        self.analysis: Analysis | None = None
        self.analyzed_version = -1
        self.summaries: tuple[DiagnosticSummary, ...] | None = None
        """What the first look saw, which counts until there is an analysis."""
        self.complaints: tuple[str, ...] = ()
        """What could not be read of the files that belong to the template."""
        self.old_complaints: tuple[str, ...] = ()
        """The same for the old side of the update preview."""
        self.plan: UpdatePlan | None = None
        self.files_read: Mapping[Path, Mark] = {}
        """What was read for all this besides the text, or looked for in vain; paths without links."""
        self._title = title
        self._is_gone = self._is_converted = False
        self._seen: Stamp | None = None
        self._saved = EditableText()
        self._file = file or FileDocument("")
        self._take(self._file)
        self._text = self._saved.text
        self._lines: LineIndex | None = None

    @property
    def path(self) -> Path | None:
        """The file; None if it was never saved."""
        return self._file.path

    @property
    def real_path(self) -> Path | None:
        """The file that links lead to."""
        return self._real_path

    @property
    def title(self) -> str:
        """The name that the tab shows."""
        return self.path.name if self.path else self._title

    @property
    def text(self) -> str:
        """The text as it is now."""
        return self._text

    @property
    def lines(self) -> LineIndex:
        """The lines of the text as it is now; made once for each version, for it takes milliseconds of a long text."""
        if self._lines is None:
            self._lines = LineIndex(self._text)
        return self._lines

    @property
    def saved_text(self) -> str:
        """The text as the file has it."""
        return self._saved.text

    @property
    def old_text(self) -> str:
        """The text on the old side of the update preview."""
        return self.saved_text if self.baseline.text is None else self.baseline.text

    @property
    def has_stack_environment(self) -> bool:
        """Whether the old side is a stack that brings its own environment, so that no other counts."""
        stack = self.baseline.stack
        return stack is not None and stack.environment is not None

    @property
    def old_environment_words(self) -> str:
        """What is to be said of the environments of the old side; empty where they are those of the new one."""
        own = self.old_environments
        if own is None or self.has_stack_environment:
            return ""
        return f"Baseline environments: {', '.join(path.name for path in own) or 'none'}"

    @property
    def is_read_only(self) -> bool:
        """Whether the text is that of a stack, which only an update changes, or shows another one."""
        return self.stack is not None or self.is_view

    @property
    def encoding_word(self) -> str:
        """What the file is encoded in; empty for UTF-8 without byte order mark."""
        if self._file.encoding != UTF_8:
            return ENCODING_WORDS[self._file.encoding]
        return "UTF-8 with BOM" if self._saved.byte_order_mark else ""

    @property
    def is_utf8(self) -> bool:
        """Whether Heat can read the characters of the file."""
        return self._file.encoding == UTF_8

    @property
    def newline_word(self) -> str:
        """LF, CRLF, CR or mixed."""
        return self._saved.newline_word

    @property
    def is_large(self) -> bool:
        """Whether the text is checked only when someone asks for it."""
        return is_large(self._text)

    @property
    def modified(self) -> bool:
        """Whether the text differs from what the file has; where the file is gone, the text is all that there is."""
        return self._is_gone or self._is_converted or self._text != self._saved.text

    @property
    def current_analysis(self) -> Analysis | None:
        """The analysis if it is of the text as it is now; only then do its fixes fit."""
        return self.analysis if self.analyzed_version == self.version else None

    @property
    def problems(self) -> tuple[Diagnostic | DiagnosticSummary, ...] | None:
        """The analysis of the text; None before it exists."""
        return self.analysis.diagnostics if self.analysis is not None else self.summaries

    @property
    def differs_from_disk(self) -> bool:
        """Whether another program changed or removed the file since it was read or saved."""
        return changed_on_disk(self._file)

    @property
    def stamp(self) -> Stamp | None:
        """What the file looked like that the text began from; None if there was none."""
        return self._file.stamp

    @property
    def is_gone(self) -> bool:
        """Whether the file was there, and was not when one looked last."""
        return self._is_gone

    def look_at_disk(self) -> bool:
        """Return whether the file looks otherwise than when one looked last."""
        if self.path is None or self.stamp is None:
            return False
        found = stamp_of(self.path)
        is_news, self._seen = found != self._seen, found
        if self._is_gone is not (found is None):
            self._is_gone = found is None
            self._tell(self.state_changed)
        return is_news

    def date_back(self, stamp: Stamp | None) -> None:
        """Say that the text began from an older file: it replaces the present one only after a question."""
        self._file = self._file._replace(stamp=stamp)

    def snapshot(self, root: Path | None, open_texts: dict[Path, str], target: Target) -> Snapshot:
        """Return the document as it is now."""
        return Snapshot(
            self._text,
            self.path,
            self.environments,
            root,
            open_texts,
            parameter_values=dict(self.parameter_values),
            parameter_defaults=dict(self.parameter_defaults),
            stack=self.stack,
            target=target,
            encoding=self._file.encoding,
        )

    def old_snapshot(self, root: Path | None) -> Snapshot:
        """Return the old side of the update preview."""
        old = self.baseline
        environments = self.environments if self.old_environments is None else self.old_environments
        return Snapshot(self.old_text, old.path or self.path, environments, root, commit=old.commit, stack=old.stack)

    def change(self, text: str) -> None:
        """Take over what was typed."""
        if text == self._text:
            return
        was_modified = self.modified
        self._text, self._lines = text, None
        self.version += 1
        self.summaries = None
        self._tell(self.text_changed)
        if self.modified is not was_modified:
            self._tell(self.state_changed)

    def set_environments(self, environments: tuple[Path, ...]) -> None:
        """Check and previews with these environment files from now on."""
        if environments != self.environments:
            self.environments = environments
            self._tell(self.environments_changed)

    def save(self, path: Path, *, overwrite: bool = False) -> None:
        """Writes the file, whole or not at all; raises DocumentError, also where others changed it in the meantime."""
        file = self._file if path == self._file.path else self._file.with_path(path)
        self._take(save_document(file.with_text(self._saved.in_file(self._text)), overwrite=overwrite))
        self.stack, self.is_view = None, False
        self._tell(self.state_changed)

    def use_utf8(self) -> None:
        """Give the file another encoding when it is saved next."""
        self._is_converted |= self.encoding_word != ""
        self._file = self._file._replace(encoding=UTF_8)
        self._saved = self._saved._replace(byte_order_mark=False)
        self._tell(self.state_changed)

    def reload(self) -> None:
        """Take the text that the file has now; raise DocumentError."""
        if self.path is not None:
            self._take(read_document(self.path, ENCODING_WORDS))
            self.change(self._saved.text)
            self._tell(self.state_changed)

    def follow_rename(self, path: Path) -> None:
        """Belong to a file under its new name, which has the content that it had."""
        self._keep_in(self._file._replace(path=path))
        self._tell(self.state_changed)

    def keep_mine(self) -> None:
        """Take what the disk has for the saved text, but leaves the text as it is; raise DocumentError."""
        if self.path is not None:
            self._take(read_document(self.path, ENCODING_WORDS))
            self._tell(self.state_changed)

    def _tell(self, change: SignalInstance) -> None:
        """Emit a signal, unless the document is closed: Qt has deleted it then, but it may still be referenced."""
        if isValid(self):
            change.emit()

    def _keep_in(self, file: FileDocument) -> None:
        self._file = file
        self._real_path = real_path(file.path) if file.path is not None else None

    def _take(self, file: FileDocument) -> None:
        self._keep_in(file)
        self._saved = editable(file.text)
        self._seen = file.stamp
        self._is_gone = self._is_converted = False
