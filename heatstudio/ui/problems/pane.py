"""The list of problems below the editor."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QToolButton, QTreeView

from heatstudio.text import Fix, Severity
from heatstudio.ui.appearance import Appearance
from heatstudio.ui.choice_box import choice_box
from heatstudio.ui.document import Document
from heatstudio.ui.panel import EDGE, GAP, EmptyState, Panel, tool_button
from heatstudio.ui.problems.grouping import (
    Grouping,
    ProblemFile,
    ProblemRow,
    RelatedPlace,
    Scope,
    count_by_severity,
    group_rows,
    problem_rows,
)
from heatstudio.ui.problems.model import LINE, MESSAGE, PLACE, SEVERITY_LOOK, ProblemsModel
from heatstudio.ui.row_delegate import dress_tree
from heatstudio.ui.search_field import SearchField
from heatstudio.ui.session import Session
from heatstudio.ui.shown_names import shown_names
from heatstudio.ui.sight import Sight
from heatstudio.ui.theme import Color

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis.finding import Diagnostic
    from heatstudio.ui.problems.fix_chooser import FixChooser

_NOTHING_WRONG = ("No problems", "Everything that can be checked without a cloud is as Heat wants it.")
_NOT_YET = ("Problems appear here while you type", "F8 goes to the next one, Alt+Enter shows the ways out.")
_LEAST_PLACE, _MOST_PLACE = 64, 240
"""The width in pixels of the column that says where a problem is."""


class ProblemsPane(Panel):
    """Enter goes to a problem, Alt+Enter shows its fixes, Delete mutes it."""

    location_requested = Signal(object, object)
    """An open document, and a span of it."""
    fix_requested = Signal(object)
    kind_requested = Signal(str)
    neutrality_asked = Signal(object)
    count_changed = Signal(int)
    explain_requested = Signal(str)
    """The code whose page is asked for."""
    mute_requested = Signal(object, str)
    """A diagnostic, and why it does not matter; the reason may be empty."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__("Problems", EmptyState(appearance, "check", *_NOT_YET))
        self._appearance = appearance
        self._session = session
        self._document: Document | None = None
        self._listed: list[Document] = []
        """The documents whose problems are shown, the current one first."""
        self._muted_row = -1
        self._keys = {int(Qt.Key.Key_F1): self.explain_selected, int(Qt.Key.Key_Delete): self.mute_selected}
        self.model = ProblemsModel()
        self.view = QTreeView()
        self._filter = SearchField(appearance, "Filter problems")
        self._scope = choice_box("Whose problems are listed")
        self._grouping = choice_box("Group problems by")
        self._severities: dict[Severity, QToolButton] = {}
        self.set_content(self._make_bar(appearance), self.view)
        self.lead_to(self.view)
        self._make_view(appearance)
        session.current_changed.connect(self._follow)
        session.analysis_changed.connect(self._follow_analysis)
        session.looked.connect(self._follow_analysis)
        session.document_closed.connect(lambda _document: self.refresh())
        self._follow(session.current)

    @cached_property
    def _chooser(self) -> FixChooser:
        from heatstudio.ui.problems.fix_chooser import FixChooser

        chooser = FixChooser(self._appearance, self)
        chooser.fix_requested.connect(self.fix_requested)
        chooser.kind_requested.connect(self.kind_requested)
        chooser.neutrality_asked.connect(self.neutrality_asked)
        return chooser

    def diagnostics(self) -> tuple[Diagnostic | Sight, ...]:
        """All problems of the documents that the pane shows, whatever is filtered."""
        return tuple(one for document in self._listed for one in document.problems or ())

    def show_fixes(self, diagnostic: Diagnostic, at: QPoint) -> None:
        """Shows the ways out of a problem of the current document at a point of the screen."""
        if self._document is not None and self._document.current_analysis is not None:
            fixes = self._document.current_analysis.fixes(diagnostic)
            if fixes:
                self._chooser.choose(self._document.text, fixes, at, diagnostic.code)

    def show_neutrality(self, fix: Fix, neutral: bool) -> None:
        """Lets the list of fixes say that the selected one changes nothing, where that is proven."""
        self._chooser.show_neutrality(fix, neutral)

    def fix_selected(self) -> None:
        """Shows the ways out of the selected problem."""
        row = self._selected()
        if row is not None and not isinstance(row.diagnostic, Sight):
            self._turn_to(row)
            place = self.view.visualRect(self.view.currentIndex())
            self.show_fixes(row.diagnostic, self.view.viewport().mapToGlobal(place.bottomLeft()))

    def explain_selected(self) -> None:
        """Asks for the page of the selected problem."""
        row = self._selected()
        if row is not None:
            self.explain_requested.emit(row.diagnostic.code)

    def mute_selected(self, reason: str = "") -> None:
        """Asks for a comment that silences the selected problem; the one below it is selected then."""
        row = self._selected()
        if row is not None and not isinstance(row.diagnostic, Sight):
            self._turn_to(row)
            self._muted_row = self._problem_rows().index(self._current_problem())
            self.mute_requested.emit(row.diagnostic, reason)

    def ask_and_mute(self) -> None:
        """Asks why the selected problem does not matter, and mutes it."""
        from PySide6.QtWidgets import QInputDialog

        row = self._selected()
        if row is not None and not isinstance(row.diagnostic, Sight):
            dialog = QInputDialog(self)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.setWindowTitle("Mute this here")
            dialog.setLabelText("Why it does not matter here; it may stay empty:")
            dialog.setOkButtonText("Mute")
            dialog.textValueSelected.connect(self.mute_selected)
            dialog.open()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Takes F1 and Delete from the window while the list has the focus."""
        slot = self._keys.get(event.key()) if isinstance(event, QKeyEvent) and not event.modifiers() else None
        if slot is not None and self._selected() is not None:
            if event.type() is QEvent.Type.ShortcutOverride:
                event.accept()
            elif event.type() is QEvent.Type.KeyPress:
                slot()
                return True
        return super().eventFilter(watched, event)

    def refresh(self) -> None:
        """Shows what the filter and the grouping say now; keeps the selected problem."""
        self._listed = self._wanted_documents()
        if self._document is None:
            self.empty.say(*_NOT_YET)
            self.set_filled(False)
            return
        selected = self._selected()
        shown = frozenset(severity for severity, button in self._severities.items() if button.isChecked())
        grouping = Grouping(self._grouping.currentText())
        rows = self._rows(shown, grouping)
        self.model.set_branches(group_rows(rows, grouping))
        self._make_room_for_places(rows)
        self.view.expandAll()
        self._select_again(selected)
        counts = count_by_severity(self.diagnostics())
        for severity, button in self._severities.items():
            button.setText(str(counts[severity]))
            button.setAccessibleName(f"{counts[severity]} of severity {severity.word}; show or hide them")
        self.empty.say(*(_NOT_YET if any(one.problems is None for one in self._listed) else _NOTHING_WRONG))
        self.set_filled(bool(self.diagnostics()))
        self.count_changed.emit(len(self.diagnostics()))

    def _wanted_documents(self) -> list[Document]:
        if self._document is None:
            return []
        others = [one for one in self._session.documents if one is not self._document]
        return [self._document, *(others if self._scope.currentText() == Scope.OPEN else ())]

    def _rows(self, severities: frozenset[Severity], grouping: Grouping) -> list[ProblemRow]:
        names = shown_names(self._session.documents)
        is_said = len(self._listed) > 1 and grouping is not Grouping.FILE
        rows: list[ProblemRow] = []
        for number, document in enumerate(self._listed):
            file = ProblemFile(names.get(document, document.title), number, is_said)
            rows += problem_rows(document.problems or (), document.lines, self._filter.text(), severities, file)
        return rows

    def _make_bar(self, appearance: Appearance) -> QHBoxLayout:
        bar = QHBoxLayout()
        bar.setContentsMargins(EDGE, 4, EDGE, 4)
        bar.setSpacing(GAP)
        for severity in Severity:
            icon, color = SEVERITY_LOOK[severity]
            button = tool_button(appearance, icon, f"Show or hide {severity.word}", color)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setCheckable(True)
            button.setChecked(True)
            button.toggled.connect(self.refresh)
            self._severities[severity] = button
            bar.addWidget(button)
        self._filter.searched.connect(self.refresh)
        self._filter.tell_of(self.view)
        bar.addWidget(self._filter, 1)
        self._scope.addItems([scope.value for scope in Scope])
        self._scope.currentIndexChanged.connect(self.refresh)
        bar.addWidget(self._scope)
        self._grouping.addItems([grouping.value for grouping in Grouping])
        self._grouping.currentIndexChanged.connect(self.refresh)
        bar.addWidget(self._grouping)
        fix = tool_button(appearance, "fix", "Show fixes (Alt+Enter)", Color.ACCENT)
        fix.clicked.connect(self.fix_selected)
        bar.addWidget(fix)
        return bar

    def _make_view(self, appearance: Appearance) -> None:
        dress_tree(self.view, appearance, "Problems")
        self.view.setUniformRowHeights(True)
        self.view.setModel(self.model)
        header = self.view.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(MESSAGE, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(PLACE, QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(LINE, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(LINE, 64)
        self.view.activated.connect(self._jump)
        self.view.clicked.connect(self._jump)
        self.view.installEventFilter(self)
        explain = QAction("Explain\tF1", self.view)
        explain.triggered.connect(self.explain_selected)
        self.view.addAction(explain)
        mute = QAction("Mute this here…\tDel", self.view)
        mute.triggered.connect(self.ask_and_mute)
        self.view.addAction(mute)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def _make_room_for_places(self, rows: list[ProblemRow]) -> None:
        """As much as the longest place needs, up to a point: what is left is the messages'."""
        places = (place for row in rows for place in (row.where, row.file.name if row.related else ""))
        width = self.view.fontMetrics().horizontalAdvance(max(places, key=len, default=""))
        self.view.header().resizeSection(PLACE, min(max(width + EDGE + GAP, _LEAST_PLACE), _MOST_PLACE))

    def _follow(self, document: Document | None) -> None:
        self._document = document
        self.refresh()

    def _follow_analysis(self, document: Document) -> None:
        if document in self._listed:
            self.refresh_for(document.text)

    def _selected(self) -> ProblemRow | None:
        value = self.model.value(self._current_problem())
        return value if isinstance(value, ProblemRow) else None

    def _current_problem(self) -> QModelIndex:
        """The row of the selected problem; on a place that belongs to one, the row above it."""
        index = self.view.currentIndex().siblingAtColumn(MESSAGE)
        return index.parent() if isinstance(self.model.value(index), RelatedPlace) else index

    def _turn_to(self, row: ProblemRow) -> None:
        """Brings the file of a problem to the front; the focus stays in the list."""
        document = self._listed[row.file.number]
        if document is not self._document:
            had_focus = self.view.hasFocus()
            self.location_requested.emit(document, row.diagnostic.span)
            if had_focus:
                self.view.setFocus()

    def _select_again(self, row: ProblemRow | None) -> None:
        """Selects the same problem, or the one that took the place of a muted one."""
        if row is None:
            return
        rows = self._problem_rows()
        for index in rows:
            value = self.model.value(index)
            if isinstance(value, ProblemRow) and _same(value, row):
                self.view.setCurrentIndex(index)
                return
        if self._muted_row >= 0 and rows:
            self.view.setCurrentIndex(rows[min(self._muted_row, len(rows) - 1)])
        self._muted_row = -1

    def _problem_rows(self) -> list[QModelIndex]:
        return [index for index in self.model.indexes() if isinstance(self.model.value(index), ProblemRow)]

    def _jump(self, index: QModelIndex) -> None:
        value = self.model.value(index)
        if isinstance(value, RelatedPlace):
            self.location_requested.emit(self._listed[value.problem.file.number], value.related.span)
        elif isinstance(value, ProblemRow):
            self.location_requested.emit(self._listed[value.file.number], value.diagnostic.span)


def _same(one: ProblemRow, other: ProblemRow) -> bool:
    """Whether two rows of different versions tell of the same problem."""
    first, second = one.diagnostic, other.diagnostic
    told, told_before = (first.code, first.message, one.place), (second.code, second.message, other.place)
    return told == told_before and one.file.name == other.file.name
