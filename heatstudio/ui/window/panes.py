"""The table of the panes at the sides, read by the window, its menus, the focus order and the tests of screens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from heatstudio.ui.commands.commands import COMMANDS, PAGES, Command


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
