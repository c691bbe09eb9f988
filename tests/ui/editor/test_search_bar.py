from __future__ import annotations

from PySide6.QtCore import Qt

from heatstudio.ui.editor import EditorPane
from tests.ui.editor.conftest import Hands, seen, show

Key, Modifier = Qt.Key, Qt.KeyboardModifier


def test_enter_goes_on_and_shift_enter_back(pane: EditorPane, hands: Hands) -> None:
    show(pane, "¦🚀 net\nNet\nx")
    hands.press(Key.Key_F, Modifier.ControlModifier)
    hands.type("net\n")
    assert seen(pane) == "🚀 ¦net¦\nNet\nx"
    assert pane.search_bar.count.text() == "1 of 2"
    hands.type("\n")
    assert seen(pane) == "🚀 net\n¦Net¦\nx"
    hands.type("\n")
    hands.press(Key.Key_Return, Modifier.ShiftModifier)
    assert seen(pane) == "🚀 net\n¦Net¦\nx"
    hands.press(Key.Key_Escape)
    assert not pane.search_bar.isVisible()
    assert pane.editor.hasFocus()
    assert pane.editor.matches == ()


def test_the_selection_becomes_the_pattern(pane: EditorPane, hands: Hands) -> None:
    show(pane, "a: ¦b¦\nc: b")
    hands.press(Key.Key_F, Modifier.ControlModifier)
    assert pane.search_bar.pattern.text() == "b"
    assert len(pane.editor.matches) == 2


def test_options_narrow_the_search(pane: EditorPane, hands: Hands) -> None:
    show(pane, "¦net Net network")
    hands.press(Key.Key_F, Modifier.ControlModifier)
    hands.type("net\n")
    pane.search_bar.case.click()
    assert len(pane.editor.matches) == 2
    pane.search_bar.words.click()
    assert len(pane.editor.matches) == 1
    pane.search_bar.regex.click()
    pane.search_bar.pattern.setText("(")
    hands.type("\n")
    assert "missing" in pane.search_bar.count.text()


def test_replacing_all_is_one_undo_step(pane: EditorPane, hands: Hands) -> None:
    show(pane, "¦a: 🚀\nb: 🚀\n")
    hands.press(Key.Key_H, Modifier.ControlModifier)
    pane.search_bar.pattern.setText("🚀")
    pane.search_bar.replacement.setText("moon")
    pane.search_bar.search_again()
    pane.search_bar.replace_all.click()
    assert pane.text() == "a: moon\nb: moon\n"
    assert pane.search_bar.count.text() == "2 replaced"
    pane.editor.undo()
    assert pane.text() == "a: 🚀\nb: 🚀\n"


def test_enter_in_the_replacement_replaces_and_goes_on(pane: EditorPane, hands: Hands) -> None:
    show(pane, "¦a a a")
    hands.press(Key.Key_H, Modifier.ControlModifier)
    hands.type("a\n")
    pane.search_bar.replacement.setFocus()
    hands.type("b\n")
    assert seen(pane) == "b ¦a¦ a"


def test_go_to_line(pane: EditorPane, hands: Hands) -> None:
    show(pane, "¦a:\n  b:\n    c: d\n")
    hands.press(Key.Key_G, Modifier.ControlModifier)
    hands.type("3\n")
    assert seen(pane) == "a:\n  b:\n    ¦c: d\n"
    assert pane.editor.hasFocus()
    hands.press(Key.Key_G, Modifier.ControlModifier)
    hands.press(Key.Key_Escape)
    assert pane.editor.hasFocus()
