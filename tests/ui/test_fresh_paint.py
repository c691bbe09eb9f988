"""The comparison of the screen with a fresh paint."""

from __future__ import annotations

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QGraphicsScene, QGraphicsView
from pytestqt.qtbot import QtBot

from tests.ui.fresh_paint import find_difference


def test_changed_items_of_a_scene_are_painted_before_the_first_picture(qtbot: QtBot) -> None:
    scene = QGraphicsScene()
    item = scene.addRect(0, 0, 50, 50, QColor("red"), QColor("red"))
    view = QGraphicsView(scene)
    qtbot.addWidget(view)
    with qtbot.waitExposed(view):
        view.show()
    QApplication.processEvents()
    item.setBrush(QColor("green"))
    assert find_difference() is None
