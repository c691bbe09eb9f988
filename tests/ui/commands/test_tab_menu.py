"""Tabs: closing with the middle mouse button, and the context menu."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox

from heatstudio.ui.window.window import Window


@pytest.fixture
def opened(window: Window, tmp_path: Path) -> Window:
    for name in "abc":
        (tmp_path / f"{name}.yaml").write_text("# x\n", encoding="utf-8")
        window.files.open([str(tmp_path / f"{name}.yaml")])
    return window


def titles(window: Window) -> list[str]:
    return [document.title for document in window.session.documents]


def entries(window: Window, row: int, *, by_key: bool = False) -> dict[str, QAction]:
    tabs = window.area.tabs
    place = tabs.tabRect(row).center()
    reason = QContextMenuEvent.Reason.Keyboard if by_key else QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(tabs, QContextMenuEvent(reason, place, tabs.mapToGlobal(place)))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    menu.hide()
    return {action.text().replace("&", ""): action for action in menu.actions()}


def test_the_middle_button_closes_a_tab(opened: Window) -> None:
    tabs = opened.area.tabs
    QTest.mouseClick(tabs, Qt.MouseButton.MiddleButton, pos=tabs.tabRect(1).center())
    assert titles(opened) == ["a.yaml", "c.yaml"]


def test_the_menu_closes_the_tab_or_the_others(opened: Window) -> None:
    entries(opened, 0)["Close Others"].trigger()
    assert titles(opened) == ["a.yaml"]
    found = entries(opened, 0, by_key=True)
    assert not found["Close Others"].isEnabled()
    found["Copy Path"].trigger()
    assert QApplication.clipboard().text() == str(opened.session.documents[0].path)
    found["Close"].trigger()
    assert titles(opened) == []


def test_unsaved_changes_are_confirmed_before_tabs_are_closed(opened: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    editor = opened.area.editor
    assert editor is not None
    editor.editor.insertPlainText("x")
    monkeypatch.setattr(QMessageBox, "exec", lambda *_: QMessageBox.StandardButton.Cancel)
    entries(opened, 0)["Close All"].trigger()
    assert titles(opened) == ["a.yaml", "b.yaml", "c.yaml"]
