"""The dialog with the environment files of a template, in their order."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from heatstudio.service.engine import Scenario
from heatstudio.text.invisible import visible
from heatstudio.ui.documents.document import Document
from heatstudio.ui.widgets import EDGE, GAP, Appearance, PlainLabel, in_column, in_row
from heatstudio.ui.widgets.announcer import AnnouncingLabel
from heatstudio.ui.widgets.dialogs import Button, close_button
from heatstudio.ui.widgets.row_delegate import style_rows

_SIZE = (520, 360)
_PATHS = Qt.ItemDataRole.UserRole


NONE = "No environment files. Choose Add… to select some."


class EnvironmentsDialog(QDialog):
    """A list with Add, Remove and move buttons; every change takes effect immediately."""

    changed = Signal(object, object)
    """The document and its environment files."""
    title = "Environments of {}"
    words = "Heat merges environment files from top to bottom; later files take precedence. Changes apply immediately."

    def __init__(self, appearance: Appearance, parent: QWidget, ask_files: Callable[[Document], list[Path]]) -> None:
        super().__init__(parent)
        self._ask_files = ask_files
        self._document: Document | None = None
        self.resize(*_SIZE)
        self.setAccessibleName("Environments")
        self.list = QListWidget()
        style_rows(self.list, "Environment files in order")
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.complaints = AnnouncingLabel("Unreadable files", wraps=True)
        self.side = side = QVBoxLayout()
        side.setSpacing(GAP)
        for icon, name, slot in (
            ("file-open", "&Add…", self._add),
            ("chevron-up", "&Earlier", lambda: self._move(-1)),
            ("chevron-down", "&Later", lambda: self._move(1)),
            ("close", "&Remove", self._remove),
        ):
            button = Button(name, appearance.icon(icon))
            button.clicked.connect(slot)
            side.addWidget(button)
            if slot != self._add:  # the other buttons act on the selected row
                self.list.currentRowChanged.connect(lambda row, button=button: button.setEnabled(row >= 0))
                button.setEnabled(False)
        middle = in_row((self.list, 1), in_column(side, 1))
        self.scenarios = QListWidget()
        style_rows(self.scenarios, "Other environments")
        self.scenarios.itemActivated.connect(lambda item: self._set(list(item.data(_PATHS)), 0))
        self.scenarios_title = PlainLabel("Errors with each environment. Press Enter or double-click to use one.")
        for part in (self.scenarios_title, self.scenarios):
            part.hide()
        words = PlainLabel(self.words, wraps=True)
        parts = (words, (middle, 1), self.complaints, self.scenarios_title, (self.scenarios, 1), close_button(self))
        in_column(*parts, of=self, edges=(EDGE, EDGE, EDGE, EDGE), gap=GAP)

    def choose(self, document: Document | None) -> None:
        """Show the dialog with the environments of a document."""
        if document is None:
            return
        self._document = document
        self.setWindowTitle(self.title.format(document.title))
        self.refresh()
        self.show()
        self.raise_()
        self.list.setFocus()

    def refresh(self) -> None:
        """Show the current environments of the document."""
        if self._document is not None:
            row = self.list.currentRow()
            self.list.clear()
            self.list.addItems([visible(str(path)) for path in self.paths(self._document)])
            self.list.setCurrentRow(min(max(row, 0), self.list.count() - 1))
            self.complaints.setText(self.hint(self._document))

    def refresh_for(self, document: Document) -> None:
        """Refresh the list if it shows the given document."""
        if document is self._document:
            self.refresh()

    def leave(self, document: Document) -> None:
        """Close together with the document."""
        if document is self._document:
            self._document = None
            self.close()

    def show_scenarios(self, document: Document, found: Sequence[Scenario]) -> None:
        """Show the result with each of several environments, if the dialog shows the given document."""
        if document is not self._document:
            return
        self.scenarios.clear()
        for environments, verdict in found:
            names = " + ".join(path.name for path in environments) or "No environment"
            item = QListWidgetItem(visible(f"{names}: {verdict}"), self.scenarios)
            item.setData(_PATHS, environments)
            if not environments and document.used_environments:  # with none chosen, the project file decides
                item.setFlags(Qt.ItemFlag.NoItemFlags)
        self.scenarios_title.show()
        self.scenarios.show()

    def paths(self, document: Document) -> Sequence[Path]:
        """Return the listed files."""
        return document.environments

    def hint(self, document: Document) -> str:
        """Return the errors in reading the files, or the next step."""
        used = ", ".join(path.name for path in document.used_environments)
        none = f"From heatstudio.toml: {used}. Files added here replace these." if used else NONE
        complaints = document.state.complaints if document.state is not None else ()
        return "\n".join(complaints) or ("" if document.environments else none)

    def _set(self, paths: list[Path], row: int) -> None:
        if self._document is not None:
            self.changed.emit(self._document, tuple(paths))
            self.refresh()
            self.list.setCurrentRow(row)

    def _add(self) -> None:
        if self._document is not None:
            old = list(self.paths(self._document))
            added = [path for path in self._ask_files(self._document) if path not in old]
            self._set([*old, *added], len(old))

    def _move(self, by: int) -> None:
        row, paths = self.list.currentRow(), list(self.paths(self._document)) if self._document else []
        if 0 <= row < len(paths) and 0 <= row + by < len(paths):
            paths.insert(row + by, paths.pop(row))
            self._set(paths, row + by)

    def _remove(self) -> None:
        row, paths = self.list.currentRow(), list(self.paths(self._document)) if self._document else []
        if 0 <= row < len(paths):
            del paths[row]
            self._set(paths, min(row, len(paths) - 1))


class OldEnvironmentsDialog(EnvironmentsDialog):
    """The dialog for the baseline's environments, which are the current ones until the user changes them."""

    title = "Baseline environments of {}"
    words = (
        "The preview uses these environments for the baseline. Heat merges the files from top to "
        "bottom; later files take precedence."
    )

    def __init__(self, appearance: Appearance, parent: QWidget, ask_files: Callable[[Document], list[Path]]) -> None:
        super().__init__(appearance, parent, ask_files)
        self.setAccessibleName("Baseline environments")
        self.same = Button("&Same as Current", appearance.icon("link"))
        self.same.setToolTip("Use the current environments for the baseline, too")
        self.same.clicked.connect(self._follow_new_side)
        self.side.addWidget(self.same)

    def refresh(self) -> None:
        """Show the baseline's environments."""
        super().refresh()
        self.same.setEnabled(self._document is not None and self._document.old_environments is not None)

    def paths(self, document: Document) -> Sequence[Path]:
        """Return the baseline's environments, or the current ones if the baseline has none of its own."""
        own = document.old_environments
        return document.environments if own is None else own

    def hint(self, document: Document) -> str:
        """Return the errors in reading the files, or where the environments come from."""
        if document.has_stack_environment:
            return "The baseline stack has its own environment; these files are not used."
        if document.old_environments is None:
            return "Same as the current environments. Changes here affect only the baseline."
        complaints = document.state.old_complaints if document.state is not None else ()
        return "\n".join(complaints) or ("" if document.old_environments else "The baseline has no environment.")

    def _follow_new_side(self) -> None:
        if self._document is not None:
            self.changed.emit(self._document, None)
            self.refresh()
