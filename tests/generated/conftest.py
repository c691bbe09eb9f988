"""Fixtures for tests with random cases: the random generator and the number of cases."""

from __future__ import annotations

import os
import random
import sys

import pytest

from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge


@pytest.fixture(scope="package")
def knowledge() -> Knowledge:
    return load_knowledge()


@pytest.fixture
def dice() -> random.Random:
    """Return the random generator, and print its seed, which pytest shows if the test fails."""
    seed = int(os.environ.get("HEATSTUDIO_SEED") or random.SystemRandom().randrange(10**9))
    sys.stdout.write(f"HEATSTUDIO_SEED={seed}\n")
    return random.Random(seed)


@pytest.fixture
def count() -> int:
    """Return the number of cases."""
    return int(os.environ.get("HEATSTUDIO_CASES") or 40)
