"""The commands for the lines and folds of one text."""

from collections.abc import Callable

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

CHANGING = frozenset(("toggle-comment", "indent", "unindent", "move-up", "move-down", "duplicate", "delete-line"))
"""The commands that change the text directly."""
_NO_COMMENTS = "JSON has no comments. Nothing was changed."


def text_commands(editor: TextEditor, tell: Callable[[str], object]) -> dict[str, Callable[[], object]]:
    """Return the handlers of the commands for lines and folds; `tell` reports why a command did nothing."""
    cursor, use, folding = editor.textCursor, editor.setTextCursor, editor.folding
    return {
        "toggle-comment": lambda: _toggle_comment(editor, tell),
        "indent": lambda: rewrite_lines(cursor(), indented),
        "unindent": lambda: rewrite_lines(cursor(), unindented),
        "move-up": lambda: _move_lines(editor, down=False),
        "move-down": lambda: _move_lines(editor, down=True),
        "duplicate": lambda: use(duplicate_lines(cursor())),
        "delete-line": lambda: delete_lines(cursor()),
        "fold": lambda: folding.fold(cursor().block()),
        "unfold": lambda: folding.unfold(cursor().block()),
        "fold-all": folding.fold_all,
        "unfold-all": folding.unfold_all,
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
