"""The commands of the window from `resources/commands.json`, for menus, tool bar, shortcuts and palette."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from heatstudio.assets import resource_path


class Command(NamedTuple):
    """A command; `&` marks the mnemonic of the menu entry."""

    name: str
    text: str
    shortcuts: Sequence[str] = ()
    icon: str = ""
    checkable: bool = False
    button: str = ""
    """A shorter text for the tool bar."""
    submenu: str = ""
    """The title of the submenu with the command."""
    for_editor: bool = False
    """Whether the current editor has a handler of the same name."""
    needs_document: bool = False
    keywords: str = ""
    """Additional search words: the command's names in other programs, and words for its purpose."""
    help: str = ""
    """What the setting does, as a sentence."""
    pane: str = ""
    """The name of the pane that the command shows, as on its tab."""
    side: str = ""
    """The side of the window where that pane has its tab; `editor` is the editor area."""
    is_tall: bool = False
    """Whether that pane has a height of its own, larger than that of a list."""

    @property
    def title(self) -> str:
        """The text without the mnemonic mark and the ellipsis."""
        return self.text.replace("&", "").removesuffix("…")


class Menu(NamedTuple):
    """A menu of the window; the command None is a separator."""

    title: str
    commands: tuple[Command | None, ...]


_DATA = json.loads(resource_path("commands.json").read_text("utf-8"))
COMMANDS = {
    declared["name"]: Command(**declared)
    for menu in _DATA["menus"]
    for declared in menu["commands"]
    if isinstance(declared, dict)
}


def _entry(declared: dict[str, Any] | str | None) -> Command | None:
    """Return the command of a menu entry; a text names a command that another menu declares."""
    return None if declared is None else COMMANDS[declared if isinstance(declared, str) else declared["name"]]


MENUS = tuple(Menu(menu["title"], tuple(map(_entry, menu["commands"]))) for menu in _DATA["menus"])
TOOL_BAR: tuple[str | None, ...] = tuple(_DATA["tool_bar"])
TEXT_KEYS = tuple(Command(**declared) for declared in _DATA["text_keys"])
"""The keys of the text that are not commands; `ui/editor/text/typing_keys.py` and Qt handle them."""
PAGES = {command.pane: command for command in COMMANDS.values() if command.side == "editor"}
"""The commands that show a pane as a tab of the editor area, by the pane."""
FOR_EDITOR = tuple(command.name for command in COMMANDS.values() if command.for_editor)
NEED_DOCUMENT = frozenset(one.name for one in COMMANDS.values() if one.needs_document or one.for_editor)
SWITCHES = {"messages": True, "advice-messages": False, "blanks": False, "wrap": False, "sticky-lines": True}
"""The display options of all editors, and their defaults."""
REMEMBERED = {
    **SWITCHES,
    "follow-file": True,
    "value-hints": False,
    "consequences": False,
    "final-newline": True,
    "format-on-save": False,
    "autosave": False,
}
"""The checkable commands whose state is stored, and their defaults."""
