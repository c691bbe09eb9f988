"""A fixture for tests that compare with the real Heat."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.generated.asking import Engine


@pytest.fixture
def engine(shared: Path, tmp_path: Path) -> Engine:
    """Return an interface to the real Heat; skip if HEAT_PYTHON is not set."""
    python = os.environ.get("HEAT_PYTHON")
    if not python:
        pytest.skip("HEAT_PYTHON names no Python that has openstack-heat")
    return Engine(python, shared / "engine" / "ask_heat.py", tmp_path)
