"""Every command of the window, as `resources/commands.json` declares it: menus, tool bar, keys and palette read it."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from heatstudio.assets import resource_path


class Command(NamedTuple):
    """A command. `&` marks the mnemonic of the menu entry."""

    name: str
    text: str
    shortcuts: Sequence[str] = ()
    icon: str = ""
    checkable: bool = False
    button: str = ""
    """A shorter text for the tool bar."""
    submenu: str = ""
    """The title of a menu within the menu, which all commands share that name it."""
    for_editor: bool = False
    """Whether the current editor knows it by the same name."""
    needs_document: bool = False
    keywords: str = ""
    """Other words that it is searched by: those of other programs, and of what is meant."""

    @property
    def title(self) -> str:
        """The text without the mark of its key."""
        return self.text.replace("&", "").removesuffix("…")


class Menu(NamedTuple):
    """A menu of the window; None is a separator."""

    title: str
    commands: tuple[Command | None, ...]


def _command(declared: dict[str, Any] | None) -> Command | None:
    """A key that no command has is an error."""
    return None if declared is None else Command(**declared)


_DATA = json.loads(resource_path("commands.json").read_text("utf-8"))
MENUS = tuple(Menu(menu["title"], tuple(map(_command, menu["commands"]))) for menu in _DATA["menus"])
TOOL_BAR: tuple[str | None, ...] = tuple(_DATA["tool_bar"])
COMMANDS = {command.name: command for menu in MENUS for command in menu.commands if command is not None}
FOR_EDITOR = tuple(command.name for command in COMMANDS.values() if command.for_editor)
NEED_DOCUMENT = frozenset(one.name for one in COMMANDS.values() if one.needs_document or one.for_editor)
FOR_ALL_EDITORS = ("zoom-in", "zoom-out", "zoom-reset")
SWITCHES = {"messages": True, "blanks": False, "wrap": False}
"""What every editor shows or not, and how it begins."""
REMEMBERED = {**SWITCHES, "value-hints": False, "consequences": False, "autosave": False}
"""Every command that can be checked and is the same after a restart; and what it usually is."""
