"""The line and the table of what an update takes of the quota, offline and with a cloud."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from heatstudio.ui.preview.verdict import DemandView
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.tree_model import CELL_ROLE
from heatstudio.update.plan.capacity import Capacity, Quota, Shortage
from tests.update.plan.test_capacity import CLOUD
from tests.update.plan.test_demand_table import group, plan, scaling, server, volume


@pytest.fixture
def view(qtbot: QtBot, appearance: Appearance) -> DemandView:
    view = DemandView(appearance, (0, 0, 0, 0))
    qtbot.addWidget(view)
    return view


def shown(view: DemandView) -> list[list[str]]:
    """Return the header and the rows of the visible columns."""
    columns = [at for at in range(view.model.columnCount()) if not view.table.isColumnHidden(at)]
    header = [str(view.model.headerData(at, Qt.Orientation.Horizontal)) for at in columns]
    every = (view.model.index(row, 0) for row in range(view.model.rowCount()))
    rows = [row for row in every if not isinstance(view.model.value(row), str)]
    return [header, *([str(row.siblingAtColumn(at).data()) for at in columns] for row in rows)]


def test_nothing_is_shown_for_an_update_that_takes_nothing(view: DemandView) -> None:
    assert view.show_demand(plan({}, {"v": {"type": "OS::Heat::Value", "properties": {"value": 1}}}), None) == []
    assert view.isHidden()


def test_line_opens_into_a_table(view: DemandView) -> None:
    assert view.show_demand(plan({}, {"v": volume(10), "w": volume(5)}), None) == []
    view.show()
    assert view.sentence == "Adds 2 volumes, 15 GiB of volumes."
    assert view.table.isHidden()
    view.toggle.setFocus()
    QTest.keyClick(view.toggle, Qt.Key.Key_Space)
    assert view.table.isVisible()
    assert shown(view) == [["Quota", "Adds"], ["Volumes", "2"], ["GiB of volumes", "15"]]
    sizes = view.model.index(1, 0)
    assert [view.model.index(row, 0, sizes).data() for row in range(view.model.rowCount(sizes))] == ["v", "w"]


def test_table_follows_the_size_of_all_texts(view: DemandView, appearance: Appearance) -> None:
    view.show_demand(plan({}, {"v": volume(10)}), None)
    before = view.table.header().height(), view.table.maximumHeight(), view.table.header().sectionSize(1)
    appearance.scale(200)
    assert view.table.header().sectionSize(1) > before[2]
    appearance.scale(100)
    assert (view.table.header().height(), view.table.maximumHeight(), view.table.header().sectionSize(1)) == before


def test_columns_appear_where_they_say_more(view: DemandView) -> None:
    update = plan({"v": volume(10)}, {"w": volume(4), "g": scaling(1, 3, volume(1))})
    view.show_demand(update, None)
    assert shown(view) == [
        ["Quota", "Adds", "Removes", "Peak", "End", "Scaled"],
        ["Volumes", "2", "1", "1 to 2", "+1", "+3"],
        ["GiB of volumes", "5", "10", "0 to 5", "-5", "-3"],
    ]
    view.show()
    view.resize(240, 300)
    assert shown(view)[0] == ["Quota", "Adds", "Removes", "Peak", "End"]


def test_shortage_is_said_and_marked(view: DemandView) -> None:
    found = view.show_demand(plan({}, {"g": group(2, server("large"))}), CLOUD)
    assert found == [Shortage("12 cores left, 16 needed by `g`.", certain=True)]
    assert view._reasons.accessibleName().split("\n")[0] == "12 cores left, 16 needed by g."
    assert [row[-1] for row in shown(view)] == ["Left", "2", "12", "unknown", "unknown"]
    accents = {index.data(): index.data(CELL_ROLE).accent for index in view.model.indexes()}
    assert (accents["Servers"], accents["Cores"]) == ("text", "error")


def test_unchecked_quotas_are_named(view: DemandView) -> None:
    cloud = Capacity("lab", {"volumes": Quota(-1, 0)}, failures={"block_storage": "access is denied"})
    assert view.show_demand(plan({}, {"v": volume(10)}), cloud) == []
    assert view._reasons.accessibleName() == "Not checked: GiB of volumes. Cinder: access is denied."
    assert shown(view)[1:] == [["Volumes", "1", "no limit"], ["GiB of volumes", "10", "unknown"]]


def test_further_reasons_are_counted_until_the_table_is_opened(view: DemandView) -> None:
    view.show_demand(plan({}, {f"s{at}": server("large", image="old") for at in range(6)}), CLOUD)
    assert view._reasons.accessibleName().split("\n") == [
        "s0: image old is deactivated, not active.",
        "s1: image old is deactivated, not active.",
        "And 8 more reasons.",
    ]
    view.toggle.click()
    assert view._reasons.accessibleName() == ""
    rows = [str(view.model.index(row, 0).data()) for row in range(10)]
    assert rows[5] == "`s5`: image `old` is deactivated, not active."
    assert rows[6] == "2 servers left, 6 needed by `s0`, `s1`, `s2` and 3 more."
    assert view.table.isFirstColumnSpanned(6, view.table.rootIndex())
