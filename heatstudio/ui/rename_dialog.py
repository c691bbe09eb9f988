"""Asks for a new name and says at once what it leads to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QLineEdit, QVBoxLayout, QWidget

from heatstudio.ui.panel import EDGE, GAP

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis.assistance import RenameResult

_WIDTH = 440


class RenameDialog(QDialog):
    """A field for the name; below it what would change, or why it cannot."""

    rename_requested = Signal(object)
    """The result that is to be applied."""

    def __init__(self, old_name: str, rename: Callable[[str], RenameResult], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Rename {old_name}")
        self.setAccessibleName("Rename")
        self.setMinimumWidth(_WIDTH)
        self._rename = rename
        self._result: RenameResult | None = None
        label = QLabel(f"New name of “{old_name}”, wherever it is used:")
        self.field = QLineEdit(old_name)
        self.field.setAccessibleName("New name")
        self.field.selectAll()
        self.consequences = QLabel()
        self.consequences.setWordWrap(True)
        self.consequences.setAccessibleName("What would change")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.accept_button = buttons.addButton("Rename", QDialogButtonBox.ButtonRole.AcceptRole)
        self.accept_button.setDefault(True)
        buttons.accepted.connect(self._finish)
        buttons.rejected.connect(self.reject)
        self.field.textChanged.connect(self._look)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        layout.setSpacing(GAP)
        for widget in (label, self.field, self.consequences, buttons):
            layout.addWidget(widget)
        self._look()

    def _look(self) -> None:
        result = self._rename(self.field.text())
        self._result = result
        self.accept_button.setEnabled(not result.refusal)
        self.consequences.setText(result.refusal or _consequences(result))

    def _finish(self) -> None:
        if self._result is not None and not self._result.refusal:
            self.rename_requested.emit(self._result)
            self.accept()


def _consequences(result: RenameResult) -> str:
    count = len(result.edits)
    lines = [f"{count} place{'' if count == 1 else 's'} in this template."]
    lines += [f"{len(one.edits) or 'By hand'} in {one.file}." for one in result.file_edits]
    return "\n".join([*lines, *result.warnings])
