"""Commands on whole lines; each is one undo step and keeps the selection of its cursor."""

from collections.abc import Callable, Sequence

from PySide6.QtGui import QTextBlock, QTextCursor

from heatstudio.text.span import shared_ends
from heatstudio.ui.documents.qt_text import QtPositions
from heatstudio.ui.editor.text.indentation import indent_of
from heatstudio.ui.editor.text.text_document import selecting

Rewrite = Callable[[Sequence[str]], list[str]]


def selected_blocks(cursor: QTextCursor) -> tuple[QTextBlock, QTextBlock]:
    """Return the first and the last line of a selection, including folds.

    A last line without selected characters does not count.
    """
    document = cursor.document()
    first, last = document.findBlock(cursor.selectionStart()), document.findBlock(cursor.selectionEnd())
    if first.blockNumber() < last.blockNumber() and cursor.selectionEnd() == last.position():
        last = last.previous()
    return _seen_above(first), _with_hidden(last)


def _seen_above(block: QTextBlock) -> QTextBlock:
    """Return the line itself, or the header of the fold that hides it."""
    while not block.isVisible() and block.previous().isValid():
        block = block.previous()
    return block


def _with_hidden(block: QTextBlock) -> QTextBlock:
    """Return the last line of the fold below a line, or the line itself."""
    while block.next().isValid() and not block.next().isVisible():
        block = block.next()
    return block


def rewrite_lines(cursor: QTextCursor, rewrite: Rewrite) -> None:
    """Rewrite the selected lines, touching only those that change."""
    first, last = selected_blocks(cursor)
    blocks = _blocks_between(first, last)
    lines = [block.text() for block in blocks]
    edit = QTextCursor(cursor)
    edit.beginEditBlock()
    for block, old, new in zip(blocks, lines, rewrite(lines), strict=True):
        if old != new:
            _replace_difference(edit, block, old, new)
    edit.endEditBlock()


def neighbor_of(cursor: QTextCursor, *, down: bool) -> QTextBlock:
    """Return the visible line above or below the selected ones; invalid if there is none."""
    first, last = selected_blocks(cursor)
    return last.next() if down else _seen_above(first.previous())


def move_lines(cursor: QTextCursor, *, down: bool) -> None:
    """Swap lines with the neighboring line; the selection moves with them.

    The neighboring line is rewritten, so that the moved lines keep their folds and marks.
    """
    first, last = selected_blocks(cursor)
    top = neighbor_of(cursor, down=down)
    if not top.isValid():
        return
    bottom = _with_hidden(top)
    words = "\n".join(block.text() for block in _blocks_between(top, bottom))
    by = (bottom.position() + bottom.length() - top.position()) * (1 if down else -1)
    anchor, position = cursor.anchor() + by, cursor.position() + by
    behind = first.position() if down else last.position() + last.length() - 1
    moved = QTextCursor(cursor)
    moved.beginEditBlock()
    moved.setPosition(top.position() - (1 if down else 0))
    moved.setPosition(bottom.position() + bottom.length() - (1 if down else 0), QTextCursor.MoveMode.KeepAnchor)
    moved.removeSelectedText()
    moved.setPosition(behind if down else behind + by)
    moved.insertText(words + "\n" if down else "\n" + words)
    moved.endEditBlock()
    selecting(cursor, anchor, position)


def duplicate_lines(cursor: QTextCursor) -> None:
    """Duplicate the selected lines below; the selection moves to the copy."""
    first, last = selected_blocks(cursor)
    words = "\n".join(block.text() for block in _blocks_between(first, last))
    by = last.position() + last.length() - first.position()
    anchor, position = cursor.anchor() + by, cursor.position() + by
    copy = QTextCursor(cursor)
    copy.beginEditBlock()
    copy.setPosition(last.position() + last.length() - 1)
    copy.insertText("\n" + words)
    copy.endEditBlock()
    selecting(cursor, anchor, position)


def delete_lines(cursor: QTextCursor) -> None:
    """Delete the selected lines with one line end."""
    first, last = selected_blocks(cursor)
    end = last.position() + last.length()
    is_at_end = end > cursor.document().characterCount() - 1
    removal = QTextCursor(cursor)
    removal.setPosition(max(first.position() - 1, 0) if is_at_end else first.position())
    removal.setPosition(end - 1 if is_at_end else end, QTextCursor.MoveMode.KeepAnchor)
    removal.removeSelectedText()


def smart_home(cursor: QTextCursor, mode: QTextCursor.MoveMode) -> None:
    """Move a cursor to the first non-blank character of its line or, from there, to the start of the line.

    In another row of a wrapped line, move to the start of the row first.
    """
    block, before = cursor.block(), cursor.position()
    text_start = block.position() + indent_of(block.text())
    cursor.movePosition(QTextCursor.MoveOperation.StartOfLine, mode)
    if not block.position() < cursor.position() < before:
        cursor.setPosition(block.position() if before == text_start else text_start, mode)


def _blocks_between(first: QTextBlock, last: QTextBlock) -> list[QTextBlock]:
    blocks = [first]
    while blocks[-1].blockNumber() < last.blockNumber():
        blocks.append(blocks[-1].next())
    return blocks


def _replace_difference(edit: QTextCursor, block: QTextBlock, old: str, new: str) -> None:
    """Rewrite only the differing blanks and comment signs, so that the cursor stays with its word."""
    behind, kept = shared_ends(old[::-1], new[::-1])
    first = block.position()
    selecting(edit, first + kept, first + QtPositions(old).position(len(old) - behind))
    edit.insertText(new[kept : len(new) - behind])
