"""The list of problems below the editor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QRect, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QToolButton, QWidget

from heatstudio.text import FAMILIES, CheckFamily, Severity, counted
from heatstudio.ui.documents.document import Document
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.problems.table import (
    MOST_LISTED,
    Grouping,
    ListedText,
    ProblemFilter,
    ProblemGroup,
    ProblemRow,
    ProblemTable,
    RelatedPlace,
    Scope,
    listed,
)
from heatstudio.ui.widgets import (
    EDGE,
    GAP,
    SEVERITY_ICONS,
    Appearance,
    Color,
    EmptyState,
    PlainLabel,
    in_row,
    plain,
    tool_button,
)
from heatstudio.ui.widgets.choice_box import choice_box
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.dialogs import ask_text
from heatstudio.ui.widgets.row_actions import ChosenBy, RowChoice
from heatstudio.ui.widgets.row_delegate import RowTree
from heatstudio.ui.widgets.search_field import SearchField
from heatstudio.ui.widgets.tree_model import NO_CELL, Branch, Cell, TreeModel
from heatstudio.ui.workspace.document_panel import DocumentPanel
from heatstudio.ui.workspace.folder_problems import FolderProblems
from heatstudio.ui.workspace.session import Session

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis.scope.finding import Diagnostic

USUAL = {Scope.FOLDER: Grouping.FILE}
"""The default grouping of some scopes; others are grouped by severity."""


class ProblemsBar(QWidget):
    """The filter bar, which stores the scope, and the grouping for each scope."""

    changed = Signal()
    fix_requested = Signal()

    def __init__(self, settings: Settings, appearance: Appearance) -> None:
        super().__init__()
        self._settings = settings
        self.filter = SearchField(appearance, "Filter problems")
        self.scopes = choice_box("Scope of the problems list")
        self.groupings = choice_box("Group problems by")
        self.toggles: dict[Severity | CheckFamily, QToolButton] = {}
        for severity in Severity:
            icon, color = SEVERITY_ICONS[severity]
            button = tool_button(appearance, icon, f"Show or hide problems of severity {severity.word}", color=color)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            self._add_toggle(severity, button, is_on=True)
        for family in FAMILIES:
            button = QToolButton(autoRaise=True)
            button.setToolTip(plain(f"Show or hide the family {family}"))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self._add_toggle(family, button, is_on=family not in settings.hidden_families)
        self.scopes.addItems([scope.value for scope in Scope])
        self.groupings.addItems([grouping.value for grouping in Grouping])
        fix = tool_button(appearance, "fix", "Show fixes (Alt+Enter)", self.fix_requested, color=Color.ACCENT)
        choices = (self.filter, 1), self.scopes, self.groupings, fix
        in_row(*self.toggles.values(), *choices, of=self, edges=(EDGE, 4, EDGE, 4), gap=GAP)
        self.scopes.setCurrentText(settings.problem_scope)
        self._recall_grouping()
        self.scopes.currentTextChanged.connect(self._take_scope)
        self.groupings.currentTextChanged.connect(self._take_grouping)

    @property
    def scope(self) -> Scope:
        """The selected scope."""
        return Scope(self.scopes.currentText())

    @property
    def grouping(self) -> Grouping:
        """The selected grouping."""
        return Grouping(self.groupings.currentText())

    @property
    def hidden(self) -> frozenset[Severity | CheckFamily]:
        """The severities and families that are not listed."""
        return frozenset(kind for kind, button in self.toggles.items() if not button.isChecked())

    def count(self, counts: Mapping[Severity | CheckFamily, int]) -> None:
        """Show the unfiltered number of problems by severity and by family; no button for an empty family."""
        for kind, button in self.toggles.items():
            number = counts[kind]
            if isinstance(kind, CheckFamily):
                words, name = f"{number} {kind}", f"the family {kind}"
                button.setVisible(number > 0)
            else:
                words, name = str(number), f"severity {kind.word}"
            button.setText(words)
            button.setAccessibleName(f"Problems of {name}: {number}; toggle the filter")

    def _add_toggle(self, kind: Severity | CheckFamily, button: QToolButton, *, is_on: bool) -> None:
        button.setCheckable(True)
        button.setChecked(is_on)
        button.toggled.connect(self._keep_families)
        self.toggles[kind] = button

    def _keep_families(self) -> None:
        self._settings.hidden_families = [family for family in FAMILIES if family in self.hidden]
        self.changed.emit()

    def _recall_grouping(self) -> None:
        known = self._settings.problem_groupings.get(self.scope, USUAL.get(self.scope, Grouping.SEVERITY))
        self.groupings.setCurrentText(known)

    def _take_scope(self, scope: str) -> None:
        self._settings.problem_scope = scope
        with QSignalBlocker(self.groupings):
            self._recall_grouping()
        self.groupings.update()
        self.changed.emit()

    def _take_grouping(self, grouping: str) -> None:
        self._settings.problem_groupings = {**self._settings.problem_groupings, self.scope: grouping}
        self.changed.emit()


COLUMNS = ("Problem", "Where", "Line")
MESSAGE, PLACE, LINE = range(3)
_NOTHING_WRONG = ("No problems", "All offline checks passed.")
_INCOMPLETE = ("No problems in what was checked", "Some files cannot be used; see above.")
_NOT_YET = ("Problems appear here", "F8 goes to the next one, Alt+Enter shows the fixes.")
_NO_FOLDER = ("No folder open", "Open a folder (Ctrl+Shift+E) to check all its templates and environments.")
_LOOKING = ("Checking the folder", "Problems appear here file by file; Shift+F5 cancels.")
_LEAST_PLACE, _MOST_PLACE = 64, 240
"""The minimum and maximum width of the position column in pixels."""


class ProblemsPane(DocumentPanel):
    """The problems pane; Enter goes to a problem, Alt+Enter shows its fixes, Delete suppresses it."""

    location_requested = Signal(object, object)
    """An open document, or a file to open, and a span in it."""
    fixes_requested = Signal(object, QRect)
    """A diagnostic of the current document whose fixes are to be shown, and the rectangle of its row on the screen."""
    fix_requested = Signal(object)
    """A diagnostic of the current document whose preferred fix is to be applied."""
    explain_requested = Signal(object)
    """The problem whose page is to be shown."""
    mute_requested = Signal(object, str)
    """A diagnostic to suppress, and the reason, which may be empty."""

    def __init__(self, session: Session, appearance: Appearance, folder: FolderProblems) -> None:
        super().__init__("Problems", EmptyState(appearance, "check", *_NOT_YET), session)
        self._folder = folder
        self._listed: list[ListedText] = []
        self._table = ProblemTable()
        self._when_open: tuple[Path, Callable[[], None]] | None = None
        """A file, and the action to run on the selected problem as soon as the file is open and checked."""
        self.model = TreeModel(COLUMNS, cell_of_problem)
        self.view = RowTree(self.model, appearance, "Problems")
        self.bar = ProblemsBar(session.settings, appearance)
        self.bar.changed.connect(self.refresh)
        self.bar.fix_requested.connect(self.fix_selected)
        self.bar.filter.filter_rows(self.view, self.refresh)
        self.note = PlainLabel(wraps=True)
        self.note.setContentsMargins(EDGE, 0, EDGE, 4)
        self.note.setForegroundRole(self.note.palette().ColorRole.PlaceholderText)
        self.note.hide()
        self.set_head(self.bar, self.note)
        self.set_content(self.view)
        self.lead_to(self.view)
        self._make_view()
        session.document_closed.connect(self.refresh)
        session.rested.connect(self._follow_analysis)
        session.folder_opened.connect(self._show_folder)
        folder.changed.connect(self._follow_folder)
        if session.root is not None and not session.documents:
            self._show_folder()
        self.refresh()

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Return the unfiltered problems of the listed texts."""
        return tuple(one for text in self._listed for one in text.problems or ())

    def fix_selected(self) -> None:
        """Request the fixes of the selected problem."""
        diagnostic = self._turn_to_selected(self.fix_selected)
        if diagnostic is not None:
            place = self.view.visualRect(self.view.currentIndex())
            corner = self.view.viewport().mapToGlobal(place.topLeft())
            self.fixes_requested.emit(diagnostic, QRect(corner, place.size()))

    def _fix_clicked(self) -> None:
        """Request the preferred fix of the clicked problem, or its fixes if there is none."""
        row = self._selected_in_tab(self._fix_clicked)
        if row is not None and row.diagnostic.has_preferred_fix:
            self.fix_requested.emit(self._turn_to_selected(self._fix_clicked))
        elif row is not None:
            self.fix_selected()

    def explain_selected(self) -> None:
        """Request the page of the selected problem."""
        row = self._selected()
        if row is not None:
            self.explain_requested.emit(row.diagnostic)

    def mute_selected(self, reason: str = "") -> None:
        """Request a comment that suppresses the selected problem."""
        diagnostic = self._turn_to_selected(lambda: self.mute_selected(reason))
        if diagnostic is not None:
            self.mute_requested.emit(diagnostic, reason)

    def ask_and_mute(self) -> None:
        """Ask for a reason and suppress the selected problem."""
        if self._selected_in_tab(self.ask_and_mute) is not None:
            ask_text(self, "Suppress problem", "Reason (optional):", self.mute_selected, accept="Suppress")

    def refresh(self) -> None:
        """Apply the filter and the grouping; keep the selected problem and the collapsed groups."""
        scope, grouping = self.bar.scope, self.bar.grouping
        self._listed = listed(self._session, self._folder, scope, self._document)
        selected, opened = self._selected(), {key: self.view.isExpanded(index) for index, key, _ in self._groups()}
        row = self._problem_rows().index(self._current_problem()) if selected and self._has_focus() else -1
        names_files = (len(self._listed) > 1 or scope is Scope.FOLDER) and grouping is not Grouping.FILE
        table = self._table
        table.fill(self._listed, ProblemFilter(self.bar.filter.text(), self.bar.hidden, grouping, names_files))
        self._show(table.branches, opened)
        if self._selected() is not selected:
            self._select_again(selected, row)
        self._make_room_for_places()
        found = len(self.diagnostics())
        self.bar.count(table.counts)
        self._say_notes(scope, table.fitting)
        self.empty.say(*self._words(scope))
        offers_more = len(self._session.documents) > 1 or self._session.root is not None
        self.bar.setVisible(found > 0 or offers_more or scope is not Scope.CURRENT)
        self.set_filled(found > 0)

    def _words(self, scope: Scope) -> tuple[str, str]:
        """Return the headline and the sentence for an empty list."""
        if scope is Scope.FOLDER and self._session.root is None:
            return _NO_FOLDER
        if scope is Scope.FOLDER and self._folder.is_under_way:
            return _LOOKING
        if all(one.problems is not None for one in self._listed) and (self._listed or scope is Scope.FOLDER):
            return _INCOMPLETE if self.note.text() else _NOTHING_WRONG
        return _NOT_YET[0], self.or_how_to_check(_NOT_YET[1])

    def _say_notes(self, scope: Scope, count: int) -> None:
        documents = (one.place for one in self._listed if isinstance(one.place, Document))
        notes = [*dict.fromkeys(complaint for one in documents if one.state for complaint in one.state.complaints)]
        notes += self._folder.notes() if scope is Scope.FOLDER else []
        if count > MOST_LISTED:
            notes.append(f"The first {MOST_LISTED:,} of {count:,} problems are shown. Use the filter to see others.")
        self.note.setText(without_marks("  ".join(notes)))
        self.note.setVisible(bool(notes))

    def _make_view(self) -> None:
        self.view.setUniformRowHeights(True)
        self.view.header().resizeSection(LINE, 64)
        RowChoice(self.view, self._show_text).entered.connect(self.text_requested)
        self.view.delegate.badge_clicked.connect(self._fix_clicked)
        self.view.offer("Fix…\tAlt+Enter", self.fix_selected)
        self.view.offer("Explain\tF1", self.explain_selected)
        self.view.offer("Suppress\tDel", partial(self.mute_selected, ""), "Del")
        self.view.offer("Suppress with Reason…", self.ask_and_mute)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the position column to the width of the pane."""
        super().resizeEvent(event)
        self._make_room_for_places()

    def _make_room_for_places(self) -> None:
        """Fit the position column to its longest text, within limits that leave space for the messages."""
        width = self.view.fontMetrics().horizontalAdvance(self._table.widest) + EDGE + GAP
        most = max(_LEAST_PLACE, min(_MOST_PLACE, self.width() // 4))
        self.view.header().resizeSection(PLACE, min(max(width, _LEAST_PLACE), most))

    def _follow_analysis(self, document: Document) -> None:
        """Show the new problems of a document, and run the action that waits for it."""
        if any(text.place is document for text in self._listed) or self.bar.scope is Scope.FOLDER:
            self.refresh_for(document.text)
            if self._when_open is not None and self._when_open[0] == document.path:
                act, self._when_open = self._when_open[1], None
                self.refresh()
                act()

    def _show_folder(self) -> None:
        self.bar.scopes.setCurrentText(Scope.FOLDER)

    def _follow_folder(self) -> None:
        if self.bar.scope is Scope.FOLDER:
            self.refresh_for("")

    def _groups(self) -> Iterator[tuple[QModelIndex, tuple[str, ...], ProblemGroup]]:
        """Yield the groups and subgroups, each with its parent's title and its own as key."""
        for index in self.model.parents():
            group, above = self.model.value(index), self.model.value(index.parent())
            if isinstance(group, ProblemGroup):
                yield index, (above.title if isinstance(above, ProblemGroup) else "", group.title), group

    def _show(self, branches: list[Branch], opened: dict[tuple[str, ...], bool]) -> None:
        """Show branches; new groups are expanded unless they combine similar rows."""
        bar, place = self.view.verticalScrollBar(), self.view.verticalScrollBar().value()
        if not self.model.renew_branches(branches):
            self.view.expandAll()
            bar.setValue(place)
        for index, key, group in self._groups():
            is_open = opened.get(key, not group.is_kind)
            if self.view.isExpanded(index) is not is_open:
                self.view.setExpanded(index, is_open)

    def _selected(self) -> ProblemRow | None:
        value = self.model.value(self._current_problem())
        return value if isinstance(value, ProblemRow) else None

    def _selected_in_tab(self, act: Callable[[], None]) -> ProblemRow | None:
        """Return the selected problem if its tab still has it.

        If the file is closed, open it, return None, and run `act` after its check.
        """
        row = self._selected()
        if row is None:
            return None
        place = self._listed[row.file.number].place
        if isinstance(place, Path):
            self._turn_to(row)
            self._when_open = (place, act) if self._session.document_at(place) is not None else None
            return None
        return row if row.diagnostic in (place.problems or ()) else None

    def _turn_to_selected(self, act: Callable[[], None]) -> Diagnostic | None:
        """Return the diagnostic of the selected problem, and make its file current; see `_selected_in_tab`."""
        row = self._selected_in_tab(act)
        if row is not None:
            self._turn_to(row)
        return row.diagnostic if row is not None else None

    def _current_problem(self) -> QModelIndex:
        """Return the row of the selected problem, or of the problem of a selected related position."""
        index = self.view.currentIndex().siblingAtColumn(MESSAGE)
        return index.parent() if isinstance(self.model.value(index), RelatedPlace) else index

    def _turn_to(self, row: ProblemRow) -> None:
        """Make the file of a problem current."""
        place = self._listed[row.file.number].place
        if place is not self._document:
            self.location_requested.emit(place, row.diagnostic.span)

    def _has_focus(self) -> bool:
        """Return whether the list has the focus of its window, also while a popup or another window is active."""
        return self.window().focusWidget() is self.view

    def _select_again(self, row: ProblemRow | None, position: int) -> None:
        """Select the same problem, or the one that takes its position, if it had one."""
        if row is None:
            return
        rows = self._problem_rows()
        for index in rows:
            value = self.model.value(index)
            if isinstance(value, ProblemRow) and _same(value, row):
                self.view.setCurrentIndex(index)
                return
        if position >= 0 and rows:
            self.view.setCurrentIndex(rows[min(position, len(rows) - 1)])

    def _problem_rows(self) -> list[QModelIndex]:
        return [index for index in self.model.indexes() if isinstance(self.model.value(index), ProblemRow)]

    def _show_text(self, index: QModelIndex, by: ChosenBy) -> bool:
        """Show the text of a problem; only Enter or a double click opens a closed file."""
        value = self.model.value(index)
        row = _row_of(value)
        if row is None:
            return False
        span = value.related.span if isinstance(value, RelatedPlace) else row.diagnostic.span
        place, where = self._listed[row.file.number].place, row.diagnostic.elsewhere
        if where is not None:
            place, span = self._session.document_at(Path(where.file)) or Path(where.file), where.span
        if by is ChosenBy.ENTER or isinstance(place, Document):
            self.location_requested.emit(place, span)
        return True


def _row_of(value: object) -> ProblemRow | None:
    """Return the problem of a row or of its parent."""
    if isinstance(value, RelatedPlace):
        return value.problem
    return value if isinstance(value, ProblemRow) else None


def _same(one: ProblemRow, other: ProblemRow) -> bool:
    """Return whether two rows of different versions show the same problem."""
    first, second = one.diagnostic, other.diagnostic
    reported, reported_before = (first.code, first.message, one.place), (second.code, second.message, other.place)
    return reported == reported_before and one.file.name == other.file.name


def cell_of_problem(value: object, column: int) -> Cell:
    """Return a cell: the message, the place or the line, with the text for screen readers."""
    if isinstance(value, ProblemGroup):
        if column != MESSAGE:
            return NO_CELL
        spoken = f"{value.title}, {counted(value.size, 'problem')}" if value.is_kind else ""
        return Cell(
            value.title, SEVERITY_ICONS[value.gravest], str(value.size), strong=not value.is_kind, spoken=spoken
        )
    if not isinstance(value, ProblemRow | RelatedPlace):
        return NO_CELL
    if column == MESSAGE:
        return _message_cell(value) if isinstance(value, ProblemRow) else _related_cell(value)
    if column == LINE:
        line = value.line if isinstance(value, ProblemRow) else value.related.line
        return Cell(str(line), accent=Color.MUTED, alignment=Qt.AlignmentFlag.AlignRight)
    return Cell(value.where if isinstance(value, ProblemRow) else value.problem.file.name, accent=Color.MUTED)


def _related_cell(value: RelatedPlace) -> Cell:
    words, line = value.related.words, value.related.line
    spoken = f"Related, line {line}: {words}"
    return Cell(words, ("jump", Color.MUTED), tip=f"{words}\nEnter goes to it.", spoken=spoken)


def _message_cell(row: ProblemRow) -> Cell:
    diagnostic = row.diagnostic
    file = f"{row.file.name}, " if row.file.is_said else ""
    return Cell(
        diagnostic.message,
        SEVERITY_ICONS[diagnostic.severity],
        diagnostic.code,
        ("Fix" if diagnostic.has_preferred_fix else "Fix…", Color.ACCENT) if diagnostic.has_fixes else None,
        tip=f"{diagnostic.message}\nHeat says: {diagnostic.heat}" if diagnostic.heat else diagnostic.message,
        spoken=f"{diagnostic.severity.word}, {file}line {row.line}: {diagnostic.message}",
    )
