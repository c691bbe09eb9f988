"""What can be done with one open text, each as an action; made when somebody asks for it first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from heatstudio.ui.editor.editor import TextEditor
from heatstudio.ui.editor.text.line_commands import (
    delete_lines,
    duplicate_lines,
    indent_lines,
    move_lines,
    neighbor_of,
    selected_blocks,
    toggle_comment,
    unindent_lines,
)

Slots = Mapping[str, Callable[[], object]]
_CHANGING = ("toggle-comment", "indent", "unindent", "move-up", "move-down", "duplicate", "delete-line")
"""The commands that change the text by themselves."""
_NO_COMMENTS = "JSON has no comments. Nothing was changed."


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


def add_pane_commands(
    pane: QWidget, editor: TextEditor, command_handlers: Slots, tell: Callable[[str], object], *, has_keys: bool
) -> dict[str, QAction]:
    """The actions by name; with keys of their own unless the window around the pane has them.

    `command_handlers` are what only the pane can do; `tell` says why a command did nothing.
    """
    commands = (*_pane_commands(command_handlers), *_text_commands(editor, tell), *_look_commands(editor))
    return add_commands(pane, commands, has_keys=has_keys)


def allow_changes(actions: dict[str, QAction], *, allowed: bool) -> None:
    """Allows or forbids what changes the text by itself."""
    for name in _CHANGING:
        actions[name].setEnabled(allowed)


def _pane_commands(command_handlers: Slots) -> tuple[Command, ...]:
    return (
        Command("find", "&Find", ("Ctrl+F",), command_handlers["find"]),
        Command("replace", "&Replace", ("Ctrl+H",), command_handlers["replace"]),
        Command("find-next", "Find &Next", ("F3",), command_handlers["find-next"]),
        Command("find-previous", "Find &Previous", ("Shift+F3",), command_handlers["find-previous"]),
        Command("go-to-line", "&Go to Line", ("Ctrl+G",), command_handlers["go-to-line"]),
        Command("next-problem", "Next Problem", ("F8",), command_handlers["next-problem"]),
        Command("previous-problem", "Previous Problem", ("Shift+F8",), command_handlers["previous-problem"]),
        Command("fixes", "Show Fixes", ("Alt+Return", "Ctrl+."), command_handlers["fixes"]),
        Command("complete", "Complete", ("Ctrl+Space",), command_handlers["complete"]),
        Command("hover", "Show Hover", ("Ctrl+I",), command_handlers["hover"]),
    )


def _text_commands(editor: TextEditor, tell: Callable[[str], object]) -> tuple[Command, ...]:
    cursor, use = editor.textCursor, editor.setTextCursor
    return (
        Command("toggle-comment", "Toggle Comment", ("Ctrl+/",), lambda: _toggle_comment(editor, tell)),
        Command("indent", "Indent Lines", ("Ctrl+]",), lambda: indent_lines(cursor())),
        Command("unindent", "Unindent Lines", ("Ctrl+[",), lambda: unindent_lines(cursor())),
        Command("move-up", "Move Line Up", ("Alt+Up",), lambda: _move_lines(editor, down=False)),
        Command("move-down", "Move Line Down", ("Alt+Down",), lambda: _move_lines(editor, down=True)),
        Command("duplicate", "Duplicate Line", ("Ctrl+Shift+D",), lambda: use(duplicate_lines(cursor()))),
        Command("delete-line", "Delete Line", ("Ctrl+Shift+K",), lambda: delete_lines(cursor())),
    )


def _look_commands(editor: TextEditor) -> tuple[Command | Toggle, ...]:
    cursor, folding = editor.textCursor, editor.folding
    return (
        Command("fold", "Fold", ("Ctrl+Shift+[", "Ctrl+{"), lambda: folding.fold(cursor().block())),
        Command("unfold", "Unfold", ("Ctrl+Shift+]", "Ctrl+}"), lambda: folding.unfold(cursor().block())),
        Command("fold-all", "Fold All Resources", ("Ctrl+Alt+[",), folding.fold_all),
        Command("unfold-all", "Unfold All", ("Ctrl+Alt+]",), folding.unfold_all),
        Command("zoom-in", "Zoom In", ("Ctrl+=", "Ctrl++"), lambda: editor.zoom(1)),
        Command("zoom-out", "Zoom Out", ("Ctrl+-",), lambda: editor.zoom(-1)),
        Command("zoom-reset", "Reset Zoom", ("Ctrl+0",), lambda: editor.zoom(0)),
        Toggle("blanks", "Show Whitespace", (), False, lambda on: editor.set_shows_blanks(shown=on)),
        Toggle("wrap", "Word Wrap", ("Alt+Z",), False, lambda on: editor.set_wraps(wraps=on)),
        Toggle("messages", "Show Messages at Line Ends", (), True, lambda on: editor.set_shows_messages(shown=on)),
    )


def _toggle_comment(editor: TextEditor, tell: Callable[[str], object]) -> None:
    if editor.text_document.is_json():
        tell(_NO_COMMENTS)
    else:
        toggle_comment(editor.textCursor())


def _move_lines(editor: TextEditor, *, down: bool) -> None:
    """A neighbor that is folded stays so at its new place."""
    folding, cursor = editor.folding, editor.textCursor()
    neighbor, line = neighbor_of(cursor, down=down), selected_blocks(cursor)[0].blockNumber()
    was_folded = neighbor.isValid() and folding.is_folded(neighbor)
    editor.setTextCursor(move_lines(cursor, down=down))
    if was_folded:
        moved = editor.document().findBlockByNumber(line) if down else neighbor_of(editor.textCursor(), down=True)
        folding.fold(moved)
