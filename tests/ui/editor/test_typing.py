"""Typing in the real widget, key by key; the mark ¦ stands for the cursor or the selection."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.editor.text import undo_steps
from tests.ui.editor.conftest import EditorDriver, seen, show

Key, Modifier = Qt.Key, Qt.KeyboardModifier


@pytest.mark.parametrize(
    ("before", "typed", "after"),
    [
        ("¦", "resources:\nserver:\ntype: x", "resources:\n  server:\n    type: x¦"),
        ("¦", "a:\n- b: c\nd: e", "a:\n  - b: c\n    d: e¦"),
        ("¦", "a: |\nif x:\ny", "a: |\n  if x:\n  y¦"),
        ("a: |\n    if x:\n    b:¦", "\nc", "a: |\n    if x:\n    b:\n    c¦"),
        ("a:\n  s: &x |  # c\n      y\n  b:¦", "\nc", "a:\n  s: &x |  # c\n      y\n  b:\n    c¦"),
        ("¦", "a: &x\nb: !!str |2\nc:\n", "a: &x\n  b: !!str |2\n    c:\n    ¦"),
        ("¦", "a: {get_param: b}", "a: {get_param: b}¦"),
        ("¦", "a: [b, [c]]", "a: [b, [c]]¦"),
        ("¦", "a: {", "a: {¦}"),
        ("¦", "a: {\n", "a: {\n  ¦\n}"),
        ("¦", 'a: "', 'a: "¦"'),
        ("¦", 'a: "b"', 'a: "b"¦'),
        ("¦", "a: it's", "a: it's¦"),
        ("¦", "# it's {", "# it's {¦"),
        ("a: |\n  ¦", "{", "a: |\n  {¦"),
        ("a: ¦b", "{", "a: {¦b"),
        ("a: ¦b¦", "[", "a: [¦b¦]"),
        ("a: ¦b¦", '"', 'a: "¦b¦"'),
        ("¦", "née: 🚀漢", "née: 🚀漢¦"),
        ("a: 🚀¦b", "{", "a: 🚀{¦b"),
        ("  a: b¦ c", "\n", "  a: b\n  ¦c"),
        ("  a: b¦", "\n\nc: d", "  a: b\n\n  c: d¦"),
        ("¦", "a: [b,\nc", "a: [b,\n  c¦]"),
        ('{\n  "a": {\n    "b": 1¦ }\n}', "\n", '{\n  "a": {\n    "b": 1\n  ¦}\n}'),
    ],
)
def test_typing(pane: EditorPane, hands: EditorDriver, before: str, typed: str, after: str) -> None:
    show(pane, before)
    hands.type(typed)
    assert seen(pane) == after


@pytest.mark.parametrize(
    ("before", "key", "modifiers", "after"),
    [
        ("¦a", Key.Key_Tab, Modifier.NoModifier, "  ¦a"),
        (" ¦a", Key.Key_Tab, Modifier.NoModifier, "  ¦a"),
        ("¦a\nb¦\nc", Key.Key_Tab, Modifier.NoModifier, "  ¦a\n  b¦\nc"),
        ("a\n  b¦\nc", Key.Key_Backtab, Modifier.ShiftModifier, "a\nb¦\nc"),
        ("    ¦a", Key.Key_Backspace, Modifier.NoModifier, "  ¦a"),
        ("a: {¦}", Key.Key_Backspace, Modifier.NoModifier, "a: ¦"),
        ("a: b¦", Key.Key_Backspace, Modifier.NoModifier, "a: ¦"),
        ("  a¦", Key.Key_Home, Modifier.NoModifier, "  ¦a"),
        ("  ¦a", Key.Key_Home, Modifier.NoModifier, "¦  a"),
        ("  ab¦", Key.Key_Home, Modifier.ShiftModifier, "  ¦ab¦"),
        ("  a¦: b\n  c", Key.Key_Slash, Modifier.ControlModifier, "  # a¦: b\n  c"),
        ("  # a¦: b", Key.Key_Slash, Modifier.ControlModifier, "  a¦: b"),
        ("a\nb¦\nc", Key.Key_Up, Modifier.AltModifier, "b¦\na\nc"),
        ("a\n¦b\nc¦\nd", Key.Key_Down, Modifier.AltModifier, "a\nd\n¦b\nc¦"),
        ("a¦", Key.Key_Up, Modifier.AltModifier, "a¦"),
        ("a¦b\nc", Key.Key_D, Modifier.ControlModifier | Modifier.ShiftModifier, "ab\na¦b\nc"),
        ("a\nb¦", Key.Key_K, Modifier.ControlModifier | Modifier.ShiftModifier, "a¦"),
        ("¦a\nb", Key.Key_K, Modifier.ControlModifier | Modifier.ShiftModifier, "¦b"),
    ],
)
def test_keys(
    pane: EditorPane, hands: EditorDriver, *, before: str, key: Qt.Key, modifiers: Qt.KeyboardModifier, after: str
) -> None:
    show(pane, before)
    original = pane.text()
    hands.press(key, modifiers)
    assert seen(pane) == after
    if pane.text() != original:
        pane.editor.undo()
        assert pane.text() == original


@pytest.mark.skipif(sys.platform == "darwin", reason="there Alt types special letters")
def test_alt_with_a_letter_types_nothing(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "a: ¦b¦")
    QTest.keyClick(pane.editor, Key.Key_N, Modifier.AltModifier)
    QTest.keyClick(pane.editor, Key.Key_N, Modifier.AltModifier | Modifier.ShiftModifier)
    assert seen(pane) == "a: ¦b¦"


def undone(pane: EditorPane) -> list[str]:
    """Undo all steps, and return the text after each step."""
    texts = []
    while pane.editor.document().isUndoAvailable():
        pane.editor.undo()
        texts.append(pane.text())
    return texts


def test_undo_reverts_word_by_word(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "a¦")
    hands.type(": one two three")
    assert undone(pane) == ["a: one two", "a: one", "a:", "a"]
    pane.editor.redo()
    pane.editor.redo()
    assert pane.text() == "a: one"


def test_undo_reverts_line_by_line(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "¦")
    hands.type("a:\nb")
    assert undone(pane) == ["a:\n  ", "a:", ""]


def test_pause_cursor_movement_and_save_separate_undo_steps(
    pane: EditorPane, hands: EditorDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(undo_steps, "monotonic", lambda: now)
    show(pane, "¦")
    hands.type("ab")
    now += 2 * undo_steps.PAUSE
    hands.type("cd")
    hands.press(Key.Key_Left)
    hands.press(Key.Key_Right)
    hands.type("ef")
    pane.editor.undo_steps.begin()
    hands.type("gh")
    assert undone(pane) == ["abcdef", "abcd", "ab", ""]


def test_text_typed_after_an_undo_is_a_separate_undo_step(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "¦")
    hands.type("one two")
    pane.editor.undo()
    hands.type("x")
    assert undone(pane) == ["one", ""]


def test_input_method_emits_typed(pane: EditorPane, hands: EditorDriver, qtbot: QtBot) -> None:
    show(pane, "¦")
    for written in ("漢字", " ", "かな"):
        event = QInputMethodEvent()
        event.setCommitString(written)
        with qtbot.waitSignal(pane.editor.typed, check_params_cb=lambda typed, written=written: typed == written):
            QApplication.sendEvent(pane.editor, event)
    assert undone(pane)[-2:] == ["漢字", ""]


def test_shift_key_does_not_separate_undo_steps(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "¦")
    hands.type("a")
    hands.press(Key.Key_Shift, Modifier.ShiftModifier)
    hands.type("B")
    assert undone(pane) == [""]


def test_deleted_words_are_restored_one_by_one(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "ab¦")
    hands.type("c")
    hands.press(Key.Key_Backspace)
    hands.press(Key.Key_Backspace)
    assert undone(pane) == ["abc", "ab"]


def test_comment_command_is_rejected_in_json(pane: EditorPane, hands: EditorDriver, qtbot: QtBot) -> None:
    show(pane, '{\n  ¦"a": 1\n}')
    with qtbot.waitSignal(pane.message_requested, check_params_cb=lambda words: "JSON" in words):
        hands.press(Key.Key_Slash, Modifier.ControlModifier)
    assert seen(pane) == '{\n  ¦"a": 1\n}'


@pytest.mark.parametrize(
    ("line", "at", "word"),
    [("  a: my-server", 7, "my-server"), ("type: OS::Nova::Server", 12, "OS::Nova::Server"), ("🚀🚀: a-b", 8, "a-b")],
)
def test_double_click_selects_a_whole_name(pane: EditorPane, line: str, at: int, word: str) -> None:
    pane.set_text(line)
    cursor = pane.editor.textCursor()
    cursor.setPosition(at)
    QTest.mouseDClick(pane.editor.viewport(), Qt.MouseButton.LeftButton, pos=pane.editor.cursorRect(cursor).center())
    assert pane.editor.textCursor().selectedText() == word
