"""The outline of a template next to the editor; it follows the cursor and moves it."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent

from heatstudio.analysis import Analysis
from heatstudio.analysis.assist.outline import OutlineItem, outline
from heatstudio.analysis.resource_graph import Links, written_links
from heatstudio.analysis.scope import Diagnostic
from heatstudio.service.workspace.job import Job
from heatstudio.text import Severity, Span, checkpoint, counted
from heatstudio.ui.documents.document import Document
from heatstudio.ui.widgets import EDGE, GAP, Appearance, Color, EmptyState, in_row
from heatstudio.ui.widgets.row_actions import ChosenBy, RowChoice
from heatstudio.ui.widgets.row_delegate import NOTHING, RowTree, caption_font
from heatstudio.ui.widgets.search_field import SearchField
from heatstudio.ui.widgets.tree_model import NO_CELL, Branch, Cell, TreeModel
from heatstudio.ui.workspace.document_panel import DocumentPanel
from heatstudio.ui.workspace.session import Session

_EMPTY = ("The outline appears here", "Open a template (Ctrl+O) to see its sections, resources and parameters.")
_NO_SECTION = "The template has no sections. Ctrl+Space in the editor suggests them."
_ROOM_FOR_LINKS = 220
"""The minimum width in pixels to show link counts next to the names."""
_KIND_ICONS = {
    "section": ("kind-section", Color.MUTED),
    "resource": ("kind-resource", Color.RESOURCE_TYPE),
    "parameter": ("kind-parameter", Color.KEY),
    "output": ("kind-output", Color.FUNCTION),
    "condition": ("kind-condition", Color.REFERENCE),
}
_OTHER_ICON = ("kind-property", Color.MUTED)
NAME, LINKS = range(2)
_MOST_NAMED = 8
Mark = tuple[int, Severity]
"""The start and the severity of a diagnostic."""


class OutlineRow(Struct, frozen=True):
    """An item with the problems inside it."""

    item: OutlineItem
    gravest: Severity | None
    problems: int
    """The number of diagnostics with the highest severity."""
    needs: tuple[str, ...] = ()
    """The dependencies of a resource."""
    needed_by: tuple[str, ...] = ()
    """The dependents of a resource."""

    @property
    def fold_name(self) -> str:
        """The key under which the fold state is stored, for all texts."""
        return f"{self.item.kind} {self.item.name}"

    @property
    def visible(self) -> tuple[object, ...]:
        """All visible values of the row."""
        item = self.item
        return item.name, item.kind, item.detail, self.gravest, self.problems, self.needs, self.needed_by

    @property
    def link_counts(self) -> str:
        """The numbers of dependents and dependencies, as in `\u21902 \u21921`."""
        counts = (("\u2190", len(self.needed_by)), ("\u2192", len(self.needs)))
        return " ".join(f"{arrow}{count}" for arrow, count in counts if count)

    @property
    def link_words(self) -> str:
        """The dependents and dependencies as sentences, with names."""
        sentences = []
        if self.needed_by:
            sentences.append(f"Used by {_named(self.needed_by)}.")
        if self.needs:
            sentences.append(f"Depends on {_named(self.needs)}.")
        return "\n".join(sentences)


def _named(names: Sequence[str]) -> str:
    """Return the number of resources with the first names: `2 resources (`a`, `b`)`."""
    shown = ", ".join(f"`{name}`" for name in names[:_MOST_NAMED])
    more = ", \u2026" if len(names) > _MOST_NAMED else ""
    return f"{counted(len(names), 'resource')} ({shown}{more})"


class OutlineRows(NamedTuple):
    """The rows of an outline, with their widths."""

    branches: tuple[Branch, ...]
    counts: tuple[str, ...]
    """The text of the link column in each row, from top to bottom."""
    folds: tuple[str, ...]
    """The fold names of the rows with children."""


def list_outline(
    items: Iterable[OutlineItem],
    diagnostics: Iterable[Diagnostic],
    query: str,
    links: Mapping[str, Links] | None = None,
) -> OutlineRows:
    """Return the items that match a query, with their ancestors; can be called by any thread."""
    words = query.casefold().split()
    marks = sorted((diagnostic.span.start, diagnostic.severity) for diagnostic in diagnostics)
    branches = tuple(branch for item in items if (branch := _branch(item, words, marks, links or {})) is not None)
    return OutlineRows(branches, tuple(_counts(branches)), tuple(_folds(branches)))


def _counts(branches: Iterable[Branch]) -> Iterator[str]:
    for branch in branches:
        yield branch.value.link_counts if isinstance(branch.value, OutlineRow) else ""
        yield from _counts(branch.children)


def _folds(branches: Iterable[Branch]) -> Iterator[str]:
    for branch in branches:
        if branch.children and isinstance(branch.value, OutlineRow):
            yield branch.value.fold_name
            yield from _folds(branch.children)


class OutlineModel(TreeModel):
    """The model of the outline: rows of `OutlineRow`, with their numbers of problems."""

    def __init__(self) -> None:
        super().__init__(("Name", "Links"))

    def cell(self, value: object, column: int) -> Cell:
        """Return the cell of a name (icon, type, number of problems) or of its links."""
        if not isinstance(value, OutlineRow):
            return NO_CELL
        return _links_cell(value) if column == LINKS else _name_cell(value)

    def looks_like(self, value: object, other: object) -> bool:
        """Return whether two rows look the same, as if they only moved in the text."""
        return isinstance(value, OutlineRow) and isinstance(other, OutlineRow) and value.visible == other.visible

    def index_at(self, offset: int) -> QModelIndex:
        """Return the innermost row whose text contains an offset, else the last one before it; invalid if none is."""
        found = self.last_of(lambda row: isinstance(row, OutlineRow) and offset in row.item.span)
        if found.isValid():
            return found
        return self.last_of(lambda row: isinstance(row, OutlineRow) and row.item.span.start <= offset)


def _links_cell(value: OutlineRow) -> Cell:
    badge = (value.link_counts, Color.MUTED) if value.link_counts else None
    return Cell(badge=badge, tip=value.link_words, spoken=value.link_words)


def _name_cell(value: OutlineRow) -> Cell:
    counts = ((value.gravest, value.problems),) if value.gravest in (Severity.ERROR, Severity.WARNING) else ()
    said = f"{value.item.kind} {value.item.name} {value.item.detail}".strip()
    said = ", ".join((said, *(counted(number, severity.word) for severity, number in counts)))
    return Cell(
        str(value.item.name),
        _KIND_ICONS.get(str(value.item.kind), _OTHER_ICON),
        value.item.detail,
        counts=counts,
        strong=str(value.item.kind) == "section",
        tip=value.link_words,
        spoken=f"{said}. {value.link_words}" if value.link_words else said,
    )


def _branch(
    item: OutlineItem, words: Sequence[str], marks: Sequence[Mark], links: Mapping[str, Links]
) -> Branch | None:
    checkpoint()
    said = f"{item.name} {item.detail}".casefold()
    if all(word in said for word in words):
        words = []
    inner = (_branch(child, words, marks, links) for child in item.children)
    children = tuple(branch for branch in inner if branch is not None)
    return None if words and not children else Branch(_row(item, marks, links.get(item.name)), children)


def _row(item: OutlineItem, marks: Sequence[Mark], found: Links | None) -> OutlineRow:
    first = bisect_left(marks, (item.span.start, Severity.ERROR))
    last = bisect_right(marks, (item.span.end, Severity.HINT))
    inside = [severity for _, severity in marks[first:last]]
    gravest = min(inside, default=None)
    number = sum(severity is gravest for severity in inside)
    links = found if item.kind == "resource" else None
    return OutlineRow(item, gravest, number, links.needs if links else (), links.needed_by if links else ())


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
