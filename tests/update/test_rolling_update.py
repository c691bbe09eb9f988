"""Batches of a rolling update, as heat/scaling/rolling_update.py counts them."""

from __future__ import annotations

import pytest

from heatstudio.update.member_changes import batches


@pytest.mark.parametrize(
    ("target", "size", "batch", "in_service", "count"),
    [(3, 3, 1, 0, 3), (5, 5, 2, 0, 3), (5, 5, 5, 0, 1), (0, 3, 1, 0, 1), (3, 3, 3, 3, 3), (4, 2, 2, 0, 2)],
)
def test_batches(target: int, size: int, batch: int, in_service: int, count: int) -> None:
    assert batches(target, size, batch, in_service) == count


def test_what_never_ends_is_not_counted() -> None:
    assert batches(5, 5, 0, 0) is None
    assert batches(1_000_000, 1_000_000, 1, 0) is None
