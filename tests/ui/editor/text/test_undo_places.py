"""Undoing and redoing restore the selection and the scroll position."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from heatstudio.text import Span, TextEdit
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.window.window import Window
from tests.sampling import sample
from tests.ui.editor.conftest import EditorDriver

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
TEXT = "".join(f"  key_{number}: value {number} {'long ' * (number % 40)}\n" for number in range(300))
Place = tuple[Span, int, int, int]


@pytest.fixture
def long(pane: EditorPane) -> EditorPane:
    pane.set_text(TEXT)
    return pane


def place(pane: EditorPane) -> Place:
    bars = pane.editor.verticalScrollBar(), pane.editor.horizontalScrollBar()
    return pane.selection(), pane.caret_offset(), bars[0].value(), bars[1].value()


def go(pane: EditorPane, start: int, end: int, top: int) -> None:
    pane.show_span(Span(start, end))
    pane.editor.verticalScrollBar().setValue(top)


def test_edits_far_away_leave_caret_and_scroll_position(long: EditorPane) -> None:
    at = TEXT.index("key_200")
    go(long, at, at + 7, 190)
    before = place(long)
    spans = (Span(0, 0), Span(5, 6), Span(at, at + 7))
    long.apply_edits([TextEdit(span, new) for span, new in zip(spans, ("# two\n# lines\n", "", "name"), strict=True)])
    QTest.qWait(0)
    after = place(long)
    go(long, 0, 0, 0)
    long.editor.undo()
    assert long.text() == TEXT
    assert place(long) == before
    go(long, 0, 0, 0)
    long.editor.redo()
    assert place(long) == after


def test_keys_undo_and_redo_with_places(long: EditorPane, hands: EditorDriver) -> None:
    go(long, 0, 0, 0)
    hands.type("one")
    at = long.text().index("key_250")
    go(long, at, at + 7, 240)
    before = place(long)
    hands.type("x")
    QTest.qWait(0)
    after = place(long)
    go(long, 3, 3, 100)
    QTest.keyClick(long.editor, Qt.Key.Key_Z, CONTROL)
    assert place(long) == before
    QTest.keyClick(long.editor, Qt.Key.Key_Z, CONTROL)
    assert (long.text(), long.caret_offset()) == (TEXT, 0)
    QTest.keyClick(long.editor, Qt.Key.Key_Z, CONTROL | SHIFT)
    QTest.keyClick(long.editor, Qt.Key.Key_Y, CONTROL)
    assert place(long) == after


@pytest.mark.parametrize("seed", sample(range(40), 3))
def test_random_edits_are_undone_and_redone_at_their_places(long: EditorPane, hands: EditorDriver, seed: int) -> None:
    chance = random.Random(seed)
    before, after = [], []
    for _ in range(40):
        text = long.text()
        start = chance.randrange(len(text))
        go(long, start, min(len(text), start + chance.choice((0, 0, 3, 30, 300))), chance.randrange(300))
        QTest.qWait(0)  # as between the events of a user
        here = place(long)
        change(long, hands, chance)
        QTest.qWait(0)
        if long.text() != text:
            before.append((text, here))
            after.append((long.text(), place(long)))
    for text, seen in reversed(before):
        go(long, chance.randrange(len(long.text())), 0, chance.randrange(300))
        while long.text() != text:
            long.editor.undo()
        assert_at(long, seen)
    for text, seen in after:
        go(long, chance.randrange(len(long.text())), 0, chance.randrange(300))
        while long.text() != text:
            long.editor.redo()
        assert_at(long, seen)


def assert_at(pane: EditorPane, seen: Place) -> None:
    """Compare the place; Qt knows the widths of the lines, and so how far right a text scrolls, only after a paint."""
    *rest, left = seen
    assert place(pane) == (*rest, min(left, pane.editor.horizontalScrollBar().maximum()))


def change(pane: EditorPane, hands: EditorDriver, chance: random.Random) -> None:
    """Change the text as keys, commands, pasted texts and fixes do."""
    text, editor = pane.text(), pane.editor
    kind = chance.randrange(8)
    if kind == 0:
        hands.type(chance.choice(("a", "b c", "{", "\n", "- x\n")))
    elif kind == 1:
        hands.press(
            chance.choice((Qt.Key.Key_Backspace, Qt.Key.Key_Delete)),
            chance.choice((CONTROL, Qt.KeyboardModifier.NoModifier)),
        )
    elif kind == 2:
        QGuiApplication.clipboard().setText("one: 1\ntwo:\n  - 2\n")
        editor.paste()
    elif kind == 3:
        name = chance.choice(("toggle-comment", "indent", "move-up", "move-down", "duplicate", "delete-line"))
        pane.run(name)
    elif kind == 4:
        places = sorted(chance.sample(range(len(text)), 6))
        edits = zip(places[::2], places[1::2], strict=True)
        pane.apply_edits([TextEdit(Span(start, min(end, start + 50)), "new\n") for start, end in edits])
    elif kind == 5:
        pane.replace_text(text.replace(f"value {chance.randrange(300)} ", "other "))
    elif kind == 6:
        pane.insert_snippet(TextEdit(Span(0, 0), "a: ${1:b}\nc: ${2:d}\n"))
    else:
        cursor = QTextCursor(editor.document())
        cursor.setPosition(chance.randrange(len(text)))
        cursor.insertText("somewhere")


@pytest.mark.parametrize(("command", "mark"), [("extract-all", "port_range_min: 22"), ("fix-all", "first_address")])
def test_undo_of_a_command_returns_to_its_place(
    qtbot: QtBot, real: Window, file: Path, command: str, mark: str
) -> None:
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    pane = real.area.editor
    assert pane
    text = pane.text()
    end = text.index(mark) + len(mark)
    pane.go_to(Span(end - 1, end))
    before = place(pane)
    assert before[2] > 0
    real.actions_by_name[command].trigger()
    qtbot.waitUntil(lambda: pane.text() != text)
    QTest.qWait(0)
    real.actions_by_name["undo"].trigger()
    assert (pane.text(), place(pane)) == (text, before)
