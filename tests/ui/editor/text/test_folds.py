from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QTextBlock
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from heatstudio.text import Span, TextEdit
from heatstudio.ui.editor.pane import EditorPane
from tests.ui.editor.conftest import EditorDriver
from tests.ui.fresh_paint import find_difference

TEXT = """\
resources:
  server:
    type: OS::Nova::Server
    properties:
      name: a
      networks:
        - port: b
  port:
    type: OS::Neutron::Port
outputs:
  x:
    value: 1
"""


@pytest.fixture
def pane(pane: EditorPane) -> EditorPane:
    pane.set_text(TEXT)
    return pane


def block(pane: EditorPane, line: int) -> QTextBlock:
    return pane.editor.document().findBlockByNumber(line)


def hidden(pane: EditorPane) -> list[int]:
    return [line for line in range(pane.editor.blockCount()) if not block(pane, line).isVisible()]


def test_signs_are_painted_again_when_the_mouse_enters_and_leaves(pane: EditorPane) -> None:
    gutter, inside = pane.editor.gutter, QPointF(5, 5)
    QApplication.sendEvent(gutter, QEvent(QEvent.Type.Leave))  # the pointer may be there since another test
    assert find_difference() is None
    for event in (QEnterEvent(inside, inside, inside), QEvent(QEvent.Type.Leave)):  # while a popup is open: no hover
        was_under_mouse = gutter.underMouse()
        QApplication.sendEvent(gutter, event)
        assert gutter.underMouse() is not was_under_mouse
        assert find_difference() is None, event.type()


def test_fold_hides_deeper_lines(pane: EditorPane) -> None:
    pane.editor.folding.fold(block(pane, 3))
    assert hidden(pane) == [4, 5, 6]
    assert [line.block.blockNumber() for line in pane.editor.visible_lines()][:5] == [0, 1, 2, 3, 7]
    assert pane.editor.folding.hidden_lines(block(pane, 3)) == 3


def test_inner_folds_stay_when_the_outer_is_unfolded(pane: EditorPane) -> None:
    folding = pane.editor.folding
    folding.fold(block(pane, 5))
    folding.fold(block(pane, 1))
    assert hidden(pane) == [2, 3, 4, 5, 6]
    folding.unfold(block(pane, 1))
    assert hidden(pane) == [6]


def test_fold_all_shows_one_line_for_each_entry(pane: EditorPane) -> None:
    pane.editor.folding.fold_all()
    assert hidden(pane) == [2, 3, 4, 5, 6, 8, 11]
    pane.editor.folding.unfold_all()
    assert hidden(pane) == []


def test_keys_fold_the_block_at_the_cursor(pane: EditorPane, hands: EditorDriver) -> None:
    pane.go_to_line(4)
    control_shift = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    hands.press(Qt.Key.Key_BracketLeft, control_shift)
    assert hidden(pane) == [4, 5, 6]
    assert pane.editor.caret_line() == 3
    hands.press(Qt.Key.Key_BracketRight, control_shift)
    assert hidden(pane) == []


def test_click_next_to_the_line_folds_it(pane: EditorPane) -> None:
    line = pane.editor.visible_lines()[1]
    place = QPoint(pane.editor.gutter.width() - 6, int(line.rect.center().y()))
    QTest.mouseClick(pane.editor.gutter, Qt.MouseButton.LeftButton, pos=place)
    assert hidden(pane) == [2, 3, 4, 5, 6]
    QTest.mouseClick(pane.editor.gutter, Qt.MouseButton.LeftButton, pos=place)
    assert hidden(pane) == []


def test_going_to_a_folded_line_unfolds_it(pane: EditorPane) -> None:
    pane.editor.folding.fold_all()
    pane.go_to(Span(TEXT.index("networks"), TEXT.index("networks") + 8))
    assert hidden(pane) == [8, 11]


def test_deleted_fold_header_unfolds_its_lines(pane: EditorPane) -> None:
    pane.editor.folding.fold(block(pane, 5))
    start = TEXT.index("      networks:")
    pane.apply_edits([TextEdit(Span(start, TEXT.index("        - port")), "")])
    assert hidden(pane) == []


def test_edits_inside_and_above_keep_the_fold(pane: EditorPane) -> None:
    pane.editor.folding.fold(block(pane, 3))
    at = TEXT.index("a\n      networks")
    pane.apply_edits([TextEdit(Span(0, 0), "# new\n"), TextEdit(Span(at, at + 1), "b")])
    assert hidden(pane) == [5, 6, 7]
    pane.editor.undo()
    assert pane.text() == TEXT


def test_loading_another_text_removes_folds(pane: EditorPane) -> None:
    pane.editor.folding.fold_all()
    pane.set_text(TEXT)
    assert hidden(pane) == []


CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
SERVER = TEXT[TEXT.index("  server:") : TEXT.index("  port:\n")]
PORT = TEXT[TEXT.index("  port:\n") : TEXT.index("outputs")]


def test_folded_resource_is_deleted_completely(pane: EditorPane, hands: EditorDriver) -> None:
    pane.editor.folding.fold(block(pane, 1))
    pane.go_to_line(1)
    hands.press(Qt.Key.Key_K, CONTROL | SHIFT)
    assert pane.text() == TEXT.replace(SERVER, "")
    assert hidden(pane) == []
    pane.editor.undo()
    assert pane.text() == TEXT


def test_folded_resource_is_moved_completely_and_stays_folded(pane: EditorPane, hands: EditorDriver) -> None:
    pane.editor.folding.fold(block(pane, 1))
    pane.editor.folding.fold(block(pane, 7))
    pane.go_to_line(1)
    hands.press(Qt.Key.Key_Down, ALT)
    assert pane.text() == TEXT.replace(SERVER + PORT, PORT + SERVER)
    assert hidden(pane) == [2, 4, 5, 6, 7, 8]
    assert pane.editor.caret_line() == 3
    hands.press(Qt.Key.Key_Up, ALT)
    assert pane.text() == TEXT
    assert hidden(pane) == [2, 3, 4, 5, 6, 8]
    assert pane.editor.caret_line() == 1


def test_a_line_moves_over_a_folded_resource(pane: EditorPane, hands: EditorDriver) -> None:
    pane.editor.folding.fold(block(pane, 1))
    pane.editor.folding.fold(block(pane, 7))
    pane.go_to_line(9)
    hands.press(Qt.Key.Key_Up, ALT)
    assert pane.text() == TEXT.replace(PORT + "outputs:\n", "outputs:\n" + PORT)
    hands.press(Qt.Key.Key_Up, ALT)
    assert pane.text() == TEXT.replace(SERVER + PORT + "outputs:\n", "outputs:\n" + SERVER + PORT)
    assert pane.editor.caret_line() == 1
    assert hidden(pane) == [3, 4, 5, 6, 7, 9]
    pane.editor.undo()
    pane.editor.undo()
    assert pane.text() == TEXT


def test_folded_resource_is_duplicated_completely(pane: EditorPane, hands: EditorDriver) -> None:
    pane.editor.folding.fold(block(pane, 1))
    pane.go_to_line(1)
    hands.press(Qt.Key.Key_D, CONTROL | SHIFT)
    assert pane.text() == TEXT.replace(SERVER, SERVER + SERVER)
    assert pane.editor.caret_line() == 7


def test_folded_resource_is_commented_out_completely(pane: EditorPane, hands: EditorDriver) -> None:
    pane.editor.folding.fold(block(pane, 7))
    pane.go_to_line(7)
    hands.press(Qt.Key.Key_Slash, CONTROL)
    assert pane.text() == TEXT.replace(PORT, "  # port:\n  #   type: OS::Neutron::Port\n")
    assert hidden(pane) == []


def test_every_line_with_deeper_lines_below_can_be_folded(pane: EditorPane) -> None:
    text = "a:\n  b: 1\n\n# note\n  c:\n  - d:\n      e: |\n        f\n\n  g:\nh:\n- i\nlast:\n"
    pane.set_text(text)
    lines = text.split("\n")
    folding, document = pane.editor.folding, pane.editor.document()
    found = {lines[at] for at in range(len(lines)) if folding.can_fold(document.findBlockByNumber(at))}
    assert found == {"a:", "  c:", "  - d:", "      e: |", "h:"}
