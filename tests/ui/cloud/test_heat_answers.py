"""Rows for the answers of a cloud."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from heatstudio.cloud.events import OperationProgress, StackEvent, StackPage
from heatstudio.ui.cloud.heat_answers import MOST_EVENTS, AnswerRow, page_rows, progress_rows
from heatstudio.ui.cloud.heat_pane import HeatPane
from heatstudio.ui.widgets.appearance import Appearance
from tests.ui.fake_cloud import stack_facts


def test_older_failures_are_shown_above_the_latest_events() -> None:
    failed = StackEvent("0", "", "port", "CREATE_FAILED", "No address is left.")
    later = [StackEvent(str(number), "", f"server-{number}", "CREATE_COMPLETE", "") for number in range(1, 20_000)]
    events = (failed, *later)
    rows = progress_rows(OperationProgress().after(events), events)
    assert [row.text for row in rows] == ["port", *(one.resource for one in later[-MOST_EVENTS:])]
    assert rows[0].explanation == "No address is left."
    assert [row.text for row in progress_rows(OperationProgress().after(events[:2]), events[:2])] == [
        "port",
        "server-1",
    ]


def test_times_of_a_stack_are_shown_in_words() -> None:
    status = page_rows(StackPage(stack_facts("web-tier"), (), ()), ())[0]
    times = {row.text: row.detail for row in status.below}
    assert times["Created"] == "2026-03-02 09:30:00 UTC"
    assert times["Updated"] == "2026-03-04 16:05:12 UTC"


def test_cause_of_a_failure_is_said_once() -> None:
    nested = {"rel": "nested", "href": "http://heat/v1/p/stacks/database-inner/2"}
    reason = "this port is in use by another device"
    resources = (
        {"resource_name": "owner", "resource_status": "CREATE_FAILED", "links": [nested, _stack("database", "1")]},
        {"resource_name": "port", "resource_status": "CREATE_FAILED", "links": [_stack("database-inner", "2")]},
    )
    failed = tuple({**one, "resource_status_reason": reason} for one in resources)
    rows = page_rows(StackPage({**stack_facts("database"), "description": "No description"}, failed, ()), ())
    assert [row.text for row in rows[:2]] == [f"owner / port: {reason}", "create failed"]
    assert {row.text for row in rows[1].below}.isdisjoint({"Reason", "Description"})
    below = {row.text: row.explanation for row in rows[-1].below}
    assert below == {"owner": "", "port": reason}


def _stack(name: str, identity: str) -> dict[str, str]:
    return {"rel": "stack", "href": f"http://heat/v1/p/stacks/{name}/{identity}"}


def test_result_starts_at_the_top_and_events_end_at_the_bottom(qtbot: QtBot, appearance: Appearance) -> None:
    pane = HeatPane(appearance)
    qtbot.addWidget(pane)
    pane.resize(300, 200)
    pane.show()
    rows = [AnswerRow(f"row {number}") for number in range(50)]
    pane.follow("web in progress", rows, 1, 50)
    bar = pane.view.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    pane.say("web in lab", rows)
    assert bar.value() == 0
    pane.grab()
    assert bar.value() == 0


def test_page_of_a_failed_stack_begins_with_the_cause() -> None:
    failed = {
        "resource_name": "port",
        "resource_type": "OS::Neutron::Port",
        "resource_status": "CREATE_FAILED",
        "resource_status_reason": "Conflict: No more IP addresses available on network n.",
    }
    cause, status, *_ = page_rows(StackPage(stack_facts("database"), (failed,), ()), ())
    assert (cause.text, cause.resource) == ("port: The subnet has no free address.", "port")
    assert "allocation pools" in cause.explanation
    assert [row.text for row in cause.below] == ["Conflict: No more IP addresses available on network n."]
    assert status.text == "create failed"
    unknown = {**failed, "resource_status_reason": "It was a strange day."}
    assert page_rows(StackPage(stack_facts("database"), (unknown,), ()), ())[0].text == "port: It was a strange day."
