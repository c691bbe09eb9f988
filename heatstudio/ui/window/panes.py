"""The table of all panes, read by the window, its menus, the focus order and the tests of screens."""

from collections.abc import Mapping
from dataclasses import dataclass

from heatstudio.ui.commands.commands import COMMANDS, Command
from heatstudio.ui.window.layout import Layout, Row, Tabs


@dataclass(frozen=True)
class PaneSpec:
    """A pane: the name on its tab, the row of the tab, and the command that shows the pane."""

    name: str
    row: Row
    command: Command


PANES: Mapping[str, PaneSpec] = {
    command.pane: PaneSpec(command.pane, Row(command.side), command) for command in COMMANDS.values() if command.pane
}
"""The panes by name in the order of their tabs, from `resources/commands.json`."""


def default_layout() -> Layout:
    """Return the layout of the first start, with the first pane of each row in front."""
    names = {row: tuple(pane.name for pane in PANES.values() if pane.row is row) for row in Row}
    tall = frozenset(pane.name for pane in PANES.values() if pane.command.is_tall)
    return Layout({row: Tabs(found, found[0], tall.intersection(found)) for row, found in names.items()})
