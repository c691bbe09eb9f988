"""The confirmation before a stack is created or updated."""

import re
from collections.abc import Callable, Sequence

from msgspec import Struct
from PySide6.QtCore import QMargins
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from heatstudio.cloud.changes import NO_OPTIONS, StackOptions
from heatstudio.text import counted
from heatstudio.ui.preview.model import UpdatePlanModel
from heatstudio.ui.preview.plan_tree import BlockedRow, plan_branches
from heatstudio.ui.preview.verdict_label import VerdictLabel
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.check_box import CheckBox
from heatstudio.ui.widgets.layouts import in_column
from heatstudio.ui.widgets.panel import EDGE, GAP
from heatstudio.ui.widgets.plain_text import PlainLabel
from heatstudio.ui.widgets.row_delegate import style_tree
from heatstudio.update.outcome import GRAVE, Count, Outcome, count_outcomes, totals_line
from heatstudio.update.update_plan import UpdatePlan

_LONGEST = 7 * 24 * 60
"""The maximum timeout in minutes: a week."""


class OptionsForm:
    """The fields of the stack options, as children of the dialog."""

    def __init__(self, options: StackOptions, parent: QWidget) -> None:
        self.rollback = CheckBox("Roll back on failure", parent)
        self.rollback.setChecked(options.rolls_back)
        self.converge = CheckBox("Compare with the actual resources, not with Heat's database (converge)", parent)
        self.timeout = QLineEdit(str(options.timeout or ""), parent)
        self.timeout.setAccessibleName("Timeout in minutes")
        self.timeout.setPlaceholderText("in minutes; if empty, the current timeout or the cloud's default")
        self.timeout.setValidator(QIntValidator(0, _LONGEST, self.timeout))
        self.tags = QLineEdit(", ".join(options.tags), parent)
        self.tags.setAccessibleName("Tags")
        self.tags.setPlaceholderText("separated by commas")

    @property
    def options(self) -> StackOptions:
        """The values of the fields."""
        tags = tuple(tag for tag in map(str.strip, self.tags.text().split(",")) if tag)
        return StackOptions(self.rollback.isChecked(), int(self.timeout.text() or 0), tags, self.converge.isChecked())

    def layout(self, *, with_converge: bool) -> QFormLayout:
        """Return the fields in a form layout; `converge` is for updates only."""
        form = QFormLayout()
        form.addRow(self.rollback)
        if with_converge:
            form.addRow(self.converge)
        self.converge.setVisible(with_converge)
        form.addRow("Time&out:", self.timeout)
        form.addRow("Ta&gs:", self.tags)
        return form


_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_.-]{0,254}")
"""A valid stack name (`heat/engine/stack.py`)."""
_SIZE = (620, 520)
_SMALL = (520, 330)


Go = Callable[[str, bool, StackOptions], object]
"""A function of the stack name, whether the stack's values are kept, and the options."""


class Deployment(Struct, frozen=True):
    """The operation to confirm."""

    cloud: str
    title: str
    """The title of the template's tab."""
    stack: str = ""
    """The stack to update; empty for a new stack."""
    plans: tuple[UpdatePlan, UpdatePlan] | None = None
    """The plan with the given values, and with the stack's values for the others; None for a new stack."""
    complaints: Sequence[str] = ()
    """The sentences about missing or invalid parameter values."""
    name: str = ""
    """The suggested name of a new stack."""
    errors: int = 0
    """The number of errors for which Heat rejects a new stack."""
    keeps_values: bool = False
    """Whether the stack's values are kept by default."""
    options: StackOptions = NO_OPTIONS
    """The options of the stack besides its template."""

    @property
    def is_update(self) -> bool:
        """Whether an existing stack is updated."""
        return bool(self.stack)

    def plan(self, *, keeps_values: bool) -> UpdatePlan | None:
        """Return the plan of the update; None for a new stack."""
        return self.plans[keeps_values] if self.plans is not None else None


def is_grave(plan: UpdatePlan) -> bool:
    """Return whether a plan replaces, deletes or rejects resources, so that the stack name has to be typed."""
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
        self.setModal(True)
        self.resize(*(_SIZE if what.is_update else _SMALL))
        self.name = QLineEdit(what.name, self)
        self.name.setAccessibleName("Stack name")
        self.keep = CheckBox("Keep the stack's values for parameters without a new value", self)
        self.keep.setChecked(what.keeps_values)
        self.options = OptionsForm(what.options, self)
        self.typed = QLineEdit(self)
        self.typed.setAccessibleName("Type the stack name to confirm")
        self.view = QTreeView(self)
        self._model = UpdatePlanModel()
        self._totals, self._warning = _words("", self), _words("", self)
        self.button = QPushButton(f"{verb} the Stack")
        self.verdict = VerdictLabel(appearance, QMargins())
        layout = in_column(
            self.verdict, _words(self._headline(), self), of=self, edges=(EDGE, EDGE, EDGE, EDGE), gap=GAP
        )
        for complaint in what.complaints:
            layout.addWidget(_words(complaint, self))
        unused: tuple[QWidget, ...] = (self.name,)
        if what.is_update:
            self._add_plan(layout, appearance)
        else:
            unused = (self.keep, self.typed, self.view, self._totals, self._warning)
            self._add_name(layout)
        for widget in unused:
            widget.hide()
        layout.addWidget(self._make_buttons())
        self.name.textChanged.connect(self._allow)
        self.typed.textChanged.connect(self._allow)
        self._allow()

    def _headline(self) -> str:
        what = self._what
        if not what.is_update:
            return f"Create a stack from {what.title} in the cloud {what.cloud}."
        return f"Update the stack {what.stack} in the cloud {what.cloud} with {what.title}:"

    def _add_name(self, layout: QVBoxLayout) -> None:
        errors = self._what.errors
        refusal = f"Heat would reject this stack: {counted(errors, 'error')}"
        self.verdict.show_verdict(*(("refused", refusal) if errors else ("runs", "The stack would be created")))
        form = QFormLayout()
        form.addRow("&Name:", self.name)
        layout.addLayout(form)
        layout.addLayout(self.options.layout(with_converge=False))

    def _add_plan(self, layout: QVBoxLayout, appearance: Appearance) -> None:
        style_tree(self.view, appearance, "Update plan")
        self.view.setModel(self._model)
        self.keep.toggled.connect(self._show_plan)
        row = QFormLayout()
        row.addRow(PlainLabel(f"Type {self._what.stack} to confirm:"), self.typed)
        self._confirmation = QWidget()
        in_column(self._warning, row, of=self._confirmation, gap=GAP)
        layout.addWidget(self._totals)
        layout.addWidget(self.view, 1)
        layout.addWidget(self.keep)
        layout.addLayout(self.options.layout(with_converge=True))
        layout.addWidget(self._confirmation)
        self._show_plan()

    @property
    def _plan(self) -> UpdatePlan | None:
        return self._what.plan(keeps_values=self.keep.isChecked())

    def _show_plan(self) -> None:
        """Show the plan with the chosen parameter values."""
        plan = self._plan
        if plan is None:
            return
        counts = count_outcomes(plan.accepted_changes)
        self.verdict.show_plan(plan)
        self._totals.setText(totals_line(counts))
        shown = frozenset(outcome for outcome in Outcome if outcome is not Outcome.UNCHANGED)
        self._model.set_branches(plan_branches(plan, shown))
        self.view.expandAll()
        for index in self._model.indexes():
            if isinstance(self._model.value(index), BlockedRow):
                self.view.collapse(index)
        self._warning.setText(_warning(plan, counts))
        self._confirmation.setVisible(is_grave(plan))
        self._allow()

    def _make_buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(self)
        self.button.setAutoDefault(False)  # Return must not send anything
        buttons.addButton(self.button, QDialogButtonBox.ButtonRole.AcceptRole)
        cancel = buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        cancel.setDefault(True)
        buttons.accepted.connect(self._confirm)
        buttons.rejected.connect(self.reject)
        return buttons

    def _allow(self) -> None:
        plan = self._plan
        if plan is None:
            self.button.setEnabled(_NAME.fullmatch(self.name.text().strip()) is not None)
        else:
            self.button.setEnabled(not is_grave(plan) or self.typed.text().strip() == self._what.stack)

    def _confirm(self) -> None:
        if self.button.isEnabled():
            self.accept()
            self._go(self.name.text().strip(), self.keep.isChecked(), self.options.options)


def _warning(plan: UpdatePlan, counts: dict[Outcome, Count]) -> str:
    if plan.refusals:
        return "Heat would reject this update and change nothing."
    grave = [one for one in GRAVE if one is not Outcome.NOT_SUPPORTED and any(counts[one])]
    lost = [f"{counted(sum(counts[one]), 'resource')} {one.word}" for one in grave]
    sentences = [f"This cannot be undone: {', '.join(lost)}."] if lost else []
    if plan.failures:
        sentences.append(f"The update {'would' if plan.failures[0].certain else 'may'} fail.")
    return " ".join(sentences)


def _words(text: str, parent: QWidget) -> QLabel:
    label = PlainLabel(text, parent)
    label.setWordWrap(True)
    return label
