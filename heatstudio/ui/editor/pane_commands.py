"""What can be done with one open text, each as an action; made when somebody asks for it first."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from heatstudio.ui.editor.commands import Command, Toggle, add_commands
from heatstudio.ui.editor.editor import TextEditor
from heatstudio.ui.editor.line_commands import (
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
_NO_COMMENTS = "JSON has no comments: the text stays as it is."


def add_pane_commands(
    pane: QWidget, editor: TextEditor, slots: Slots, tell: Callable[[str], object], *, has_keys: bool
) -> dict[str, QAction]:
    """The actions by name; with keys of their own unless the window around the pane has them.

    `slots` are what only the pane can do; `tell` says why a command did nothing.
    """
    commands = (*_pane_commands(slots), *_text_commands(editor, tell), *_look_commands(editor))
    return add_commands(pane, commands, has_keys=has_keys)


def allow_changes(actions: dict[str, QAction], *, allowed: bool) -> None:
    """Allows or forbids what changes the text by itself."""
    for name in _CHANGING:
        actions[name].setEnabled(allowed)


def _pane_commands(slots: Slots) -> tuple[Command, ...]:
    return (
        Command("find", "&Find", ("Ctrl+F",), slots["find"]),
        Command("replace", "&Replace", ("Ctrl+H",), slots["replace"]),
        Command("find-next", "Find &next", ("F3",), slots["find-next"]),
        Command("find-previous", "Find &previous", ("Shift+F3",), slots["find-previous"]),
        Command("go-to-line", "&Go to line", ("Ctrl+G",), slots["go-to-line"]),
        Command("next-problem", "Next problem", ("F8",), slots["next-problem"]),
        Command("previous-problem", "Previous problem", ("Shift+F8",), slots["previous-problem"]),
        Command("fixes", "Show fixes", ("Alt+Return", "Ctrl+."), slots["fixes"]),
        Command("complete", "Complete", ("Ctrl+Space",), slots["complete"]),
        Command("hover", "What is this?", ("Ctrl+I",), slots["hover"]),
    )


def _text_commands(editor: TextEditor, tell: Callable[[str], object]) -> tuple[Command, ...]:
    cursor, use = editor.textCursor, editor.setTextCursor
    return (
        Command("toggle-comment", "Toggle comment", ("Ctrl+/",), lambda: _toggle_comment(editor, tell)),
        Command("indent", "Indent lines", ("Ctrl+]",), lambda: indent_lines(cursor())),
        Command("unindent", "Unindent lines", ("Ctrl+[",), lambda: unindent_lines(cursor())),
        Command("move-up", "Move line up", ("Alt+Up",), lambda: _move_lines(editor, down=False)),
        Command("move-down", "Move line down", ("Alt+Down",), lambda: _move_lines(editor, down=True)),
        Command("duplicate", "Duplicate line", ("Ctrl+Shift+D",), lambda: use(duplicate_lines(cursor()))),
        Command("delete-line", "Delete line", ("Ctrl+Shift+K",), lambda: delete_lines(cursor())),
    )


def _look_commands(editor: TextEditor) -> tuple[Command | Toggle, ...]:
    cursor, folding = editor.textCursor, editor.folding
    return (
        Command("fold", "Fold", ("Ctrl+Shift+[", "Ctrl+{"), lambda: folding.fold(cursor().block())),
        Command("unfold", "Unfold", ("Ctrl+Shift+]", "Ctrl+}"), lambda: folding.unfold(cursor().block())),
        Command("fold-all", "Fold all resources", ("Ctrl+Alt+[",), folding.fold_all),
        Command("unfold-all", "Unfold all", ("Ctrl+Alt+]",), folding.unfold_all),
        Command("zoom-in", "Larger text", ("Ctrl+=", "Ctrl++"), lambda: editor.zoom(1)),
        Command("zoom-out", "Smaller text", ("Ctrl+-",), lambda: editor.zoom(-1)),
        Command("zoom-reset", "Usual text size", ("Ctrl+0",), lambda: editor.zoom(0)),
        Toggle("blanks", "Show blanks", (), False, lambda on: editor.set_shows_blanks(shown=on)),
        Toggle("messages", "Show messages at line ends", (), True, lambda on: editor.set_shows_messages(shown=on)),
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
