"""Notices of cloud operations stay visible until they are dismissed."""

from __future__ import annotations

from math import ceil

import pytest
from PySide6.QtWidgets import QAbstractButton, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from heatstudio.cloud.events import OperationProgress, StackEvent
from heatstudio.cloud.stacks import StackSummary
from heatstudio.text import Severity
from heatstudio.ui.cloud.notices import NoticesModel, NoticesView
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.row_delegate import RowDelegate
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import CELL_ROLE
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench
from tests.ui.cloud_screens import connected

SUCCESS = ("check", Color.ADDED)


def test_error_stays_after_a_refresh_and_in_another_document(real: Window) -> None:
    real.session.new("heat_template_version: 2021-04-16\n")
    bench(real).cloud.link.failed.emit("Heat failed.")
    bench(real).cloud.link.changed.emit()
    real.session.new("heat_template_version: 2018-08-31\n")
    assert real.area.banner.sentence == "Heat failed."
    assert real.area.banner._notice.severity is Severity.ERROR
    assert [bench(real).cloud.notices.data(index) for index in bench(real).cloud.notices.indexes()] == ["Heat failed."]


def test_failure_is_said_once_in_the_pane_that_is_seen(qtbot: QtBot, real: Window) -> None:
    with qtbot.waitExposed(real):
        real.show()
    real.sides.show_pane("Cloud")
    bench(real).cloud.link.failed.emit("Install openstacksdk.")
    assert bench(real).cloud.stacks.words.text() == "Install openstacksdk."
    assert list(bench(real).cloud.notices.indexes()) == []
    assert real.area.banner.sentence == ""


def test_notices_are_dismissed_one_by_one_or_all_at_once() -> None:
    model = NoticesModel()
    for words in ("first", "second", "third"):
        model.add(words, SUCCESS)
    assert [model.data(index) for index in model.indexes()] == ["third", "second", "first"]
    model.dismiss(model.value(model.index(1, 0)))
    assert [model.data(index) for index in model.indexes()] == ["third", "first"]
    model.dismiss(None)
    assert model.rowCount() == 0


def test_buttons_clear_one_notice_or_all(qtbot: QtBot, appearance: Appearance) -> None:
    model = NoticesModel()
    view = NoticesView(model, appearance)
    qtbot.addWidget(view)
    for words in ("first", "second", "third"):
        model.add(words, SUCCESS)
    one, all_of_them = view.findChildren(QAbstractButton)
    assert (one.accessibleName(), all_of_them.text()) == ("Clear notice (Delete)", "Clear All")
    one.click()
    assert [model.data(index) for index in model.indexes()] == ["second", "first"]
    all_of_them.click()
    assert model.rowCount() == 0
    assert view.isHidden()


def test_rows_are_as_high_as_their_text_so_that_the_icon_is_beside_the_first_line(
    qtbot: QtBot, appearance: Appearance
) -> None:
    model = NoticesModel()
    view = NoticesView(model, appearance)
    qtbot.addWidget(view)
    model.add("Heat in `lab` is unavailable (HTTP 503). Try again in a minute.", SUCCESS)
    delegate, option = view.view.itemDelegate(), QStyleOptionViewItem()
    assert isinstance(delegate, RowDelegate)
    option.font = view.view.font()
    view.show()
    for width in range(150, 400, 10):
        view.resize(width, 150)
        view.grab()
        row = view.view.visualRect(model.index(0, 0))
        beside_icon = row.width() - 4 - 16 - 8 - 8
        text = delegate._text(option, model.index(0, 0).data(CELL_ROLE), beside_icon)
        assert row.height() == max(24, ceil(text.height) + 6), width


@pytest.mark.parametrize(
    ("status", "icon"),
    [("UPDATE_COMPLETE", "check"), ("ROLLBACK_COMPLETE", "severity-warning"), ("CREATE_FAILED", "severity-error")],
)
def test_end_of_an_operation_has_the_icon_of_its_status(real: Window, status: str, icon: str) -> None:
    real.session.new("heat_template_version: 2021-04-16\n")
    event = StackEvent("1", "", "web", status, "", about_stack=True)
    with connected(real):
        progress = OperationProgress().after((event,))
        bench(real).cloud.events.ended.emit(StackSummary("web", "1", status), progress, (event,))
        shown = bench(real).cloud.notices.index(0, 0).data(CELL_ROLE).icon
        assert shown[0] == icon
