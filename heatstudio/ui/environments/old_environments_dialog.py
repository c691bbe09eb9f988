"""The environment files of the old side, where it has others than the new one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QPushButton, QWidget

from heatstudio.ui.documents.document import Document
from heatstudio.ui.environments.environments_dialog import EnvironmentsDialog
from heatstudio.ui.widgets.appearance import Appearance


class OldEnvironmentsDialog(EnvironmentsDialog):
    """Shows those of the new side until somebody changes them here."""

    title = "Baseline environments of {}"
    words = (
        "The preview uses these environments for the baseline. Heat merges the files from top to "
        "bottom; later files win."
    )

    def __init__(self, appearance: Appearance, parent: QWidget, ask_files: Callable[[Document], list[Path]]) -> None:
        super().__init__(appearance, parent, ask_files)
        self.setAccessibleName("Baseline environments")
        self.same = QPushButton(appearance.icon("link"), "&Same as now")
        self.same.setToolTip("Use the current environments for the baseline, too")
        self.same.setAutoDefault(False)
        self.same.clicked.connect(self._follow_new_side)
        self.side.addWidget(self.same)

    def refresh(self) -> None:
        """Shows what the old side has now."""
        super().refresh()
        self.same.setEnabled(self._document is not None and self._document.old_environments is not None)

    def paths(self, document: Document) -> Sequence[Path]:
        """Those of the new side if the old one has none of its own."""
        own = document.old_environments
        return document.environments if own is None else own

    def hint(self, document: Document) -> str:
        """What cannot be read, or whose environments these are."""
        if document.has_stack_environment:
            return "The baseline is a stack with its own environment; these files are not used."
        if document.old_environments is None:
            return "Same as the current environments. Changes here affect only the baseline."
        complaints = "\n".join(document.old_complaints)
        return complaints or ("" if document.old_environments else "The baseline has no environment.")

    def _follow_new_side(self) -> None:
        if self._document is not None:
            self.changed.emit(self._document, None)
            self.refresh()
