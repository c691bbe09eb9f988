"""A piece of long work with a name, progress and cancellation."""

import time
from collections.abc import Callable


class StoppedError(Exception):
    """The exception that ends a stopped job; only the work itself may need to catch it."""


class Job:
    """A piece of long work; its methods are thread-safe."""

    def __init__(self, name: str, on_stop: Callable[[], object] | None = None) -> None:
        self.name = name
        """The name of the job for the user: `Fixing 12 files`."""
        self.begun = time.monotonic()
        self.steps: tuple[int, int] = (0, 0)
        """The completed and total steps; a total of 0 means unknown."""
        self.is_stopped = False
        self._on_stop = on_stop

    def advance(self, done: int, total: int) -> None:
        """Report progress; raise StoppedError if the job was stopped."""
        self.steps = done, total
        self.check()

    def check(self) -> None:
        """Raise StoppedError if the job was stopped."""
        if self.is_stopped:
            raise StoppedError

    def stop(self) -> None:
        """Stop the job as soon as possible; its result is dropped."""
        if not self.is_stopped:
            self.is_stopped = True
            if self._on_stop is not None:
                self._on_stop()
