"""Follows what Heat does to a stack, event by event, to the end."""

from __future__ import annotations

import time
from contextlib import suppress

from PySide6.QtCore import QObject, Signal

from heatstudio.cloud import Connection, Progress, StackEvent, StackSummary, events_after
from heatstudio.ui.cloud.cloud_link import CloudLink
from heatstudio.ui.tasks.jobs import Job

_POLL = 1.0
"""Seconds between two looks."""


class StackEvents(QObject):
    """One stack at a time; stopping it stops the looking, not Heat."""

    happened = Signal(object, object, int)
    """The stack, all its events so far, and how many resources there will be, or 0 where nobody can tell."""
    ended = Signal(object, object, object)
    """The stack, how it went, and all its events."""
    left = Signal(object)
    """The stack, which is not followed any more, while Heat may still work on it."""

    def __init__(self, link: CloudLink) -> None:
        super().__init__(link)
        self._link = link
        self._job: Job | None = None

    def follow(self, stack: StackSummary, since: str = "", total: int = 0) -> None:
        """Follows a stack from the event after the one of that id."""
        if self._job is not None:
            self._job.stop()

        def work(connection: Connection, job: Job) -> tuple[Progress, tuple[StackEvent, ...]]:
            progress = Progress()
            seen: tuple[StackEvent, ...] = ()
            while True:
                events = events_after(connection, stack, seen[-1].id if seen else since)
                seen, progress = (*seen, *events), progress.after(events)
                job.advance(len(progress.finished), max(total, len(progress.finished)))
                if progress.ended is not None:
                    return progress, seen
                with suppress(RuntimeError):  # the window was closed this very moment
                    self.happened.emit(stack, seen, total)
                time.sleep(_POLL)

        self._job = self._link.ask(
            f"Following {stack.name}",
            work,
            lambda found: self._end(stack, *found),
            lambda _message: self.left.emit(stack),
            lambda: self.left.emit(stack),
        )

    def _end(self, stack: StackSummary, progress: Progress, events: tuple[StackEvent, ...]) -> None:
        self._job = None
        self.ended.emit(stack, progress, events)
