"""The layout of the panes as a value: the tabs of each row, the one in front, sizes, and what is folded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

NARROW = 1100
"""The width of the window in logical pixels below which the left and right side are folded by default."""
LEAST_WIDTH, LEAST_HEIGHT = 160, 90
"""The least size of an unfolded row."""
LEAST_TEXT_WIDTH, LEAST_TEXT_HEIGHT = 240, 120
"""The space that the rows leave to the text."""
_USUAL, _GROWTH = 1280, 0.2
"""The width of the window for which usual widths are given; the share of additional width for each side."""
_WIDEST = 600
_MOST = 10_000
"""The upper bound of a saved size."""


class Row(StrEnum):
    """A row of tabs at a side of the window; the left side has two rows."""

    LEFT = "left"
    LOWER_LEFT = "lower-left"
    RIGHT = "right"
    BOTTOM = "bottom"

    @property
    def side(self) -> Row:
        """The first row of the same side, which stands for the side."""
        return Row.LEFT if self is Row.LOWER_LEFT else self


SIDES = frozenset({Row.LEFT, Row.RIGHT, Row.BOTTOM})
_WIDTHS = {Row.LEFT: (252, 0.21), Row.RIGHT: (332, 0.29)}
"""The usual widths of the sides, and their largest shares of a narrower window."""
_HEIGHTS = {Row.LOWER_LEFT: (_MOST, 0.45), Row.BOTTOM: (240, 0.22)}
"""The largest usual heights of the lower rows, and their shares of the height."""
_TALL_SHARE = 0.5
"""The usual share of the height of a tall pane."""


@dataclass(frozen=True)
class Tabs:
    """The tabs of a row."""

    names: tuple[str, ...]
    front: str
    tall: frozenset[str] = frozenset()
    """The panes with a height of their own, which need more of it than a list."""
    is_open: bool = True
    """Whether the row shows its front pane while its side is unfolded."""


@dataclass(frozen=True)
class FoldedSides:
    """The sides that the user folded, and those that the user unfolded in a narrow window."""

    folded: frozenset[Row] = frozenset()
    unfolded: frozenset[Row] = frozenset()

    def sides(self, *, is_narrow: bool) -> frozenset[Row]:
        """Return the unfolded sides."""
        return (self.unfolded | {Row.BOTTOM} if is_narrow else SIDES) - self.folded

    def fold(self, side: Row, *, is_narrow: bool) -> FoldedSides:
        """Fold a side; in a narrow window, undo that the user unfolded it."""
        if is_narrow and side is not Row.BOTTOM:
            return FoldedSides(self.folded, self.unfolded - {side})
        return FoldedSides(self.folded | {side}, self.unfolded)

    def unfold(self, side: Row, *, is_narrow: bool) -> FoldedSides:
        """Unfold a side; if it was unfolded in wide windows only, it stays folded in narrow ones."""
        return FoldedSides(self.folded - {side}, self.unfolded | {side} if is_narrow else self.unfolded)


@dataclass(frozen=True)
class Layout:
    """The layout of all panes; methods return a changed layout."""

    rows: Mapping[Row, Tabs]
    sizes: Mapping[str, int] = field(default_factory=dict)
    """The widths and heights that the user chose in pixels, by row or tall pane; others follow the window."""
    folding: FoldedSides = FoldedSides()
    before_zen: FoldedSides | None = None
    """The folding before Zen mode; None outside of it."""

    def row_of(self, pane: str) -> Row:
        """Return the row with the tab of a pane."""
        return next(row for row, tabs in self.rows.items() if pane in tabs.names)

    def open_rows(self, *, is_narrow: bool) -> dict[Row, str]:
        """Return the visible panes by row."""
        sides = self.folding.sides(is_narrow=is_narrow)
        return {row: tabs.front for row, tabs in self.rows.items() if row.side in sides and tabs.is_open}

    def resizable_rows(self, *, is_narrow: bool) -> frozenset[Row]:
        """Return the rows whose size can be changed: the width of an unfolded side, the height of an open lower row."""
        is_open = self.open_rows(is_narrow=is_narrow)
        both = {Row.LEFT, Row.LOWER_LEFT} <= is_open.keys()
        return frozenset(row.side for row in is_open) | ({Row.LOWER_LEFT} if both else set())

    def show(self, pane: str, *, is_narrow: bool) -> Layout:
        """Show a pane in front."""
        row = self.row_of(pane)
        shown = self._with(row, replace(self.rows[row], front=pane, is_open=True))
        return replace(shown, folding=self.folding.unfold(row.side, is_narrow=is_narrow))

    def choose(self, pane: str, *, is_narrow: bool) -> Layout:
        """Show the pane whose tab was chosen; if it is visible already, fold its row, or its side with the last row."""
        row, is_open = self.row_of(pane), self.open_rows(is_narrow=is_narrow)
        if is_open.get(row) != pane:
            return self.show(pane, is_narrow=is_narrow)
        if any(other is not row and other.side is row.side for other in is_open):
            return self._with(row, replace(self.rows[row], is_open=False))
        return replace(self, folding=self.folding.fold(row.side, is_narrow=is_narrow))

    def toggle(self, side: Row, *, is_narrow: bool) -> Layout:
        """Fold or unfold a side."""
        is_unfolded = side in self.folding.sides(is_narrow=is_narrow)
        change = self.folding.fold if is_unfolded else self.folding.unfold
        return replace(self, folding=change(side, is_narrow=is_narrow))

    def toggle_zen(self, *, is_narrow: bool) -> Layout:
        """Fold all sides, or restore the folding before."""
        shown = self.folding.sides(is_narrow=is_narrow)
        if self.before_zen is not None and self.before_zen.sides(is_narrow=is_narrow) - shown:
            return replace(self, folding=self.before_zen, before_zen=None)
        if shown:
            return replace(self, folding=FoldedSides(folded=SIDES), before_zen=self.folding)
        return replace(self, folding=FoldedSides(unfolded=SIDES - {Row.BOTTOM}), before_zen=None)

    def resize(self, row: Row, size: int) -> Layout:
        """Set the width or height of a row."""
        least = LEAST_WIDTH if row in _WIDTHS else LEAST_HEIGHT
        return replace(self, sizes={**self.sizes, self._sized(row): max(size, least)})

    def fit(self, width: int, height: int, strip: int, *, is_narrow: bool) -> dict[Row, int]:
        """Return the widths of left and right and the heights of the lower rows; `strip` is that of a folded one."""
        is_open = self.open_rows(is_narrow=is_narrow)
        sides = {row.side for row in is_open}
        keys = {row: self._sized(row) for row in Row}
        sizes = {row: self.sizes.get(key) or _usual(row, width, height, key) for row, key in keys.items()}
        room = width - LEAST_TEXT_WIDTH - strip * len(_WIDTHS.keys() - sides)
        sizes |= dict.fromkeys(_WIDTHS, strip) | _fitted({row: sizes[row] for row in _WIDTHS if row in sides}, room)
        sizes[Row.BOTTOM] = min(sizes[Row.BOTTOM], height - LEAST_TEXT_HEIGHT) if Row.BOTTOM in sides else strip
        sizes[Row.LOWER_LEFT] = min(sizes[Row.LOWER_LEFT], height - LEAST_HEIGHT)
        if Row.LEFT in sides and Row.LOWER_LEFT not in is_open:
            sizes[Row.LOWER_LEFT] = strip
        elif Row.LEFT in sides and Row.LEFT not in is_open:
            sizes[Row.LOWER_LEFT] = height - strip
        return sizes

    def data(self) -> dict[str, object]:
        """Return the layout for the settings; the tabs of the rows are not a part of it."""
        rows = {str(row): [tabs.front, tabs.is_open] for row, tabs in self.rows.items()}
        folding = {"folding": _folding_data(self.folding), "before-zen": _folding_data(self.before_zen)}
        return {**rows, **folding, "sizes": dict(self.sizes)}

    def restored(self, data: Mapping[str, object]) -> Layout:
        """Return this layout with what is known of saved data; anything else is ignored."""
        rows = {row: _restored_tabs(tabs, data.get(row)) for row, tabs in self.rows.items()}
        closed = SIDES - {row.side for row, tabs in rows.items() if tabs.is_open}
        rows = {row: replace(tabs, is_open=tabs.is_open or row.side in closed) for row, tabs in rows.items()}
        folding, before = _restored_folding(data.get("folding")), _restored_folding(data.get("before-zen"))
        return Layout(rows, _restored_sizes(data.get("sizes")), folding or FoldedSides(), before)

    def _sized(self, row: Row) -> str:
        """Return the key of a row's size."""
        tabs = self.rows[row]
        return tabs.front if tabs.front in tabs.tall else row

    def _with(self, row: Row, changed: Tabs) -> Layout:
        return replace(self, rows={**self.rows, row: changed})


def _usual(row: Row, width: int, height: int, key: str) -> int:
    """Return the width or height of a row that the user did not resize."""
    if row in _WIDTHS:
        usual, share = _WIDTHS[row]
        return max(LEAST_WIDTH, round(min(width * share, usual + max(width - _USUAL, 0) * _GROWTH, _WIDEST)))
    most, share = _HEIGHTS[row] if key == row else (_MOST, _TALL_SHARE)
    return max(LEAST_HEIGHT, round(min(height * share, most)))


def _fitted(widths: dict[Row, int], room: int) -> dict[Row, int]:
    """Return widths that are reduced in proportion if there is not enough room."""
    if sum(widths.values()) <= room or not widths:
        return widths
    most = max(room - LEAST_WIDTH * (len(widths) - 1), LEAST_WIDTH)
    return {row: min(max(width * room // sum(widths.values()), LEAST_WIDTH), most) for row, width in widths.items()}


def _restored_tabs(tabs: Tabs, data: object) -> Tabs:
    match data:
        case [str(front), bool(is_open)]:
            return replace(tabs, front=front if front in tabs.names else tabs.front, is_open=is_open)
    return tabs


def _restored_sizes(data: object) -> dict[str, int]:
    known = data if isinstance(data, dict) else {}
    return {key: size for key, size in known.items() if isinstance(size, int) and LEAST_HEIGHT <= size < _MOST}


def _folding_data(folding: FoldedSides | None) -> object:
    return folding and [sorted(folding.folded), sorted(folding.unfolded)]


def _restored_folding(data: object) -> FoldedSides | None:
    match data:
        case [[*folded], [*unfolded]]:
            return FoldedSides(*(frozenset(side for side in SIDES if side in found) for found in (folded, unfolded)))
    return None
