"""The confirmations of operations on stacks: of an action, and before a stack is created or updated."""

import json
import re
from collections.abc import Callable, Sequence

from msgspec import Struct
from PySide6.QtCore import QMargins, Qt
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QPushButton, QWidget

from heatstudio.cloud.changes import NO_OPTIONS, ActionTarget, EntryKind, StackOptions, TargetKind
from heatstudio.text import counted
from heatstudio.text.invisible import visible
from heatstudio.ui.preview.model import UpdatePlanModel
from heatstudio.ui.preview.verdict import DemandView, VerdictLabel
from heatstudio.ui.widgets import EDGE, GAP, Appearance, PlainLabel, in_column, in_row, plain
from heatstudio.ui.widgets.check_box import CheckBox
from heatstudio.ui.widgets.choice_box import choice_box
from heatstudio.ui.widgets.dialogs import resize_within_screen
from heatstudio.ui.widgets.layouts import NO_EDGES
from heatstudio.ui.widgets.row_delegate import RowTree
from heatstudio.ui.widgets.text_keys import LineEdit
from heatstudio.update.plan.capacity import Capacity
from heatstudio.update.plan.outcome import GRAVE, Count, Outcome, count_outcomes, totals_line
from heatstudio.update.plan.plan_rows import plan_branches
from heatstudio.update.plan.update_plan import UpdatePlan

_WIDTH, _DEPLOY_WIDTH, _HEIGHT_OF_LIST = 460, 620, 520
_FEWEST_ROWS = 4
"""The number of rows of the quota table for which the dialog grows."""
_TIMEOUT = "([1-9][0-9]{0,3}|100[0-7][0-9]|10080)?"
"""A timeout in minutes, at most a week, or nothing; what is typed on the way to a valid timeout is valid, too."""
_DEFAULT_OF_NEW, _DEFAULT_OF_OLD = "the cloud's default", "the current timeout or the cloud's default"
_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_.-]{0,254}")
"""A valid stack name (`heat/engine/stack.py`)."""
_HINTS = {EntryKind.JSON: "data for the resource; may be empty", EntryKind.REASON: "may be empty"}
Confirmed = Callable[[ActionTarget | None, str], object]
"""A function of the chosen object and the entered text."""
Go = Callable[[str, bool, StackOptions], object]
"""A function of the stack name, whether the stack's values are kept, and the options."""


class ActionDialog(QDialog):
    """A dialog that describes an action; its button is disabled until all fields are valid."""

    def __init__(
        self,
        parent: QWidget,
        button: str,
        sentence: str,
        go: Confirmed,
        *,
        typed: str = "",
        chooses: TargetKind | None = None,
        choices: Sequence[ActionTarget] = (),
        asks: EntryKind | None = None,
        text: str = "",
    ) -> None:
        """`typed` is the stack name to type; `text` the initial text of the field."""
        super().__init__(parent)
        self._typed_name, self._choices, self._asks, self._go = typed, choices, asks, go
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(button)
        self.setAccessibleName(button)
        self.setMinimumWidth(_WIDTH)
        self.button = QPushButton(button)
        form = QFormLayout()
        self.choice = choice_box(chooses.capitalize() if chooses is not None else "Object")
        self.choice.addItems([visible(one.label) for one in choices])
        self.text = LineEdit(asks or "Text", text, self)
        self.typed = LineEdit("Type the stack name to confirm", parent=self)
        if chooses is not None:
            form.addRow(f"&{chooses.capitalize()}:", self.choice)
        if asks is not None:
            self.text.setPlaceholderText(_HINTS.get(asks, ""))
            form.addRow(f"{asks}:", self.text)
        if typed:
            form.addRow(PlainLabel(f"Type {typed} to confirm:"), self.typed)
        self.choice.setParent(self)
        for field, is_used in ((self.choice, chooses), (self.text, asks), (self.typed, typed)):
            field.setVisible(bool(is_used))
        for line in (self.text, self.typed):
            line.textChanged.connect(self._allow)
        buttons = confirmation_buttons(self, self.button, self._confirm)
        in_column(PlainLabel(sentence, wraps=True), form, 1, buttons, of=self, edges=(EDGE, EDGE, EDGE, EDGE), gap=GAP)
        self._allow()

    def _allow(self) -> None:
        is_valid = self._asks is not EntryKind.JSON or _is_json(self.text.text())
        self.button.setToolTip(plain("" if is_valid else "The data is not a JSON object."))
        self.button.setEnabled(is_valid and self.typed.text().strip() == self._typed_name)

    def _confirm(self) -> None:
        if self.button.isEnabled():
            self.accept()
            chosen = self._choices[self.choice.currentIndex()] if self._choices else None
            self._go(chosen, self.text.text().strip())


def _is_json(entered: str) -> bool:
    try:
        return not entered.strip() or isinstance(json.loads(entered), dict)
    except (ValueError, RecursionError):
        return False


def confirmation_buttons(dialog: QDialog, button: QPushButton, confirm: Callable[[], object]) -> QDialogButtonBox:
    """Return the buttons of a confirmation; Cancel is the default, as Return must not send anything."""
    button.setAutoDefault(False)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, parent=dialog)
    buttons.addButton(button, QDialogButtonBox.ButtonRole.AcceptRole)
    buttons.button(QDialogButtonBox.StandardButton.Cancel).setDefault(True)
    buttons.accepted.connect(confirm)
    buttons.rejected.connect(dialog.reject)
    return buttons


class OptionsForm:
    """The fields of the stack options, as children of the dialog."""

    def __init__(self, options: StackOptions, parent: QWidget) -> None:
        self.rollback = CheckBox("Roll back on failure", parent)
        self.rollback.setChecked(options.rolls_back)
        self.converge = CheckBox("Compare with the actual resources, not with Heat's database (converge)", parent)
        self.timeout = LineEdit("Timeout in minutes", str(options.timeout or ""), parent)
        self.timeout.setValidator(QRegularExpressionValidator(_TIMEOUT, self.timeout))
        self.tags = LineEdit("Tags", ", ".join(options.tags), parent)
        self.tags.setPlaceholderText("separated by commas")

    @property
    def options(self) -> StackOptions:
        """The values of the fields."""
        tags = tuple(tag for tag in map(str.strip, self.tags.text().split(",")) if tag)
        return StackOptions(self.rollback.isChecked(), int(self.timeout.text() or 0), tags, self.converge.isChecked())

    def layout(self, name: LineEdit | None) -> QFormLayout:
        """Return the fields in a form layout: with the field of the name for a new stack, `converge` for an update."""
        form = QFormLayout()
        if name is not None:
            form.addRow("&Name:", name)
        form.addRow(self.rollback)
        if name is None:
            form.addRow(self.converge)
        self.converge.setVisible(name is None)
        default = _DEFAULT_OF_OLD if name is None else _DEFAULT_OF_NEW
        self.timeout.setPlaceholderText(f"in minutes; if empty, {default}")
        form.addRow("Time&out:", self.timeout)
        form.addRow("Ta&gs:", self.tags)
        return form


class Deployment(Struct, frozen=True):
    """The operation to confirm."""

    cloud: str
    title: str
    """The title of the template's tab."""
    stack: str = ""
    """The stack to update; empty for a new stack."""
    plans: tuple[UpdatePlan, UpdatePlan] = (UpdatePlan(), UpdatePlan())
    """The plan with the given values, and with the stack's values for the others.

    Those of a new stack have no changes, only the reasons why Heat rejects it.
    """
    name: str = ""
    """The suggested name of a new stack."""
    keeps_values: bool = False
    """Whether the stack's values are kept by default."""
    options: StackOptions = NO_OPTIONS
    """The options of the stack besides its template."""
    caution: str = ""
    """A warning if the connection is insecure."""
    rename: Callable[[], object] | None = None
    """Begins the rename of a resource that the update would delete and create with another name."""
    demand: UpdatePlan | None = None
    """The plan that tells what a new stack takes; `plans` tell what an update takes."""
    capacity: Capacity | None = None

    @property
    def is_update(self) -> bool:
        """Whether an existing stack is updated."""
        return bool(self.stack)


def is_grave(plan: UpdatePlan) -> bool:
    """Return whether the stack name has to be typed: resources are lost, or Heat would surprisingly accept the plan."""
    counts = count_outcomes(plan.changes)
    return bool(plan.refusals) or any(any(counts[outcome]) for outcome in GRAVE)


class DeployDialog(QDialog):
    """A dialog with the effects; its button is disabled until a destructive update is confirmed by the stack name."""

    def __init__(self, appearance: Appearance, parent: QWidget, what: Deployment, go: Go) -> None:
        super().__init__(parent)
        self._what, self._go = what, go
        verb = "Update" if what.is_update else "Create"
        title = f"{verb} a stack in {what.cloud}"
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self.name = LineEdit("Stack name", what.name, self)
        self.name.setVisible(not what.is_update)
        self.keep = CheckBox("Keep the stack's values for parameters without a new value", self)
        self.keep.setChecked(what.keeps_values)
        self.keep.setVisible(what.is_update)
        self.options = OptionsForm(what.options, self)
        self.typed = LineEdit("Type the stack name to confirm", parent=self)
        self._model = UpdatePlanModel()
        self.view = RowTree(self._model, appearance, "Update plan" if what.is_update else "Errors")
        self._totals, self._warning = PlainLabel("", self, wraps=True), PlainLabel("", self, wraps=True)
        self.button = QPushButton(f"{verb} the Stack")
        self.anyway = CheckBox(f"{verb} the stack although this would fail", self)
        self.demand = DemandView(appearance, NO_EDGES, _FEWEST_ROWS)
        self.verdict = VerdictLabel(appearance, QMargins())
        self._confirmation = QWidget(self)
        row = QFormLayout()
        row.addRow(PlainLabel(f"Type {what.stack} to confirm:"), self.typed)
        self.rename = QPushButton("Rename without Loss…")
        self.rename.setAutoDefault(False)
        self.rename.setToolTip(plain("Renames the resource without deleting it"))
        self.rename.clicked.connect(self._rename_instead)
        in_column(in_row((self._warning, 1), self.rename, gap=GAP), row, of=self._confirmation, gap=GAP)
        self.rename.setVisible(what.rename is not None)
        in_column(
            self.verdict,
            PlainLabel(self._headline(), self, wraps=True),
            self._totals,
            self.demand,
            (self.view, 1),
            self.keep,
            self.options.layout(None if what.is_update else self.name),
            self._confirmation,
            self.anyway,
            0,  # takes the spare height of a dialog without a list
            confirmation_buttons(self, self.button, self._confirm),
            of=self,
            edges=(EDGE, EDGE, EDGE, EDGE),
            gap=GAP,
        )
        self.keep.toggled.connect(self._show_plan)
        self.name.textChanged.connect(self._allow)
        self.typed.textChanged.connect(self._allow)
        self.anyway.toggled.connect(self._allow)
        self._show_plan()
        height = self.sizeHint().height()
        resize_within_screen(self, _DEPLOY_WIDTH, height if self.view.isHidden() else max(height, _HEIGHT_OF_LIST))

    def _headline(self) -> str:
        what = self._what
        if not what.is_update:
            return f"Create a stack from {what.title} in the cloud {what.cloud}. {what.caution}".rstrip()
        return f"Update the stack {what.stack} in the cloud {what.cloud} with {what.title}. {what.caution}".rstrip()

    def _show_plan(self) -> None:
        """Show the plan with the chosen parameter values."""
        plan = self._what.plans[self.keep.isChecked()]
        counts = count_outcomes(plan.accepted_changes)
        shortages = self.demand.show_demand(self._what.demand or plan, self._what.capacity)
        if self._what.is_update or plan.refusals:
            self.verdict.show_plan(plan, shortages)
        elif shortages:
            self.verdict.show_misfit("stack", shortages)
        else:
            self.verdict.show_verdict("runs", "The stack would be created")
        self._totals.setText(totals_line(counts))
        self._totals.setVisible(self._what.is_update and not plan.refusals)
        self._model.set_plan(plan_branches(plan), self.view)
        self.view.setVisible(self._what.is_update or bool(plan.refusals))
        self._warning.setText(_warning(plan, counts))
        self.anyway.setVisible(bool(shortages) and shortages[0].certain)
        self._confirmation.setVisible(self._what.is_update and is_grave(plan))
        self._allow()

    def _rename_instead(self) -> None:
        self.reject()
        if self._what.rename is not None:
            self._what.rename()

    def _allow(self) -> None:
        is_named = self._what.is_update or _NAME.fullmatch(self.name.text().strip()) is not None
        is_confirmed = self._confirmation.isHidden() or self.typed.text().strip() == self._what.stack
        is_accepted = self.anyway.isHidden() or self.anyway.isChecked()
        self.button.setEnabled(is_named and is_confirmed and is_accepted)

    def _confirm(self) -> None:
        if self.button.isEnabled():
            self.accept()
            self._go(self.name.text().strip(), self.keep.isChecked(), self.options.options)


def _warning(plan: UpdatePlan, counts: dict[Outcome, Count]) -> str:
    grave = [one for one in GRAVE if one is not Outcome.NOT_SUPPORTED and any(counts[one])]
    lost = [f"{counted(sum(counts[one]), 'resource')} {one.word}" for one in grave]
    sentences = [f"This cannot be undone: {', '.join(lost)}."] if lost else []
    if plan.failures:
        sentences.append(f"The update {'would' if plan.failures[0].certain else 'may'} fail.")
    return " ".join(sentences)
