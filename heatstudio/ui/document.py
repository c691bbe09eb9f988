"""An open document: the text as it is, as it was saved, and what the engine says of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from heatstudio.ui.file_text import FileText, decode, encode

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis import Analysis
    from heatstudio.stack.update_plan import UpdatePlan


@dataclass(frozen=True, slots=True)
class Baseline:
    """The old side of the update preview; no text means the text as last saved."""

    label: str
    text: str | None = None


LAST_SAVED = Baseline("last saved")


class Document(QObject):
    """One text with its file; everything computed from it carries the version it was computed from."""

    text_changed = Signal()
    state_changed = Signal()
    """Saved, modified, renamed, or changed on disk."""
    analysis_changed = Signal()
    plan_changed = Signal()

    def __init__(self, title: str, path: Path | None = None, file: FileText | None = None) -> None:
        super().__init__()
        self.path = path
        self.version = 0
        self.baseline = LAST_SAVED
        self.analysis: Analysis | None = None
        self.analyzed_version = -1
        self.plan: UpdatePlan | None = None
        self._title = title
        self._file = file or FileText()
        self._text = self._file.text

    @property
    def title(self) -> str:
        """The name that the tab shows."""
        return self.path.name if self.path else self._title

    @property
    def text(self) -> str:
        """The text as it is now."""
        return self._text

    @property
    def saved_text(self) -> str:
        """The text as the file has it."""
        return self._file.text

    @property
    def old_text(self) -> str:
        """The text on the old side of the update preview."""
        return self.saved_text if self.baseline.text is None else self.baseline.text

    @property
    def newline_word(self) -> str:
        """LF, CRLF, CR or mixed."""
        return self._file.newline_word

    @property
    def modified(self) -> bool:
        """Whether the text differs from what the file has."""
        return self._text != self._file.text

    @property
    def current_analysis(self) -> Analysis | None:
        """The analysis if it is of the text as it is now; only then do its fixes fit."""
        return self.analysis if self.analyzed_version == self.version else None

    def change(self, text: str) -> None:
        """Takes over what was typed."""
        if text == self._text:
            return
        was_modified = self.modified
        self._text = text
        self.version += 1
        self.text_changed.emit()
        if self.modified is not was_modified:
            self.state_changed.emit()

    def save(self, path: Path) -> None:
        """Writes the file, by way of a neighbor so that no half of it is ever seen; raises OSError."""
        data = encode(self._file, self._text)
        neighbor = path.with_name(f".{path.name}.saving")
        target = path.resolve()
        neighbor.write_bytes(data)
        if target.exists():
            neighbor.chmod(target.stat().st_mode)
        neighbor.replace(target)
        self.path = path
        self._file = replace(decode(data))
        self.state_changed.emit()

    def reload(self) -> None:
        """Takes the text that the file has now; raises OSError or UnicodeDecodeError."""
        if self.path is not None:
            self._file = decode(self.path.read_bytes())
            self.change(self._file.text)
            self.state_changed.emit()

    def differs_from_disk(self) -> bool:
        """Whether another program changed the file since it was read or saved; raises OSError."""
        return self.path is not None and self.path.read_bytes() != encode(self._file, self._file.text)
