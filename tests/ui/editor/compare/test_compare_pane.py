"""The comparison pane in the window: its content, its keys, and its updates with the text."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QKeySequence, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heatstudio.ui.documents.document import Baseline
from heatstudio.ui.editor.compare.pane import ComparePane
from heatstudio.ui.editor.compare.side_text import GROUNDS, SideText
from heatstudio.ui.widgets.appearance import Scheme
from heatstudio.ui.widgets.outcome import ShownOutcome
from heatstudio.ui.widgets.theme import Color, load_theme
from heatstudio.ui.window.window import Window
from heatstudio.update.plan.outcome import Outcome
from tests.ui.bench import bench
from tests.ui.colors import TEXTS
from tests.ui.conftest import Shot
from tests.ui.contrast import contrast
from tests.ui.fresh_paint import find_difference

OLD = """heat_template_version: 2021-04-16
resources:
  first:
    type: OS::Heat::RandomString
    properties: {salt: one}

  gone:
    type: OS::Heat::None

  last:
    type: OS::Heat::None
"""
NEW = """heat_template_version: 2021-04-16
resources:
  first:
    type: OS::Heat::RandomString
    properties: {salt: two 🎈 three}

  last:
    type: OS::Heat::None

  added:
    type: OS::Heat::None
"""


MOVED = NEW.replace("  first:", "  # the first one\n  first:") + "\n" + OLD[OLD.index("  gone") : OLD.index("\n  last")]
BEFORE = OLD.replace("resources:\n", "# a word on it\nresources:\n")
"""Texts with a resource that is moved to the end, and with a line of each other kind of change."""


@pytest.fixture
def opened(qtbot: QtBot, window: Window) -> Window:
    with qtbot.waitSignal(window.session.plan_changed):
        document = window.session.new(NEW)
    with qtbot.waitSignal(window.session.plan_changed):
        window.session.set_baseline(document, Baseline("git HEAD", OLD))
    window.activateWindow()
    qtbot.waitActive(window)
    return window


@pytest.fixture
def pane(qtbot: QtBot, opened: Window) -> ComparePane:
    for command in ("only-text", "compare-text"):  # wide enough for two columns
        opened.actions_by_name[command].trigger()
    pane = bench(opened).stack_panes.compare
    qtbot.waitUntil(lambda: len(pane.comparison.runs) == 3)
    QApplication.processEvents()
    pane.setFocus()
    return pane


def lines_of(side: SideText) -> list[str]:
    return side.toPlainText().split("\n")


def test_lines_are_aligned(pane: ComparePane) -> None:
    old, new = lines_of(pane.old), lines_of(pane.new)
    assert len(old) == len(new)
    assert old.index("  last:") == new.index("  last:")
    assert (old[new.index("  added:")], new[old.index("  gone:")]) == ("", "")
    assert (pane.old_title.text(), pane.new_title.text()) == ("Before: git HEAD", "Now: untitled-1.yaml")
    assert pane.counts.text() == pane.comparison.summary == "1 line changed, 3 added, 3 deleted"


def test_hatching_scrolls_with_its_row(qtbot: QtBot, pane: ComparePane) -> None:
    window = pane.window()
    assert isinstance(window, Window)
    document, wide = window.session.current, f"# {'wide ' * 80}\n"
    assert document
    window.session.set_baseline(document, Baseline("git HEAD", wide))
    window.area.editor_of(document).replace_text(wide * 60)
    qtbot.waitUntil(lambda: len(lines_of(pane.old)) >= 60)
    assert find_difference() is None
    for bar in (pane.old.horizontalScrollBar(), pane.old.verticalScrollBar()):
        bar.setValue(bar.value() + 1)
        assert bar.value()
        assert find_difference() is None, bar.orientation()


def test_scrolling_to_a_wide_line_moves_nothing_else(qtbot: QtBot, pane: ComparePane) -> None:
    window = pane.window()
    assert isinstance(window, Window)
    document = window.session.current
    assert document
    old = "".join(f"line {number}\n" for number in range(300)).replace("line 150\n", f"# {'wide ' * 80}\n")
    window.area.editor_of(document).replace_text(old.replace("line 4\n", "other\n"))
    window.session.set_baseline(document, Baseline("git HEAD", old))
    qtbot.waitUntil(lambda: len(lines_of(pane.old)) > 290)
    pane.new.unfold_requested.emit(8)
    pane.new.verticalScrollBar().setValue(145)
    assert find_difference() is None
    QApplication.processEvents()
    assert all(side.horizontalScrollBar().isVisible() for side in (pane.old, pane.new))
    assert pane.new.verticalScrollBar().value() == pane.old.verticalScrollBar().value() == 145


def test_outcomes_are_shown_next_to_their_resources(pane: ComparePane) -> None:
    assert pane.new.margin.changes == {
        NEW.split("\n").index("  first:"): ShownOutcome(Outcome.REPLACED),
        NEW.split("\n").index("  added:"): ShownOutcome(Outcome.ADDED),
    }
    assert pane.old.margin.changes == {OLD.split("\n").index("  gone:"): ShownOutcome(Outcome.DELETED)}
    row = lines_of(pane.new).index("  added:")
    assert pane.new.margin.description_of(row) == "This line was added\nPreview: Added"
    assert pane.old.margin.description_of(row) == "This line is only in the other version"


def test_keys_go_to_the_next_change_and_wrap_around(pane: ComparePane, opened: Window) -> None:
    assert pane.position.text() == "1 of 3 changes"
    seen = []
    for key in (Qt.Key.Key_F7, Qt.Key.Key_F7, Qt.Key.Key_F7):
        QTest.keyClick(opened, key)
        seen.append((pane.position.text()[0], pane.old.caret_line()))
    assert seen == [("2", 6), ("3", 12), ("1", 4)]
    QTest.keyClick(opened, Qt.Key.Key_F7, Qt.KeyboardModifier.ShiftModifier)
    assert pane.position.text() == "3 of 3 changes"
    assert pane.new.margin.run == pane.old.margin.run == pane.comparison.runs[2]
    assert pane.new.caret_line() == pane.old.caret_line()
    assert pane.new.accessibleDescription().startswith("This line was added")


def test_enter_and_a_double_click_go_to_the_line_and_escape_to_the_text(pane: ComparePane, opened: Window) -> None:
    editor = opened.area.editor
    assert editor
    opened.actions_by_name["split-down"].trigger()
    pane.go_to_change(-1)
    QTest.keyClick(pane.new, Qt.Key.Key_Return)
    assert NEW[editor.caret_offset() :].startswith("added:") or NEW[: editor.caret_offset()].endswith("\n")
    assert editor.editor.hasFocus()
    row = lines_of(pane.old).index("    properties: {salt: one}")
    line = next(line for line in pane.old.visible_lines() if line.block.blockNumber() == row)
    at = QPoint(60, round(line.rect.center().y()))
    before = editor.caret_offset()
    QTest.mouseClick(pane.old.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert editor.caret_offset() == before
    QTest.mouseDClick(pane.old.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert NEW[editor.caret_offset() :].startswith("properties: {salt: two")
    pane.setFocus()
    QTest.keyClick(pane.new, Qt.Key.Key_Escape)
    assert editor.editor.hasFocus()
    assert pane.isVisible()


def test_copy_copies_only_the_text(pane: ComparePane) -> None:
    pane.new.selectAll()
    pane.new.copy()
    assert QApplication.clipboard().text() == NEW
    pane.old.selectAll()
    pane.old.copy()
    assert QApplication.clipboard().text() == OLD
    cursor = QTextCursor(pane.old.document())
    cursor.movePosition(QTextCursor.MoveOperation.EndOfLine, QTextCursor.MoveMode.KeepAnchor)
    pane.old.setTextCursor(cursor)
    pane.old.setFocus()
    QTest.keySequence(pane.old, QKeySequence(QKeySequence.StandardKey.Copy))
    assert QApplication.clipboard().text() == OLD.split("\n", maxsplit=1)[0]


@pytest.fixture
def moved(qtbot: QtBot, pane: ComparePane, opened: Window) -> ComparePane:
    document = opened.session.current
    assert opened.area.editor
    assert document
    with qtbot.waitSignal(opened.session.plan_changed):
        opened.area.editor.replace_text(MOVED)
    opened.session.set_baseline(document, Baseline("git HEAD", BEFORE))
    qtbot.waitUntil(lambda: "1 deleted, 3 moved" in pane.counts.text())
    QApplication.processEvents()
    return pane


def test_moved_resource_shows_its_old_and_new_position(moved: ComparePane, opened: Window) -> None:
    was, now = lines_of(moved.old).index("  gone:"), lines_of(moved.new).index("  gone:")
    line = MOVED.split("\n").index("  gone:") + 1
    assert moved.counts.text() == "1 line changed, 4 added, 1 deleted, 3 moved"
    assert moved.old.margin.description_of(was) == f"This line was moved to line {line}"
    assert moved.new.margin.description_of(now) == "This line was moved from line 8"
    moved.old.place_caret(was)
    QTest.keyClick(moved.old, Qt.Key.Key_Return)
    assert opened.area.editor
    assert MOVED[opened.area.editor.caret_offset() :].startswith("gone:")


def test_both_sides_scroll_together(qtbot: QtBot, pane: ComparePane, opened: Window) -> None:
    long = "x" * 400
    text = NEW + "".join(f"# {at} {long}\n" for at in range(300))
    with qtbot.waitSignal(opened.session.plan_changed):
        assert opened.area.editor
        opened.area.editor.replace_text(text)
    qtbot.waitUntil(lambda: len(pane.comparison.rows) > 300)
    QApplication.processEvents()
    old, new = pane.old, pane.new
    new.verticalScrollBar().setValue(200)
    assert old.verticalScrollBar().value() == 200
    assert old.visible_lines()[0].block.blockNumber() == new.visible_lines()[0].block.blockNumber()
    old.verticalScrollBar().setValue(old.verticalScrollBar().maximum())
    assert new.verticalScrollBar().value() == old.verticalScrollBar().value() == new.verticalScrollBar().maximum()
    new.horizontalScrollBar().setValue(new.horizontalScrollBar().maximum())
    assert new.horizontalScrollBar().value() == new.horizontalScrollBar().maximum() > 0


def test_text_has_the_size_of_the_editor(pane: ComparePane, opened: Window) -> None:
    editor = opened.area.editor
    assert editor
    for name, size in (("zoom-in", 14), ("zoom-in", 15), ("zoom-reset", 13)):
        opened.actions_by_name[name].trigger()
        assert [one.font().pixelSize() for one in (editor.editor, pane.old, pane.new, pane.new.margin)] == [size] * 4
    pane.old.zoom_requested.emit(16)
    assert (pane.new.font().pixelSize(), editor.editor.font().pixelSize()) == (16, 13)
    opened.actions_by_name["zoom-in"].trigger()
    opened.session.new("heat_template_version: 2021-04-16\n")
    assert opened.area.editor
    assert opened.area.editor.editor.font().pixelSize() == 14


def test_comparison_follows_the_editor_cursor_unless_it_has_the_focus(pane: ComparePane, opened: Window) -> None:
    editor = opened.area.editor
    assert editor
    editor.go_to_line(9)
    opened.follow_caret_now()
    assert pane.comparison.new_row(pane.new.caret_line()).line == 9
    pane.setFocus()
    opened.caret_rested.emit(0)
    assert pane.comparison.new_row(pane.new.caret_line()).line == 9


def test_typing_updates_the_comparison_and_keeps_the_position(qtbot: QtBot, pane: ComparePane, opened: Window) -> None:
    pane.go_to_change(-1)
    assert opened.area.editor
    with qtbot.waitSignal(opened.session.plan_changed):
        opened.area.editor.replace_text(NEW.replace("two", "four"))
    qtbot.waitUntil(lambda: "four" in pane.new.toPlainText())
    assert pane.position.text() == "3 of 3 changes"
    with qtbot.waitSignal(opened.session.plan_changed):
        opened.area.editor.replace_text(OLD)
    qtbot.waitUntil(lambda: not pane.comparison.runs)
    assert pane.empty.isVisible()
    assert pane.empty.accessibleName() == "No differences"


def test_comparison_of_a_long_text_shows_the_first_change(qtbot: QtBot, pane: ComparePane, opened: Window) -> None:
    opened.actions_by_name["split-down"].trigger()
    opened.area.focus_text()
    text = "resources:\n" + "".join(f"  name_{at}: {{type: OS::Heat::None}}\n" for at in range(3000))
    document = opened.session.new(text)
    with qtbot.waitSignal(opened.session.plan_changed):
        opened.session.set_baseline(document, Baseline("a file", text.replace("name_2000:", "name:")))
    qtbot.waitUntil(lambda: pane.new.caret_line() == 2001)
    assert [(run.start, run.stop) for run in pane.comparison.runs] == [(2001, 2002)]
    assert 2001 in [line.block.blockNumber() for line in pane.old.visible_lines()]


@pytest.mark.parametrize("width", [1280, 900])
def test_both_sides_have_the_same_width(moved: ComparePane, opened: Window, width: int) -> None:
    opened.resize(width, 600)
    QApplication.processEvents()
    assert abs(moved.old.width() - moved.new.width()) <= 2


def test_pane_without_a_document_shows_a_placeholder(window: Window) -> None:
    window.area.groups.show_panel("Comparison")
    pane = bench(window).stack_panes.compare
    pane.go_to_change(1)
    assert pane.empty.isVisible()
    assert "choose another baseline" in pane.empty._sentence.text()


@pytest.mark.parametrize("name", ["light", "dark", "high-contrast"])
def test_text_has_enough_contrast_on_every_background(name: str) -> None:
    theme = load_theme(name)
    for ground in (*GROUNDS.values(), Color.MATCH_GROUND):
        worst = min(contrast(theme.value(color), theme.value(ground)) for color in TEXTS)
        assert worst >= theme.least_contrast, ground


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK, Scheme.HIGH_CONTRAST])
def test_graph_shows_the_colors_of_the_outcomes(moved: ComparePane, opened: Window, shot: Shot, scheme: Scheme) -> None:
    opened.appearance.choose(scheme)
    opened.resize(1280, 800)
    shot(opened, f"comparison-{scheme}")
    theme = opened.appearance.theme
    image = moved.grab().toImage()
    colors = {image.pixelColor(x, y).name() for x in range(0, image.width(), 3) for y in range(image.height())}
    wanted = (*GROUNDS.values(), Color.MATCH_GROUND, Color.EDITOR_GROUND, Color.ACCENT)
    assert [color for color in wanted if QColor(theme.value(color)).name() not in colors] == []


def many_lines(changed: int) -> str:
    return "".join(f"line {at}\n" for at in range(60)).replace(f"line {changed}\n", "other\n")


@pytest.fixture
def folded(qtbot: QtBot, pane: ComparePane, opened: Window) -> ComparePane:
    document = opened.session.current
    assert document
    opened.area.editor_of(document).replace_text(many_lines(30))
    opened.session.set_baseline(document, Baseline("git HEAD", many_lines(-1)))
    qtbot.waitUntil(lambda: [list(run) for run in pane.comparison.runs] == [[30]])
    return pane


def rows_of(side: SideText) -> list[int]:
    return [line.block.blockNumber() for line in side.visible_lines()]


def test_unchanged_lines_are_folded_on_both_sides_until_they_are_opened(folded: ComparePane) -> None:
    expected = [0, *range(27, 34), 34]
    assert rows_of(folded.old) == rows_of(folded.new) == expected
    assert folded.new.margin.description_of(0) == "27 unchanged lines; Enter shows them"
    folded.new.place_caret(0)
    QTest.keyClick(folded.new, Qt.Key.Key_Return)
    assert rows_of(folded.old) == rows_of(folded.new) == list(range(35))
    line = folded.old.visible_lines()[-1]
    at = QPoint(60, round(line.rect.center().y()))
    QTest.mouseClick(folded.old.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert len(rows_of(folded.new)) > 35
    assert folded.new.margin.folds == folded.old.margin.folds == {}


def test_click_beside_folded_lines_opens_them(folded: ComparePane) -> None:
    line = folded.new.visible_lines()[0]
    at = QPoint(10, round(line.rect.center().y()))
    QTest.mouseClick(folded.new.margin, Qt.MouseButton.LeftButton, pos=at)
    assert 0 not in folded.new.margin.folds
    before = dict(folded.new.margin.folds)
    QTest.mouseClick(folded.new.margin, Qt.MouseButton.LeftButton, pos=at)
    assert folded.new.margin.folds == before != {}


def test_all_unchanged_lines_are_shown_and_folded_by_command(folded: ComparePane, opened: Window) -> None:
    opened.actions_by_name["compare-text"].trigger()
    before = dict(folded.new.margin.folds)
    assert before
    opened.actions_by_name["unfold-all"].trigger()
    assert opened.area.groups.active.front is folded
    assert folded.new.margin.folds == folded.old.margin.folds == {}
    folded.new.fold_requested.emit("fold-all")
    assert folded.new.margin.folds == before


def test_cursor_in_folded_lines_is_at_their_fold(folded: ComparePane, opened: Window) -> None:
    folded.setFocus()
    opened.area.focus_text()
    assert opened.area.editor
    opened.area.editor.go_to_line(45)
    opened.actions_by_name["compare-text"].trigger()
    folded._show_row(45, centered=False)
    assert folded.new.caret_line() == 34
    assert rows_of(folded.new)[-1] == 34


def test_old_place_in_folded_lines_is_shown(qtbot: QtBot, folded: ComparePane) -> None:
    folded.show_old_place(lambda text: text.index("line 50"))
    assert folded.old.caret_line() == 50
    assert 50 in rows_of(folded.old)


def test_change_is_reverted_by_its_button_and_by_key_in_one_undo_step(
    qtbot: QtBot, folded: ComparePane, opened: Window
) -> None:
    document = opened.session.current
    assert document
    assert not folded.revert_button.isVisible()
    row = next(line for line in folded.new.visible_lines() if line.block.blockNumber() == 30)
    QTest.mouseMove(folded.new.viewport(), QPoint(90, round(row.rect.center().y())))
    qtbot.waitUntil(folded.revert_button.isVisible)
    folded.revert_button.click()
    qtbot.waitUntil(lambda: document.text == many_lines(-1))
    qtbot.waitUntil(lambda: not folded.comparison.runs)
    opened.actions_by_name["undo"].trigger()
    assert document.text == many_lines(30)
    qtbot.waitUntil(lambda: len(folded.comparison.runs) == 1)
    folded.new.setFocus()
    folded.go_to_change(1)
    opened.actions_by_name["revert-change"].trigger()
    qtbot.waitUntil(lambda: document.text == many_lines(-1))
    opened.actions_by_name["undo"].trigger()
    assert document.text == many_lines(30)


def test_f8_walks_through_the_changes_of_the_comparison(pane: ComparePane) -> None:
    pane.new.setFocus()
    pane.go_to_change(1)
    before = pane.position.text()
    QTest.keyClick(pane.new, Qt.Key.Key_F8)
    after = pane.position.text()
    assert before != after
    QTest.keyClick(pane.new, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert pane.position.text() == before


def test_narrow_comparison_has_one_column(qtbot: QtBot, moved: ComparePane, opened: Window) -> None:
    summary = moved.counts.text()
    opened.resize(780, 600)
    qtbot.waitUntil(lambda: not moved.old.isVisible())
    lines = lines_of(moved.new)
    at = lines.index("    properties: {salt: one}")
    assert lines[at + 1] == "    properties: {salt: two 🎈 three}"
    rows = [moved.comparison.column_row(row) for row in (at, at + 1)]
    assert [row.change.value for row in rows] == ["-", "+"]
    assert all(row.pieces for row in rows)
    assert moved.counts.text() == summary
    opened.resize(1280, 600)
    qtbot.waitUntil(moved.old.isVisible)
    assert len(lines_of(moved.old)) == len(lines_of(moved.new))
