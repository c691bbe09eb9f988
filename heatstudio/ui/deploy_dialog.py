"""The second time that a person says so, before a stack is created or updated."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from heatstudio.ui.appearance import Appearance
from heatstudio.ui.outcome import Outcome, count_outcomes, totals_line
from heatstudio.ui.panel import EDGE, GAP
from heatstudio.ui.preview.model import UpdatePlanModel
from heatstudio.ui.preview.plan_tree import plan_branches
from heatstudio.ui.row_delegate import dress_tree

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.stack.update.update_plan import UpdatePlan

_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_.-]{0,254}")
"""heat/engine/stack.py: what Heat takes for the name of a stack."""
_GRAVE = (Outcome.NOT_SUPPORTED, Outcome.REPLACED, Outcome.DELETED)
_SIZE = (620, 520)
_SMALL = (520, 240)


@dataclass(frozen=True, slots=True)
class Deployment:
    """What is about to be done."""

    cloud: str
    title: str
    """The template, as its tab names it."""
    stack: str = ""
    """The stack that is updated; empty where one is created."""
    plan: UpdatePlan | None = None
    """What the update does; None where a stack is created."""
    complaints: Sequence[str] = ()
    """What stands against it, such as parameters without a value."""
    name: str = ""
    """What a new stack may be called."""

    @property
    def is_update(self) -> bool:
        """Whether there is a stack already."""
        return bool(self.stack)

    @property
    def is_grave(self) -> bool:
        """Whether something is replaced, deleted or refused, so that the name has to be typed."""
        if self.plan is None:
            return False
        counts = count_outcomes(self.plan.changes)
        return bool(self.plan.refusals) or any(counts[outcome] for outcome in _GRAVE)


class DeployDialog(QDialog):
    """Shows what will happen; the button stays shut until a grave update is confirmed by typing the stack's name."""

    def __init__(
        self, appearance: Appearance, parent: QWidget, what: Deployment, go: Callable[[str, bool], object]
    ) -> None:
        super().__init__(parent)
        self._what, self._go = what, go
        verb = "Update" if what.is_update else "Create"
        title = f"{verb} a stack in {what.cloud}"
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self.setModal(True)
        self.resize(*(_SIZE if what.is_update else _SMALL))
        self.name = QLineEdit(what.name)
        self.name.setAccessibleName("Name of the stack")
        self.keep = QCheckBox("Parameters without a value here keep the value that they have in the stack")
        self.keep.setChecked(True)
        self.typed = QLineEdit()
        self.typed.setAccessibleName("Type the name of the stack to confirm")
        self.view = QTreeView()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        layout.setSpacing(GAP)
        layout.addWidget(_words(self._headline()))
        for complaint in what.complaints:
            layout.addWidget(_words(complaint))
        if what.is_update:
            self._add_plan(layout, appearance)
        else:
            self._add_name(layout)
        layout.addWidget(self._make_buttons(f"{verb} the stack"))
        self.name.textChanged.connect(self._allow)
        self.typed.textChanged.connect(self._allow)
        self._allow()

    def _headline(self) -> str:
        what = self._what
        if not what.is_update:
            return f"A new stack is made from {what.title} in the cloud {what.cloud}."
        return f"The stack {what.stack} in the cloud {what.cloud} is updated to {what.title}:"

    def _add_name(self, layout: QVBoxLayout) -> None:
        form = QFormLayout()
        form.addRow("&Name:", self.name)
        layout.addLayout(form)
        layout.addStretch(1)

    def _add_plan(self, layout: QVBoxLayout, appearance: Appearance) -> None:
        plan = self._what.plan
        counts = count_outcomes(plan.changes if plan is not None else ())
        layout.addWidget(_words(totals_line(counts)))
        model = UpdatePlanModel()
        model.setParent(self.view)
        shown = frozenset(outcome for outcome in Outcome if outcome is not Outcome.UNCHANGED)
        model.set_branches(plan_branches(plan, shown) if plan is not None else ())
        dress_tree(self.view, appearance, "What the update does")
        self.view.setModel(model)
        self.view.expandAll()
        layout.addWidget(self.view, 1)
        layout.addWidget(self.keep)
        if self._what.is_grave:
            layout.addWidget(_words(self._warning(counts)))
            form = QFormLayout()
            form.addRow(f"Type {self._what.stack.replace('&', '&&')} to go on:", self.typed)
            layout.addLayout(form)

    def _warning(self, counts: dict[Outcome, int]) -> str:
        told = [f"{counts[outcome]} {outcome.counted}" for outcome in _GRAVE if counts[outcome]]
        if self._what.plan is not None and (self._what.plan.fails or self._what.plan.refusals):
            told.append("Heat will refuse a part of it, and the stack will be left failed")
        return "This cannot be undone: " + ", ".join(told) + "."

    def _make_buttons(self, words: str) -> QDialogButtonBox:
        buttons = QDialogButtonBox()
        self.button = buttons.addButton(words, QDialogButtonBox.ButtonRole.AcceptRole)
        cancel = buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        cancel.setDefault(True)
        buttons.accepted.connect(self._confirm)
        buttons.rejected.connect(self.reject)
        return buttons

    def _allow(self) -> None:
        what = self._what
        if what.is_update:
            self.button.setEnabled(not what.is_grave or self.typed.text().strip() == what.stack)
        else:
            self.button.setEnabled(_NAME.fullmatch(self.name.text().strip()) is not None)

    def _confirm(self) -> None:
        if self.button.isEnabled():
            self.accept()
            self._go(self.name.text().strip(), self.keep.isChecked())


def _words(text: str) -> QLabel:
    label = QLabel(text)
    label.setWordWrap(True)
    return label
