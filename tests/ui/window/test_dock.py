"""Dock titles are visible if no tab shows the pane's name, and are created when they are first visible."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QToolButton
from pytestqt.qtbot import QtBot

from heatstudio.ui.window.dock import TITLE_HEIGHT, Dock, DockTitle
from heatstudio.ui.window.dock_space import DockSpace
from heatstudio.ui.window.window import Window


def title_of(dock: Dock) -> DockTitle:
    title = dock.titleBarWidget()
    assert isinstance(title, DockTitle)
    return title


def test_title_is_visible_without_tabs(window: Window) -> None:
    outline, types = title_of(window.docks.outline), title_of(window.docks.types)
    assert (outline.height(), types.height()) == (TITLE_HEIGHT, 0)
    button = outline.findChild(QToolButton)
    assert button
    button.click()
    assert window.docks.outline.isHidden()


def test_title_is_created_when_the_other_tabs_are_closed(qtbot: QtBot, window: Window) -> None:
    graph = title_of(window.docks.graph)
    assert graph.layout() is None
    window.docks.graph.unfold()
    assert graph.layout() is None
    for dock in window.docks.docks:
        if dock is not window.docks.graph:
            dock.hide()
    qtbot.waitUntil(lambda: graph.height() == TITLE_HEIGHT)
    assert graph.findChild(QToolButton)


def test_shrunk_panes_are_restored_unless_the_user_resized_them(qtbot: QtBot, window: Window) -> None:
    types, preview = window.docks.types, window.docks.preview
    window.resize(1280, 800)
    QApplication.processEvents()
    wide = types.width(), preview.width()
    for width in (1000, 700, 900):
        window.resize(width, 800)
        QApplication.processEvents()
    assert types.width() < wide[0]
    assert preview.width() < wide[1]
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: (types.width(), preview.width()) == wide)
    window.resize(900, 800)
    QApplication.processEvents()
    window.resizeDocks([types], [220], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: types.width() == 220)
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: preview.width() == wide[1])
    assert types.width() == 220


@pytest.mark.parametrize("command", ["show-types", "left", "only-text"])
def test_editor_gets_the_focus_when_a_pane_is_closed(qtbot: QtBot, real: Window, sample: str, command: str) -> None:
    real.session.new(sample)
    real.activateWindow()
    qtbot.waitActive(real)
    real.docks.types.reveal()
    qtbot.waitUntil(lambda: real.docks.types.isAncestorOf(QApplication.focusWidget() or real))
    real.actions_by_name[command].trigger()
    assert real.docks.types.isHidden()
    assert real.area.editor
    qtbot.waitUntil(real.area.editor.editor.hasFocus)


def test_panes_at_the_sides_grow_with_the_window(qtbot: QtBot, window: Window) -> None:
    types, preview = window.docks.types, window.docks.preview
    widths = []
    for width in (1280, 1920, 1280):
        window.resize(width, 800)
        QApplication.processEvents()
        widths.append((types.width(), preview.width()))
    assert widths[0] == widths[2]
    assert widths[1][0] >= widths[0][0] + 100
    assert widths[1][1] >= widths[0][1] + 100


def test_dock_outside_the_layout_is_not_resized(qtbot: QtBot) -> None:
    """Qt would log a warning about such a dock, which fails the test."""
    window = QMainWindow()
    qtbot.addWidget(window)
    window.resize(600, 400)
    dock = QDockWidget("One", window)
    room = DockSpace(dock, 0.9)
    window.show()
    dock.show()
    room.take()
    assert window.dockWidgetArea(dock) == Qt.DockWidgetArea.NoDockWidgetArea
