"""The comparison of the current text with its baseline, side by side or, if narrow, in one column."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget
from shiboken6 import isValid

from heatstudio.text import LineIndex, Span, counted
from heatstudio.ui.documents.document import Document
from heatstudio.ui.editor.compare.comparison import TextComparison, compare_texts
from heatstudio.ui.editor.compare.side_text import SideText
from heatstudio.ui.widgets import EDGE, GAP, Appearance, EmptyState, in_column, in_row, tool_button
from heatstudio.ui.widgets.outcome import ShownOutcome
from heatstudio.ui.widgets.plain_text import ElidedLabel, PlainLabel
from heatstudio.ui.workspace.document_panel import DocumentPanel
from heatstudio.ui.workspace.session import Session
from heatstudio.update.plan.outcome import Outcome
from heatstudio.update.plan.update_plan import Action

OutcomesOf = Callable[[Document], Mapping[int, ShownOutcome]]
"""The outcomes of an update, by the line of the resource in the current text, counted from 0."""

OldPlace = Callable[[str], int]
"""A function that returns an offset in the old text."""

_EMPTY = ("The side-by-side comparison appears here", "Change the template, or choose another baseline in Preview.")
_SAME = "No differences"
_HEAD_HEIGHT = 28
_EVEN = 10_000
"""A width larger than both sides, so that space is shared equally, whatever the titles are."""
_NARROW = 800
"""The width in pixels below which both texts are in one column."""
_LEAST_WITH_COUNTS = 480
"""The width in pixels below which the numbers of changed lines are not shown."""
_LEAST = 140
"""The minimum width of the titles in pixels."""


class ComparePane(DocumentPanel):
    """The comparison of the current text with the baseline of the preview, computed while the pane is visible."""

    location_requested = Signal(object)
    """A span of the current text."""
    revert_requested = Signal(int)
    """The line of a change in the current text to revert."""
    left = Signal()
    """Emitted when Escape is pressed, to return to the editor."""

    def __init__(self, session: Session, appearance: Appearance, outcomes_of: OutcomesOf) -> None:
        super().__init__("Comparison", EmptyState(appearance, "preview", *_EMPTY), session, marks_age=False)
        self._outcomes_of = outcomes_of
        self._asked: tuple[str, str] | None = None
        self._is_compared = False
        """Whether the requested comparison is shown."""
        self._old_places: tuple[str, Mapping[str, int]] = ("", {})
        self._offset = 0
        self._wants_change = True
        self._wanted: OldPlace | None = None
        self._is_syncing = False
        self._revert_row = 0
        self._aligned = TextComparison()
        self._opened: set[int] = set()
        """The gaps between changes whose lines are not folded."""
        self._is_inline = False
        self.comparison = TextComparison()
        """The rows that are shown, on two sides or in one column."""
        self.old_title, self.new_title, self.counts, self.position = (
            ElidedLabel(_LEAST),
            ElidedLabel(_LEAST),
            ElidedLabel(0),
            PlainLabel(),
        )
        self.old = SideText(appearance, "Baseline")
        self.new = SideText(appearance, "Current text")
        self.revert_button = tool_button(appearance, "undo", "Revert Change (Ctrl+Alt+Z)")
        self.set_content(self._make_sides(appearance))
        self.lead_to(self.new)
        self._join_sides()
        for side in (self.old, self.new):
            side.zoom_requested.connect(lambda size: self.use_font(size, self.new.text_family))

    # Content

    def refresh(self) -> None:
        """Request the comparison from the analysis thread, unless the pane is hidden or nothing is new."""
        document = self._document
        if document is None:
            self._asked = None
            self._show(TextComparison())
        elif self.isVisible():
            asked = (document.old_text, document.text)
            if asked == self._asked:
                self._show_words()
                self._show_outcomes()
            else:
                self._wants_change |= self._asked is None or self._asked[0] != asked[0]
                self._asked, self._is_compared = asked, False
                self._compare(asked)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle Escape outside of both texts."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show both texts in one column if there is not enough width for two."""
        super().resizeEvent(event)
        self.counts.setVisible(self.width() >= _LEAST_WITH_COUNTS)
        is_inline = self.width() < _NARROW
        if is_inline is not self._is_inline:
            line = self.comparison.new_line(self.new.caret_line())
            self._is_inline = is_inline
            self._old_part.setVisible(not is_inline)
            self._show(self._aligned)
            self._show_row(self.comparison.row_of_new(line), centered=True)

    def use_font(self, size: int, family: str) -> None:
        """Set the text size of both texts in pixels, and the font family."""
        self.old.use_font(size, family)
        self.new.use_font(size, family)

    def follow_caret(self, offset: int) -> None:
        """Show the line of the editor's cursor, unless one of the texts has the focus."""
        if offset == self._offset:
            return
        self._offset = offset
        if self.isVisible() and not (self.old.hasFocus() or self.new.hasFocus() or self._wants_change):
            self._show_row(self._row_of_caret(), centered=False)

    def go_to_change(self, step: int) -> None:
        """Go to the next change (1) or the previous one (-1), wrapping around."""
        at = self.comparison.next_run(self.new.caret_line(), step)
        if at is not None:
            self._show_row(self.comparison.runs[at].start, centered=True)

    def line_of_change(self) -> int:
        """Return the line of the current text at the current row."""
        return self.comparison.new_line(self.new.caret_line())

    def show_old_place(self, place: OldPlace) -> None:
        """Show a position in the old text, and focus it, as soon as both texts are compared."""
        self._wanted = place
        if self._is_compared:
            self._show_wanted()

    def _show_wanted(self) -> None:
        place, self._wanted = self._wanted, None
        if place is None or self._document is None or not self.comparison.runs:
            return
        line = self._document.old_text.count("\n", 0, place(self._document.old_text))
        row = self.comparison.row_of_old(line)
        self._unfold(row)
        self._show_row(row, centered=True)
        (self.new if self._is_inline else self.old).setFocus()

    def _compare(self, asked: tuple[str, str]) -> None:
        known, (old, new) = self._old_places, asked
        places = known[1] if known[0] == old else None
        self._session.run("Comparing", lambda *_: compare_texts(old, new, places), partial(self._take, asked))

    def _take(self, asked: tuple[str, str], comparison: TextComparison) -> None:
        if isValid(self) and asked == self._asked:
            self._old_places = (asked[0], comparison.old_places)
            self._is_compared = True
            self._show(comparison)
            self._show_wanted()

    def _show(self, aligned: TextComparison) -> None:
        if len(aligned.runs) != len(self._aligned.runs):
            self._opened.clear()
        self._aligned = aligned
        self.comparison = comparison = aligned.inline if self._is_inline else aligned
        with self._syncing():
            if self._is_inline:
                lines = max(len(comparison.old_lines), len(comparison.new_lines))
                self.new.show_rows(comparison.column, comparison.column_row, lines)
            else:
                old, new = comparison.texts
                self.old.show_rows(old, comparison.old_row, len(comparison.old_lines))
                self.new.show_rows(new, comparison.new_row, len(comparison.new_lines))
            self._fold()
        self._show_words()
        self._show_outcomes()
        self.set_filled(bool(comparison.runs))
        if self._wants_change and comparison.runs:
            self._wants_change = False
            row = self._row_of_caret()
            at = comparison.run_at(row)
            at = comparison.next_run(row, 1) if at is None else at
            self._show_row(comparison.runs[at or 0].start, centered=True)
        else:
            self._show_row(self.new.caret_line(), centered=False)

    def _fold(self) -> None:
        folds = self.comparison.folds(self._opened)
        for side in (self.new,) if self._is_inline else (self.old, self.new):
            side.set_folds(folds)

    def _unfold(self, row: int) -> None:
        """Show the folded rows around a row."""
        self._opened.add(self.comparison.gap_of(row))
        with self._syncing():
            self._fold()

    def run(self, command: str) -> bool:
        """Fold or unfold all unchanged rows."""
        if command not in ("fold-all", "unfold-all"):
            return False
        row = self.new.caret_line()
        self._opened = {*range(len(self.comparison.runs) + 1)} if command == "unfold-all" else set()
        with self._syncing():
            self._fold()
        self._show_row(row, centered=True)
        return True

    def _show_words(self) -> None:
        document = self._document
        if document is None:
            self.empty.say(*_EMPTY)
            return
        label = document.baseline.label
        self.old_title.setText(f"Before: {label}")
        self.new_title.setText(f"{label} → {document.title}" if self._is_inline else f"Now: {document.title}")
        self.counts.setText(self._aligned.summary)
        self.empty.say(
            _SAME,
            f"{document.title} is the same as the baseline ({label}). Change the template, "
            "or choose another baseline in the Stack menu.",
        )

    def _show_outcomes(self) -> None:
        """Show the outcome of each resource; deleted resources are in the baseline."""
        document = self._document
        if document is None or document.state is None or document.current_analysis is None:
            return
        self.new.set_changes(self._outcomes_of(document))
        changes = document.state.plan.accepted_changes if document.state.plan is not None else ()
        places = self.comparison.old_places
        deleted = [change.name for change in changes if change.action is Action.DELETED and change.name in places]
        self.old.set_changes({places[name]: ShownOutcome(Outcome.DELETED) for name in deleted})

    # Synchronization of both sides

    def _join_sides(self) -> None:
        for side, other in ((self.old, self.new), (self.new, self.old)):
            side.row_chosen.connect(self._choose)
            side.left.connect(self.left)
            side.row_changed.connect(self._follow_row)
            side.step_requested.connect(self.go_to_change)
            side.unfold_requested.connect(self._unfold)
            side.fold_requested.connect(self.run)
            side.hovered.connect(self._show_revert)
            side.verticalScrollBar().valueChanged.connect(self.revert_button.hide)
            for bar, follower in (
                (side.verticalScrollBar(), other.verticalScrollBar()),
                (side.horizontalScrollBar(), other.horizontalScrollBar()),
            ):
                bar.valueChanged.connect(self._moving(follower.setValue))
            side.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            # Later: a paint lays out lines, and must not resize or scroll the other side.
            side.horizontalScrollBar().rangeChanged.connect(self._fit_bars, Qt.ConnectionType.QueuedConnection)

    def _moving(self, move: Callable[[int], object]) -> Callable[[int], None]:
        """Return a slot that moves the other side without feedback."""

        def follow(value: int) -> None:
            if not self._is_syncing:
                with self._syncing():
                    move(value)

        return follow

    @contextmanager
    def _syncing(self) -> Iterator[None]:
        before, self._is_syncing = self._is_syncing, True
        try:
            yield
        finally:
            self._is_syncing = before

    def _fit_bars(self) -> None:
        """Show a horizontal scroll bar on both sides or on none, to keep the last rows aligned."""
        needed = any(side.horizontalScrollBar().maximum() > 0 for side in (self.old, self.new))
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOn if needed else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        for side in (self.old, self.new):
            side.setHorizontalScrollBarPolicy(policy)

    def _follow_row(self, row: int) -> None:
        if not self._is_syncing:
            self._show_row(row, centered=False)

    def _show_row(self, row: int, *, centered: bool) -> None:
        """Move both cursors to a row, or to the fold that hides it, and announce its change."""
        row = next((rows.start for rows in self.new.margin.folds.values() if row in rows), row)
        with self._syncing():
            for side in (self.old, self.new):
                side.place_caret(row, centered=centered)
            self.old.verticalScrollBar().setValue(self.new.verticalScrollBar().value())
        at = self.comparison.run_at(row)
        for side in (self.old, self.new):
            side.set_run(range(0) if at is None else self.comparison.runs[at])
            side.setAccessibleDescription(side.margin.description_of(row))
        count = len(self.comparison.runs)
        total = counted(count, "change")
        self.position.setText(total if at is None else f"{at + 1} of {total}")

    def _show_revert(self, row: int) -> None:
        """Show the button to revert the change at a row, at the right of its first visible row."""
        at = self.comparison.run_at(row)
        run = self.comparison.runs[at] if at is not None else range(0)
        line = next((line for line in self.new.visible_lines() if line.block.blockNumber() in run), None)
        is_over = self.revert_button.underMouse() and self.revert_button.isVisible()
        if line is not None and self._document is not None and not self._document.is_read_only:
            size = self.revert_button.sizeHint()
            left = self.new.viewport().width() - size.width() - 4
            self.revert_button.setGeometry(QRect(QPoint(left, round(line.rect.top())), size))
            self._revert_row = run.start
            self.revert_button.show()
        elif not is_over:
            self.revert_button.hide()

    def _revert(self) -> None:
        self.revert_requested.emit(self.comparison.new_line(self._revert_row))

    def _choose(self, row: int) -> None:
        """Request to show the line of the current text in a row."""
        if self._document is None:
            return
        text = self._document.text
        lines = LineIndex(text)
        span = lines.line_span(min(self.comparison.new_line(row), len(lines) - 1))
        start = span.end - len(text[span.start : span.end].lstrip())
        self.location_requested.emit(Span(start, start))

    def _row_of_caret(self) -> int:
        text = self._document.text if self._document is not None else ""
        return self.comparison.row_of_new(text.count("\n", 0, self._offset))

    # Construction

    def _make_sides(self, appearance: Appearance) -> QSplitter:
        back = tool_button(appearance, "chevron-up", "Previous change (Shift+F7)", lambda: self.go_to_change(-1))
        forth = tool_button(appearance, "chevron-down", "Next change (F7)", lambda: self.go_to_change(1))
        splitter = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False, handleWidth=1)
        self.old.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._old_part = _with_head(self.old, self.old_title)
        splitter.addWidget(self._old_part)
        splitter.addWidget(_with_head(self.new, self.new_title, self.counts, self.position, back, forth))
        self.revert_button.setParent(self.new.viewport())
        self.revert_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.revert_button.setAutoFillBackground(True)
        self.revert_button.clicked.connect(self._revert)
        self.revert_button.hide()
        splitter.setSizes([_EVEN, _EVEN])
        return splitter

    def _follow(self, document: Document | None) -> None:
        self._wants_change, self._wanted = True, None
        for side in (self.old, self.new):
            side.set_changes({})
        super()._follow(document)

    def _follow_plan(self, document: Document) -> None:
        self._follow_analysis(document)


def _with_head(side: SideText, title: ElidedLabel, *tools: QWidget) -> QWidget:
    part, bar = QWidget(), QWidget()
    bar.setMinimumHeight(_HEAD_HEIGHT)
    head = in_row(title, 1, of=bar, edges=(EDGE, 0, 4, 0), gap=GAP)
    for tool in tools:
        head.addWidget(tool)
    in_column(bar, (side, 1), of=part, gap=0)
    return part
