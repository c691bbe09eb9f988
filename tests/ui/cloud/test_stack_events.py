"""Following of a stack's events until the action ends, despite temporary errors of the cloud."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.events import OperationProgress
from heatstudio.cloud.stacks import StackSummary
from heatstudio.ui.cloud.cloud_link import CloudLink
from heatstudio.ui.cloud.stack_events import StackEvents
from tests.ui.fake_cloud import FakeConnection

STACK = StackSummary("web", "id-of-web", "UPDATE_IN_PROGRESS")


def event(name: str, status: str) -> Mapping[str, object]:
    identity = "id-of-web" if name == "web" else f"id-of-{name}"
    return {
        "id": f"{name}-{status}",
        "resource_name": name,
        "resource_status": status,
        "physical_resource_id": identity,
    }


class UnsteadyConnection(FakeConnection):
    """A connection that returns its answers for events in order, and no more events afterwards."""

    def __init__(self, *answers: CloudError | list[Mapping[str, object]], status: str = "UPDATE_IN_PROGRESS") -> None:
        super().__init__("lab", "heat_template_version: 2021-04-16\n")
        self._answers = list(answers)
        self._status = status

    def ask(self, method: str, path: str, body: Mapping[str, object] | None = None, **options: Any) -> object:
        if not path.endswith("/events"):
            if not self._status:
                raise CloudError(CloudErrorKind.NOT_FOUND, "Not found.")
            return {"stack": {"stack_name": "web", "id": "id-of-web", "stack_status": self._status}}
        answer = self._answers.pop(0) if self._answers else []
        if isinstance(answer, CloudError):
            raise answer
        return {"events": answer}


def followed(qtbot: QtBot, link: CloudLink, connection: FakeConnection) -> tuple[OperationProgress, list[str]]:
    """Follow the stack to its end; return the progress and the messages of interruptions."""
    link.connection = connection
    events, interruptions = StackEvents(link, poll=0.001), list[str]()
    events.interrupted.connect(lambda _stack, why, _seconds: interruptions.append(why))
    with qtbot.waitSignal(events.ended, timeout=20_000) as ended:
        events.follow(STACK)
    assert ended.args is not None
    return ended.args[1], interruptions


def test_temporary_errors_do_not_stop_following(qtbot: QtBot, link: CloudLink) -> None:
    troubles = (CloudErrorKind.SERVER_FAILED, CloudErrorKind.UNREACHABLE, CloudErrorKind.TOO_MANY_REQUESTS)
    connection = UnsteadyConnection(
        [event("web", "UPDATE_IN_PROGRESS")],
        *(CloudError(trouble, f"{trouble}.") for trouble in troubles),
        [event("server", "UPDATE_COMPLETE"), event("web", "UPDATE_COMPLETE")],
    )
    progress, interruptions = followed(qtbot, link, connection)
    assert interruptions == [f"{trouble}." for trouble in troubles]
    assert progress.finished == {"server"}
    assert progress.ended is not None
    assert progress.ended.status == "UPDATE_COMPLETE"


@pytest.mark.parametrize(("status", "end"), [("UPDATE_FAILED", "UPDATE_FAILED"), ("", "DELETE_COMPLETE")])
def test_end_without_an_event_is_read_from_the_stack(qtbot: QtBot, link: CloudLink, status: str, end: str) -> None:
    progress, _ = followed(qtbot, link, UnsteadyConnection([event("web", "UPDATE_IN_PROGRESS")], status=status))
    assert progress.ended is not None
    assert progress.ended.status == end


def test_permanent_error_stops_following(qtbot: QtBot, link: CloudLink) -> None:
    link.connection = UnsteadyConnection(CloudError(CloudErrorKind.FORBIDDEN, "Denied."))
    events = StackEvents(link, poll=0.001)
    with qtbot.waitSignals([events.left, link.failed]):
        events.follow(STACK)


def test_stack_that_is_not_followed_anymore_is_not_left_again(qtbot: QtBot, link: CloudLink) -> None:
    events, left = StackEvents(link, poll=0.001), list[str]()
    events.left.connect(lambda stack: left.append(stack.name))
    link.connection = UnsteadyConnection(CloudError(CloudErrorKind.FORBIDDEN, "Denied."))
    with qtbot.waitSignal(link.failed):
        events.follow(STACK)
    link.connection = UnsteadyConnection([event("other", "UPDATE_IN_PROGRESS")])
    with qtbot.waitSignal(events.happened):
        events.follow(StackSummary("other", "id-of-other", "UPDATE_IN_PROGRESS"))
    assert left == ["web"]
    events.follow(STACK)
    assert left == ["web", "other"]
