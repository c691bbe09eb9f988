"""The layout of the panes as a value: which panes are in front, what is folded, and the sizes that the user chose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from heatstudio.ui.commands.actions import COMMANDS, PAGES, Command

NARROW = 1100
"""The width of the window in logical pixels below which the left and right side are folded by default."""
LEAST_WIDTH, LEAST_HEIGHT = 160, 90
"""The least size of an unfolded row, its tabs included."""
LEAST_TEXT_WIDTH, LEAST_TEXT_HEIGHT = 240, 120
"""The space that the rows leave to the text."""


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


@dataclass(frozen=True)
class PaneSpec:
    """A pane: the name on its tab, the row of the tab, and the command that shows the pane."""

    name: str
    row: Row
    command: Command


PANES: Mapping[str, PaneSpec] = {
    command.pane: PaneSpec(command.pane, Row(command.side), command)
    for command in COMMANDS.values()
    if command.pane and command.pane not in PAGES
}
"""The panes by name in the order of their tabs, from `resources/commands.json`."""
TABS = {row: tuple(name for name, pane in PANES.items() if pane.row is row) for row in Row}
"""The names on the tabs of each row."""


SIDES = frozenset(row.side for row in Row)
_WIDTHS = {Row.LEFT: (0.2, LEAST_WIDTH, 600), Row.RIGHT: (0.26, LEAST_WIDTH, 600)}
_HEIGHTS = {Row.LOWER_LEFT: (0.45, LEAST_HEIGHT, 1000), Row.BOTTOM: (0.2, 140, 240)}
_TALL = (0.5, 140, 1000)
"""The usual shares of the window for the sides, the lower rows and tall panes, with their bounds in pixels."""


@dataclass(frozen=True)
class Layout:
    """The layout of all panes; methods return a changed layout."""

    fronts: Mapping[Row, str] = field(default_factory=lambda: {row: names[0] for row, names in TABS.items()})
    """The pane in front of each row."""
    sizes: Mapping[str, int] = field(default_factory=dict)
    """The widths and heights that the user chose in pixels, by row or tall pane; others follow the window."""
    unfolded: Mapping[Row, bool] = field(default_factory=dict)
    """Whether the user folded or unfolded a side; other sides are unfolded, if left or right, in a wide window only."""
    before_zen: Mapping[Row, bool] | None = None
    """What the user folded and unfolded before Zen mode; None outside of it."""
    closed: Row | None = None
    """The row of the left side that leaves its space to the other one."""
    is_narrow: bool = False
    """Whether the window is narrower than `NARROW`."""

    def open_rows(self) -> dict[Row, str]:
        """Return the visible panes by row."""
        sides = self._sides(self.unfolded)
        return {row: name for row, name in self.fronts.items() if row.side in sides and row is not self.closed}

    def resizable_rows(self) -> set[Row]:
        """Return the rows whose size can be changed: the width of an unfolded side, the height of an open lower row."""
        is_open = self.open_rows()
        return {row.side for row in is_open} | {row for row in is_open if self.closed is None and row in _HEIGHTS}

    def resizing_rows(self, row: Row | None, *, across: bool) -> dict[Row, int]:
        """Return the rows whose sizes determine that of a row, or of the text, each with the sign of its change."""
        if across:
            signs = dict.fromkeys(_WIDTHS, -1) if row is None else {row.side: 1}
        elif row in {None, Row.LEFT}:
            signs = {Row.BOTTOM if row is None else Row.LOWER_LEFT: -1}
        else:
            signs = {row: 1}
        sized = _WIDTHS if across else _HEIGHTS
        return {one: sign for one, sign in signs.items() if one in sized and one in self.resizable_rows()}

    def show(self, pane: str) -> Layout:
        """Show a pane in front."""
        row = PANES[pane].row
        closed = None if self.closed is row else self.closed
        shown = replace(self, fronts={**self.fronts, row: pane}, closed=closed)
        return shown.fold(row.side, is_folded=False)

    def choose(self, pane: str) -> Layout:
        """Show the pane whose tab was chosen; if it is visible already, fold its row, or its side with the last row."""
        row = PANES[pane].row
        if self.open_rows().get(row) != pane:
            return self.show(pane)
        if row.side is Row.LEFT and self.closed is None:
            return replace(self, closed=row)
        return self.fold(row.side, is_folded=True)

    def toggle(self, side: Row) -> Layout:
        """Fold or unfold a side."""
        return self.fold(side, is_folded=side in self._sides(self.unfolded))

    def fold(self, side: Row, *, is_folded: bool) -> Layout:
        """Fold or unfold a side; the choice is not noted if the width of the window implies it."""
        others = {other: is_unfolded for other, is_unfolded in self.unfolded.items() if other is not side}
        is_implied = is_folded is (self.is_narrow and side is not Row.BOTTOM)
        return replace(self, unfolded=others if is_implied else {**others, side: not is_folded})

    def toggle_zen(self) -> Layout:
        """Fold all sides, or restore what was unfolded before."""
        shown = self._sides(self.unfolded)
        if self.before_zen is not None and self._sides(self.before_zen) - shown:
            return replace(self, unfolded=self.before_zen, before_zen=None)
        if shown:
            return replace(self, unfolded=dict.fromkeys(SIDES, False), before_zen=self.unfolded)
        return replace(self, unfolded={}, before_zen=None)

    def resize(self, row: Row, size: int) -> Layout:
        """Set the width or height of a row."""
        return replace(self, sizes={**self.sizes, self._sized(row): size})

    def fit(self, width: int, height: int, strip: int) -> dict[Row, int]:
        """Return the widths of left and right and the heights of the lower rows; `strip` is that of a folded one."""
        sides = self._sides(self.unfolded)
        sizes = {row: max(self._wanted(row, width, height), LEAST_HEIGHT) for row in Row}
        room = width - LEAST_TEXT_WIDTH - strip * len(_WIDTHS.keys() - sides)
        sizes |= dict.fromkeys(_WIDTHS, strip) | _fitted({row: sizes[row] for row in _WIDTHS if row in sides}, room)
        sizes[Row.BOTTOM] = min(sizes[Row.BOTTOM], height - LEAST_TEXT_HEIGHT) if Row.BOTTOM in sides else strip
        sizes[Row.LOWER_LEFT] = min(sizes[Row.LOWER_LEFT], height - LEAST_HEIGHT)
        if self.closed is not None and Row.LEFT in sides:
            sizes[Row.LOWER_LEFT] = strip if self.closed is Row.LOWER_LEFT else height - strip
        return sizes

    def _sides(self, unfolded: Mapping[Row, bool]) -> set[Row]:
        return {side for side in SIDES if unfolded.get(side, side is Row.BOTTOM or not self.is_narrow)}

    def _sized(self, row: Row) -> str:
        """Return the key of a row's size: a tall pane has its own one."""
        return self.fronts[row] if PANES[self.fronts[row]].command.is_tall else row

    def _wanted(self, row: Row, width: int, height: int) -> int:
        """Return the width or height that the user chose for a row, or its usual one."""
        key = self._sized(row)
        share, least, most = (_WIDTHS | _HEIGHTS)[row] if key == row else _TALL
        usual = round(share * (width if row in _WIDTHS else height))
        return self.sizes.get(key) or min(max(usual, least), most)


def restored(data: Mapping[str, object]) -> Layout:
    """Return the layout of which `asdict` was saved; what is unknown or invalid is ignored."""
    fronts, sizes = _map(data.get("fronts")), _map(data.get("sizes"))
    return Layout(
        {**Layout().fronts, **{PANES[name].row: name for name in PANES if name in fronts.values()}},
        {key: size for key, size in sizes.items() if isinstance(size, int)},
        _choices(data.get("unfolded")),
        _choices(data["before_zen"]) if data.get("before_zen") is not None else None,
        next((row for row in (Row.LEFT, Row.LOWER_LEFT) if row == data.get("closed")), None),
    )


def _map(data: object) -> dict[str, object]:
    return data if isinstance(data, dict) else {}


def _choices(data: object) -> dict[Row, bool]:
    return {side: choice for side in SIDES if isinstance(choice := _map(data).get(side), bool)}


def _fitted(widths: dict[Row, int], room: int) -> dict[Row, int]:
    """Return widths of at least `LEAST_WIDTH` that are reduced in proportion if there is not enough room."""
    share = min(room / max(sum(widths.values()), 1), 1)
    most = max(room - LEAST_WIDTH * (len(widths) - 1), LEAST_WIDTH)
    return {row: min(max(int(width * share), LEAST_WIDTH), most) for row, width in widths.items()}
