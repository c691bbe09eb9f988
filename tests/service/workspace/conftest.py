"""The engine, loaded once."""

import pytest

from heatstudio.service.engine import Engine


@pytest.fixture(scope="session")
def heat() -> Engine:
    return Engine()
