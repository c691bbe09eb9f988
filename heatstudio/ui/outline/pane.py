"""The outline next to the editor; it follows the cursor and moves it."""

from collections.abc import Iterable

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHeaderView

from heatstudio.analysis import Analysis
from heatstudio.analysis.assist import outline
from heatstudio.analysis.resource_graph import written_links
from heatstudio.analysis.scope import Diagnostic
from heatstudio.service.workspace.job import Job
from heatstudio.text import Span
from heatstudio.ui.documents.document import Document
from heatstudio.ui.outline.model import LINKS, NAME, OutlineModel, OutlineRow, OutlineRows, list_outline
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.layouts import in_row
from heatstudio.ui.widgets.panel import EDGE, GAP, EmptyState
from heatstudio.ui.widgets.row_actions import ChosenBy, RowChoice
from heatstudio.ui.widgets.row_delegate import NOTHING, RowTree, caption_font
from heatstudio.ui.widgets.search_field import SearchField
from heatstudio.ui.workspace.document_panel import DocumentPanel
from heatstudio.ui.workspace.session import Session

_EMPTY = ("The outline appears here", "Open a template (Ctrl+O) to see its sections, resources and parameters.")

_NO_SECTION = "The template has no sections. Ctrl+Space in the editor suggests them."
_ROOM_FOR_LINKS = 220
"""The minimum width in pixels to show link counts next to the names."""


class OutlinePane(DocumentPanel):
    """The outline pane, whose rows stand for positions in the text."""

    location_requested = Signal(object)

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__("Outline", EmptyState(appearance, "outline", *_EMPTY), session, marks_age=False)
        self._listing: Job | None = None
        self._counts: tuple[str, ...] = ()
        self._folded: set[str] = set()
        self._unfolding: tuple[bool, tuple[str, ...]] = (False, ())
        """Whether the rows were filtered when they were last expanded, and their fold names."""
        self._offset = 0
        self.model = OutlineModel()
        self.view = RowTree(self.model, appearance, "Outline", least_badge=0.1)
        self.view.setUniformRowHeights(True)
        self.filter = SearchField(appearance, "Filter outline")
        bar = in_row(self.filter, edges=(EDGE, 4, EDGE, 4))
        self.set_content(bar, self.view)
        header = self.view.header()
        header.setMinimumSectionSize(0)
        header.setStretchLastSection(False)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(LINKS, QHeaderView.ResizeMode.Fixed)
        RowChoice(self.view, self._show_text).entered.connect(self.text_requested)
        self.view.collapsed.connect(lambda index: self._folded.add(self._name(index)))
        self.view.expanded.connect(lambda index: self._folded.discard(self._name(index)))
        session.rested.connect(self._follow_analysis)
        self.filter.filter_rows(self.view, self.refresh)
        self.lead_to(self.view)

    def follow_caret(self, offset: int) -> None:
        """Select the row at the cursor without moving the focus."""
        self._offset = offset
        index = self.model.index_at(self.analysis.template.key_offset(offset) if self.analysis is not None else offset)
        if index.isValid() and not self.view.hasFocus():
            self.view.setCurrentIndex(index)

    def refresh(self) -> None:
        """Show the outline of the current document immediately."""
        analysis = self._begin()
        if analysis is not None and self._document is not None:
            self._show(_listing_of(analysis, self._document.problems or (), self.filter.text()))

    def catch_up(self) -> None:
        """List the rows in a thread, because a long text takes a while and the user may continue typing."""
        analysis, query = self._begin(), self.filter.text()
        if analysis is None or self._document is None:
            return
        name, problems = f"Listing the contents of {self._document.title}", self._document.problems or ()
        self._listing = self._session.run(name, lambda *_: _listing_of(analysis, problems, query), self._show)

    def _begin(self) -> Analysis | None:
        """Drop an earlier request, and return the analysis to list, if any."""
        if self._listing is not None:
            self._listing.stop()
        if self.analysis is None:
            self.show_nothing(*_EMPTY)
        else:
            self.set_filled(True)
        return self.analysis

    def _show(self, listing: OutlineRows) -> None:
        """Show a listing; folded sections stay folded, and unchanged rows keep their positions."""
        is_filtered = bool(self.filter.text())
        self.view.say_nothing(NOTHING if is_filtered else _NO_SECTION)
        current = self._name(self.view.currentIndex())
        is_as_before = self.model.renew_branches(listing.branches)
        self._make_room_for_links(listing.counts, is_as_before=is_as_before)
        unfolding = (is_filtered, listing.folds)
        if not is_as_before or unfolding != self._unfolding:
            folded = set(self._folded)
            for index in self.model.parents():
                self.view.setExpanded(index, is_filtered or self._name(index) not in folded)
            self._folded = folded
        self._unfolding = unfolding
        if not is_as_before:
            self._keep_current(current)
        self.follow_caret(self._offset)

    def _keep_current(self, name: str) -> None:
        """Keep the current row, or that of the cursor, when the rows change while the outline has the focus."""
        if self.view.hasFocus():
            same = (index for index in self.model.indexes() if name and self._name(index) == name)
            self.view.setCurrentIndex(next(same, self.model.index_at(self._offset)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the link counts in a narrow pane; the tool tips still have them."""
        super().resizeEvent(event)
        self.view.setColumnHidden(LINKS, event.size().width() < _ROOM_FOR_LINKS)

    def _make_room_for_links(self, counts: tuple[str, ...], *, is_as_before: bool) -> None:
        """Fit the link column to the longest count; rows without a count get the whole width."""
        if is_as_before and counts == self._counts:
            return
        self._counts = counts
        for index, said in zip(self.model.indexes(), counts, strict=True) if any(counts) else ():
            if not said or is_as_before:
                self.view.setFirstColumnSpanned(index.row(), index.parent(), not said)
        metrics = QFontMetrics(caption_font(self.view.font()))
        width = max(map(metrics.horizontalAdvance, set(counts)), default=0)
        self.view.header().resizeSection(LINKS, width + EDGE + GAP if width else 0)

    def _follow(self, document: Document | None) -> None:
        if document is not self._document and self.filter.text():
            self.filter.clear()  # the filter was for the previous text
        super()._follow(document)

    def _name(self, index: QModelIndex) -> str:
        row = self.model.value(index)
        return row.fold_name if isinstance(row, OutlineRow) else ""

    def _show_text(self, index: QModelIndex, by: ChosenBy) -> bool:
        """Mark the name of a row in the text; after Enter, do not select it, as the next key would replace it."""
        row = self.model.value(index)
        if isinstance(row, OutlineRow):
            span = row.item.key_span
            self.location_requested.emit(Span(span.start, span.start) if by is ChosenBy.ENTER else span)
        return isinstance(row, OutlineRow)


def _listing_of(analysis: Analysis, problems: Iterable[Diagnostic], query: str) -> OutlineRows:
    items, links = outline(analysis.template, analysis.stack), written_links(analysis.stack)
    return list_outline(items, problems, query, links)
