"""The number of batches of a rolling update, as in heat/scaling/rolling_update.py."""

from __future__ import annotations

import pytest

from heatstudio.update.members.numbered_members import RollingPolicy, after_batches, batches


@pytest.mark.parametrize(
    ("target", "size", "batch", "in_service", "count"),
    [(3, 3, 1, 0, 3), (5, 5, 2, 0, 3), (5, 5, 5, 0, 1), (0, 3, 1, 0, 1), (3, 3, 3, 3, 3), (4, 2, 2, 0, 2)],
)
def test_batches(target: int, size: int, batch: int, in_service: int, count: int) -> None:
    assert len(batches(target, size, RollingPolicy(batch, in_service, 0)) or ()) == count


def test_endless_rolling_update_has_no_number_of_batches() -> None:
    assert batches(5, 5, RollingPolicy(0, 0, 0)) is None
    assert batches(1_000_000, 1_000_000, RollingPolicy(1, 0, 0)) is None


@pytest.mark.parametrize(
    ("size", "policy", "renews", "left"),
    [
        (2, (1, 2), False, {"1": False, "2": True}),  # the oldest is updated before it is removed
        (2, (1, 2), True, {"2": True, "0": True}),
        (3, (2, 2), False, {"1": True, "2": False, "3": True}),
        (3, (1, 0), False, {"0": True, "1": True, "2": True}),
        (3, (1, 0), True, {"0": True, "1": True, "2": True}),
        (3, (3, 3), False, {"3": True, "4": True, "5": True}),
    ],
)
def test_remaining_members(size: int, policy: tuple[int, int], renews: bool, left: dict[str, bool]) -> None:
    done = batches(size, size, RollingPolicy(*policy, 0), scales=True) or ()
    found = after_batches([str(number) for number in range(size)], done, renews=renews)
    assert list(found.items()) == list(left.items())
