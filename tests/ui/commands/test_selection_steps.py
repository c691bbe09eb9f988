"""Expanding and shrinking of the selection by key, in a window with the real engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from heatstudio.text import Span
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.window.window import Window

Key = Qt.Key
STEP = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier
TEXT = """heat_template_version: 2021-04-16
parameters:
  size: {type: string}
resources:
  a:
    type: OS::Heat::Value
    properties:
      value: {get_param: size}
"""


@pytest.fixture(params=["\n", "\r\n"])
def pane(qtbot: QtBot, real: Window, tmp_path: Path, request: pytest.FixtureRequest) -> EditorPane:
    file = tmp_path / "a.yaml"
    file.write_bytes(TEXT.replace("\n", request.param).encode())
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    with qtbot.waitActive(real):
        real.activateWindow()
    pane = real.area.editor
    assert pane is not None
    at = TEXT.index("size}") + 2
    pane.go_to(Span(at, at))
    return pane


def press(pane: EditorPane, key: Qt.Key) -> str:
    QTest.keyClick(pane.editor, key, STEP)
    return selected(pane)


def selected(pane: EditorPane) -> str:
    span = pane.selection()
    return pane.text()[span.start : span.end]


def test_selection_expands_and_shrinks_by_key(pane: EditorPane) -> None:
    start = pane.selection()
    grown = [press(pane, Key.Key_Right) for _ in range(12)]
    assert grown[:4] == ["size", "get_param: size", "{get_param: size}", "value: {get_param: size}"]
    assert grown[-1] == TEXT
    steps = list(dict.fromkeys(grown))
    assert [press(pane, Key.Key_Left) for _ in steps[1:]] == steps[-2::-1]
    assert press(pane, Key.Key_Left) == ""
    assert pane.selection() == start
    assert press(pane, Key.Key_Left) == ""


def test_other_cursor_movements_clear_the_expansion_history(pane: EditorPane) -> None:
    press(pane, Key.Key_Right)
    way = pane.editor.textCursor()
    press(pane, Key.Key_Right)
    QTest.keyClick(pane.editor, Key.Key_Left)
    assert press(pane, Key.Key_Left) == ""
    pane.editor.setTextCursor(way)
    assert press(pane, Key.Key_Left) == "size"


def test_manual_selection_is_expanded_and_restored(pane: EditorPane) -> None:
    at = TEXT.index("get_param")
    by_hand = pane.editor.text_document.cursor(at + 4, at + 13)
    pane.editor.setTextCursor(by_hand)
    assert press(pane, Key.Key_Right) == "get_param: size"
    assert press(pane, Key.Key_Left) == TEXT[at + 4 : at + 13]
    cursor: QTextCursor = pane.editor.textCursor()
    assert (cursor.anchor(), cursor.position()) == (by_hand.anchor(), by_hand.position())


def test_selection_expands_over_text_just_typed(pane: EditorPane) -> None:
    QTest.keyClicks(pane.editor, "xy")
    assert press(pane, Key.Key_Right) == "sixyze"
    assert press(pane, Key.Key_Right) == "get_param: sixyze"


def test_selection_expands_in_a_text_with_an_error(pane: EditorPane) -> None:
    QTest.keyClicks(pane.editor, "'")
    assert press(pane, Key.Key_Right)
    for _ in range(12):
        press(pane, Key.Key_Right)
    assert selected(pane) == pane.text()
    assert pane.editor.verticalScrollBar().value() == 0
