"""Characters that are not seen have a box with their code point, and do not reorder the text."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QColor, QGuiApplication

from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.highlight.highlighter import SIGN_WIDTH
from heatstudio.ui.widgets.theme import Color, Theme

ODD = "a: x\u202ecba\u202c \u200b b\xad\u2066\n"


def left_of(pane: EditorPane, offset: int) -> int:
    cursor = pane.editor.textCursor()
    cursor.setPosition(offset)
    return pane.editor.cursorRect(cursor).left()


@pytest.mark.parametrize("sign", "\u202e\u2066\u200b\xad\u2060\u200e\u3164")
def test_character_has_room_and_a_box(pane: EditorPane, theme: Theme, sign: str) -> None:
    pane.set_text(f"a: x{sign}b\n")
    places = [left_of(pane, offset) for offset in range(7)]
    assert places == sorted(places)
    assert places[5] - places[4] >= SIGN_WIDTH
    picture = pane.editor.viewport().grab().toImage()
    colors = {picture.pixelColor(x, y).name() for x in range(places[4], places[5]) for y in range(4, 30)}
    assert QColor(theme.value(Color.WARNING)).name() in colors


def test_emoji_and_scripts_have_no_box(pane: EditorPane) -> None:
    pane.set_text("a: \U0001f469\u200d\U0001f4bb \u0645\u06cc\u200c\u062e\n")
    plain = left_of(pane, len("a: \U0001f469\u200d\U0001f4bb ") + 2) - left_of(pane, 0)
    assert plain < 10 * pane.editor.fontMetrics().horizontalAdvance("m")


def test_copied_and_pasted_text_keeps_its_characters(pane: EditorPane) -> None:
    pane.set_text(ODD)
    pane.editor.selectAll()
    pane.editor.copy()
    assert QGuiApplication.clipboard().text() == ODD
    pane.set_text("")
    data = QMimeData()
    data.setText(ODD.replace("\n", "\r\n"))
    pane.editor.insertFromMimeData(data)
    assert pane.text() == ODD
    assert not set(pane.editor.document().toRawText()) & set("\u202e\u202c\u2066")
