"""Panes are resized and tabs are moved by key, and both are remembered."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.window.dock import Dock
from heatstudio.ui.window.pane_docks import RIGHT
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.session import Session
from tests.ui.bench import bench, make_bench
from tests.ui.conftest import close_documents
from tests.ui.fake_engine import FakeEngine

Key, Modifier = Qt.Key, Qt.KeyboardModifier
RESIZE = Modifier.AltModifier | Modifier.ShiftModifier
MOVE = Modifier.ControlModifier | Modifier.ShiftModifier


@pytest.fixture
def opened(qtbot: QtBot, window: Window, file: Path) -> Window:
    """Open a file in a window that is large enough for all panes."""
    window.resize(780, 700)
    window.files.open([str(file)])
    with qtbot.waitActive(window):
        window.activateWindow()
    return window


def press(window: Window, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
    QTest.keyClick(window.focusWidget() or window, key, modifiers)


def enter(qtbot: QtBot, dock: Dock) -> None:
    content = dock.widget()
    assert isinstance(content, QWidget)
    dock.unfold()
    content.setFocus()
    qtbot.waitUntil(lambda: content.isAncestorOf(content.window().focusWidget() or content.window()))


def dock_of(window: Window, title: str) -> Dock:
    return next(dock for dock in window.docks.docks if dock.windowTitle() == title)


def reported(window: Window) -> str:
    return window.statusBar().currentMessage()


@pytest.mark.parametrize("title", ["Types", "Preview"])
def test_pane_with_the_focus_gets_wider_and_narrower(qtbot: QtBot, opened: Window, title: str) -> None:
    dock = dock_of(opened, title)
    enter(qtbot, dock)
    before = dock.width()
    press(opened, Key.Key_End, RESIZE)
    qtbot.waitUntil(lambda: dock.width() == before + 40)
    qtbot.waitUntil(lambda: reported(opened) == f"{title} is {before + 40} pixels wide.")
    press(opened, Key.Key_Home, RESIZE)
    qtbot.waitUntil(lambda: dock.width() == before)


@pytest.mark.parametrize("title", ["Problems", "Types", "Outline"])
def test_pane_with_the_focus_gets_taller_and_shorter(qtbot: QtBot, opened: Window, title: str) -> None:
    dock = dock_of(opened, title)
    enter(qtbot, dock)
    before = dock.height()
    press(opened, Key.Key_Up, RESIZE)
    qtbot.waitUntil(lambda: dock.height() == before + 40)
    press(opened, Key.Key_Down, RESIZE)
    qtbot.waitUntil(lambda: dock.height() == before)


def test_editor_grows_while_the_panes_shrink(qtbot: QtBot, opened: Window) -> None:
    opened.area.setFocus()
    wide, high = opened.area.width(), opened.area.height()
    enter(qtbot, opened.docks.types)
    press(opened, Key.Key_End, RESIZE)
    qtbot.waitUntil(lambda: opened.area.width() == wide - 40)
    enter(qtbot, opened.docks.problems)
    press(opened, Key.Key_Up, RESIZE)
    qtbot.waitUntil(lambda: opened.area.height() == high - 40)
    opened.area.setFocus()
    press(opened, Key.Key_Up, RESIZE)
    qtbot.waitUntil(lambda: opened.area.height() == high)
    opened.docks.fold(RIGHT)
    qtbot.waitUntil(lambda: opened.area.width() > wide)
    before = opened.area.width()
    press(opened, Key.Key_End, RESIZE)
    qtbot.waitUntil(lambda: opened.area.width() == before + 40)
    assert reported(opened) == f"The editor is {before + 40} pixels wide."


def test_a_message_explains_that_there_is_no_space(qtbot: QtBot, opened: Window) -> None:
    enter(qtbot, opened.docks.preview)
    press(opened, Key.Key_Up, RESIZE)
    qtbot.waitUntil(lambda: "no pane next to it" in reported(opened))


def test_sizes_are_restored_after_a_restart(qtbot: QtBot, settings: Settings, appearance: Appearance) -> None:
    def start() -> Window:
        window = Window(Session(settings, FakeEngine), appearance)
        qtbot.addWidget(window, before_close_func=close_documents)
        make_bench(window)
        with qtbot.waitExposed(window):
            window.show()
        return window

    first = start()
    first.resize(780, 700)
    with qtbot.waitActive(first):
        first.activateWindow()
    enter(qtbot, first.docks.types)
    before = first.docks.types.width()
    press(first, Key.Key_End, RESIZE)
    qtbot.waitUntil(lambda: first.docks.types.width() == before + 40)
    qtbot.waitUntil(lambda: not settings.docks.isEmpty())  # even without a regular exit
    first.memory.keep()
    second = start()
    qtbot.waitUntil(lambda: second.docks.types.width() == before + 40)
    second.resize(700, 700)
    qtbot.waitUntil(lambda: second.docks.types.width() < before)
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
    assert len(list(bench(opened).picker.model.indexes())) == 2
    bench(opened).picker.hide()
    [menu] = [one for one in opened.findChildren(QMenu) if one.accessibleName() == "Pane Sizes and Tabs"]
    assert len(menu.actions()) == 6


@pytest.mark.parametrize(("height", "most"), [(540, 200), (1000, 290)])
def test_lower_panes_leave_most_of_a_low_window_to_the_editor(
    qtbot: QtBot, session: Session, appearance: Appearance, height: int, most: int
) -> None:
    window = Window(session, appearance)
    qtbot.addWidget(window, before_close_func=close_documents)
    window.resize(960, height)
    window.show()
    qtbot.waitUntil(lambda: 0 < window.docks.problems.height() <= most)
