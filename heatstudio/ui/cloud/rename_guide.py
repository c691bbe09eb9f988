"""The guide that renames a resource of a running stack, or moves it to another stack, without deleting it."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QFormLayout, QPushButton, QWidget

from heatstudio.catalog.facts import part
from heatstudio.cloud.stack_rename import RenamePlan, RenameStage
from heatstudio.cloud.stacks import StackSummary
from heatstudio.text.invisible import visible
from heatstudio.ui.cloud.heat_answers import AnswerRow, cell_of_answer
from heatstudio.ui.widgets import EDGE, GAP, Appearance, Color, PlainLabel, in_column, in_row
from heatstudio.ui.widgets.announcer import AnnouncingLabel
from heatstudio.ui.widgets.choice_box import choice_box
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.dialogs import resize_within_screen
from heatstudio.ui.widgets.row_delegate import RowTree
from heatstudio.ui.widgets.text_keys import LineEdit
from heatstudio.ui.widgets.tree_model import Branch, Cell, TreeModel

_WIDTH, _HEIGHT = 640, 520
_INTRODUCTION = (
    "An update would delete the resource and create another one. This guide takes the stack {stack} out of Heat and "
    "puts it back with the new name; for a move, also the other stack. The resources run on unchanged. Heat does not "
    "watch them in between; a stack gets a new ID, and loses its events{loses}. The data hold secret values; only you "
    "can read the files."
)
_ROLLBACK = " and the rollback on failure"
_STEPS = (
    "Write the data to disk",
    "Take out of Heat (abandon)",
    "Put back with the change (adopt)",
    "Compare with the state before",
)
_DONE = {
    None: 0,
    RenameStage.BEFORE: 1,
    RenameStage.BUSY: 1,
    RenameStage.ABANDONED: 2,
    RenameStage.FAILED: 2,
    RenameStage.RENAMED: 4,
}
"""The number of finished steps."""
_NEXT = {
    None: "Write the Data",
    RenameStage.BEFORE: "Abandon",
    RenameStage.BUSY: "Look Again",
    RenameStage.ABANDONED: "Adopt with the Change",
    RenameStage.FAILED: "Adopt with the Change",
    RenameStage.RENAMED: "Finish",
}
_UNDO = {
    RenameStage.ABANDONED: "Adopt as Before",
    RenameStage.FAILED: "Adopt as Before",
    RenameStage.RENAMED: "Undo the Change",
}
_MOST_LINES = 200


class RenameGuide(QDialog):
    """The steps of a rename, each begun by a button; closing the guide stops nothing and loses nothing."""

    prepare_requested = Signal(str, str, object, object)
    """The old name, the new name, the stack to move to or None, and the folder of the data."""
    step_requested = Signal(object)
    """The stage from which to take the next step."""
    undo_requested = Signal()

    def __init__(
        self, parent: QWidget, appearance: Appearance, plan: RenamePlan, others: Sequence[StackSummary], folder: Path
    ) -> None:
        """`plan` has the stack and the names to suggest; `others` are stacks to move to; `folder` gets the data."""
        super().__init__(parent)
        self.stage: RenameStage | None = None
        self.lines: Sequence[str] = ()
        """The changes of the data, for display."""
        first, *rest = plan.stacks
        self._targets = [None, *(one.stack for one in rest), *(others if not rest else ())]
        title = f"Rename or move a resource of {first.stack.name}"
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self.setModal(True)
        self.resource = choice_box("Resource")
        self._names = sorted(part(first.data, "resources"))
        self.resource.addItems(list(map(visible, self._names)))
        self.resource.setCurrentText(visible(plan.old))
        self.name = LineEdit("New name", plan.new, self)
        self.target = choice_box("Stack")
        self.target.addItems([f"{first.stack.name} (rename only)", *(one.name for one in self._targets if one)])
        self.target.setCurrentIndex(len(rest))
        self.folder = LineEdit("Folder of the data", str(folder), self)
        self._browse = QPushButton("Browse…")
        self._browse.setAutoDefault(False)
        self._browse.clicked.connect(self._choose_folder)
        self.words = AnnouncingLabel("Progress of the rename", wraps=True)
        self.model = TreeModel(("Step",), _cell)
        self.view = RowTree(self.model, appearance, "Steps of the rename")
        self.view.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, parent=self)
        self.undo = buttons.addButton("", QDialogButtonBox.ButtonRole.ActionRole)
        self.next = buttons.addButton("", QDialogButtonBox.ButtonRole.ActionRole)
        for button in buttons.buttons():
            if isinstance(button, QPushButton):
                button.setAutoDefault(False)  # Return must not send anything
        self.next.clicked.connect(self._go_on)
        self.undo.clicked.connect(self.undo_requested)
        buttons.rejected.connect(self.reject)
        self.name.textChanged.connect(self._allow)
        self.folder.textChanged.connect(self._allow)
        self.target.currentIndexChanged.connect(self._allow)
        form = QFormLayout()
        form.addRow("&Resource:", self.resource)
        form.addRow("&New name:", self.name)
        form.addRow("&Stack:", self.target)
        form.addRow("Data folder:", in_row((self.folder, 1), self._browse, gap=GAP))
        loses = _ROLLBACK if first.options.rolls_back else ""
        introduction = PlainLabel(_INTRODUCTION.format(stack=first.stack.name, loses=loses), self, wraps=True)
        in_column(
            introduction, form, (self.view, 1), self.words, buttons, of=self, edges=(EDGE, EDGE, EDGE, EDGE), gap=GAP
        )
        resize_within_screen(self, _WIDTH, _HEIGHT)
        self.show_stage(None, "")

    def show_stage(self, stage: RenameStage | None, words: str) -> None:
        """Show how far the rename has come; None before the plan is written."""
        self.stage = stage
        self.words.setText(without_marks(words) or (stage.value if stage is not None else ""))
        steps = [Branch(_step(title, number - _DONE[stage], stage)) for number, title in enumerate(_STEPS)]
        changes = (Branch((line,)) for line in self.lines[:_MOST_LINES])
        title = AnswerRow("Changes of the data", detail=str(len(self.lines)))
        self.model.set_branches([*steps, Branch(title, tuple(changes))] if self.lines else steps)
        self.view.setRootIsDecorated(bool(self.lines))
        self.view.expandAll()
        self.next.setText(_NEXT[stage])
        self.undo.setText(_UNDO.get(stage, "") if stage is not None else "")
        self.undo.setVisible(stage in _UNDO)
        for field in (self.resource, self.name, self.target, self.folder, self._browse):
            field.setEnabled(stage is None)
        self._allow()

    def show_work(self, words: str) -> None:
        """Show that a step is under way."""
        self.stage = self.stage and RenameStage.BUSY  # how far it has come when the guide is closed is unknown
        self.words.setText(words)
        self.next.setEnabled(False)
        self.undo.setEnabled(False)

    def _allow(self) -> None:
        is_named = self.name.text().strip() or self.target.currentIndex() > 0
        is_filled = bool(is_named and self.folder.text().strip())
        self.next.setEnabled(is_filled)
        self.undo.setEnabled(True)

    def _choose_folder(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "New folder of the data", self.folder.text())
        if name:
            self.folder.setText(name)

    def _go_on(self) -> None:
        if self.stage is None:
            folder = Path(self.folder.text().strip()).expanduser()
            old, target = self._names[self.resource.currentIndex()], self._targets[self.target.currentIndex()]
            self.prepare_requested.emit(old, self.name.text().strip() or old, target, folder)
        else:
            self.step_requested.emit(self.stage)


def _step(title: str, ahead: int, stage: RenameStage | None) -> AnswerRow:
    """Return the row of a step that is a number of steps ahead, or done."""
    if ahead == 0:
        has_failed = stage is RenameStage.FAILED
        icon = ("severity-error", Color.ERROR) if has_failed else ("chevron-right", Color.INFORMATION)
        return AnswerRow(title, icon, "next")
    return AnswerRow(title, ("check", Color.ADDED) if ahead < 0 else ("severity-hint", Color.MUTED))


def _cell(value: object, column: int) -> Cell:
    return Cell(lines=value, spoken="\n".join(value)) if isinstance(value, tuple) else cell_of_answer(value, column)
