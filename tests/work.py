"""How much work an action is, measured without a clock: the same on a busy machine as on an idle one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

SIZE = 150
"""How many parts there are once."""
_SLACK = 1.15


def count_calls(action: Callable[[], object]) -> int:
    """Return how many functions, of Python and of C, this thread calls until the action returns."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(None)
    return calls


def count_steps(action: Callable[[], object]) -> int:
    """Return how many calls and lines of Python this thread runs until the action returns; loops count each round."""
    steps = 0

    def count(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal steps
        steps += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        steps += count_calls(action)
    finally:
        sys.settrace(before)
    return steps


def assert_at_most_twice(action: Callable[[int], Callable[[], object]]) -> None:
    """Fail if an action on twice as many parts is more than twice the work, which is counted in steps."""
    action(2 * SIZE + 1)()  # what is made once and kept is no part of the growth
    once, twice = count_steps(action(SIZE)), count_steps(action(2 * SIZE))
    assert twice < 2 * _SLACK * once, f"{once} and {twice} steps"
