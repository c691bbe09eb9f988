from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QToolButton
from pytestqt.qtbot import QtBot

from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.editor.search.search import SearchMemory
from heatstudio.ui.widgets import Appearance
from tests.ui.editor.conftest import EditorDriver, seen, show

Key, Modifier = Qt.Key, Qt.KeyboardModifier


def test_enter_finds_the_next_and_shift_enter_the_previous_match(
    qtbot: QtBot, pane: EditorPane, hands: EditorDriver
) -> None:
    show(pane, "¦🚀 net\nNet\nx")
    hands.press(Key.Key_F, Modifier.ControlModifier)
    hands.type("net")
    qtbot.waitUntil(lambda: seen(pane) == "🚀 ¦net¦\nNet\nx")
    assert pane.search_bar.count.text() == "1 of 2"
    hands.type("\n")
    assert seen(pane) == "🚀 net\n¦Net¦\nx"
    hands.type("\n")
    assert seen(pane) == "🚀 ¦net¦\nNet\nx"
    hands.press(Key.Key_Return, Modifier.ShiftModifier)
    assert seen(pane) == "🚀 net\n¦Net¦\nx"
    hands.press(Key.Key_Escape)
    assert not pane.search_bar.isVisible()
    assert pane.editor.hasFocus()
    assert pane.decorations.matches == ()


def test_the_selection_becomes_the_pattern(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "a: ¦b¦\nc: b")
    hands.press(Key.Key_F, Modifier.ControlModifier)
    assert pane.search_bar.pattern.text() == "b"
    assert len(pane.decorations.matches) == 2


def test_options_narrow_the_search(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "¦net Net network")
    hands.press(Key.Key_F, Modifier.ControlModifier)
    hands.type("net\n")
    pane.search_bar.case.click()
    assert len(pane.decorations.matches) == 2
    pane.search_bar.words.click()
    assert len(pane.decorations.matches) == 1
    pane.search_bar.regex.click()
    pane.search_bar.pattern.setText("(")
    hands.type("\n")
    assert pane.search_bar.count.text() == "Missing ), unterminated subpattern"


def test_error_of_a_pattern_does_not_overlap_the_buttons(qtbot: QtBot, pane: EditorPane, hands: EditorDriver) -> None:
    pane.resize(430, 300)
    hands.press(Key.Key_F, Modifier.ControlModifier)
    bar = pane.search_bar
    bar.regex.setChecked(True)
    bar.pattern.setText("([")
    qtbot.waitUntil(lambda: bar.count.text() == "Unterminated character set")
    assert bar.count.toolTip() == bar.count.text()
    buttons = [one for one in bar.findChildren(QToolButton) if one.isVisible()]
    qtbot.waitUntil(lambda: not any(bar.count.geometry().intersects(one.geometry()) for one in buttons))
    assert all(bar.rect().contains(one.geometry()) for one in buttons)


def test_replacing_all_is_one_undo_step(pane: EditorPane, hands: EditorDriver) -> None:
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


def test_replacing_needs_a_match(qtbot: QtBot, pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "¦a: b\n")
    hands.press(Key.Key_H, Modifier.ControlModifier)
    bar = pane.search_bar
    buttons = bar.replace_one, bar.replace_all
    for pattern, is_regex in (("", False), ("c", False), ("(", True)):
        bar.pattern.setText(pattern)
        bar.regex.setChecked(is_regex)
        qtbot.waitUntil(lambda: not any(button.isEnabled() for button in buttons))
    bar.pattern.setText("a")
    qtbot.waitUntil(lambda: all(button.isEnabled() for button in buttons))
    bar.replace_all.setFocus()
    hands.press(Key.Key_Space)
    assert pane.text() == ": b\n"
    assert not any(button.isEnabled() for button in buttons)
    assert bar.pattern.hasFocus()


def test_empty_matches_at_line_starts_are_visited_and_replaced(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "a\n¦b\n\nc")
    hands.press(Key.Key_H, Modifier.ControlModifier)
    pane.search_bar.regex.click()
    pane.search_bar.pattern.setFocus()
    hands.type("^\n")
    assert seen(pane) == "a\nb\n¦\nc"
    assert pane.search_bar.count.text() == "3 of 4"
    hands.type("\n\n")
    assert seen(pane) == "¦a\nb\n\nc"
    hands.press(Key.Key_Return, Modifier.ShiftModifier)
    assert seen(pane) == "a\nb\n\n¦c"
    pane.search_bar.replacement.setText("# ")
    pane.search_bar.replace_current()
    assert seen(pane) == "¦a\nb\n\n# c"
    pane.search_bar.replace_every()
    assert pane.text() == "# a\n# b\n# \n# # c"
    assert pane.search_bar.count.text() == "4 replaced"


def test_empty_matches_at_line_ends_are_replaced_one_by_one(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "a¦\nb")
    hands.press(Key.Key_H, Modifier.ControlModifier)
    pane.search_bar.regex.click()
    pane.search_bar.pattern.setText("$")
    pane.search_bar.replacement.setText(";")
    pane.search_bar.search_again()
    pane.search_bar.replace_current()
    assert seen(pane) == "a;\nb¦"
    pane.search_bar.replace_current()
    assert seen(pane) == "a;¦\nb;"


def test_enter_in_the_replacement_replaces_and_finds_the_next_match(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "¦a a a")
    hands.press(Key.Key_H, Modifier.ControlModifier)
    hands.type("a")
    hands.press(Key.Key_Tab)
    hands.type("b\n")
    assert seen(pane) == "b ¦a¦ a"


def test_go_to_line(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "¦a:\n  b:\n    c: d\n")
    hands.press(Key.Key_G, Modifier.ControlModifier)
    hands.type("3\n")
    assert seen(pane) == "a:\n  b:\n    ¦c: d\n"
    assert pane.editor.hasFocus()
    for place, expected in (
        ("2:5", "a:\n  b:¦\n    c: d\n"),
        ("1:9", "a:¦\n  b:\n    c: d\n"),
        ("9:", "a:\n  b:\n    c: d\n¦"),
    ):
        hands.press(Key.Key_G, Modifier.ControlModifier)
        hands.type(f"{place}\n")
        assert seen(pane) == expected
    hands.press(Key.Key_G, Modifier.ControlModifier)
    hands.press(Key.Key_Escape)
    assert pane.editor.hasFocus()


def test_first_match_after_the_cursor_is_shown_while_typing(
    qtbot: QtBot, pane: EditorPane, hands: EditorDriver
) -> None:
    show(pane, "net\n¦a\nport\nnet\n")
    hands.press(Key.Key_F, Modifier.ControlModifier)
    hands.type("n")
    qtbot.waitUntil(lambda: seen(pane) == "net\na\nport\n¦n¦et\n")
    hands.type("et")
    qtbot.waitUntil(lambda: seen(pane) == "net\na\nport\n¦net¦\n")
    assert pane.search_bar.pattern.hasFocus()
    assert pane.search_bar.count.text() == "2 of 2"


def test_enter_works_during_fast_typing(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "¦net net")
    hands.press(Key.Key_F, Modifier.ControlModifier)
    hands.type("net\n")
    assert seen(pane) == "net ¦net¦"


def test_find_next_and_previous_work_with_a_closed_bar(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "¦a b a")
    hands.press(Key.Key_F, Modifier.ControlModifier)
    hands.type("a\n")
    hands.press(Key.Key_Escape)
    assert seen(pane) == "a b ¦a¦"
    hands.press(Key.Key_F3)
    assert seen(pane) == "¦a¦ b a"
    hands.press(Key.Key_F3, Modifier.ShiftModifier)
    assert seen(pane) == "a b ¦a¦"
    assert pane.decorations.matches == ()
    assert not pane.search_bar.isVisible()


def test_find_next_opens_the_bar_without_a_pattern(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "¦a")
    hands.press(Key.Key_F3)
    assert pane.search_bar.pattern.hasFocus()


def test_find_next_reports_no_matches(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "¦a")
    hands.press(Key.Key_F, Modifier.ControlModifier)
    hands.type("x")
    hands.press(Key.Key_Escape)
    hands.press(Key.Key_F3)
    assert pane.search_bar.isVisible()
    assert pane.search_bar.count.text() == "No results"
    assert pane.editor.hasFocus()


def test_pattern_is_kept_in_another_text(
    pane: EditorPane, appearance: Appearance, qtbot: QtBot, hands: EditorDriver
) -> None:
    memory = SearchMemory()
    first, second = (EditorPane(appearance, searched=memory) for _ in range(2))
    for one in (first, second):
        qtbot.addWidget(one)
        one.set_text("Net net")
        one.show()
    first.search_bar.open_bar(replacing=True)
    first.search_bar.case.setChecked(True)
    first.search_bar.pattern.setText("net")
    first.search_bar.replacement.setText("port")
    first.search_bar.search_again()
    second.run("find-next")
    assert seen(second) == "Net ¦net¦"
    second.editor.moveCursor(QTextCursor.MoveOperation.Start)
    second.run("replace")
    assert second.search_bar.case.isChecked()
    second.search_bar.replace_all.click()
    assert second.text() == "Net port"


def test_shortcuts_of_options_take_precedence_over_menus(qtbot: QtBot, appearance: Appearance) -> None:
    window, pane = QMainWindow(), EditorPane(appearance)
    qtbot.addWidget(window)
    menu = window.menuBar().addMenu("&Cloud")
    menu.addAction("x")
    window.setCentralWidget(pane)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    bar = pane.search_bar
    bar.open_bar(replacing=False)
    for key, option in ((Key.Key_C, bar.case), (Key.Key_W, bar.words), (Key.Key_R, bar.regex)):
        QTest.keyClick(bar.pattern, key, Modifier.AltModifier)
        assert option.isChecked()
        assert not menu.isVisible()
        assert bar.pattern.hasFocus()
    option = bar.case
    QTest.keyClick(option, Key.Key_C, Modifier.AltModifier)
    assert not option.isChecked()
    assert bar.pattern.text() == ""
    QTest.keyClick(option, Key.Key_Escape)
    assert not bar.isVisible()
