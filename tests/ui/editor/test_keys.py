"""Keys of the text: those that no list names leave it as it is, on every platform."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from heatstudio.ui.commands.actions import COMMANDS, TEXT_KEYS
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.widgets.text_keys import LineEdit
from tests.ui.editor.conftest import EditorDriver, seen, show

Key, Modifier = Qt.Key, Qt.KeyboardModifier
COMMANDS_AND_SHIFT = (Modifier.ShiftModifier, Modifier.ControlModifier, Modifier.AltModifier, Modifier.MetaModifier)
TYPING = {Modifier.NoModifier, Modifier.ShiftModifier}
SPECIAL = (
    *(Key.Key_Backspace, Key.Key_Delete, Key.Key_Insert, Key.Key_Return, Key.Key_Enter, Key.Key_Tab, Key.Key_Escape),
    *(Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down, Key.Key_Home, Key.Key_End, Key.Key_PageUp),
    *(Key.Key_Cut, Key.Key_Paste, Key.Key_Undo, Key.Key_Clear, Key.Key_Direction_L, Key.Key_Direction_R),
    *(Key(number) for number in range(Key.Key_F1, Key.Key_F35 + 1)),
)
UNDO = ("Ctrl+Z", "Ctrl+Shift+Z", "Ctrl+Y")
OF_COMMANDS = {QKeySequence(key).toString() for command in COMMANDS.values() for key in command.shortcuts}
NAMED = OF_COMMANDS | {QKeySequence(key).toString() for named in TEXT_KEYS for key in named.shortcuts}


def events() -> Iterator[QKeyEvent]:
    """Yield a key press for each key with each combination of modifiers, with the text that X11 sends."""
    some = chain.from_iterable(combinations(COMMANDS_AND_SHIFT, count) for count in range(5))
    for chosen in some:
        modifiers = Modifier.NoModifier
        for modifier in chosen:
            modifiers |= modifier
        for key in (*range(Key.Key_Space, Key.Key_AsciiTilde + 1), *SPECIAL):
            is_control = Modifier.ControlModifier in chosen and chr(key).isalpha() if key < Key.Key_Escape else False
            text = "" if key >= Key.Key_Escape else chr(key & 31) if is_control else chr(key)
            yield QKeyEvent(QEvent.Type.KeyPress, key, modifiers, text)


@pytest.mark.parametrize("text", ["a: one ¦two three", "a: ¦one two¦ three"])
def test_only_named_keys_change_the_text(pane: EditorPane, text: str) -> None:
    changing = set()
    for event in events():
        show(pane, "b: 1")
        pane.editor.insertPlainText(" ")  # something to undo
        show_in_place(pane, text)
        before = pane.text()
        QApplication.sendEvent(pane.editor, event)
        if pane.text() != before:
            is_typing = event.modifiers() in TYPING and event.key() not in SPECIAL[:1]
            changing.add("typing" if is_typing else QKeySequence(event.keyCombination()).toString())
    assert changing - {"typing", "Backspace", "Shift+Backspace"} <= NAMED
    assert {"Ctrl+Backspace", "Alt+Backspace", "Ctrl+Del", "Alt+Del", "typing"} <= changing


def show_in_place(pane: EditorPane, marked: str) -> None:
    """Show a marked text without clearing the undo history."""
    pane.replace_text(marked.replace("¦", ""))
    start, end = marked.index("¦"), marked.rindex("¦")
    position = start if start == end else end - 1
    pane.editor.select(start, position)


@pytest.mark.parametrize(
    ("before", "key", "after"),
    [
        ("a: one two¦ three", Key.Key_Backspace, "a: one ¦ three"),
        ("a: one ¦two three", Key.Key_Delete, "a: one ¦three"),
        ("a: one ¦two¦ three", Key.Key_Delete, "a: one ¦ three"),
        ("a: one ¦two¦ three", Key.Key_Backspace, "a: one ¦ three"),
        ("a\n¦b", Key.Key_Backspace, "a¦b"),
        ("a¦\nb", Key.Key_Delete, "a¦b"),
        ("¦a", Key.Key_Backspace, "¦a"),
        ("a¦", Key.Key_Delete, "a¦"),
    ],
)
@pytest.mark.parametrize("modifier", [Modifier.ControlModifier, Modifier.AltModifier])
def test_words_are_deleted(
    pane: EditorPane, hands: EditorDriver, *, before: str, key: Qt.Key, modifier: Qt.KeyboardModifier, after: str
) -> None:
    show(pane, before)
    original = pane.text()
    hands.press(key, modifier)
    assert seen(pane) == after
    pane.editor.undo()
    assert pane.text() == original


def test_every_listed_key_acts_in_the_text(pane: EditorPane) -> None:
    idle = set()
    for named in TEXT_KEYS:
        for shortcut in named.shortcuts:
            show(pane, "one: two\n  ¦three: four\n")
            before = seen(pane)
            QTest.keySequence(pane.editor, QKeySequence(shortcut))
            if seen(pane) == before:
                idle.add(shortcut)
    assert idle == set()


def test_text_handles_no_shortcuts_of_the_window_but_editing_keys(pane: EditorPane) -> None:
    refused = set()
    for event in events():
        shortcut = QKeySequence(event.keyCombination()).toString()
        asked = QKeyEvent(QEvent.Type.ShortcutOverride, event.key(), event.modifiers())
        asked.ignore()
        QApplication.sendEvent(pane.editor, asked)
        if asked.isAccepted() and shortcut in OF_COMMANDS:
            refused.add(shortcut)
    assert refused <= {"Ctrl+X", "Shift+Del", "Ctrl+C", "Ctrl+Ins", "Ctrl+V", "Shift+Ins", *UNDO, "Ctrl+A"}


def test_field_leaves_unusual_keys_to_its_window(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    field = LineEdit("Name", "one two", parent)
    field.setCursorPosition(3)
    letters = "BDEFHKNPTUW"  # Qt's Emacs bindings on X11 and macOS
    for letter in letters:
        for modifier in (Modifier.ControlModifier, Modifier.MetaModifier):
            for kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
                event = QKeyEvent(kind, ord(letter), modifier)
                QApplication.sendEvent(field, event)
                assert not event.isAccepted()
    assert (field.text(), field.cursorPosition()) == ("one two", 3)
    QTest.keyClick(field, Key.Key_A, Modifier.ControlModifier)
    QTest.keyClicks(field, "three")
    assert field.text() == "three"
    QTest.keyClick(field, Key.Key_Z, Modifier.ControlModifier)
    assert field.text() == "one two"
    assert isinstance(field, QLineEdit)
