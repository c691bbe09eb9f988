"""Panes are resized and tabs are moved by key, and both are remembered."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from heatstudio.service.engine import Engine
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.window.layout import PANES, Row
from heatstudio.ui.window.sides import PaneRow
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.session import Session
from tests.ui.bench import bench, make_bench
from tests.ui.conftest import close_documents

Key, Modifier = Qt.Key, Qt.KeyboardModifier
RESIZE = Modifier.AltModifier | Modifier.ShiftModifier
MOVE = Modifier.ControlModifier | Modifier.ShiftModifier


@pytest.fixture
def opened(qtbot: QtBot, window: Window, file: Path) -> Window:
    """Open a file in a window that is large enough for all panes."""
    window.resize(1280, 700)
    window.files.open([str(file)])
    with qtbot.waitActive(window):
        window.activateWindow()
    return window


def press(window: Window, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
    QTest.keyClick(window.focusWidget() or window, key, modifiers)


def enter(window: Window, name: str) -> PaneRow:
    """Focus a pane, and return its row."""
    window.sides.reveal(name)
    row = window.sides.row_with_focus()
    assert row is PANES[name].row
    return window.sides.rows[row]


def reported(window: Window) -> str:
    return window.statusBar().currentMessage()


@pytest.mark.parametrize("title", ["Types", "Outline", "Preview"])
def test_pane_with_the_focus_gets_wider_and_narrower(opened: Window, title: str) -> None:
    row = enter(opened, title)
    before = row.width()
    press(opened, Key.Key_End, RESIZE)
    assert row.width() == before + 40
    assert reported(opened) == f"{title} is {before + 40} pixels wide."
    press(opened, Key.Key_Home, RESIZE)
    assert row.width() == before


@pytest.mark.parametrize("title", ["Problems", "Parameters", "Types", "Outline"])
def test_pane_with_the_focus_gets_taller_and_shorter(opened: Window, title: str) -> None:
    row = enter(opened, title)
    before = row.height()
    press(opened, Key.Key_Up, RESIZE)
    assert row.height() == before + 40
    press(opened, Key.Key_Down, RESIZE)
    assert row.height() == before


def test_editor_grows_while_the_panes_shrink(opened: Window) -> None:
    wide, high = opened.area.width(), opened.area.height()
    enter(opened, "Types")
    press(opened, Key.Key_End, RESIZE)
    assert opened.area.width() == wide - 40
    enter(opened, "Problems")
    press(opened, Key.Key_Up, RESIZE)
    assert opened.area.height() == high - 40
    opened.area.setFocus()
    press(opened, Key.Key_Up, RESIZE)
    assert opened.area.height() == high
    opened.sides.toggle(Row.RIGHT)
    before = opened.area.width()
    assert before > wide
    press(opened, Key.Key_End, RESIZE)
    assert opened.area.width() == before + 40
    assert reported(opened) == f"The editor is {before + 40} pixels wide."


@pytest.mark.parametrize(("title", "key"), [("Preview", Key.Key_Up), ("Problems", Key.Key_End)])
def test_a_message_explains_that_there_is_no_space(opened: Window, title: str, key: Qt.Key) -> None:
    enter(opened, title)
    press(opened, key, RESIZE)
    assert "no pane next to it" in reported(opened)


def test_sizes_are_restored_after_a_restart(qtbot: QtBot, settings: Settings, appearance: Appearance) -> None:
    def start() -> Window:
        window = Window(Session(settings, Engine), appearance)
        qtbot.addWidget(window, before_close_func=close_documents)
        make_bench(window)
        with qtbot.waitExposed(window):
            window.show()
        return window

    first = start()
    first.resize(1280, 700)
    with qtbot.waitActive(first):
        first.activateWindow()
    row = enter(first, "Types")
    before = row.width()
    press(first, Key.Key_End, RESIZE)
    assert row.width() == before + 40
    qtbot.waitUntil(lambda: bool(settings.layout))  # even without a regular exit
    first.memory.keep()
    second = start()
    second.resize(1280, 700)
    assert second.sides.rows[Row.LEFT].width() == before + 40
    for window in (first, second):
        window.session.stop()


def test_tabs_are_moved_by_key_and_keep_their_position(qtbot: QtBot, opened: Window, file: Path) -> None:
    other = file.with_name("other.yaml")
    other.write_text("a: 1\n")
    opened.files.open([str(other)])
    names = [opened.area.tabs.tabText(row) for row in range(2)]
    press(opened, Key.Key_PageUp, MOVE)
    assert [opened.area.tabs.tabText(row) for row in range(2)] == names[::-1]
    assert opened.session.current is not None
    assert opened.session.current.path == other
    assert reported(opened) == "other.yaml is tab 1 of 2."
    press(opened, Key.Key_PageUp, MOVE)
    assert reported(opened) == "No tab on that side."
    qtbot.waitUntil(lambda: opened.session.settings.files == [str(other), str(file)])
    press(opened, Key.Key_PageDown, MOVE)
    assert [opened.area.tabs.tabText(row) for row in range(2)] == names


def test_palette_lists_the_commands_with_their_shortcuts(opened: Window) -> None:
    opened.actions_by_name["shortcuts"].trigger()
    bench(opened).picker.search.setText("make pane")
    rows = [str(index.data(Qt.ItemDataRole.AccessibleTextRole)) for index in bench(opened).picker.model.indexes()]
    assert len(rows) == 4
    assert any("Alt+Shift+End" in row for row in rows)
    bench(opened).picker.search.setText("move tab")
    assert len(list(bench(opened).picker.model.indexes())) == 3
    bench(opened).picker.hide()
    [menu] = [one for one in opened.findChildren(QMenu) if one.accessibleName() == "Layout"]
    assert len(menu.actions()) == 14


@pytest.mark.parametrize(("height", "most"), [(540, 200), (1000, 290)])
def test_lower_panes_leave_most_of_a_low_window_to_the_editor(
    qtbot: QtBot, session: Session, appearance: Appearance, height: int, most: int
) -> None:
    window = Window(session, appearance)
    qtbot.addWidget(window, before_close_func=close_documents)
    window.resize(960, height)
    window.show()
    assert 0 < window.sides.rows[Row.BOTTOM].height() <= most
