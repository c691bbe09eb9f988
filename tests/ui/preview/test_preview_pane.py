"""The update preview: totals that are said once, count each kind, filter, and give way where there is little room."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QToolButton
from pytestqt.qtbot import QtBot

from heatstudio.stack.update.reason import Reason
from heatstudio.stack.update.update_plan import Action, Cause, ResourceChange, UpdatePlan
from heatstudio.ui.appearance import Appearance
from heatstudio.ui.outcome import Outcome
from heatstudio.ui.preview import PreviewPane
from heatstudio.ui.session import Session
from tests.ui.fake_engine import FakeEngine

Show = Callable[..., None]
ShowPlan = Callable[..., None]


@pytest.fixture
def pane(qtbot: QtBot, session: Session, appearance: Appearance) -> PreviewPane:
    pane = PreviewPane(session, appearance)
    qtbot.addWidget(pane)
    pane.resize(330, 500)
    pane.show()
    session.start()
    return pane


@pytest.fixture
def show(show_plan: ShowPlan) -> Show:
    def show(*actions: Action) -> None:
        show_plan(*(ResourceChange(f"r{at}", "OS::Heat::Value", action) for at, action in enumerate(actions)))

    return show


@pytest.fixture
def show_plan(qtbot: QtBot, pane: PreviewPane, session: Session, engine: FakeEngine) -> ShowPlan:
    def show(*changes: ResourceChange) -> None:
        engine.plan = lambda _old, _new: UpdatePlan(changes)
        with qtbot.waitSignal(session.plan_changed):
            session.new(f"# {changes}\n")
        qtbot.waitUntil(lambda: pane.plan is not None and pane.plan.changes == changes)
        pane.refresh()

    return show


def chips(pane: PreviewPane) -> list[str]:
    """What the totals say, in the order of the screen."""
    shown = [chip for chip in pane._filters.findChildren(QToolButton) if chip.isVisible()]
    return [chip.text() for chip in sorted(shown, key=lambda chip: (chip.y(), chip.x()))]


def test_totals_are_said_once_and_each_kind_that_there_is_separately(pane: PreviewPane, show: Show) -> None:
    show(Action.UPDATED, Action.REPLACED, Action.REPLACED, Action.ADDED, Action.UNCHANGED)
    assert chips(pane) == ["2 to replace", "1 in place", "1 to add", "1 unchanged"]
    labels = [label.text() for label in pane.findChildren(QLabel) if label.isVisible()]
    assert labels == ["Against"]
    assert pane._filters.accessibleDescription() == pane.totals
    assert pane.totals == "1 to add · 1 in place · 2 to replace · 0 to delete · 0 not supported"


def test_what_happens_inside_is_counted(pane: PreviewPane, show_plan: ShowPlan) -> None:
    members = [ResourceChange(str(at), "OS::Nova::Server", Action.REPLACED) for at in range(3)]
    group = ResourceChange("group", "OS::Heat::ResourceGroup", Action.UPDATED, members=tuple(members))
    show_plan(group)
    assert chips(pane) == ["3 to replace inside", "1 in place"]
    assert pane.totals == "0 to add · 1 in place · 3 to replace inside · 0 to delete · 0 not supported"
    pane._outcomes[Outcome.UPDATED].click()
    assert pane.model.index(0, 0).data() == "group", "the group stays as long as something in it is shown"
    pane._outcomes[Outcome.REPLACED].click()
    assert pane.model.rowCount() == 0
    show_plan(group, members[0])
    assert chips(pane)[0] == "1 to replace, 3 more inside"
    pane.resize(260, 120)
    assert chips(pane) == ["4", "1"]


def test_an_untouched_nested_template_is_not_in_place(pane: PreviewPane, show_plan: ShowPlan) -> None:
    show_plan(
        ResourceChange("kid", "child.yaml", Action.UPDATED, members=(ResourceChange("v", "V", Action.UNCHANGED),))
    )
    assert chips(pane) == ["1 without effect"]
    assert "0 in place" in pane.totals


def test_each_property_says_what_it_changes_because_of(pane: PreviewPane, show_plan: ShowPlan) -> None:
    because = (Reason("parameter `p` changed"), Reason("condition `c` changed"))
    causes = tuple(Cause(name, 1, 2, Action.UPDATED, because=because[:1]) for name in ("image", "user_data"))
    show_plan(ResourceChange("server", "OS::Nova::Server", Action.UPDATED, causes=causes, because=because))
    assert [index.data() for index in pane.model.indexes()] == [
        "server",
        "image: 1 → 2",
        "Parameter `p` changed",
        "user_data: 1 → 2",
        "Parameter `p` changed",
        "Condition `c` changed",
    ]


def test_a_total_shows_and_hides_its_rows(pane: PreviewPane, show: Show) -> None:
    show(Action.UPDATED, Action.REPLACED, Action.UNCHANGED)
    assert pane.model.rowCount() == 2
    chip = pane._outcomes[Outcome.REPLACED]
    chip.setFocus()
    QTest.keyClick(chip, Qt.Key.Key_Space)
    assert [pane.model.index(row, 0).data() for row in range(pane.model.rowCount())] == ["r0"]
    assert chip.accessibleName() == "1 to replace; show or hide them"
    pane._outcomes[Outcome.UNCHANGED].click()
    assert [pane.model.index(row, 0).data() for row in range(pane.model.rowCount())] == ["r0", "r2"]


def test_words_give_way_to_the_rows_where_there_is_little_room(pane: PreviewPane, show: Show) -> None:
    show(*(action for action in Action if action is not Action.UNCHANGED))
    words = chips(pane)
    assert "1 not supported" in words
    assert len(words) == 5
    for width, height, seen in ((260, 120, ["1"] * 5), (330, 500, words)):
        pane.resize(width, height)
        assert chips(pane) == seen


@pytest.mark.parametrize("width", [260, 330, 900])
def test_every_total_has_room(qtbot: QtBot, pane: PreviewPane, show: Show, width: int) -> None:
    show(*Action, *[Action.ADDED] * 1200)
    pane.resize(width, 700)
    filters = pane._filters
    qtbot.waitUntil(lambda: filters.height() == filters.heightForWidth(filters.width()) > 20)
    buttons = [chip for chip in pane._filters.findChildren(QToolButton) if chip.isVisible()]
    assert len(buttons) == len(Action)
    for at, button in enumerate(buttons):
        assert button.size() == button.sizeHint()
        assert filters.rect().contains(button.geometry())
        assert not any(button.geometry().intersects(other.geometry()) for other in buttons[at + 1 :])
