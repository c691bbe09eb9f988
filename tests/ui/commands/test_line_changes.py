"""Bars beside the lines that differ from the baseline, the way to them, and their reversal."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from heatstudio.text import Span, TextEdit
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.window.window import Window

OLD = """heat_template_version: 2021-04-16
parameters:
  a: {type: string}
  b: {type: string}
  c: {type: string}
resources:
  one: {type: OS::Heat::None}
"""
NEW = OLD.replace("  a: {type: string}", "  a: {type: number}").replace("  b: {type: string}\n", "") + "# end\n"


@pytest.fixture
def changed(qtbot: QtBot, real: Window, tmp_path: Path) -> Window:
    """Return a window with a text of which two places differ from the saved file."""
    file = tmp_path / "a.yaml"
    file.write_text(OLD, encoding="utf-8")
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    pane_of(real).replace_text(NEW)
    qtbot.waitUntil(lambda: words(real) == ["CHANGED 2", "ADDED 6"])
    return real


def pane_of(window: Window) -> EditorPane:
    assert window.area.editor is not None
    return window.area.editor


def words(window: Window) -> list[str]:
    """Return the changes of lines with their first line, from 0."""
    return [f"{hunk.change.name} {hunk.new.start}" for hunk in pane_of(window).decorations.hunks]


def test_bars_move_with_their_lines_until_the_text_is_compared(changed: Window) -> None:
    pane_of(changed).apply_edits([TextEdit(Span(0, 0), "# one\n# two\n")])
    assert [hunk.new for hunk in pane_of(changed).decorations.hunks] == [range(4, 5), range(8, 9)]


def test_keys_go_to_the_next_and_previous_change(changed: Window) -> None:
    editor = pane_of(changed).editor
    lines = []
    for modifier in (Qt.KeyboardModifier.NoModifier,) * 3 + (Qt.KeyboardModifier.ShiftModifier,):
        QTest.keyClick(editor, Qt.Key.Key_F7, modifier)
        lines.append(editor.caret_line())
    assert lines == [2, 6, 2, 6]
    assert changed.status.currentMessage() == "Change 2 of 2: 1 line added"


def test_key_reverts_the_change_at_the_cursor_in_one_undo_step(qtbot: QtBot, changed: Window) -> None:
    pane = pane_of(changed)
    pane.go_to_line(2)
    QTest.keyClick(pane.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: words(changed) == ["ADDED 7"])
    assert pane.text() == f"{OLD}# end\n"
    pane.editor.undo()
    assert pane.text() == NEW
    pane.go_to_line(0)
    changed.actions_by_name["revert-change"].trigger()
    qtbot.waitUntil(lambda: changed.status.currentMessage().startswith("No change since the baseline"))
    assert pane.text() == NEW


def test_click_on_a_bar_shows_the_old_lines_and_reverts_them(qtbot: QtBot, changed: Window) -> None:
    pane = pane_of(changed)
    gutter, line = pane.editor.gutter, pane.editor.visible_lines()[2]
    at = QPoint(round(gutter.number_right()) + 3, round(line.rect.center().y()))
    assert gutter.explain(line).endswith("\nChanged; a click on the bar shows the old text")
    QTest.mouseClick(gutter, Qt.MouseButton.LeftButton, pos=at)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert menu.accessibleName() == "2 lines changed to 1"
    QTest.keyClick(menu, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: pane.text() == f"{OLD}# end\n")


def test_bars_leave_when_the_text_is_the_baseline_again(qtbot: QtBot, changed: Window) -> None:
    pane_of(changed).replace_text(OLD)
    qtbot.waitUntil(lambda: not pane_of(changed).decorations.hunks)
    changed.actions_by_name["next-change"].trigger()
    assert changed.status.currentMessage().startswith("No changes since the baseline (")
