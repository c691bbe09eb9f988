"""Fixtures for tests with random cases: the knowledge and the number of cases."""

from __future__ import annotations

import os

import pytest

from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge


@pytest.fixture(scope="package")
def knowledge() -> Knowledge:
    return load_knowledge()


@pytest.fixture
def count() -> int:
    """Return the number of cases."""
    return int(os.environ.get("HEATSTUDIO_CASES") or 40)
