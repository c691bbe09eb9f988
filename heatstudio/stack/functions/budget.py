"""Limits on evaluation, so that no template makes the editor slow or exhausts its memory."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from msgspec import Struct

LARGEST = 2_000_000
"""Maximum number of characters that one evaluation may produce."""
SMALL = 10_000
"""The number of characters that every evaluation may produce, even if the shared budget is used up."""
LARGEST_IN_ALL = 20_000_000
"""Maximum number of characters of all evaluations in the analysis of one template."""
ITEM = 50
"""The cost of an item of a list or map, in characters."""
SECONDS_IN_ALL = 0.4
"""Maximum CPU time of patterns and yaql expressions in the analysis of one template."""


class YaqlLimits(NamedTuple):
    """The limits of a cloud for YAQL expressions (group `yaql` of heat.conf), by default Heat's own."""

    iterators: int = 200
    memory: int = 10_000


HEAT_LIMITS = YaqlLimits()


class BudgetExceededError(Exception):
    """An error for an evaluation that produces too much data or takes too long; its value is unknown."""


class UnforeseeableError(BudgetExceededError):
    """An error for a value that depends on more than the template, such as the time or Heat's own libraries."""


class _Shared(Struct):
    """The remaining budget of all evaluations together."""

    characters: int = LARGEST_IN_ALL
    seconds: float = SECONDS_IN_ALL


_shared: ContextVar[_Shared | None] = ContextVar("shared", default=None)


@contextmanager
def shared_budget() -> Iterator[None]:
    """Limit all evaluations of the block together, unless an outer block already does."""
    token = _shared.set(_shared.get() or _Shared())
    try:
        yield
    finally:
        _shared.reset(token)


class Budget(Struct):
    """The budget of an evaluation: small at first, then doubled while the shared budget lasts."""

    remaining: int = SMALL
    taken: int = SMALL

    def spend(self, amount: int) -> None:
        """Take characters from the budget. Raise BudgetExceededError if it is used up."""
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
    """Measure the CPU time of code from a template; yield the seconds that the code may take, at most `most`.

    Raise BudgetExceededError if no time is left.
    """
    shared = _shared.get() or _Shared()
    if shared.seconds <= 0:
        raise BudgetExceededError
    start = time.thread_time()
    try:
        yield min(most, shared.seconds)
    finally:
        shared.seconds -= time.thread_time() - start
