"""Commands on whole lines; each is one undo step and keeps what was selected."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtGui import QTextBlock, QTextCursor

from heatstudio.ui.editor.indentation import comment_toggled, indent_of, indented, unindented
from heatstudio.ui.positions import Positions

Rewrite = Callable[[Sequence[str]], list[str]]


def selected_blocks(cursor: QTextCursor) -> tuple[QTextBlock, QTextBlock]:
    """The first and the last line of a selection; a line of which nothing is selected does not count."""
    document = cursor.document()
    first, last = document.findBlock(cursor.selectionStart()), document.findBlock(cursor.selectionEnd())
    if first.blockNumber() < last.blockNumber() and cursor.selectionEnd() == last.position():
        last = last.previous()
    return first, last


def rewrite_lines(cursor: QTextCursor, rewrite: Rewrite) -> None:
    """Writes the selected lines anew, touching only those that become different."""
    first, last = selected_blocks(cursor)
    blocks = [first]
    while blocks[-1].blockNumber() < last.blockNumber():
        blocks.append(blocks[-1].next())
    lines = [block.text() for block in blocks]
    edit = QTextCursor(cursor)
    edit.beginEditBlock()
    for block, old, new in zip(blocks, lines, rewrite(lines), strict=True):
        if old != new:
            _replace_difference(edit, block, old, new)
    edit.endEditBlock()


def indent_lines(cursor: QTextCursor) -> None:
    """One level deeper."""
    rewrite_lines(cursor, indented)


def unindent_lines(cursor: QTextCursor) -> None:
    """One level less deep."""
    rewrite_lines(cursor, unindented)


def toggle_comment(cursor: QTextCursor) -> None:
    """Makes comments of the lines, or lines of the comments."""
    rewrite_lines(cursor, comment_toggled)


def move_lines(cursor: QTextCursor, *, down: bool) -> QTextCursor:
    """Changes places with the neighboring line; gives the same selection at its new place."""
    first, last = selected_blocks(cursor)
    neighbor = last.next() if down else first.previous()
    if not neighbor.isValid():
        return cursor
    moved = QTextCursor(cursor)
    by = neighbor.length() if down else -neighbor.length()
    anchor, position = cursor.anchor() + by, cursor.position() + by
    top, bottom = (first, neighbor) if down else (neighbor, last)
    lines = _lines_between(top, bottom)
    lines = [lines[-1], *lines[:-1]] if down else [*lines[1:], lines[0]]
    moved.beginEditBlock()
    moved.setPosition(top.position())
    moved.setPosition(bottom.position() + bottom.length() - 1, QTextCursor.MoveMode.KeepAnchor)
    moved.insertText("\n".join(lines))
    moved.endEditBlock()
    return _selecting(moved, anchor, position)


def duplicate_lines(cursor: QTextCursor) -> QTextCursor:
    """Writes the selected lines once more below; gives the same selection in the copy."""
    first, last = selected_blocks(cursor)
    lines = _lines_between(first, last)
    by = last.position() + last.length() - first.position()
    anchor, position = cursor.anchor() + by, cursor.position() + by
    copy = QTextCursor(cursor)
    copy.beginEditBlock()
    copy.setPosition(last.position() + last.length() - 1)
    copy.insertText("\n" + "\n".join(lines))
    copy.endEditBlock()
    return _selecting(copy, anchor, position)


def delete_lines(cursor: QTextCursor) -> None:
    """Takes the selected lines away, with one line end."""
    first, last = selected_blocks(cursor)
    end = last.position() + last.length()
    is_at_end = end > cursor.document().characterCount() - 1
    removal = QTextCursor(cursor)
    removal.setPosition(max(first.position() - 1, 0) if is_at_end else first.position())
    removal.setPosition(end - 1 if is_at_end else end, QTextCursor.MoveMode.KeepAnchor)
    removal.removeSelectedText()


def smart_home(cursor: QTextCursor, mode: QTextCursor.MoveMode) -> QTextCursor:
    """To the first character of the line that is not blank, or from there to its very start."""
    block = cursor.block()
    text_start = block.position() + indent_of(block.text())
    moved = QTextCursor(cursor)
    moved.setPosition(block.position() if cursor.position() == text_start else text_start, mode)
    return moved


def _selecting(cursor: QTextCursor, anchor: int, position: int) -> QTextCursor:
    """A selection as far as the document goes: it may have ended behind the line end of what is the last line now."""
    last = cursor.document().characterCount() - 1
    cursor.setPosition(min(anchor, last))
    cursor.setPosition(min(position, last), QTextCursor.MoveMode.KeepAnchor)
    return cursor


def _lines_between(first: QTextBlock, last: QTextBlock) -> list[str]:
    lines = [first.text()]
    while first.blockNumber() < last.blockNumber():
        first = first.next()
        lines.append(first.text())
    return lines


def _replace_difference(edit: QTextCursor, block: QTextBlock, old: str, new: str) -> None:
    """Writes only the blanks and comment signs that differ, so that the caret stays with its word."""
    behind = 0
    while behind < min(len(old), len(new)) and old[-1 - behind] == new[-1 - behind]:
        behind += 1
    kept = 0
    while kept < min(len(old), len(new)) - behind and old[kept] == new[kept]:
        kept += 1
    edit.setPosition(block.position() + kept)
    edit.setPosition(Positions(old).position(len(old) - behind) + block.position(), QTextCursor.MoveMode.KeepAnchor)
    edit.insertText(new[kept : len(new) - behind])
