"""The rename dialog: asks for a name and shows every changed line; cleared lines do not change."""

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QWidget

from heatstudio.analysis.assist import RenameResult
from heatstudio.text import TextEdit, counted
from heatstudio.ui.editor.search.edit_tree import EditTree
from heatstudio.ui.tasks.jobs import Job
from heatstudio.ui.widgets.announcer import SpokenLabel
from heatstudio.ui.widgets.layouts import in_column
from heatstudio.ui.widgets.panel import EDGE, GAP
from heatstudio.ui.widgets.plain_text import PlainLabel

_SIZE = QSize(560, 420)
Ask = Callable[[str, Callable[["RenameResult"], object]], Job]
"""Has found out what a new name leads to, by a thread that may wait."""
_LOOKING = "Finding the references…"
_CALM = 150
"""Milliseconds for which the answer to the name before is still shown: mostly the next one is there by then."""


class RenameDialog(QDialog):
    """A field for the name; below it the changes line by line, or the reason why there are none.

    No key waits for an answer, and who is quicker than the answer need not wait: the wish is done when it is there.
    """

    rename_requested = Signal(object)
    """The result that is to be applied, with what is ticked."""

    def __init__(self, first: RenameResult, title: str, text: str, ask: Ask, parent: QWidget) -> None:
        """Start with the current name and `first`, the result for it."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Rename {first.old_name}")
        self.setAccessibleName("Rename")
        self.resize(_SIZE)
        self._title, self._text, self._ask = title, text, ask
        self._result: RenameResult | None = None
        self._asking: Job | None = None
        self._is_wanted = False
        self._calm = QTimer(self, singleShot=True, interval=_CALM)
        self._calm.timeout.connect(self._say_looking)
        label = PlainLabel(f"Rename “{first.old_name}” and its references to the new name:")
        self.field = QLineEdit(first.old_name)
        self.field.setAccessibleName("New name")
        self.field.selectAll()
        self.consequences = SpokenLabel("Changes", wraps=True)
        self.places = EditTree("Changed lines; Space includes or excludes the selected line")
        self.places.ticked.connect(self._allow)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.accept_button = buttons.addButton("Rename", QDialogButtonBox.ButtonRole.AcceptRole)
        self.accept_button.setDefault(True)
        buttons.accepted.connect(self._finish)
        buttons.rejected.connect(self.reject)
        self.field.textChanged.connect(self._follow_name)
        self.field.returnPressed.connect(self._want)
        self.finished.connect(self._forget)
        in_column(
            label, self.field, self.consequences, self.places, buttons, of=self, edges=(EDGE, EDGE, EDGE, EDGE), gap=GAP
        )
        self._show(first)

    def look(self) -> None:
        """Asks what the name in the field leads to, as far as is known now; what is shown stays for a moment."""
        if self._asking is not None:
            self._asking.stop()
        self._asking = self._ask(self.field.text(), self._show)
        if not self._calm.isActive():
            self._calm.start()

    def _follow_name(self) -> None:
        self._is_wanted = False
        self.look()

    def _forget(self) -> None:
        """No answer is waited for any more."""
        if self._asking is not None:
            self._asking.stop()
            self._asking = None
        self._calm.stop()

    def _say_looking(self) -> None:
        """The listed changes do not match the name in the field."""
        self.consequences.setText(_LOOKING)
        self._allow()

    def _want(self) -> None:
        """The name is to be written, as soon as it is known that it can be."""
        self._is_wanted = self._asking is not None

    def _show(self, result: RenameResult) -> None:
        self._forget()
        self._result = result
        self.consequences.setText(result.refusal or _consequences(result))
        self.places.clear()
        if not result.refusal:
            self._add_file("", self._title, self._text, result.edits)
            for one in result.file_edits:
                self._add_file(one.file, Path(one.file).name, one.text, one.edits)
        self._allow()
        if self._is_wanted:
            self._is_wanted = False
            self._finish()

    def chosen(self) -> RenameResult | None:
        """The checked changes; None if the name is invalid."""
        result = self._result
        if result is None or result.refusal:
            return None
        others = [replace(one, edits=self.places.chosen(one.file, one.edits)) for one in result.file_edits]
        kept = (new for old, new in zip(result.file_edits, others, strict=True) if new.edits or not old.edits)
        return replace(result, edits=self.places.chosen("", result.edits), file_edits=tuple(kept))

    def _add_file(self, file: str, title: str, text: str, edits: tuple[TextEdit, ...]) -> None:
        words = _places(len(edits)) if edits else "change by hand"
        self.places.add_file(file, f"{title}: {words}", text, edits)

    def _allow(self) -> None:
        is_late = self._asking is not None and not self._calm.isActive()
        self.accept_button.setEnabled(not is_late and _has_work(self.chosen()))

    def _finish(self) -> None:
        if self._asking is not None:
            self._want()
            return
        chosen = self.chosen()
        if chosen is not None and _has_work(chosen):
            self.rename_requested.emit(chosen)
            self.accept()


def _has_work(result: RenameResult | None) -> bool:
    return result is not None and bool(result.edits or any(one.edits for one in result.file_edits))


def _places(count: int) -> str:
    return counted(count, "reference")


def _consequences(result: RenameResult) -> str:
    files = 1 + len(result.file_edits)
    count = len(result.edits) + sum(len(one.edits) for one in result.file_edits)
    where = "in this template" if files == 1 else f"in {files} files"
    return "\n".join([f"{_places(count)} {where}.", *result.warnings])
