"""Word wrap: lines in several rows, and all other parts that are painted with them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from heatstudio.text import Severity, Span
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.editor.text.code_page import VisibleLine
from heatstudio.ui.editor.text.marks import Mark
from heatstudio.ui.widgets.theme import Color
from tests.ui.editor.conftest import EditorDriver, show

WORDS = "word " * 60
TEXT = (
    f"resources:\n  server:\n    type: OS::Nova::Server\n    description: {WORDS}end\n    depends_on: other\n  other:\n"
)
LONG, BEHIND = 3, 4
"""The numbers of the wrapped line and of the next line."""


@pytest.fixture
def wrapped(qtbot: QtBot, pane: EditorPane) -> EditorPane:
    pane.set_text(TEXT)
    pane.switch("wrap", True)
    qtbot.waitUntil(lambda: line_of(pane, LONG).is_wrapped)
    return pane


def line_of(pane: EditorPane, number: int) -> VisibleLine:
    return next(line for line in pane.editor.visible_lines() if line.block.blockNumber() == number)


def cursor_at(pane: EditorPane, offset: int) -> QTextCursor:
    cursor = pane.editor.textCursor()
    cursor.setPosition(offset)
    return cursor


def ground_at(picture: QImage, x: float, y: float) -> str:
    return picture.pixelColor(int(x), int(y)).name()


def test_lines_are_wrapped_on_demand_without_horizontal_scrolling(wrapped: EditorPane) -> None:
    assert wrapped.editor.horizontalScrollBar().maximum() == 0
    assert [line.block.blockNumber() for line in wrapped.editor.visible_lines()] == list(range(7))
    wrapped.switch("wrap", False)
    assert not line_of(wrapped, LONG).is_wrapped
    assert wrapped.editor.horizontalScrollBar().maximum() > 0


def test_every_character_is_where_qt_paints_it(wrapped: EditorPane) -> None:
    line = line_of(wrapped, LONG)
    first = line.block.position()
    for offset in range(first, first + line.block.length() - 1):
        found = list(line.rects(offset, offset + 1))
        caret = wrapped.editor.cursorRect(cursor_at(wrapped, offset))
        assert len(found) == 1
        assert abs(found[0].top() - caret.top()) <= 1
        assert len(list(line.rects(offset, offset))) == 1


def test_rows_of_a_line_share_its_height(wrapped: EditorPane) -> None:
    line, short = line_of(wrapped, LONG), line_of(wrapped, BEHIND)
    assert line.row(0).top() == line.rect.top()
    assert line.row(-1).bottom() == pytest.approx(line.rect.bottom())
    assert line.row(-1).bottom() == pytest.approx(short.rect.top())
    assert short.row(0) == short.row(-1) == short.rect
    assert line.row(0).height() == short.rect.height()


def test_line_number_is_in_the_first_row(wrapped: EditorPane) -> None:
    line, gutter = line_of(wrapped, LONG), wrapped.editor.gutter
    picture = gutter.grab().toImage()
    left, right = 0, gutter.width() - 20

    def has_ink(top: float, bottom: float) -> bool:
        ground = ground_at(picture, 1, top + 1)
        rows, columns = range(int(top) + 1, int(bottom) - 1), range(left, right)
        return any(ground_at(picture, x, y) != ground for y in rows for x in columns)

    assert has_ink(line.row(0).top(), line.row(0).bottom())
    assert not has_ink(line.row(0).bottom() + 1, line.rect.bottom())


def test_gutter_click_in_any_row_selects_the_line(wrapped: EditorPane) -> None:
    gutter, line = wrapped.editor.gutter, line_of(wrapped, LONG)
    for row in (line.row(0), line.row(-1)):
        wrapped.go_to_line(0)
        QTest.mouseClick(gutter, Qt.MouseButton.LeftButton, pos=QPoint(60, int(row.center().y())))
        assert wrapped.editor.textCursor().selectionStart() == line.block.position()
        assert wrapped.editor.textCursor().selectedText().startswith(line.block.text())


def test_message_is_painted_after_the_last_row(wrapped: EditorPane) -> None:
    start = TEXT.index("word")
    marks = [Mark(Span(start, start + 4), Severity.ERROR, "Wrong.")]
    line = line_of(wrapped, LONG)
    wrapped.decorations.set_marks(())
    before = wrapped.editor.viewport().grab().toImage()
    wrapped.decorations.set_marks(marks)
    after = wrapped.editor.viewport().grab().toImage()
    changed = {
        (x, y) for x in range(after.width()) for y in range(after.height())
        if before.pixelColor(x, y) != after.pixelColor(x, y)
    }  # fmt: skip
    underline = next(iter(line.rects(start, start + 4)))
    message = {(x, y) for x, y in changed if y >= line.row(-1).top()}
    assert message
    assert min(x for x, _ in message) > line.text_end
    assert max(y for _, y in message) <= line.row(-1).bottom()
    for x, y in changed - message:
        assert underline.left() - 1 <= x <= underline.right() + 1
        assert underline.top() <= y <= underline.bottom() + 1


def test_underline_continues_in_the_next_row(wrapped: EditorPane) -> None:
    line = line_of(wrapped, LONG)
    layout, first = line.block.layout(), line.block.position()
    border = first + layout.lineAt(1).textStart()
    above, below = line.rects(border - 5, border + 4)
    assert above.bottom() <= below.top() + 1
    assert below.left() < above.left()


def test_position_under_the_mouse_is_found_in_each_row(wrapped: EditorPane) -> None:
    line, editor = line_of(wrapped, LONG), wrapped.editor
    for offset in (line.block.position() + 20, line.block.position() + line.block.length() - 4):
        rect = next(iter(line.rects(offset, offset + 1)))
        assert editor.position_at(QPointF(rect.left() + 1, rect.center().y())) == offset
    assert editor.position_at(QPointF(line.text_end + 40, line.row(-1).center().y())) is None


def test_guides_do_not_cross_the_text_of_other_rows(wrapped: EditorPane) -> None:
    line, editor = line_of(wrapped, LONG), wrapped.editor
    wrapped.go_to_line(0)
    editor.setReadOnly(True)
    picture = editor.viewport().grab().toImage()
    guides = {editor.theme.value(Color.INDENT_GUIDE).lower(), editor.theme.value(Color.BORDER).lower()}

    def has_guide(y: float) -> bool:
        return any(ground_at(picture, x, y) in guides for x in range(40))

    assert has_guide(line.row(0).center().y())
    assert not any(has_guide(y) for y in range(int(line.row(0).bottom()) + 1, int(line.rect.bottom()) - 1))
    assert has_guide(line_of(wrapped, BEHIND).rect.center().y())


def test_folds_hide_the_rows_of_wrapped_lines(wrapped: EditorPane) -> None:
    folding, document = wrapped.editor.folding, wrapped.editor.document()
    rows = document.lineCount()
    folding.fold(document.findBlockByNumber(1))
    assert [line.block.blockNumber() for line in wrapped.editor.visible_lines()] == [0, 1, 5, 6]
    assert document.lineCount() == 4
    folding.unfold(document.findBlockByNumber(1))
    assert [line.block.blockNumber() for line in wrapped.editor.visible_lines()] == list(range(7))
    assert document.lineCount() == rows


def test_scroll_bar_markers_follow_the_rows(qtbot: QtBot, wrapped: EditorPane) -> None:
    start = TEXT.index("depends_on")
    wrapped.decorations.set_marks([Mark(Span(start, start + 4), Severity.ERROR, "Wrong.")])
    document = wrapped.editor.document()

    def place() -> float:
        return wrapped.editor._scroll_bar.ticks[0].place

    def is_right() -> bool:
        return place() == document.findBlockByNumber(BEHIND).firstLineNumber() / document.lineCount()

    qtbot.waitUntil(is_right)
    before = place()
    wrapped.resize(400, 500)
    qtbot.waitUntil(lambda: place() > before and is_right())
    wrapped.resize(2400, 500)
    qtbot.waitUntil(lambda: place() < before and is_right())
    wrapped.switch("wrap", False)
    qtbot.waitUntil(lambda: place() == BEHIND / 7)


def test_home_goes_to_the_start_of_the_row_first(wrapped: EditorPane, hands: EditorDriver) -> None:
    line = line_of(wrapped, LONG)
    row = line.block.position() + line.block.layout().lineAt(1).textStart()
    wrapped.go_to(Span(row + 7, row + 7))
    hands.press(Qt.Key.Key_Home)
    assert wrapped.caret_offset() == row
    hands.press(Qt.Key.Key_Home)
    assert wrapped.caret_offset() == line.block.position() + 4
    hands.press(Qt.Key.Key_Home)
    assert wrapped.caret_offset() == line.block.position()


def test_first_visible_line_stays_at_the_top(qtbot: QtBot, pane: EditorPane) -> None:
    show(pane, "¦" + "".join(f"{number}: {WORDS}\n" for number in range(300)))
    pane.editor.scroll_to(200, 0)
    for on in (True, False):
        pane.switch("wrap", on)
        assert pane.editor.firstVisibleBlock().blockNumber() == 200


def test_rows_are_correct_if_the_first_rows_of_a_line_are_hidden(wrapped: EditorPane) -> None:
    wrapped.resize(800, 100)
    wrapped.editor.verticalScrollBar().setValue(LONG + 1)
    assert wrapped.editor.firstVisibleBlock().blockNumber() == LONG
    for number in (LONG, BEHIND):
        line = line_of(wrapped, number)
        for offset in (line.block.position() + 5, line.block.position() + line.block.length() - 2):
            rect = next(iter(line.rects(offset, offset + 1)))
            assert abs(rect.top() - wrapped.editor.cursorRect(cursor_at(wrapped, offset)).top()) <= 1


def test_empty_span_at_a_row_break_is_painted_once(wrapped: EditorPane) -> None:
    line = line_of(wrapped, LONG)
    border = line.block.position() + line.block.layout().lineAt(1).textStart()
    assert [rect.top() for rect in line.rects(border, border)] == [line.row(1).top()]
