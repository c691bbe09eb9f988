"""Sticky lines: the enclosing section and entry at the top of the text."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heatstudio.template import parse_template
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.editor.text.gutter import StickyLines
from heatstudio.ui.widgets import Appearance, Scheme
from tests.work import count_calls

ENTRY = """  r%d:
    # a comment
    type: OS::Nova::Server
    properties:
      user_data: |
        #!/bin/sh
        more: of it

        last
      networks:
      - network: net
"""
TEXT = "heat_template_version: 2021-04-16\nparameters:\n  a: {type: string}\nresources:\n" + "".join(
    ENTRY % number for number in range(40)
)
HEIGHT = ENTRY.count("\n")
FIRST = 4
"""The line of the first resource."""


@pytest.fixture
def pane(qtbot: QtBot, appearance: Appearance) -> EditorPane:
    pane = EditorPane(appearance)
    qtbot.addWidget(pane)
    pane.resize(600, 400)
    pane.set_text(TEXT)
    set_sections(pane)
    pane.show()
    qtbot.waitExposed(pane)
    return pane


def set_sections(pane: EditorPane) -> None:
    sections = parse_template(pane.text()).sections.values()
    pane.decorations.set_sections([section.start for section in sections])


def scrolled(pane: EditorPane, line: int) -> list[int]:
    pane.editor.scroll_to(line, 0)
    QApplication.processEvents()
    return pane.editor.sticky_lines.lines


def test_section_and_entry_of_the_first_visible_line_stick(pane: EditorPane) -> None:
    sticky = pane.editor.sticky_lines
    assert scrolled(pane, 0) == []
    assert sticky.isHidden()
    assert scrolled(pane, FIRST - 1) == []
    assert scrolled(pane, FIRST) == [FIRST - 1, FIRST]
    for line in range(FIRST + 1, FIRST + HEIGHT - 1):
        assert scrolled(pane, line) == [FIRST - 1, FIRST], line
    assert scrolled(pane, FIRST + HEIGHT - 1) == [FIRST - 1], "the next resource is below the section"
    assert scrolled(pane, FIRST + HEIGHT) == [FIRST - 1, FIRST + HEIGHT]
    pane.editor.textCursor().insertText(TEXT.replace("resources:", "# about resources\n\nresources:", 1))
    set_sections(pane)
    assert scrolled(pane, FIRST - 1) == [], "the section of parameters has ended"
    pane.editor.undo()
    set_sections(pane)
    scrolled(pane, FIRST + HEIGHT)
    assert sticky.accessibleName() == "Enclosing lines: resources:, r1:"
    pane.switch("sticky-lines", False)
    assert sticky.isHidden()


def test_lines_follow_edits_and_folds(pane: EditorPane) -> None:
    pane.editor.textCursor().insertText("# first\n\n")
    assert scrolled(pane, FIRST + 2 + 5) == [FIRST + 1, FIRST + 2]
    pane.editor.undo()
    pane.editor.folding.fold(pane.editor.document().findBlockByNumber(FIRST))
    assert scrolled(pane, FIRST)[0] == FIRST - 1
    last = pane.editor.document().lastBlock().blockNumber()
    pane.editor.folding.fold_all()
    pane.editor.verticalScrollBar().setValue(20)
    QApplication.processEvents()
    assert FIRST < pane.editor.firstVisibleBlock().blockNumber() < last
    assert pane.editor.sticky_lines.lines == [FIRST - 1], "each line is a resource"


@pytest.mark.parametrize("text", ["\n", "  new:\n", "#"])
@pytest.mark.parametrize("below", [-HEIGHT, -1, 0, 1, 2, 3, HEIGHT])
def test_lines_after_an_edit_are_those_of_a_fresh_look(pane: EditorPane, text: str, below: int) -> None:
    scrolled(pane, FIRST + 5 * HEIGHT + 4)
    cursor = pane.editor.textCursor()
    cursor.setPosition(pane.editor.document().findBlockByNumber(FIRST + 5 * HEIGHT + 4 + below).position())
    cursor.insertText(text)
    QApplication.processEvents()
    lines = pane.editor.sticky_lines.lines
    for is_on in (False, True):
        pane.switch("sticky-lines", is_on)
    assert pane.editor.sticky_lines.lines == lines


def test_typing_far_below_an_entry_does_not_look_for_it_again(qtbot: QtBot, pane: EditorPane) -> None:
    pane.set_text("resources:\n  long:\n" + "    - x\n" * 2000)
    set_sections(pane)
    assert scrolled(pane, 1900) == [0, 1]
    pane.go_to_line(1905)
    qtbot.waitUntil(lambda: pane.editor.highlighter.is_complete)

    def type_key() -> None:
        QTest.keyClick(pane.editor, Qt.Key.Key_X)
        QApplication.processEvents()

    assert count_calls(type_key) < 8_000


def test_the_cursor_is_never_covered(qtbot: QtBot, pane: EditorPane) -> None:
    editor, sticky = pane.editor, pane.editor.sticky_lines
    pane.go_to_line(FIRST + 5 * HEIGHT + 5)
    scrolled(pane, FIRST + 5 * HEIGHT + 3)
    for _ in range(2 * HEIGHT):
        QTest.keyClick(editor, Qt.Key.Key_Up)
        qtbot.waitUntil(lambda: sticky.isHidden() or editor.cursorRect().top() >= sticky.height() - 2)


def test_a_click_goes_to_the_line(qtbot: QtBot, pane: EditorPane) -> None:
    entry = FIRST + 5 * HEIGHT
    assert scrolled(pane, entry + 4) == [FIRST - 1, entry]
    height = pane.editor.sticky_lines.height()
    QTest.mouseClick(pane.editor.sticky_lines, Qt.MouseButton.LeftButton, pos=QPoint(200, height * 3 // 4))
    assert pane.editor.caret_line() == entry
    QApplication.processEvents()
    assert pane.editor.sticky_lines.lines == [FIRST - 1]
    assert pane.editor.firstVisibleBlock().blockNumber() == entry - 1


@pytest.mark.parametrize("name", ["light", "dark", "high-contrast"])
def test_lines_look_like_the_text(pane: EditorPane, name: str) -> None:
    pane.editor.appearance.choose(Scheme(name))
    pane.editor.use_font(17, "")
    sticky = pane.editor.sticky_lines
    scrolled(pane, FIRST + 5)
    shown = sticky.grab().toImage()
    assert sticky.grab().toImage() == shown
    below = _picture(pane, FIRST - 1, sticky)
    row = shown.copy(0, 0, shown.width(), below.height() - 1)
    edge = pane.editor.gutter.width()
    for left in (edge, edge + 60):
        part = row.copy(left, 0, 50, row.height())
        assert part == below.copy(left, 0, 50, row.height()), "the row of `resources`"


def _picture(pane: EditorPane, line: int, sticky: StickyLines) -> QImage:
    pane.switch("sticky-lines", False)
    scrolled(pane, line)
    top = pane.editor.visible_lines()[0].rect
    picture = pane.editor.grab().toImage()
    viewport = pane.editor.viewport().geometry()
    return picture.copy(0, viewport.top() + round(top.top()), sticky.width(), round(top.height()))
