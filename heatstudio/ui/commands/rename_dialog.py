"""The rename dialog, which shows every changed line; unchecked lines are not changed."""

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from heatstudio.analysis.assist.rename import RenameResult
from heatstudio.service.workspace.job import Job
from heatstudio.text import TextEdit, counted
from heatstudio.text.invisible import visible
from heatstudio.ui.editor.search.edit_tree import EditTree
from heatstudio.ui.widgets import EDGE, GAP, PlainLabel, in_column
from heatstudio.ui.widgets.announcer import AnnouncingLabel
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.text_keys import LineEdit

_SIZE = QSize(560, 420)
Ask = Callable[[str, Callable[["RenameResult"], object]], Job]
"""A function that computes the result of a new name in a thread, and calls back with it."""
_LOOKING = "Finding the references…"
_CALM = 150
"""Milliseconds for which the result of the previous name stays, as the next one usually arrives by then."""


class RenameDialog(QDialog):
    """A dialog with the new name, and the changes line by line or the reason why there are none.

    Typing does not wait for results. Enter before the result arrives renames as soon as it does.
    """

    rename_requested = Signal(object)
    """The result to apply, with the checked changes."""

    def __init__(self, first: RenameResult, title: str, text: str, ask: Ask, parent: QWidget) -> None:
        """Start with the current name and `first`, the result for it."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(visible(f"Rename {first.old_name}"))
        self.setAccessibleName("Rename")
        self.resize(_SIZE)
        self._title, self._text, self._ask = title, text, ask
        self._result: RenameResult | None = None
        self._asking: Job | None = None
        self._is_wanted = False
        self._calm = QTimer(self, singleShot=True, interval=_CALM)
        self._calm.timeout.connect(self._say_searching)
        label = PlainLabel(f"New name for “{first.old_name}” and its references:")
        self.field = LineEdit("New name", first.old_name)
        self.field.selectAll()
        self.consequences = AnnouncingLabel("Changes", wraps=True)
        self.places = EditTree("Changed lines; Space includes or excludes the selected line")
        self.places.ticked.connect(self._allow)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, parent=self)  # for its style
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
        self.field.setFocus()
        self._show(first)

    def search(self) -> None:
        """Request the result for the name in the field; the previous result stays for a moment."""
        if self._asking is not None:
            self._asking.stop()
        self._asking = self._ask(self.field.text(), self._show)
        if not self._calm.isActive():
            self._calm.start()

    def _follow_name(self) -> None:
        self._is_wanted = False
        self.search()

    def _forget(self) -> None:
        """Cancel the pending request."""
        if self._asking is not None:
            self._asking.stop()
            self._asking = None
        self._calm.stop()

    def _say_searching(self) -> None:
        """Report the search, as the listed changes do not match the name in the field."""
        self.consequences.setText(_LOOKING)
        self._allow()

    def _want(self) -> None:
        """Rename when the pending result arrives."""
        self._is_wanted = self._asking is not None

    def _show(self, result: RenameResult) -> None:
        self._forget()
        self._result = result
        self.consequences.setText(without_marks(result.refusal or _consequences(result)))
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
        """Return the checked changes; None if the name is invalid."""
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
    return counted(count, "occurrence")


def _consequences(result: RenameResult) -> str:
    files = 1 + len(result.file_edits)
    count = len(result.edits) + sum(len(one.edits) for one in result.file_edits)
    where = "in this template" if files == 1 else f"in {files} files"
    return "\n".join([f"{_places(count)} {where}.", *result.warnings])
