"""A fixture for tests that compare with the real Heat."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generated.asking import Engine


@pytest.fixture
def engine(heat_python: str, shared: Path, tmp_path: Path) -> Engine:
    """Return an interface to the real Heat."""
    return Engine(heat_python, shared / "engine" / "ask_heat.py", tmp_path)
