"""What the editor can do, as actions with their keys; the window may put them into its menus."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget


class Command(NamedTuple):
    """A name for the program, words for the menu, keys, and what happens."""

    name: str
    text: str
    keys: tuple[str, ...]
    act: Callable[[], object]


class Toggle(NamedTuple):
    """A command that is on or off."""

    name: str
    text: str
    keys: tuple[str, ...]
    is_on: bool
    switch: Callable[[bool], object]


def add_commands(
    widget: QWidget, commands: tuple[Command | Toggle, ...], *, has_keys: bool = True
) -> dict[str, QAction]:
    """Makes the actions; their keys work while the focus is in the widget. Gives them by name."""
    actions: dict[str, QAction] = {}
    for command in commands:
        action = QAction(command.text, widget)
        if has_keys:
            from PySide6.QtGui import QKeySequence

            action.setShortcuts([QKeySequence(keys) for keys in command.keys])
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        if isinstance(command, Toggle):
            action.setCheckable(True)
            action.setChecked(command.is_on)
            action.toggled.connect(command.switch)
        else:
            action.triggered.connect(_without_argument(command.act))
        widget.addAction(action)
        actions[command.name] = action
    return actions


def _without_argument(act: Callable[[], object]) -> Callable[[], None]:
    def run() -> None:
        act()

    return run
