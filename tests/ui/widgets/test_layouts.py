"""The flow layout: small widgets in as many rows as the width requires."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QMargins
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QLabel, QListView, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from heatstudio.ui.widgets.layouts import Flow


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    page = QWidget()
    page.setLayout(QVBoxLayout())
    qtbot.addWidget(page)
    return page


@pytest.fixture
def flow(page: QWidget) -> Flow:
    flow = Flow("Words", QMargins(4, 4, 4, 4), 2)
    for word in ("one", "two", "three", "four", "five", "six"):
        label = QLabel()
        label.setAccessibleName(word)
        label.setPixmap(QPixmap(90, 24))
        flow.add(label)
    layout = page.layout()
    assert isinstance(layout, QVBoxLayout)
    layout.addWidget(flow)
    layout.addWidget(QListView(), 1)
    page.resize(900, 400)
    page.show()
    return flow


def tops(flow: Flow) -> list[int]:
    return [label.y() for label in flow.findChildren(QLabel) if label.isVisible()]


def has_rows(flow: Flow, rows: int) -> bool:
    return len(set(tops(flow))) == rows


def test_number_of_rows_follows_the_width(qtbot: QtBot, page: QWidget, flow: Flow) -> None:
    for width, rows in ((900, 1), (260, 3), (900, 1), (260, 3)):
        page.resize(width, 400)
        qtbot.waitUntil(partial(has_rows, flow, rows))
        assert min(tops(flow)) == 4
        assert flow.height() == flow.heightForWidth(flow.width())
        assert all(flow.rect().contains(label.geometry()) for label in flow.findChildren(QLabel))


def test_hidden_widgets_take_no_space(qtbot: QtBot, page: QWidget, flow: Flow) -> None:
    page.resize(260, 400)
    for label in flow.findChildren(QLabel)[2:]:
        label.hide()
    qtbot.waitUntil(lambda: flow.height() == flow.heightForWidth(flow.width()) < 50)
    assert len(set(tops(flow))) == 1


def test_empty_layout_takes_only_its_margins(qtbot: QtBot) -> None:
    empty = Flow("Nothing", QMargins(1, 2, 3, 4), 2)
    qtbot.addWidget(empty)
    assert empty.heightForWidth(100) == 6
