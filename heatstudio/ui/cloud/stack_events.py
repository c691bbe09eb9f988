"""Follow the events of a stack until its operation ends."""

import time
from contextlib import suppress

from PySide6.QtCore import QObject, Signal, SignalInstance

from heatstudio.cloud.changes import UNCLEAR
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.events import OperationProgress, StackEvent, end_of, events_after
from heatstudio.cloud.stacks import StackSummary
from heatstudio.service.workspace.job import Job
from heatstudio.ui.cloud.cloud_link import CloudLink

_POLL = 1.0
"""Seconds between two requests."""
_LONGEST_PAUSE = 30.0
"""Seconds between two requests to a cloud that does not answer; each pause is twice the previous one."""
_QUIET = 3
"""Number of polls without an event after which the stack itself is read, as not every operation ends with one."""
_PASSING = UNCLEAR | {CloudErrorKind.TOO_MANY_REQUESTS}
"""The temporary errors, after which polling continues."""
Followed = tuple[OperationProgress, tuple[StackEvent, ...]]


class StackEvents(QObject):
    """The events of one stack at a time; stopping does not stop Heat."""

    happened = Signal(object, object, object, int)
    """The stack, its progress, all its events so far, and the expected number of resources; 0 if it is unknown."""
    interrupted = Signal(object, str, int)
    """The stack, the reason why the cloud cannot be reached, and the seconds until the next request."""
    ended = Signal(object, object, object)
    """The stack, its final progress, and all its events."""
    left = Signal(object)
    """The stack, which is no longer followed, although its operation may continue."""

    def __init__(self, link: CloudLink, poll: float = _POLL) -> None:
        super().__init__(link)
        self._link = link
        self._poll = poll
        self._job: Job | None = None

    def follow(self, stack: StackSummary, since: str = "", total: int = 0) -> None:
        """Follow a stack from the event after that with the id `since`."""
        if self._job is not None:
            self._job.stop()
        self._job = self._link.ask(
            f"Following {stack.name}",
            lambda connection, job: self._to_the_end(connection, job, stack, since, total),
            lambda found: self._end(stack, *found),
            lambda _message: self._leave(stack),
            lambda: self._leave(stack),
        )

    def _to_the_end(self, connection: Connection, job: Job, stack: StackSummary, since: str, total: int) -> Followed:
        """Poll until Heat is done, even if requests fail in between; runs in a thread."""
        progress, seen, quiet, pause = OperationProgress(), list[StackEvent](), 0, self._poll
        while True:
            job.advance(len(progress.finished), max(total, len(progress.finished)))
            try:
                events = events_after(connection, stack, seen[-1].id if seen else since)
                quiet = 0 if events else quiet + 1
                progress = progress.after(events)
                seen += events
                if progress.ended is None and quiet >= _QUIET and (end := end_of(connection, stack)) is not None:
                    progress, seen = progress.after((end,)), [*seen, end]
            except CloudError as error:
                if error.trouble not in _PASSING:
                    raise
                pause = min(pause * 2, _LONGEST_PAUSE)
                self._emit(self.interrupted, stack, error.message, round(pause))
            else:
                if progress.ended is not None:
                    return progress, tuple(seen)
                pause = self._poll
                self._emit(self.happened, stack, progress, tuple(seen), total)
            self._wait(job, pause)

    def _emit(self, signal: SignalInstance, *what: object) -> None:
        with suppress(RuntimeError):  # the window was closed in the meantime
            signal.emit(*what)

    def _wait(self, job: Job, pause: float) -> None:
        until = time.monotonic() + pause
        while (left := until - time.monotonic()) > 0:
            job.check()
            time.sleep(min(left, self._poll))

    def _leave(self, stack: StackSummary) -> None:
        self._job = None
        self.left.emit(stack)

    def _end(self, stack: StackSummary, progress: OperationProgress, events: tuple[StackEvent, ...]) -> None:
        self._job = None
        self.ended.emit(stack, progress, events)
