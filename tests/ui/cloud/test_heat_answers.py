"""Rows for the answers of a cloud."""

from __future__ import annotations

from heatstudio.cloud.events import OperationProgress, StackEvent
from heatstudio.ui.cloud.heat_answers import MOST_EVENTS, progress_rows


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
