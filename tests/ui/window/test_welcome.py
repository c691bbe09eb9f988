"""The welcome page of an empty window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.window.welcome import Welcome
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.session import Session
from tests.ui.bench import bench


def page_of(window: Window) -> Welcome:
    found = window.area.findChild(Welcome)
    assert found
    return found


def test_welcome_page_has_commands_and_enter_runs_one(qtbot: QtBot, window: Window, session: Session) -> None:
    window.activateWindow()
    qtbot.waitActive(window)
    page = page_of(window)
    assert [index.data() for index in page.model.indexes()] == [
        *("Open", "New Template", "Open Folder", "Open Sample Template", "First Steps", "Command Palette")
    ]
    window.area.setFocus()
    qtbot.waitUntil(page.view.hasFocus)
    for _ in range(3):
        QTest.keyClick(page.view, Qt.Key.Key_Down)
    QTest.keyClick(page.view, Qt.Key.Key_Return)
    assert session.current
    assert session.current.title == "web-server.yaml"
    assert not page.isVisible()
    editor = window.area.editor
    assert editor
    qtbot.waitUntil(editor.editor.hasFocus)


def test_welcome_page_takes_the_focus_of_the_area(qtbot: QtBot, session: Session, appearance: Appearance) -> None:
    window = Window(session, appearance)
    qtbot.addWidget(window)
    window.show()
    assert window.area.isAncestorOf(window.focusWidget())
    window.prepare_welcome()
    assert window.focusWidget() is page_of(window).view


def test_welcome_page_lists_recent_files(window: Window, session: Session, file: Path) -> None:
    window.files.open([str(file)])
    assert session.current
    session.close(session.current)
    page = page_of(window)
    assert page.isVisible()
    assert bench(window).problems.empty.accessibleName() == "Problems appear here"
    last = list(page.model.indexes())[-1]
    assert last.data() == file.name
    page.view.activated.emit(last)
    assert session.current
    assert session.current.path == file


def test_first_file_after_a_folder_has_a_tab(qtbot: QtBot, window: Window, session: Session, file: Path) -> None:
    window.files.open([str(file.parent)])
    qtbot.waitUntil(lambda: session.root == file.parent)
    QApplication.processEvents()
    window.files.open([str(file)])
    QApplication.processEvents()
    assert window.area.groups.active.tabs.height() > 0
