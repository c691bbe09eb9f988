"""A popup over a button."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from heatstudio.ui.widgets.choice_box import choice_box
from heatstudio.ui.widgets.popup import Popup
from tests.ui.fresh_paint import find_difference


@pytest.mark.parametrize("is_choice", [False, True])
def test_button_is_painted_again_when_the_mouse_leaves_it_under_a_popup(qtbot: QtBot, *, is_choice: bool) -> None:
    window = QWidget()
    box = choice_box("Where to fix")
    box.setParent(window)
    box.move(150, 100)
    box.addItem("the open files")
    button = QPushButton("Target release", window)
    button.setMenu(QMenu(button))  # whose buttons the style paints brighter under the mouse
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    popup = Popup(window, Qt.WindowType.Popup)
    popup.fill(QHBoxLayout())
    window.resize(300, 200)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    QCursor.setPos(button.mapToGlobal(QPoint(9, 9)))
    QTest.mouseMove(button)
    assert button.underMouse()
    assert find_difference() is None
    if is_choice:
        box.showPopup()
    else:
        popup.show_beside(QRect(button.mapToGlobal(QPoint(100, 100)), button.size()))
    qtbot.waitUntil(lambda: not button.underMouse())
    assert find_difference() is None
