"""A real Heat and a real Keystone for the tests of the cloud, started once, on this machine alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cloud.running import RealHeat, ServerDiedError, missing_piece, running_heat


@pytest.fixture(scope="session")
def real_heat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealHeat]:
    """Both servers; a test that uses them is marked with `loopback`."""
    python = os.environ.get("HEAT_PYTHON", sys.executable)
    if missing := missing_piece(python):
        pytest.skip(missing)
    try:
        with running_heat(python, tmp_path_factory.mktemp("real")) as running:
            yield running
    except ServerDiedError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture
def clouds(real_heat: RealHeat, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The clouds.yaml of the real Heat, as the only one that openstacksdk finds in this test."""
    for name in list(os.environ):
        if name.startswith("OS_") or name.lower() in {"http_proxy", "https_proxy", "all_proxy"}:
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(real_heat.clouds))
    return real_heat.clouds
