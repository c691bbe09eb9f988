"""Many carets: each key and command acts at all of them, as one undo step."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QInputMethodEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heatstudio.analysis.assist.suggestion import Completion, Raw
from heatstudio.text import Severity, Span, TextEdit
from heatstudio.ui.documents.qt_text import QtPositions
from heatstudio.ui.editor.completion.completion_popup import TakeCompletions
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.editor.text.carets import Caret, joined
from heatstudio.ui.editor.text.marks import Mark
from tests.ui.editor.conftest import EditorDriver

Key, Modifier = Qt.Key, Qt.KeyboardModifier
CONTROL_ALT = Modifier.ControlModifier | Modifier.AltModifier
SHIFT_ALT = Modifier.ShiftModifier | Modifier.AltModifier


def show(pane: EditorPane, marked: str) -> None:
    """Load a text with marks: `¦` is a caret, and `«` with `»` surround a selection; the last one is the editor's."""
    carets: list[Caret] = []
    text, anchor = "", -1
    for character in marked:
        if character == "¦":
            carets.append(Caret(len(text), len(text)))
        elif character == "«":
            anchor = len(text)
        elif character == "»":
            carets.append(Caret(anchor, len(text)))
        else:
            text += character
    pane.set_text(text)
    position = QtPositions(text).position
    pane.editor.carets.place([Caret(*map(position, caret)) for caret in carets])
    pane.setFocus()


def seen(pane: EditorPane) -> str:
    """Return the text with marks at all carets."""
    signs: list[tuple[int, str]] = []
    offset = QtPositions(pane.text()).offset
    for caret in (Caret(*map(offset, one)) for one in pane.editor.carets.value()):
        is_empty = caret.start == caret.end
        signs += [(caret.start, "¦")] if is_empty else [(caret.start, "«"), (caret.end, "»")]
    text = pane.text()
    for at, sign in sorted(signs, reverse=True):
        text = text[:at] + sign + text[at:]
    return text


def undone_once(pane: EditorPane) -> str:
    pane.editor.undo()
    return seen(pane)


@pytest.mark.parametrize(
    ("before", "keys", "after"),
    [
        ("a: ¦\nb: ¦\nc: ¦", "one", "a: one¦\nb: one¦\nc: one¦"),
        ("a: «x»\nb: «yy»\n", "one", "a: one¦\nb: one¦\n"),
        ("a¦b¦c", "-", "a-¦b-¦c"),
        ("a: ¦\nb: ¦", "[", "a: [¦]\nb: [¦]"),
        ("a: «x»\nb: «y»", '"', 'a: "«x»"\nb: "«y»"'),
        ("a:¦\nb:¦\n", "\n", "a:\n  ¦\nb:\n  ¦\n"),
        ("¦one\n  two¦\n", "é", "é¦one\n  twoé¦\n"),
    ],
)
def test_typing_acts_at_each_caret(
    pane: EditorPane, hands: EditorDriver, *, before: str, keys: str, after: str
) -> None:
    show(pane, before)
    hands.type(keys)
    assert seen(pane) == after
    assert undone_once(pane) == before
    pane.editor.redo()
    assert seen(pane) == after


@pytest.mark.parametrize(
    ("before", "key", "modifiers", "after"),
    [
        ("ab¦\ncd¦", Key.Key_Backspace, Modifier.NoModifier, "a¦\nc¦"),
        ("¦ab\ncd¦", Key.Key_Backspace, Modifier.NoModifier, "¦ab\nc¦"),
        ("    ¦a\n    ¦b", Key.Key_Backspace, Modifier.NoModifier, "  ¦a\n  ¦b"),
        ("a¦b\nc¦d", Key.Key_Delete, Modifier.NoModifier, "a¦\nc¦"),
        ("¦a\n¦b", Key.Key_Delete, Modifier.NoModifier, "¦\n¦"),
        ("a¦b¦c", Key.Key_Backspace, Modifier.NoModifier, "¦c"),
        ("one two¦\nthree four¦", Key.Key_Backspace, Modifier.ControlModifier, "one ¦\nthree ¦"),
        ("¦a\n¦b", Key.Key_Tab, Modifier.NoModifier, "  ¦a\n  ¦b"),
        ("  ¦a\n  b¦", Key.Key_Backtab, Modifier.ShiftModifier, "¦a\nb¦"),
        ("¦a\n¦b", Key.Key_Slash, Modifier.ControlModifier, "# ¦a\n# ¦b"),
        ("a: ¦1, ¦2\nb: ¦3", Key.Key_Slash, Modifier.ControlModifier, "# a: ¦1, ¦2\n# b: ¦3"),
        ("a¦\n  b¦", Key.Key_BracketRight, Modifier.ControlModifier, "  a¦\n    b¦"),
        ("a\n¦b\n¦c\nd", Key.Key_Up, Modifier.AltModifier, "¦b\n¦c\na\nd"),
        ("a\n¦b\n¦c\nd", Key.Key_Down, Modifier.AltModifier, "a\nd\n¦b\n¦c"),
        ("¦a\nb\n¦c", Key.Key_D, Modifier.ControlModifier | Modifier.ShiftModifier, "a\n¦a\nb\nc\n¦c"),
        ("¦a\nb\n¦c\nd", Key.Key_K, Modifier.ControlModifier | Modifier.ShiftModifier, "¦b\n¦d"),
    ],
)
def test_keys_and_commands_act_at_each_caret(
    pane: EditorPane, *, before: str, key: Qt.Key, modifiers: Qt.KeyboardModifier, after: str
) -> None:
    show(pane, before)
    QTest.keyClick(pane.editor, key, modifiers)
    assert seen(pane) == after
    assert undone_once(pane) == before


@pytest.mark.parametrize(
    ("before", "key", "modifiers", "after"),
    [
        ("a¦b\ncd¦", Key.Key_Left, Modifier.NoModifier, "¦ab\nc¦d"),
        ("«ab»\n«cd»", Key.Key_Left, Modifier.NoModifier, "¦ab\n¦cd"),
        ("«ab»\n«cd»", Key.Key_Right, Modifier.NoModifier, "ab¦\ncd¦"),
        ("¦ab\n¦cd", Key.Key_Right, Modifier.ShiftModifier, "«a»b\n«c»d"),
        ("¦one two\n¦three four", Key.Key_Right, Modifier.ControlModifier, "one ¦two\nthree ¦four"),
        ("o¦ne\nt¦wo\n", Key.Key_End, Modifier.NoModifier, "one¦\ntwo¦\n"),
        ("  o¦ne\n  t¦wo\n", Key.Key_Home, Modifier.NoModifier, "  ¦one\n  ¦two\n"),
        ("o¦ne\nt¦wo\nthree", Key.Key_Down, Modifier.NoModifier, "one\nt¦wo\nt¦hree"),
        ("¦one\n¦two", Key.Key_Up, Modifier.NoModifier, "¦one\ntwo"),
        ("¦one\n¦two", Key.Key_Home, Modifier.ControlModifier, "¦one\ntwo"),
        ("a: [¦]\nb: [¦]", Key.Key_BracketRight, Modifier.NoModifier, "a: []¦\nb: []¦"),
        ("¦one\n¦two", Key.Key_Escape, Modifier.NoModifier, "one\n¦two"),
        ("¦one\n¦two", Key.Key_Control, Modifier.NoModifier, "¦one\n¦two"),
        ("¦one\n¦two", Key.Key_PageUp, Modifier.NoModifier, "¦one\ntwo"),
    ],
)
def test_movement_keys_move_each_caret(
    pane: EditorPane, *, before: str, key: Qt.Key, modifiers: Qt.KeyboardModifier, after: str
) -> None:
    show(pane, before)
    QTest.keyClick(pane.editor, key, modifiers)
    assert seen(pane) == after
    assert not pane.editor.document().isUndoAvailable()


def test_words_typed_at_many_carets_are_undone_word_by_word(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "a: ¦\nb: ¦")
    hands.type("one two")
    assert [undone_once(pane), undone_once(pane)] == ["a: one¦\nb: one¦", "a: ¦\nb: ¦"]
    assert not pane.editor.document().isUndoAvailable()


def test_key_without_effect_at_the_first_caret_does_not_join_the_step_before(
    pane: EditorPane, hands: EditorDriver
) -> None:
    show(pane, "a\nb¦")
    hands.type("c")
    pane.editor.carets.place([Caret(0, 0), Caret(4, 4)])
    hands.press(Key.Key_Backspace)
    assert [undone_once(pane), undone_once(pane)] == ["¦a\nbc¦", "a\nb¦"]


def test_next_occurrence_selects_the_word_first_and_then_adds_whole_words(pane: EditorPane) -> None:
    show(pane, "net: net_1\nnet¦: x-net\nnet")
    steps = []
    for _ in range(4):
        QTest.keyClick(pane.editor, Key.Key_D, Modifier.ControlModifier)
        steps.append(seen(pane))
    assert steps == [
        "net: net_1\n«net»: x-net\nnet",
        "net: net_1\n«net»: x-net\n«net»",
        "«net»: net_1\n«net»: x-net\n«net»",
        "«net»: net_1\n«net»: x-net\n«net»",
    ]


def test_next_occurrence_of_a_selection_is_any_text(pane: EditorPane) -> None:
    show(pane, "«ne»t: net_1")
    QTest.keyClick(pane.editor, Key.Key_D, Modifier.ControlModifier)
    assert seen(pane) == "«ne»t: «ne»t_1"


def test_all_occurrences_are_selected_and_changed(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "😀 port: 1\nb: {port: 2}\nport¦: ports")
    QTest.keyClick(pane.editor, Key.Key_L, Modifier.ControlModifier | Modifier.ShiftModifier)
    hands.type("x")
    assert pane.text() == "😀 x: 1\nb: {x: 2}\nx: ports"


def test_too_many_occurrences_are_not_selected(pane: EditorPane, qtbot: QtBot) -> None:
    show(pane, "a¦ " + "a " * 1000)
    with qtbot.waitSignal(pane.message_requested) as told:
        QTest.keyClick(pane.editor, Key.Key_L, Modifier.ControlModifier | Modifier.ShiftModifier)
    assert told.args == ["1,001 occurrences are too many for cursors. Use Replace (Ctrl+H)."]
    assert seen(pane).startswith("«a» a")


def test_carets_above_and_below_keep_their_column(pane: EditorPane) -> None:
    show(pane, "one\n\nth¦ree\nfour")
    QTest.keyClick(pane.editor, Key.Key_Up, CONTROL_ALT)
    QTest.keyClick(pane.editor, Key.Key_Up, CONTROL_ALT)
    assert seen(pane) == "on¦e\n¦\nth¦ree\nfour"
    QTest.keyClick(pane.editor, Key.Key_Down, CONTROL_ALT)
    assert seen(pane) == "on¦e\n¦\nth¦ree\nfo¦ur"


def test_text_is_pasted_a_line_at_each_caret_when_the_counts_match(pane: EditorPane) -> None:
    QApplication.clipboard().setText("one\ntwo\n")
    show(pane, "a: ¦\nb: ¦")
    pane.editor.paste()
    assert seen(pane) == "a: one¦\nb: two¦"
    assert undone_once(pane) == "a: ¦\nb: ¦"
    show(pane, "a: ¦\nb: ¦\nc: ¦")
    QApplication.clipboard().setText("one two")
    pane.editor.paste()
    assert seen(pane) == "a: one two¦\nb: one two¦\nc: one two¦"


def test_pasted_blocks_are_indented_at_each_caret_in_one_step(pane: EditorPane) -> None:
    QApplication.clipboard().setText("a: 1\nb: 2\nc: 3")
    show(pane, "x:\n  ¦\ny:\n  ¦\n")
    pane.editor.paste()
    assert pane.text() == "x:\n  a: 1\n  b: 2\n  c: 3\ny:\n  a: 1\n  b: 2\n  c: 3\n"
    assert undone_once(pane) == "x:\n  ¦\ny:\n  ¦\n"


def test_copy_takes_each_selection_on_a_line_of_its_own(pane: EditorPane) -> None:
    show(pane, "a: «one»\nb: «two»")
    QTest.keyClick(pane.editor, Key.Key_X, Modifier.ControlModifier)
    assert (QApplication.clipboard().text(), seen(pane)) == ("one\ntwo", "a: ¦\nb: ¦")
    QTest.keyClick(pane.editor, Key.Key_V, Modifier.ControlModifier)
    assert seen(pane) == "a: one¦\nb: two¦"


def test_line_without_selection_is_cut_copied_and_pasted_above(pane: EditorPane) -> None:
    show(pane, "one\nt¦wo\nthree")
    QTest.keyClick(pane.editor, Key.Key_C, Modifier.ControlModifier)
    assert (QApplication.clipboard().text(), seen(pane)) == ("two\n", "one\nt¦wo\nthree")
    QTest.keyClick(pane.editor, Key.Key_V, Modifier.ControlModifier)
    assert seen(pane) == "one\ntwo\nt¦wo\nthree"
    QTest.keyClick(pane.editor, Key.Key_X, Modifier.ControlModifier)
    assert (QApplication.clipboard().text(), seen(pane)) == ("two\n", "one\ntwo\n¦three")
    show(pane, "a\n¦b\n¦c")
    QTest.keyClick(pane.editor, Key.Key_X, Modifier.ControlModifier)
    assert (QApplication.clipboard().text(), seen(pane)) == ("b\nc\n", "a¦")


def test_read_only_text_keeps_its_lines(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "a¦\nb¦")
    pane.set_read_only(read_only=True)
    hands.type("x")
    hands.press(Key.Key_Backspace)
    pane.editor.cut()
    assert pane.text() == "a\nb"


def test_input_method_commits_at_each_caret(pane: EditorPane) -> None:
    show(pane, "a: ¦\nb: ¦")
    event = QInputMethodEvent()
    event.setCommitString("é")
    QApplication.sendEvent(pane.editor, event)
    assert seen(pane) == "a: é¦\nb: é¦"
    assert undone_once(pane) == "a: ¦\nb: ¦"


def at(pane: EditorPane, position: int) -> QPoint:
    cursor = pane.editor.textCursor()
    cursor.setPosition(position)
    rect = pane.editor.cursorRect(cursor)
    return QPoint(rect.left() + 1, rect.center().y())


def test_alt_click_adds_and_removes_a_caret(pane: EditorPane) -> None:
    show(pane, "¦one\ntwo\nthree")
    viewport, left = pane.editor.viewport(), Qt.MouseButton.LeftButton
    QTest.mouseClick(viewport, left, Modifier.AltModifier, at(pane, 5))
    QTest.mouseClick(viewport, left, Modifier.AltModifier, at(pane, 9))
    assert seen(pane) == "¦one\nt¦wo\nt¦hree"
    QTest.mouseClick(viewport, left, Modifier.AltModifier, at(pane, 5))
    assert seen(pane) == "¦one\ntwo\nt¦hree"
    QTest.mouseClick(viewport, left, Modifier.NoModifier, at(pane, 9))
    assert seen(pane) == "one\ntwo\nt¦hree"


@pytest.mark.parametrize("button", [Qt.MouseButton.MiddleButton, Qt.MouseButton.LeftButton])
def test_drag_selects_a_column(pane: EditorPane, button: Qt.MouseButton) -> None:
    show(pane, "o¦ne: 1\n\ntwo: 2\nthree: 3")
    modifiers = SHIFT_ALT if button is Qt.MouseButton.LeftButton else Modifier.NoModifier
    viewport = pane.editor.viewport()
    QTest.mousePress(viewport, button, modifiers, at(pane, 1))
    drag(pane, at(pane, pane.text().index("ree")), button, modifiers)
    assert seen(pane) == "o«n»e: 1\n\nt«w»o: 2\nt«h»ree: 3"
    QTest.mouseRelease(viewport, button, modifiers, at(pane, pane.text().index("ree")))
    assert seen(pane) == "o«n»e: 1\n\nt«w»o: 2\nt«h»ree: 3"


def drag(pane: EditorPane, point: QPoint, button: Qt.MouseButton, modifiers: Qt.KeyboardModifier) -> None:
    place = QPointF(point)
    event = QMouseEvent(QEvent.Type.MouseMove, place, place, Qt.MouseButton.NoButton, button, modifiers)
    QApplication.sendEvent(pane.editor.viewport(), event)


def test_suggestion_is_accepted_at_each_caret(pane: EditorPane, hands: EditorDriver) -> None:
    def provide(caret: int, _explicit: bool, take: TakeCompletions) -> None:
        start = pane.text().rindex(" ", 0, caret) + 1
        take([Completion("server", Raw(""), "property", insert_text="server: ${1:x}$0", replace=Span(start, caret))])

    pane.help.completion.provider = provide
    show(pane, "a: ¦\nb: t¦\n😀: ¦")
    hands.type("se")
    pane.help.completion.begin(explicit=True)
    hands.press(Key.Key_Tab)
    assert seen(pane) == "a: server: «x»\nb: tserver: «x»\n😀: server: «x»"
    assert undone_once(pane) == "a: se¦\nb: tse¦\n😀: se¦"


def test_marks_stay_with_their_words_while_typing_at_many_carets(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "a: ¦\nbad: 1\nb: ¦\nworse: 2")
    spans = [Span(4, 7), Span(15, 20)]
    pane.decorations.set_marks([Mark(span, Severity.ERROR, "wrong") for span in spans])
    hands.type("xyz")
    words = [pane.text()[one.start : one.end] for one in pane.decorations.marks.all()]
    assert words == ["bad", "worse"]


def test_change_by_another_command_returns_to_one_caret(pane: EditorPane) -> None:
    show(pane, "a¦\nb¦")
    pane.go_to(Span(1, 2))
    assert pane.editor.carets.count == 1
    show(pane, "a¦\nb¦")
    pane.apply_edits([TextEdit(Span(0, 0), "# ")])
    assert pane.editor.carets.count == 1


def test_joined_carets_never_overlap() -> None:
    chance = random.Random()
    for _ in range(200):
        carets = [Caret(chance.randrange(20), chance.randrange(20)) for _ in range(chance.randrange(1, 8))]
        kept = joined(carets)
        assert joined(kept) == kept
        assert all(first.end <= second.start for first, second in pairwise(kept))
        covered = {at for caret in carets for at in range(caret.start, caret.end)}
        assert {at for caret in kept for at in range(caret.start, caret.end)} == covered


def test_all_carets_are_painted_and_blink_together(pane: EditorPane) -> None:
    show(pane, "one¦\n\n¦\ntwo¦ three")
    carets = pane.editor.carets

    def painted() -> list[bool]:
        image = pane.editor.viewport().grab().toImage()
        ground = image.pixelColor(image.width() - 2, image.height() - 2).lightness()
        points = [at(pane, caret.position) - QPoint(1, 0) for caret in carets.value()]
        return [abs(image.pixelColor(point).lightness() - ground) > 80 for point in points]

    assert painted() == [True] * 3
    pane.editor.viewport().repaint(0, 0, 40, 5)  # only a part, as Qt does for the blinking of its own caret
    carets._blink_now()
    assert painted() == [False] * 3
