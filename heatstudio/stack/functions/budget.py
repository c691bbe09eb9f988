"""Limits on evaluation: a template cannot exhaust time or memory."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from msgspec import Struct

LARGEST = 2_000_000
"""Characters that one evaluation may produce."""
SMALL = 10_000
"""Characters that every evaluation may produce."""
LARGEST_IN_ALL = 20_000_000
"""Characters that all evaluations may produce while one template is analyzed."""
ITEM = 50
"""Characters that take as much memory as an item of a list or map."""
SECONDS_IN_ALL = 0.4
"""CPU time that patterns and yaql expressions may take while one template is analyzed."""


class BudgetExceededError(Exception):
    """An evaluation takes too much time or memory; its value counts as unknown."""


class UnforeseeableError(BudgetExceededError):
    """A value depends on more than the template, such as the time, or on Heat's own libraries."""


class _Shared(Struct):
    """The remaining budget of all evaluations together."""

    characters: int = LARGEST_IN_ALL
    seconds: float = SECONDS_IN_ALL


_shared: ContextVar[_Shared | None] = ContextVar("shared", default=None)


@contextmanager
def shared_budget() -> Iterator[None]:
    """Bound all evaluations of the block together, unless a block around it does so already."""
    token = _shared.set(_shared.get() or _Shared())
    try:
        yield
    finally:
        _shared.reset(token)


class Budget(Struct):
    """The budget of one evaluation: small at first, then extended from the shared budget."""

    remaining: int = SMALL
    taken: int = SMALL

    def spend(self, amount: int) -> None:
        """Take characters from the budget. Raises BudgetExceededError when it is used up."""
        self.remaining -= amount
        if self.remaining < 0:
            self._take_more()

    def _take_more(self) -> None:
        shared = _shared.get() or _Shared()
        more = min(max(self.taken, -self.remaining), LARGEST - self.taken, shared.characters)
        self.remaining += more
        self.taken += more
        shared.characters -= more
        if self.remaining < 0:
            raise BudgetExceededError


@contextmanager
def timed_call(most: float) -> Iterator[float]:
    """Run code that a template brings along; yields the seconds of CPU time that it may take, at most `most`.

    Raises BudgetExceededError if no time is left.
    """
    shared = _shared.get() or _Shared()
    if shared.seconds <= 0:
        raise BudgetExceededError
    start = time.thread_time()
    try:
        yield min(most, shared.seconds)
    finally:
        shared.seconds -= time.thread_time() - start
