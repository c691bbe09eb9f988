"""The verdict on an update, and what it takes of the project's quota: one line, which opens a table."""

from collections.abc import Sequence

from PySide6.QtCore import QMargins, QModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from heatstudio.text import counted
from heatstudio.text.markup import Html
from heatstudio.ui.widgets import GAP, Appearance, Color, PlainLabel, icon_size, in_row
from heatstudio.ui.widgets.announcer import SHORT_REST, ScreenReaderAnnouncer
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.html_label import HtmlLabel
from heatstudio.ui.widgets.layouts import Edges, in_column
from heatstudio.ui.widgets.panel import tool_button
from heatstudio.ui.widgets.plain_text import ElidedLabel
from heatstudio.ui.widgets.row_delegate import RowTree, row_height
from heatstudio.ui.widgets.tree_model import NO_CELL, Branch, Cell, TreeModel
from heatstudio.update.plan.capacity import Capacity, Shortage, notices, shortages
from heatstudio.update.plan.demand import no_cloud
from heatstudio.update.plan.demand_table import DemandedChange, DemandRow, demand_rows, demand_sentence, row_words
from heatstudio.update.plan.plan_text import headline
from heatstudio.update.plan.update_plan import UpdatePlan, Verdict

_ICONS = {
    "refused": ("severity-error", Color.ERROR),
    "fails": ("update-not-supported", Color.NOT_SUPPORTED),
    "may_fail": ("severity-warning", Color.WARNING),
    "runs": ("check", Color.ADDED),
    "changes_nothing": ("update-unchanged", Color.UNCHANGED),
}


class VerdictLabel(QWidget):
    """A label with an icon and a sentence, whose code is monospaced."""

    def __init__(self, appearance: Appearance, margins: QMargins) -> None:
        super().__init__()
        self._appearance = appearance
        self._icon_and_color = _ICONS["runs"]
        self._icon, self._words = PlainLabel(), HtmlLabel()
        self._voice = ScreenReaderAnnouncer(self, SHORT_REST)
        self._row = in_row((self._icon, Qt.AlignmentFlag.AlignTop), (self._words, 1), of=self, gap=GAP)
        self._row.setContentsMargins(margins)
        appearance.theme_changed.connect(self._show_icon)
        appearance.scale_changed.connect(self._show_icon)
        appearance.scale_changed.connect(self._keep_height)

    @property
    def sentence(self) -> str:
        """The sentence as plain text."""
        return self.accessibleName()

    def show_plan(self, plan: UpdatePlan, shortages: Sequence[Shortage] = ()) -> None:
        """Show the verdict on an update, which may have shortages in a cloud."""
        runs = {Verdict.RUNS, Verdict.MAY_FAIL} if shortages and shortages[0].certain else {Verdict.RUNS}
        if shortages and plan.verdict in runs:
            self.show_misfit("update", shortages)
        else:
            self.show_verdict(str(plan.verdict), headline(plan))

    def show_misfit(self, what: str, shortages: Sequence[Shortage]) -> None:
        """Show that an update or a new stack would or may fail because of the cloud."""
        certain = shortages[0].certain
        verdict = Verdict.FAILS if certain else Verdict.MAY_FAIL
        self.show_verdict(str(verdict), f"The {what} {'would' if certain else 'may'} fail in this cloud")

    def show_verdict(self, verdict: str, words: str) -> None:
        """Show a sentence with the icon of a verdict."""
        self._icon_and_color = _ICONS[verdict]
        self.setAccessibleName(without_marks(words))
        if self.window().isVisible():
            self._voice.say_later(self.sentence)
        self._words.setAccessibleName(self.sentence)
        self._words.set_html(Html("<b>{}</b>").fill(Html.sentence(words)))
        self._keep_height()
        self._show_icon()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keep_height()

    def _keep_height(self) -> None:
        """Keep room for all lines; a layout gives less where it is low, which would hide words."""
        self.setMinimumHeight(max(0, self.heightForWidth(self.width())))
        self._row.setGeometry(self.contentsRect())  # during a resize event, Qt sends no other one

    def _show_icon(self) -> None:
        self._icon.setPixmap(self._appearance.icon(*self._icon_and_color).pixmap(icon_size()))


_HEADER = ("Quota", "Adds", "Removes", "Peak", "End", "Scaled", "Left")
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_SCALED, _NARROW = 5, 300
"""The column that a view below this width has no room for."""
_PADDING = 16
_MOST_ROWS = 7
"""The number of visible rows where there is room."""
_FEWEST_LINES = 2
"""The number of reasons why an update does not fit that are shown beside the single line."""


class DemandModel(TreeModel):
    """The reasons, then the rows of kinds, with the resources that add or remove something below them."""

    def __init__(self) -> None:
        super().__init__(_HEADER)
        self.capacity: Capacity | None = None

    def cell(self, value: object, column: int) -> Cell:
        """Return the cell of a kind, or of a resource."""
        if isinstance(value, str):
            return NO_CELL if column else Cell(value, wraps=True, tip=without_marks(value), spoken=without_marks(value))
        words = self.words(value)
        if not words:
            return NO_CELL
        quota = self.capacity and self.capacity.quotas.get(getattr(value, "kind", ""))
        is_over = isinstance(value, DemandRow) and quota and quota.left is not None and value.peak.most > quota.left
        spoken = ", ".join(f"{name} {word}" for name, word in zip(_HEADER[1:], words[1:], strict=True) if word)
        return Cell(
            words[column],
            alignment=_RIGHT if column else None,
            accent=Color.ERROR if is_over else Color.TEXT if isinstance(value, DemandRow) else Color.MUTED,
            tip=words[0],
            spoken="" if column else f"{words[0]}: {spoken}",
        )

    def words(self, value: object) -> tuple[str, ...]:
        """Return the texts of a row; empty for other values."""
        if isinstance(value, DemandedChange):
            more = f" and {len(value.paths) - 1:,} more" if len(value.paths) > 1 else ""
            name = f"{' / '.join(value.paths[0])}{more}"
            return name, value.adds.words(), value.removes.words(), "", value.net.words(signed=True), "", ""
        if not isinstance(value, DemandRow):
            return ()
        quota = self.capacity.quotas.get(value.kind) if self.capacity else None
        left = "unknown" if quota is None else "no limit" if quota.left is None else f"{quota.left:,}"
        return *row_words(value), left


class DemandView(QWidget):
    """The demand of a plan, hidden if there is none."""

    def __init__(self, appearance: Appearance, edges: Edges, fewest_rows: int = 0) -> None:
        """`fewest_rows` have room in the table; with none, a low pane keeps the lines around the table only."""
        super().__init__()
        self._fewest_rows = fewest_rows
        self._appearance = appearance
        self._edges, self._lines, self._scales = edges, list[str](), False
        self._rows: Sequence[DemandRow] = ()
        self._reasons, self._line = HtmlLabel(), ElidedLabel()
        self.toggle = tool_button(appearance, "chevron-right", "Show what the update takes of the quota")
        self.toggle.setCheckable(True)
        self.toggle.toggled.connect(self._open)
        self.model = DemandModel()
        self.table = RowTree(self.model, appearance, "Quota")
        self.table.setHeaderHidden(False)
        self.table.hide()
        in_column(
            self._reasons, in_row(self.toggle, (self._line, 1), gap=GAP // 2), self.table, of=self, edges=edges, gap=4
        )
        appearance.scale_changed.connect(self._rescale)
        self.hide()

    @property
    def sentence(self) -> str:
        """What the update adds and removes."""
        return self._line.text()

    def show_demand(self, plan: UpdatePlan, capacity: Capacity | None) -> list[Shortage]:
        """Show what a plan takes; return why it would or may not fit."""
        rows = demand_rows(plan, capacity.size_of if capacity is not None else no_cloud)
        found = shortages(plan, rows, capacity) if capacity is not None else []
        self.model.capacity = capacity
        self._rows = rows
        self._show_columns(rows)
        self._line.setText(demand_sentence(rows))
        mixed = bool(found) and found[0].certain
        self._lines = [one.text if one.certain or not mixed else f"May fail: {one.text}" for one in found]
        self._lines += notices(rows, capacity) if capacity is not None else []
        kinds = (Branch(row, tuple(map(Branch, row.changes))) for row in rows)
        self.model.set_branches((*map(Branch, self._lines), *kinds))
        for row in range(len(self._lines)):
            self.table.setFirstColumnSpanned(row, QModelIndex(), True)
        self._show_reasons()
        self._fit_rows()
        self.setVisible(bool(rows or self._lines))
        return found

    def _rescale(self) -> None:
        self._show_columns(self._rows)
        self._fit_rows()

    def _fit_rows(self) -> None:
        """Give the table the height of its rows and their header."""
        self.table.header().setFixedHeight(row_height())
        visible = min(len(self._rows) + 2 * len(self._lines), _MOST_ROWS)
        height = (1 + visible) * row_height() + 2 * self.table.frameWidth()
        self.table.setMaximumHeight(height)
        self.table.setMinimumHeight(max(1, min(height, self._fewest_rows * row_height())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keep_height()
        self.table.setColumnHidden(_SCALED, not self._scales or self.width() < _NARROW)

    def _show_reasons(self) -> None:
        """Show the first reasons above the single line, unless the table shows all of them."""
        lines = [] if self.toggle.isChecked() else self._lines[:_FEWEST_LINES]
        if lines and (more := len(self._lines) - len(lines)):
            lines.append(f"And {counted(more, 'more reason')}.")
        self._reasons.set_html(Html("<br>").join(map(Html.sentence, lines)))
        self._reasons.setAccessibleName(without_marks("\n".join(lines)))
        self._reasons.setVisible(bool(lines))
        self._keep_height()

    def _keep_height(self) -> None:
        """Keep room for all reasons; a layout gives less where it is low, which would hide some."""
        room = self.width() - self._edges[0] - self._edges[2]
        self._reasons.setMinimumHeight(max(0, self._reasons.heightForWidth(room)))

    def _show_columns(self, rows: Sequence[DemandRow]) -> None:
        """Hide the columns that say no more than what is added."""
        self._scales = any(row.scaled != row.end for row in rows)
        same = {
            2: all(row.removes.words() == "0" for row in rows),
            3: all(row.peak == row.adds for row in rows),
            4: all(row.end == row.adds for row in rows),
            _SCALED: not self._scales or self.width() < _NARROW,
            6: self.model.capacity is None,
        }
        metrics, lines = self.table.fontMetrics(), [_HEADER, *map(self.model.words, rows)]
        for column, texts in enumerate(zip(*lines, strict=True)):
            self.table.setColumnHidden(column, same.get(column, False))
            self.table.header().resizeSection(column, max(map(metrics.horizontalAdvance, texts)) + _PADDING)

    def _open(self, shown: bool) -> None:
        self.table.setVisible(shown)
        self._show_reasons()
        self.toggle.setIcon(self._appearance.icon("chevron-down" if shown else "chevron-right", Color.MUTED))
