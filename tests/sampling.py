"""Samples of long lists of inputs, other inputs in each run; with HEATSTUDIO_TESTS=all, every input is tested."""

from __future__ import annotations

import os
from collections.abc import Iterable
from random import Random
from typing import TypeVar
from uuid import uuid4

Item = TypeVar("Item")

EVERYTHING = os.environ.get("HEATSTUDIO_TESTS") == "all"
_RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid4().hex
"""The seed, which all worker processes of a run share."""


def sample(items: Iterable[Item], size: int) -> list[Item]:
    """Return `size` items in their order; all items if there are fewer, or if every input is tested."""
    every = list(items)
    if EVERYTHING or len(every) <= size:
        return every
    return [every[at] for at in sorted(Random(_RUN).sample(range(len(every)), size))]
