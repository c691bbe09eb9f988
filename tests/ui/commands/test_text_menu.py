"""The context menu of the editor, with the real engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from heatstudio.text import Span
from heatstudio.ui.documents.document import Document
from heatstudio.ui.window.window import Window

TEXT = """heat_template_version: 2021-04-16
parameters:
  size: {type: string}
resources:
  a:
    type: OS::Heat::Value
    properties:
      value: {get_param: size}
  b:
    type: OS::Heat::Value
    properties: {valu: long}
"""


@pytest.fixture
def opened(qtbot: QtBot, real: Window, tmp_path: Path) -> Window:
    file = tmp_path / "a.yaml"
    file.write_text(TEXT, encoding="utf-8")
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    real.activateWindow()
    return real


def menu_at(window: Window, words: str, *, keyboard: bool = False, past: int = 1) -> QMenu:
    """Open the context menu at some words by right click, or by key with the cursor there."""
    pane = window.area.editor
    assert pane is not None
    editor, offset = pane.editor, TEXT.index(words) + past
    reason = QContextMenuEvent.Reason.Mouse
    cursor = editor.textCursor()
    cursor.setPosition(offset)
    point = editor.cursorRect(cursor).center()
    if keyboard:
        pane.go_to(Span(offset, offset))
        point, reason = QPoint(1, 1), QContextMenuEvent.Reason.Keyboard
    event = QContextMenuEvent(reason, point, editor.viewport().mapToGlobal(point))
    QApplication.sendEvent(editor.viewport(), event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def enabled(menu: QMenu) -> set[str]:
    return {entry.objectName() for entry in menu.actions() if entry.isEnabled() and not entry.isSeparator()}


def usable(qtbot: QtBot, window: Window, menu: QMenu) -> set[str]:
    """Return the names of the enabled entries after all jobs have ended, and close the menu."""
    qtbot.waitUntil(lambda: not window.session.jobs._running)
    names = enabled(menu)
    menu.close()
    return names


OF_NAMES = {"definition", "references", "rename", "extract"}
ALWAYS = {"fix", "hover", "insert", "select-all", "toggle-comment", "cut", "copy", "paste"}


@pytest.mark.parametrize("keyboard", [False, True])
def test_menu_enables_commands_for_the_position(qtbot: QtBot, opened: Window, *, keyboard: bool) -> None:
    QApplication.clipboard().setText("x")
    for words, names in (
        ("size}", {"definition", "references", "rename", "fold"}),
        ("valu: long", {"explain", "references", "extract", "fold"}),
        ("OS::Heat::Value", {"definition", "references", "fold"}),
        ("heat_template", set()),
        ("resources:", {"fold"}),
    ):
        found = usable(qtbot, opened, menu_at(opened, words, keyboard=keyboard))
        assert found - ALWAYS == names
        assert found >= ALWAYS


def test_entries_show_their_shortcuts_and_run_their_commands(qtbot: QtBot, opened: Window) -> None:
    menu = menu_at(opened, "size}")
    entries = {entry.objectName(): entry for entry in menu.actions()}
    assert entries["definition"].text() == "Go to &Definition\tF12"
    entries["definition"].trigger()
    menu.close()
    pane = opened.area.editor
    assert pane is not None
    qtbot.waitUntil(lambda: pane.selection() == Span(TEXT.index("size:"), TEXT.index("size:") + 4))
    assert opened.actions_by_name["extract"].isEnabled()


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Block the search for references until the event is set."""
    gate = Event()

    def look(*_arguments: object) -> tuple[()]:
        assert gate.wait(10)
        return ()

    monkeypatch.setattr("heatstudio.service.workspace.language_service.references_at", look)
    yield gate
    gate.set()


def test_menu_opens_before_references_are_found(qtbot: QtBot, opened: Window, gate: Event) -> None:
    menu = menu_at(opened, "resources:")
    assert menu.isVisible()
    assert enabled(menu) >= OF_NAMES | {"select-all"}
    gate.set()
    qtbot.waitUntil(lambda: not enabled(menu) & OF_NAMES)
    assert "select-all" in enabled(menu)
    menu.close()


def test_closed_menu_does_not_wait_for_an_answer(qtbot: QtBot, opened: Window, gate: Event) -> None:
    menu = menu_at(opened, "resources:")
    jobs = list(opened.session.jobs._running)
    assert jobs
    menu.close()
    qtbot.waitUntil(lambda: not isValid(menu))
    assert all(job.is_stopped for job in jobs)
    gate.set()
    qtbot.waitUntil(lambda: not opened.session.jobs._running)


def test_menu_of_an_unanalyzed_text_disables_commands_for_names(opened: Window) -> None:
    document = opened.session.current
    assert document is not None
    document.state = None
    menu = menu_at(opened, "size}")
    assert not enabled(menu) & OF_NAMES
    menu.close()


def test_right_click_keeps_the_selection_under_the_mouse(qtbot: QtBot, opened: Window) -> None:
    pane = opened.area.editor
    assert pane is not None
    start = TEXT.index("get_param")
    pane.go_to(Span(start, start + 9))
    menu_at(opened, "get_param", past=4).close()
    assert pane.selection() == Span(start, start + 9)
    menu_at(opened, "resources:").close()
    assert pane.selection().start == pane.selection().end


def test_menu_of_a_read_only_text_disables_changes(
    qtbot: QtBot, opened: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Document, "is_read_only", True)
    assert usable(qtbot, opened, menu_at(opened, "size}")) == {
        "definition",
        "references",
        "hover",
        "copy",
        "select-all",
        "fold",
    }
