"""The update preview beside the editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QTreeView

from heatstudio.ui.appearance import Appearance
from heatstudio.ui.document import Document
from heatstudio.ui.panel import EDGE, GAP, EmptyState, Panel, choice_box, tool_button
from heatstudio.ui.preview.model import UpdatePlanModel
from heatstudio.ui.preview.outcome import Outcome, count_outcomes, totals_line
from heatstudio.ui.preview.plan_tree import ChangeRow, ReasonRow, plan_branches, plan_markdown
from heatstudio.ui.row_delegate import dress_tree
from heatstudio.ui.session import Session

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.stack.update_plan import ResourceChange

_EMPTY = (
    "What a stack update would do appears here",
    "Change something in the template; Ctrl+Alt+D brings this pane back.",
)
_SAME = ("Nothing would change", "The template does the same as the one it is compared with.")


OLD_SIDES = {"saved": "last saved", "git": "git HEAD", "file": "a file…"}
"""What the template may be compared with, by the name that is asked for."""


class PreviewPane(Panel):
    """Rows lead to the resource; the box at the top chooses the old side."""

    location_requested = Signal(object)
    """The change whose resource is to be shown."""
    old_side_requested = Signal(str)

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__("Update preview", EmptyState(appearance, "preview", *_EMPTY))
        self._document: Document | None = None
        self.model = UpdatePlanModel()
        self.view = QTreeView()
        self.totals = QLabel()
        self._old_side = choice_box("Compare with")
        self._outcomes: dict[Outcome, QToolButton] = {}
        self.set_content(self._make_head(appearance), self._make_totals(), self._make_filters(appearance), self.view)
        dress_tree(self.view, appearance, "Update preview")
        self.view.setModel(self.model)
        self.view.setWordWrap(True)
        self.view.activated.connect(self._jump)
        self.view.clicked.connect(self._jump)
        self.setFocusProxy(self.view)
        session.current_changed.connect(self._follow)
        session.plan_changed.connect(self._follow_plan)
        self._follow(session.current)

    def changes(self) -> tuple[ResourceChange, ...]:
        """All changes of the document that the pane shows, whatever is filtered."""
        if self._document is None or self._document.plan is None:
            return ()
        changes: tuple[ResourceChange, ...] = self._document.plan.changes
        return changes

    def markdown(self) -> str:
        """The plan as a report."""
        return plan_markdown(self.changes(), self._document.baseline.label if self._document else "")

    def refresh(self) -> None:
        """Shows what the filter says now."""
        changes = self.changes()
        counts = count_outcomes(changes)
        for outcome, button in self._outcomes.items():
            button.setText(str(counts[outcome]))
            button.setAccessibleName(f"{counts[outcome]} {outcome.counted}; show or hide them")
        self.totals.setText(totals_line(counts))
        shown = frozenset(outcome for outcome, button in self._outcomes.items() if button.isChecked())
        self.model.set_branches(plan_branches(changes, shown))
        self.view.expandAll()
        self.empty.say(*(_SAME if changes else _EMPTY))
        self.set_filled(any(count for outcome, count in counts.items() if outcome is not Outcome.UNCHANGED))

    def _make_head(self, appearance: Appearance) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setContentsMargins(EDGE, 4, EDGE, 0)
        head.setSpacing(GAP)
        label = QLabel("Against")
        label.setBuddy(self._old_side)
        for side, words in OLD_SIDES.items():
            self._old_side.addItem(words, side)
        self._old_side.activated.connect(lambda row: self.old_side_requested.emit(self._old_side.itemData(row)))
        copy = tool_button(appearance, "copy", "Copy the preview as Markdown")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.markdown()))
        head.addWidget(label)
        head.addWidget(self._old_side, 1)
        head.addWidget(copy)
        return head

    def _make_totals(self) -> QLabel:
        self.totals.setContentsMargins(EDGE, GAP, EDGE, 0)
        self.totals.setWordWrap(True)
        self.totals.setAccessibleName("Totals of the update")
        return self.totals

    def _make_filters(self, appearance: Appearance) -> QHBoxLayout:
        bar = QHBoxLayout()
        bar.setContentsMargins(EDGE - 4, 4, EDGE, 4)
        bar.setSpacing(2)
        for outcome in Outcome:
            button = tool_button(appearance, outcome.icon, f"Show or hide: {outcome.word}", outcome.color)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setCheckable(True)
            button.setChecked(outcome is not Outcome.UNCHANGED)
            button.toggled.connect(self.refresh)
            self._outcomes[outcome] = button
            bar.addWidget(button)
        bar.addStretch(1)
        return bar

    def _follow(self, document: Document | None) -> None:
        self._document = document
        self.refresh()

    def _follow_plan(self, document: Document) -> None:
        if document is self._document:
            self.refresh()

    def _jump(self, index: QModelIndex) -> None:
        row = self.model.value(index)
        if isinstance(row, ChangeRow | ReasonRow):
            self.location_requested.emit(row.change)
