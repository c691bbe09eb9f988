"""Measurement of work in calls and lines instead of time, so that the result does not depend on the machine's load."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

SIZE = 150
"""The number of parts in the smaller of two inputs."""
_SLACK = 1.15


def count_calls(action: Callable[[], object]) -> int:
    """Return the number of Python and C functions that the action calls in this thread."""
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
    """Return the number of calls and executed Python lines of the action in this thread."""
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
    """Fail if an action on twice as many parts takes more than twice as many steps."""
    action(2 * SIZE + 1)()  # fill the caches, which must not count
    once, twice = count_steps(action(SIZE)), count_steps(action(2 * SIZE))
    assert twice < 2 * _SLACK * once, f"{once} and {twice} steps"
