"""Values at line ends: in the space that the text and the message leave."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from heatstudio.text import Severity, Span
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.editor.text.code_page import MARGIN
from heatstudio.ui.editor.text.marks import Mark
from tests.ui.fresh_paint import find_difference

TEXT = "a: {get_param: size}\nb: {get_param: size}\n"
MESSAGE = Mark(Span(21, 22), Severity.ERROR, "Unknown property")


def at_line_end(line: int, words: str = "size = 1") -> Mark:
    offset = len(TEXT.split("\n", maxsplit=1)[0]) + (21 if line else 0)
    return Mark(Span(offset, offset), Severity.HINT, words)


def image_of(pane: EditorPane) -> QImage:
    return pane.editor.viewport().grab().toImage()


def painted(pane: EditorPane, before: QImage, line: int) -> tuple[int, int] | None:
    """Return the first and last changed column of pixels in a line; None if the line is unchanged."""
    row, after = pane.editor.visible_lines()[line].rect.toRect().adjusted(0, 1, 0, -1), image_of(pane)
    different = [
        x
        for x in range(after.width())
        if any(before.pixel(x, y) != after.pixel(x, y) for y in range(row.top(), row.bottom()))
    ]
    return (different[0], different[-1]) if different else None


def test_values_are_painted_after_the_text_and_do_not_change_it(pane: EditorPane) -> None:
    pane.set_text(TEXT)
    before = image_of(pane)
    pane.decorations.set_hints([at_line_end(0)])
    found = painted(pane, before, 0)
    assert found is not None
    assert found[0] > pane.editor.visible_lines()[0].text_end
    assert painted(pane, before, 1) is None
    assert pane.text() == TEXT
    pane.decorations.set_hints(())
    assert painted(pane, before, 0) is None


@pytest.mark.parametrize(("width", "has_room"), [(800, True), (330, False)])
def test_message_of_a_line_takes_precedence(pane: EditorPane, width: int, has_room: bool) -> None:
    pane.setFixedWidth(width)
    pane.set_text(TEXT)
    empty = image_of(pane)
    pane.decorations.set_marks([MESSAGE])
    message = painted(pane, empty, 1)
    assert message is not None
    before = image_of(pane)
    pane.decorations.set_hints([at_line_end(0), at_line_end(1)])
    value = painted(pane, before, 1)
    assert (value is not None) is has_room
    assert value is None or value[0] > message[1]


def test_message_is_elided_anew_after_a_horizontal_scroll(pane: EditorPane) -> None:
    pane.setFixedWidth(400)
    pane.set_text(f"{TEXT}# {'wide ' * 80}\n")
    pane.decorations.set_marks([MESSAGE._replace(message="Unknown property of this resource " * 3)])
    assert find_difference() is None
    for _ in range(3):
        pane.editor.horizontalScrollBar().setValue(pane.editor.horizontalScrollBar().value() + 40)
        assert find_difference() is None


def test_long_values_are_shortened(pane: EditorPane) -> None:
    pane.setFixedWidth(1600)
    pane.set_text(TEXT)
    before = image_of(pane)
    pane.decorations.set_hints([at_line_end(0, "size = " + "long " * 200)])
    found = painted(pane, before, 0)
    assert found is not None
    assert found[1] < 1200


def test_values_move_with_their_lines(pane: EditorPane) -> None:
    pane.set_text(TEXT)
    pane.decorations.set_hints([at_line_end(1)])
    pane.editor.textCursor().insertText("# above\n")
    assert pane.editor.document().findBlock(pane.decorations.hints.all()[0].start).blockNumber() == 2
    pane.set_text("other")
    assert not pane.decorations.hints.all()


@pytest.mark.parametrize("wraps", [False, True])
def test_lines_that_are_painted_for_the_first_time_look_as_they_do_later(
    qtbot: QtBot, pane: EditorPane, wraps: bool
) -> None:
    count = 200
    pane.editor.set_wraps(wraps)
    pane.set_text("".join(f"key_{number}: {'value ' * (number % 30)}\n" for number in range(count)))
    starts = [pane.editor.document().findBlockByNumber(number).position() for number in range(count)]
    pane.decorations.set_marks([Mark(Span(start, start + 5), Severity.ERROR, "Unknown property") for start in starts])
    pane.decorations.set_hints([Mark(Span(start, start), Severity.HINT, "size = 1") for start in starts])
    qtbot.waitUntil(lambda: pane.editor.highlighter.is_complete)
    for line in (0, 100, 199, 60):
        pane.editor.use_font(14, "")  # drops the layout of every line
        pane.editor.scroll_to(line, 0)
        for part in (pane.editor.viewport(), pane.editor.gutter):  # the scroll bar follows the rows later
            first = part.grab().toImage()
            assert first == part.grab().toImage()


def test_matches_are_painted_together_with_lines_that_are_highlighted_then(qtbot: QtBot, pane: EditorPane) -> None:
    pane.editor.resize(800, 1500)  # more lines than are highlighted at once
    pane.set_text("key: value\n" * 70)
    pane.decorations.set_matches([(at * 11, at * 11 + 3) for at in range(70)])
    assert not pane.editor.highlighter.is_complete
    edges = QRect(MARGIN, 0, 1, pane.editor.viewport().height())  # left of the letters, which may get their color later
    first = image_of(pane).copy(edges)
    qtbot.waitUntil(lambda: pane.editor.highlighter.is_complete)
    assert first == image_of(pane).copy(edges)
