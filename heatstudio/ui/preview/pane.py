"""The update preview next to the editor."""

from collections.abc import Callable

from PySide6.QtCore import QMargins, QModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from heatstudio.analysis import Analysis, EnvironmentAnalysis
from heatstudio.text.invisible import visible
from heatstudio.ui.documents.document import Baseline, Document
from heatstudio.ui.preview.model import UpdatePlanModel
from heatstudio.ui.preview.verdict import DemandView, VerdictLabel
from heatstudio.ui.widgets import EDGE, GAP, Appearance, EmptyState, Flow, icon_size, in_column, in_row, tool_button
from heatstudio.ui.widgets.choice_box import choice_box
from heatstudio.ui.widgets.outcome import icon_of
from heatstudio.ui.widgets.plain_text import ElidedLabel, PlainLabel, plain
from heatstudio.ui.widgets.row_actions import ChosenBy, RowActions, RowChoice
from heatstudio.ui.widgets.row_delegate import RowTree, row_height
from heatstudio.ui.widgets.search_field import SearchField
from heatstudio.ui.widgets.tree_model import Index
from heatstudio.ui.workspace.document_panel import DocumentPanel
from heatstudio.ui.workspace.session import Session
from heatstudio.update.plan.capacity import Capacity
from heatstudio.update.plan.outcome import Count, Outcome, count_outcomes, outcome_of, totals_line
from heatstudio.update.plan.plan_rows import ChangeRow, EqualRows, ReasonRow, plan_branches
from heatstudio.update.plan.plan_text import plan_markdown
from heatstudio.update.plan.update_plan import Cause, Refusal, UpdatePlan

_OLDER = "Preview of the text before the unfinished line"
Words = tuple[str, str]
"""A headline and a sentence."""
_NOTHING = ("The effects of a stack update appear here", "Change the template, or choose another baseline.")
_ENVIRONMENT = ("No preview for environment files", "Open the template that uses this environment.")
_SAME = (
    "No changes",
    "The template and its baseline describe the same stack. Change the template, or choose another baseline above.",
)


def words_for_none(document: Document | None) -> tuple[bool, Words]:
    """Return whether another baseline may help, and the explanation of an empty preview."""
    if document is None or document.state is None or document.state.plan is None:
        return False, _NOTHING
    plan, analysis = document.state.plan, document.state.analysis
    if plan.unread == "new":
        return True, _unreadable(document, analysis)
    if plan.unread == "old":
        return True, (
            "The baseline is not a valid template",
            f"Baseline: “{document.baseline.words}”. Choose another one above.",
        )
    if isinstance(analysis, EnvironmentAnalysis):
        return False, _ENVIRONMENT
    return (True, _SAME) if plan.changes else (False, _NOTHING)


def _unreadable(document: Document, analysis: Analysis) -> Words:
    headline = "The template has a syntax error"
    if not analysis.template.problems:
        return headline, "F8 goes to the error."
    first = min(analysis.template.problems, key=lambda problem: problem.span)
    line = document.lines.position(min(first.span.start, len(document.text))).line + 1
    return headline, f"Line {line}: {first.message} F8 goes there."


BASELINES = {
    "git": "git HEAD",
    "revision": "a commit, branch or tag…",
    "opened": "as opened",
    "saved": "last saved",
    "file": "a file…",
    "stack": "an exported stack…",
    "running": "a running stack…",
    "environments": "other environments…",
}
"""The titles of the possible baselines by the name of the request."""


class PreviewPane(DocumentPanel):
    """The pane of the update preview; rows link to resources, and the box at the top selects the baseline."""

    location_requested = Signal(object, object)
    """The changes from a resource of the template to the nested one to show, and a cause."""
    before_requested = Signal(object, object)
    """The same, to show in the baseline."""
    subject_requested = Signal(object, object, object)
    """The same, and the subject of a reason to show."""
    error_requested = Signal(object)
    """The span of an error to show."""
    baseline_requested = Signal(str)
    revert_requested = Signal(object, object)
    """A change to revert, and one of its causes, or None for the whole change."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__("Update preview", EmptyState(appearance, "preview", *words_for_none(None)[1]), session)
        self.model = UpdatePlanModel()
        self.view = RowTree(self.model, appearance, "Update preview")
        self.view.setWordWrap(True)
        self.view.setMinimumHeight(row_height())  # the lines above come first in a low pane
        self._counts: dict[Outcome, Count] = {}
        self._shown: tuple[Document, Baseline] | None = None
        """The document and the baseline of the rows, or of the sentence why there are none."""
        self._is_filled = self._is_refused = False
        self._filters = Flow("Update totals", QMargins(EDGE - 4, 4, EDGE - 4, 4), 2)
        self.search, self._search_row = SearchField(appearance, "Filter by name, type or outcome"), QWidget()
        self._baseline_label, self._baseline_box = PlainLabel("Baseline"), choice_box("Compare with")
        self._baseline_detail = ElidedLabel()
        self._old_environments = tool_button(appearance, "file", "Baseline environments")
        self.verdict = VerdictLabel(appearance, QMargins(EDGE, GAP, EDGE, 4))
        self.demand = DemandView(appearance, (EDGE, 0, EDGE, 4))
        self._capacity: Capacity | None = None
        self._outcomes: dict[Outcome, QToolButton] = {}
        self._revert = QAction(appearance.icon("undo"), "Revert This Change", enabled=False)
        self._revert.setShortcut(QKeySequence("Ctrl+Backspace"))
        self._revert.triggered.connect(self.revert_selected)
        self._make_filters(appearance)
        self._head = QWidget()
        lines = self._make_head(appearance), self._make_second_line()
        self._search_row.hide()
        in_row((self.search, 1), of=self._search_row, edges=(EDGE, 0, EDGE, 4))
        in_column(self.verdict, self.demand, *lines, self._filters, self._search_row, of=self._head, gap=0)
        self.set_head(self._head)
        self.set_content(self.view)
        RowChoice(self.view, self._show_text).entered.connect(self.text_requested)
        self.view.selectionModel().currentChanged.connect(self._allow_revert)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._show_before = QAction(appearance.icon("file"), "Show in Baseline")
        self._show_before.setShortcuts([QKeySequence("Shift+Return"), QKeySequence("Shift+Enter")])
        self._show_before.triggered.connect(self._request_before)
        for action in (self._show_before, self._revert):
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            self.view.addAction(action)
        RowActions(self.view, appearance, {self._show_before: self._has_change, self._revert: self._can_revert})
        self.search.filter_rows(self.view, self.refresh)
        self.lead_to(self.view)
        session.rested.connect(self._follow_rest)

    @property
    def plan(self) -> UpdatePlan | None:
        """The unfiltered plan of the shown document."""
        return self.state.plan if self.state is not None else None

    @property
    def totals(self) -> str:
        """The number of changes by outcome, in one line."""
        return totals_line(self._counts)

    def show_capacity(self, capacity: Capacity | None) -> None:
        """Compare what the update takes with what the connected cloud has room for."""
        self._capacity = capacity
        self.refresh()

    def markdown(self) -> str:
        """Return the plan as a Markdown report, for example for a code review."""
        if self._document is None or self.plan is None:
            return ""
        own = self._document.old_environment_words
        title = f"Update preview of {self._document.title} compared with {self._document.baseline.label}"
        title += f" ({own[:1].lower()}{own[1:]})" if own else ""
        return plan_markdown(self.plan, title)

    def refresh(self) -> None:
        """Apply the filters.

        While the text is typed and refused, the last content stays; an accepted update stays during a syntax error.
        """
        plan = self.plan
        self.keep(_OLDER if self._has_to_wait(self._document) else "")
        if self._kept:
            return
        changes = plan.accepted_changes if plan is not None else ()
        self._counts = counts = count_outcomes(changes)
        for outcome, button in self._outcomes.items():
            button.setAccessibleName(f"{counts[outcome].words(outcome.word)}; show or hide them")
            button.setVisible(any(counts[outcome]))
        self._filters.setAccessibleDescription(self.totals)
        self._fit_head()
        self.model.set_plan(plan_branches(plan, self._is_shown) if plan is not None else (), self.view)
        self._show_baseline()
        busy = any(any(count) for outcome, count in counts.items() if outcome is not Outcome.UNCHANGED)
        self._is_refused = bool(plan is not None and plan.refusals)
        is_shown = busy or any(change.hooks for change in changes) or self._is_refused
        self._shown = (self._document, self._document.baseline) if self._document is not None else None
        self._is_filled = is_shown
        self._show_rows(shown=is_shown)

    def _has_to_wait(self, document: Document | None) -> bool:
        if document is None or self.plan is None or self._shown != (document, document.baseline):
            return False
        if self.plan.unread == "new":
            return document.is_typing or (self._is_filled and not self._is_refused)
        return document.is_typing and bool(self.plan.refusals)

    def _is_shown(self, row: ChangeRow) -> bool:
        """Return whether the totals and the search field let a row through."""
        change = row.change
        words = f"{change.name} {change.type} {row.outcome.words(certain=change.certain)}".lower()
        is_chosen = self._outcomes[row.outcome].isChecked() or bool(change.hooks)
        return is_chosen and all(part in words for part in self.search.text().lower().split())

    def _show_search(self, shown: bool) -> None:
        """Show the search field, or remove its filter."""
        self._search_row.setVisible(shown)
        self.search.clear()
        self.search.setFocus()

    def _show_rows(self, *, shown: bool) -> None:
        """Show the rows, or an explanation, which has the baseline box above if another baseline may help."""
        has_sides, (headline, sentence) = words_for_none(self._document)
        self.empty.say(headline, self.or_how_to_check(sentence))
        if shown and self.plan is not None:
            self.verdict.show_plan(self.plan, self.demand.show_demand(self.plan, self._capacity))
        else:
            self.demand.hide()
        self.verdict.setVisible(shown)
        self._head.setVisible(shown or has_sides)
        self.set_filled(shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_head()
        self._show_old_environments()

    def _fit_head(self) -> None:
        """Leave the baseline room in a narrow pane, and shorten totals that need too many lines or too much width."""
        self._baseline_label.setVisible(self.width() >= 4 * self._baseline_label.sizeHint().width())
        self._write_totals(lambda _outcome, count: count.short)
        line = self._filters.heightForWidth(self.width())
        self._write_totals(lambda outcome, count: count.words(outcome.word))
        is_wide = self._filters.minimumSizeHint().width() > self.width()
        if is_wide or self._filters.heightForWidth(self.width()) >= 2 * line:
            self._write_totals(lambda _outcome, count: count.short)
        self._filters.refit()

    def _write_totals(self, words: Callable[[Outcome, Count], str]) -> None:
        for outcome, count in self._counts.items():
            self._outcomes[outcome].setText(words(outcome, count))

    def revert_selected(self) -> None:
        """Request to revert the selected change, or the selected part of it."""
        row = self.model.value(self.view.currentIndex())
        if isinstance(row, ChangeRow):
            self.revert_requested.emit(row.change, None)
        elif isinstance(row, ReasonRow):
            self.revert_requested.emit(row.row.change, _change_of(row)[1])

    def _allow_revert(self, index: QModelIndex) -> None:
        self._revert.setEnabled(self._can_revert(index))

    def _can_revert(self, index: Index) -> bool:
        """Return whether a row is a change in the template itself, and not shared by several resources."""
        row = self.model.value(index)
        while isinstance(self.model.value(index), ReasonRow):
            index = index.parent()
        is_shared = isinstance(self.model.value(index), EqualRows)
        shown = row.row if isinstance(row, ReasonRow) else row
        return isinstance(shown, ChangeRow) and not shown.is_nested and not is_shared

    def _has_change(self, index: Index) -> bool:
        return _change_of(self.model.value(index))[0] is not None

    def _show_baseline(self) -> None:
        """Show the current baseline in the box, even if it is not one of the choices."""
        baseline = self._document.baseline if self._document is not None else None
        label, detail = (baseline.label, baseline.detail) if baseline is not None else (BASELINES["opened"], "")
        while self._baseline_box.count() > len(BASELINES):
            self._baseline_box.removeItem(self._baseline_box.count() - 1)
        if self._baseline_box.findText(visible(label)) < 0:
            self._baseline_box.addItem(visible(label), "")
        self._baseline_box.setCurrentIndex(self._baseline_box.findText(visible(label)))
        self._baseline_box.setToolTip(plain(f"Compare with {label}"))
        self._baseline_detail.setText(visible(detail))
        self._baseline_detail.setVisible(bool(detail))
        self._show_old_environments()

    def _show_old_environments(self) -> None:
        """Show the environments of the baseline if they differ from the current ones."""
        document, button = self._document, self._old_environments
        words = document.old_environment_words if document is not None else ""
        lost = self.state.old_complaints if self.state is not None and words else ()
        said = visible(f"{words} ({len(lost)} cannot be read)" if lost else words)
        room = self.width() - 2 * EDGE - icon_size().width() - 2 * GAP
        button.setText(button.fontMetrics().elidedText(said, Qt.TextElideMode.ElideRight, room))
        button.setAccessibleName(said or "Baseline environments: same as current")
        button.setToolTip(plain("\n".join(lost) or f"{words}. Click to choose others."))
        button.setVisible(bool(words))

    def _ask_baseline(self, row: int) -> None:
        side = self._baseline_box.itemData(row)
        self._show_baseline()
        if side:
            self.baseline_requested.emit(side)

    def _make_second_line(self) -> QVBoxLayout:
        self._old_environments.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._old_environments.clicked.connect(lambda: self.baseline_requested.emit("environments"))
        environments = in_row(self._old_environments, 1, edges=(EDGE - 4, 0, EDGE, 0))
        detail = in_row((self._baseline_detail, 1), edges=(EDGE, 0, EDGE, 2))
        return in_column(detail, environments, gap=0)

    def _make_head(self, appearance: Appearance) -> QHBoxLayout:
        self._baseline_label.setBuddy(self._baseline_box)
        for side, words in BASELINES.items():
            self._baseline_box.addItem(words, side)
        self._baseline_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._baseline_box.activated.connect(self._ask_baseline)
        copy = tool_button(appearance, "copy", "Copy preview as Markdown")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.markdown()))
        search = tool_button(appearance, "filter", "Filter changes")
        search.setCheckable(True)
        search.toggled.connect(self._show_search)
        return in_row(self._baseline_label, (self._baseline_box, 1), search, copy, edges=(EDGE, 4, EDGE, 0), gap=GAP)

    def _make_filters(self, appearance: Appearance) -> None:
        for outcome in Outcome:
            icon, color = icon_of(outcome)
            button = tool_button(appearance, icon, f"Show or hide: {outcome.word}", color=color)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setCheckable(True)
            button.setChecked(outcome is not Outcome.UNCHANGED)
            button.toggled.connect(self.refresh)
            self._outcomes[outcome] = button
            self._filters.add(button)

    def _follow_analysis(self, document: Document) -> None:
        """Wait for the plan."""

    def _follow_plan(self, document: Document) -> None:
        if document is self._document:
            self.refresh_for(document.text)

    def _follow_rest(self, document: Document) -> None:
        """Show what waited while the text was typed."""
        if self._kept:
            self._follow_plan(document)

    def _show_text(self, index: QModelIndex, by: ChosenBy) -> bool:
        """Show the text of a row; a key opens neither a nested template nor the baseline of a deleted resource."""
        row = self.model.value(index)
        if isinstance(row, Refusal):
            if row.span is not None:
                self.error_requested.emit(row.span)
            return row.span is not None
        change, cause = _change_of(row)
        if change is None:
            return False
        is_old = outcome_of(change.trail[0]) is Outcome.DELETED
        if by is not ChosenBy.KEY or not (is_old or change.is_nested):
            if isinstance(row, ReasonRow) and row.subject is not None:
                self.subject_requested.emit(change.trail, cause, row.subject)
            else:
                self.location_requested.emit(change.trail, cause)
        return not is_old

    def _request_before(self) -> None:
        change, cause = _change_of(self.model.value(self.view.currentIndex()))
        if change is not None:
            self.before_requested.emit(change.trail, cause)


def _change_of(row: object) -> tuple[ChangeRow | None, Cause | None]:
    """Return the change of a row, or the first one of equal rows, and the cause or difference that the row names."""
    if isinstance(row, ReasonRow):
        return row.row, row.line.cause if row.line is not None else row.cause
    if isinstance(row, EqualRows):
        return row.rows[0], None
    return (row if isinstance(row, ChangeRow) else None), None
