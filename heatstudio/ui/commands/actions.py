"""The commands of the window from `resources/commands.json`, as data and as Qt actions."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar, QToolButton

from heatstudio.assets import resource_path
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.widgets import Appearance, icon_size, plain
from heatstudio.ui.widgets.shown_keys import show_keys


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
TOOL_BAR: Sequence[str | None] = _DATA["tool_bar"]
TEXT_MENU: Sequence[str | None] = _DATA["text_menu"]
STACK_MENU: Sequence[str | None] = _DATA["stack_menu"]
"""The commands for the selected stack, in groups."""
TEXT_KEYS = tuple(Command(**declared) for declared in _DATA["text_keys"])
"""The keys of the text that are not commands; `ui/editor/text/typing_keys.py` and Qt handle them."""
PAGES = {command.pane: command for command in COMMANDS.values() if command.side == "editor"}
"""The commands that show a pane as a tab of the editor area, by the pane."""
FOR_EDITOR = tuple(command.name for command in COMMANDS.values() if command.for_editor)
NEED_DOCUMENT = frozenset(one.name for one in COMMANDS.values() if one.needs_document or one.for_editor)
SWITCHES: Mapping[str, bool] = _DATA["switches"]
"""The display options of all editors, and their defaults."""
REMEMBERED: Mapping[str, bool] = {**SWITCHES, **_DATA["remembered"]}
"""The checkable commands whose state is stored, and their defaults."""


class Actions:
    """The actions of the window for all commands, with their menus and the tool bar.

    A command that is chosen before it has a handler is deferred until `run_waiting`.
    """

    def __init__(self, window: QMainWindow, appearance: Appearance, settings: Settings) -> None:
        self._window = window
        self._settings = settings
        self._keys = settings.keys
        self._appearance = appearance
        self._command_handlers: dict[str, Callable[[], object]] = {}
        self._waiting: list[str] = []
        self._has_document = False
        self._actions = {name: self._action(COMMANDS[name]) for name in TOOL_BAR if name is not None}
        self._menus = [self._menu(menu.title) for menu in MENUS]
        self.tool_bar = self._make_tool_bar()
        self._fill_menus()

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def __iter__(self) -> Iterator[QAction]:
        return iter(self._actions.values())

    def connect_handlers(self, command_handlers: Mapping[str, Callable[[], object]]) -> None:
        """Set the handlers of commands."""
        self._command_handlers.update(command_handlers)

    def run_waiting(self) -> None:
        """Run the commands that were chosen before they had a handler."""
        waiting, self._waiting = self._waiting, []
        for name in waiting:
            self._run(name)

    def _fill_menus(self) -> None:
        """Create the actions that are not in the tool bar, add all actions to their menus, and set their shortcuts."""
        themes = QActionGroup(self._window)
        below: dict[str, QMenu] = {}
        for menu, declared in zip(self._menus, MENUS, strict=True):
            for command in declared.commands:
                if command is None:
                    menu.addSeparator()
                    continue
                if command.name not in self._actions:
                    self._actions[command.name] = self._action(command)
                if command.submenu and command.submenu not in below:
                    below[command.submenu] = inner = menu.addMenu(command.submenu)
                    inner.setAccessibleName(command.submenu.replace("&", ""))
                below.get(command.submenu, menu).addAction(self._actions[command.name])
                if command.name.startswith("theme-"):
                    themes.addAction(self._actions[command.name])
        self._give_all_keys()

    def keys_of(self, name: str) -> Sequence[str]:
        """Return the keys of a command in Qt's portable form: those of the user, or the default ones."""
        return self._keys[name] if name in self._keys else _portable(COMMANDS[name].shortcuts)

    def is_changed(self, name: str) -> bool:
        """Return whether the user changed the keys of a command."""
        return name in self._keys

    def set_keys(self, name: str, keys: Sequence[str] | None) -> None:
        """Set and store the keys of a command, and take them from others; None for the default ones."""
        self._keys.pop(name, None)
        wanted = self.keys_of(name) if keys is None else _portable(keys)
        if wanted != self.keys_of(name):
            self._keys[name] = [*wanted]
        for other in self._actions.keys() - {name}:
            left = [key for key in self.keys_of(other) if key not in wanted]
            if len(left) < len(self.keys_of(other)):
                self._keys[other] = left
        self._store_keys()

    def reset_keys(self) -> None:
        """Give all commands their default keys."""
        self._keys.clear()
        self._store_keys()

    def _store_keys(self) -> None:
        self._settings.keys = self._keys
        self._give_all_keys()

    def _give_all_keys(self) -> None:
        changed: dict[str, str] = {}
        for name in self._actions:
            self._give_keys(name)
        for name in self._keys.keys() & self._actions.keys():
            keys, defaults = self.keys_of(name), _portable(COMMANDS[name].shortcuts)
            shown = native_key(keys[0]) if keys else f"“{COMMANDS[name].title}”"
            changed |= {key: shown for key in defaults if key not in keys}
        show_keys(changed)

    def _give_keys(self, name: str) -> None:
        action, keys = self._actions[name], self.keys_of(name)
        action.setShortcuts([QKeySequence(key) for key in keys])
        title = COMMANDS[name].title
        action.setToolTip(plain(f"{title} ({native_key(keys[0])})" if keys else title))

    def allow(self, *, with_document: bool) -> None:
        """Enable or disable the commands that need a document."""
        self._has_document = with_document
        for name in NEED_DOCUMENT & self._actions.keys():
            self._actions[name].setEnabled(with_document)

    def insert_menu(self, before: str, menu: QMenu) -> None:
        """Insert a menu before a command."""
        action = self._actions[before]
        for above in action.associatedObjects():
            if isinstance(above, QMenu):
                above.insertMenu(action, menu)

    def _run(self, name: str) -> None:
        handler = self._command_handlers.get(name)
        if handler is None:
            self._waiting.append(name)
        else:
            handler()

    def _action(self, command: Command) -> QAction:
        action = QAction(command.text, self._window)
        action.setObjectName(command.name)
        action.setIconText(f" {command.button or command.title}")
        action.setCheckable(command.checkable)
        if command.icon:
            action.setIcon(self._appearance.icon(command.icon))
        action.triggered.connect(lambda _checked: self._run(command.name))
        action.setEnabled(self._has_document or command.name not in NEED_DOCUMENT)
        self._window.addAction(action)
        return action

    def _menu(self, title: str) -> QMenu:
        menu = self._window.menuBar().addMenu(title)
        menu.setAccessibleName(title.replace("&", ""))
        return menu

    def _make_tool_bar(self) -> QToolBar:
        bar = QToolBar("Tools", movable=False, iconSize=icon_size())
        bar.setObjectName("tools")
        bar.setAccessibleName("Tools")
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        overflow = bar.findChild(QToolButton)  # in a narrow window, opens the buttons that have no space
        if isinstance(overflow, QToolButton):
            overflow.setIcon(self._appearance.icon("chevron-down"))
        for name in TOOL_BAR:
            if name is None:
                bar.addSeparator()
                continue
            bar.addAction(self._actions[name])
            bar.widgetForAction(self._actions[name]).setAccessibleName(COMMANDS[name].title)
        bar.toggleViewAction().setVisible(False)  # in a menu of Qt, which would hide the bar for good
        self._window.addToolBar(bar)
        return bar


def native_key(key: str) -> str:
    """Return a key as the platform writes it."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


def _portable(keys: Sequence[str]) -> list[str]:
    return [QKeySequence(key).toString() for key in keys]
