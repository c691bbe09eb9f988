"""Check boxes in a list, in every theme."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem
from pytestqt.qtbot import QtBot

from heatstudio.ui.widgets.appearance import Appearance, Scheme
from heatstudio.ui.widgets.check_box import TickDelegate
from heatstudio.ui.widgets.row_delegate import style_rows
from heatstudio.ui.widgets.theme import Color


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK, Scheme.HIGH_CONTRAST])
@pytest.mark.parametrize("state", [Qt.CheckState.Checked, Qt.CheckState.PartiallyChecked, Qt.CheckState.Unchecked])
def test_border_of_a_box_is_visible(qtbot: QtBot, appearance: Appearance, scheme: Scheme, state: Qt.CheckState) -> None:
    view = QListWidget()
    qtbot.addWidget(view)
    style_rows(view, "Files")
    view.setItemDelegate(TickDelegate(view))
    item = QListWidgetItem("one.yaml")
    item.setCheckState(state)
    view.addItem(item)
    appearance.choose(scheme)
    view.show()
    edge = Color.MUTED if state is Qt.CheckState.Unchecked else Color.ACCENT
    wanted = appearance.theme.color(edge).rgb()
    row = view.visualItemRect(item)
    image = view.viewport().grab(row.adjusted(0, 0, 28 - row.width(), 0)).toImage()
    seen = sum(image.pixel(x, y) == wanted for x in range(image.width()) for y in range(image.height()))
    assert seen >= 16, "four edges, but for their corners"
    assert row.height() >= 24
