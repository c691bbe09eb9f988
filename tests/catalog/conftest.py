"""A fixture for the catalog, which is loaded once."""

from __future__ import annotations

import pytest

from heatstudio.catalog.load import Catalog, load_catalog


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog()
