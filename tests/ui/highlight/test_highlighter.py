from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout
from pytestqt.qtbot import QtBot

from heatstudio.ui.highlight import highlighter as highlighter_module
from heatstudio.ui.highlight.highlighter import EAGER_LINES, Highlighter
from heatstudio.ui.widgets.theme import Color, Theme, load_theme
from tests.text.test_yaml_lexer import YAML_TEXT


def make(text: str) -> tuple[QTextDocument, Highlighter]:
    document = QTextDocument()
    document.setDocumentLayout(QPlainTextDocumentLayout(document))
    highlighter = Highlighter(document, load_theme("light"), is_reached=True)
    highlighter.expect_load(text.count("\n") + 1)
    document.setPlainText(text)
    highlighter.resume()
    return document, highlighter


def colors(document: QTextDocument) -> list[tuple[int, list[tuple[int, int, str]]]]:
    """Return the state and the colored pieces of each line, in UTF-16 units."""
    lines, block = [], document.firstBlock()
    while block.isValid():
        lines.append((block.userState(), pieces(block)))
        block = block.next()
    return lines


def pieces(block: QTextBlock) -> list[tuple[int, int, str]]:
    return [(one.start, one.length, one.format.foreground().color().name()) for one in block.layout().formats()]


@given(YAML_TEXT, st.lists(st.tuples(st.integers(0, 80), st.integers(0, 5), YAML_TEXT), max_size=4))
def test_coloring_while_typing_equals_coloring_from_scratch(
    qapp: object, text: str, edits: list[tuple[int, int, str]]
) -> None:
    document, highlighter = make(text)
    highlighter.rehighlight()
    for start, removed, added in edits:
        last = document.characterCount() - 1
        cursor = QTextCursor(document)
        cursor.setPosition(min(start, last))
        cursor.setPosition(min(start + removed, last), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(added)
    typed = colors(document)
    highlighter.rehighlight()
    assert typed == colors(document)


def test_pieces_are_in_utf16_units(qapp: object) -> None:
    document, highlighter = make("'🚀': b # c")
    highlighter.rehighlight()
    theme: Theme = load_theme("light")
    found = pieces(document.firstBlock())
    assert (0, 4, theme.value(Color.KEY).lower()) in found
    assert (8, 3, theme.value(Color.COMMENT).lower()) in found


@pytest.fixture
def long_text() -> str:
    return "resources:\n" + "  a: |\n    b: c\n" * EAGER_LINES


def test_long_file_is_highlighted_in_slices(qtbot: QtBot, long_text: str) -> None:
    document, highlighter = make(long_text)
    qtbot.waitUntil(lambda: highlighter.is_complete)
    block = document.lastBlock().previous()
    assert [piece[2] for piece in pieces(block)] == [load_theme("light").value(Color.STRING).lower()]


def test_visible_lines_are_highlighted_first(qapp: object, long_text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(highlighter_module, "REACH_SECONDS", 60)  # a busy machine may need longer than the limit
    document, highlighter = make(long_text)
    document.setPlainText(long_text)
    assert not pieces(document.findBlockByNumber(EAGER_LINES + 20))
    highlighter.reach(EAGER_LINES + 20)
    assert pieces(document.findBlockByNumber(EAGER_LINES + 20))


def test_only_visible_lines_are_repainted(qtbot: QtBot, long_text: str) -> None:
    document, highlighter = make(long_text)
    painted: list[int] = []
    document.documentLayout().update.connect(lambda _area: painted.append(0))
    qtbot.waitUntil(lambda: highlighter.is_complete)
    assert painted == []
    highlighter.expect_load(document.blockCount())
    highlighter.reach(EAGER_LINES + 1)
    assert painted


def test_all_lines_are_highlighted_after_lines_are_deleted(qtbot: QtBot, long_text: str) -> None:
    document, highlighter = make(long_text)
    cursor = QTextCursor(document)
    cursor.setPosition(document.findBlockByNumber(EAGER_LINES // 2).position(), QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()
    qtbot.waitUntil(lambda: highlighter.is_complete)
    block = document.firstBlock()
    while block.isValid():
        assert bool(block.text().strip()) == bool(pieces(block))
        block = block.next()
