"""Brackets and quotes: matching pairs, and automatic closing."""

from typing import Final

from PySide6.QtGui import QTextBlock

from heatstudio.text.yaml_lexer import TokenRole, lex_line
from heatstudio.ui.documents.qt_text import QtPositions

PAIRS: Final = {"{": "}", "[": "]"}
QUOTES: Final = "\"'"
_CLOSERS = {closer: opener for opener, closer in PAIRS.items()}
_MOST_LINES = 2_000


def closing_for(typed: str, before: str, after: str) -> str | None:
    """Return the closer for a typed character, given the line before and behind the cursor; None if there is none."""
    if after and after[0] not in " \t,]}":
        return None
    if typed in PAIRS:
        return PAIRS[typed]
    return typed if typed in QUOTES and (not before or before[-1] in " \t[{,(!") else None


def is_typed_over(typed: str, before: str, after: str) -> bool:
    """Return whether a typed closer only steps over an existing one."""
    if not after.startswith(typed):
        return False
    if typed in _CLOSERS:
        return before.count(_CLOSERS[typed]) > before.count(typed)
    return typed in QUOTES and before.count(typed) % 2 == 1


def is_empty_pair(before: str, after: str) -> bool:
    """Return whether the cursor is between an opener and its closer."""
    if not before or not after:
        return False
    return PAIRS.get(before[-1]) == after[0] or (before[-1] in QUOTES and before[-1] == after[0])


def matching_bracket(block: QTextBlock, column: int) -> tuple[int, int] | None:
    """Return the document positions of the bracket at the cursor and of its partner, ignoring brackets in strings.

    `column` is in UTF-16 units. The bracket behind the cursor has priority over the one before it.
    """
    own = dict(_brackets(block))
    for at in (column, column - 1):
        if at in own:
            partner = _partner(block, at, own[at])
            return None if partner is None else (block.position() + at, partner)
    return None


def _partner(block: QTextBlock, column: int, bracket: str) -> int | None:
    forward = bracket in PAIRS
    depth = 0
    for _ in range(_MOST_LINES):
        brackets = _brackets(block)
        for at, character in brackets if forward else reversed(brackets):
            if (at < column) if forward else (at > column):
                continue
            depth += 1 if (character in PAIRS) == forward else -1
            if not depth:
                return block.position() + at
        block = block.next() if forward else block.previous()
        column = -1 if forward else 1 << 30
        if not block.isValid():
            break
    return None


def _brackets(block: QTextBlock) -> list[tuple[int, str]]:
    text = block.text()
    if not any(bracket in text for bracket in "{}[]"):
        return []
    runs, _ = lex_line(text, block.previous().userState())
    position = QtPositions(text).position
    starts = [run.start for run in runs if run.role is TokenRole.PUNCTUATION and run.length == 1]
    return [(position(start), text[start]) for start in starts if text[start] in "{}[]"]
