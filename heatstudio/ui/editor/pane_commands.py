"""The commands of one open text as actions, created on first use."""

from collections.abc import Callable, Mapping

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from heatstudio.ui.editor.editor import TextEditor
from heatstudio.ui.editor.text.indentation import comment_toggled, indented, unindented
from heatstudio.ui.editor.text.line_commands import (
    delete_lines,
    duplicate_lines,
    move_lines,
    neighbor_of,
    rewrite_lines,
    selected_blocks,
)

Slots = Mapping[str, Callable[[], object]]
_CHANGING = ("toggle-comment", "indent", "unindent", "move-up", "move-down", "duplicate", "delete-line")
"""The commands that change the text directly."""
_NO_COMMENTS = "JSON has no comments. Nothing was changed."


def make_pane_commands(
    pane: QWidget, editor: TextEditor, command_handlers: Slots, tell: Callable[[str], object]
) -> dict[str, QAction]:
    """Return the actions by name; the caller sets their texts and shortcuts.

    `command_handlers` are the commands of the pane; `tell` reports why a command did nothing.
    """
    actions: dict[str, QAction] = {}
    for name, act in {**command_handlers, **_text_commands(editor, tell), **_view_commands(editor)}.items():
        actions[name] = QAction(pane)
        actions[name].triggered.connect(lambda _checked, act=act: act())
    decorations = editor.decorations
    for name, is_on, show in (
        ("blanks", decorations.shows_blanks, decorations.show_blanks),
        ("messages", decorations.shows_messages, decorations.show_messages),
        ("wrap", False, editor.set_wraps),
    ):
        actions[name] = QAction(pane, checkable=True, checked=is_on)
        actions[name].toggled.connect(show)
    return actions


def allow_changes(actions: dict[str, QAction], *, allowed: bool) -> None:
    """Enable or disable the commands that change the text directly."""
    for name in _CHANGING:
        actions[name].setEnabled(allowed)


def _text_commands(editor: TextEditor, tell: Callable[[str], object]) -> Slots:
    cursor, use = editor.textCursor, editor.setTextCursor
    return {
        "toggle-comment": lambda: _toggle_comment(editor, tell),
        "indent": lambda: rewrite_lines(cursor(), indented),
        "unindent": lambda: rewrite_lines(cursor(), unindented),
        "move-up": lambda: _move_lines(editor, down=False),
        "move-down": lambda: _move_lines(editor, down=True),
        "duplicate": lambda: use(duplicate_lines(cursor())),
        "delete-line": lambda: delete_lines(cursor()),
    }


def _view_commands(editor: TextEditor) -> Slots:
    cursor, folding = editor.textCursor, editor.folding
    return {
        "fold": lambda: folding.fold(cursor().block()),
        "unfold": lambda: folding.unfold(cursor().block()),
        "fold-all": folding.fold_all,
        "unfold-all": folding.unfold_all,
        "zoom-in": lambda: editor.zoom(1),
        "zoom-out": lambda: editor.zoom(-1),
        "zoom-reset": lambda: editor.zoom(0),
    }


def _toggle_comment(editor: TextEditor, tell: Callable[[str], object]) -> None:
    if editor.text_document.is_json():
        tell(_NO_COMMENTS)
    else:
        rewrite_lines(editor.textCursor(), comment_toggled)


def _move_lines(editor: TextEditor, *, down: bool) -> None:
    """Move the selected lines; a folded neighbor stays folded."""
    folding, cursor = editor.folding, editor.textCursor()
    neighbor, line = neighbor_of(cursor, down=down), selected_blocks(cursor)[0].blockNumber()
    was_folded = neighbor.isValid() and folding.is_folded(neighbor)
    editor.setTextCursor(move_lines(cursor, down=down))
    if was_folded:
        moved = editor.document().findBlockByNumber(line) if down else neighbor_of(editor.textCursor(), down=True)
        folding.fold(moved)
