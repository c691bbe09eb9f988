"""Fixtures for tests with a real Heat and a real Keystone, which are started once on the local host.

A test that uses them is marked with `loopback`. `write_clouds` lists the clouds.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from heatstudio.cloud.connection import Connection, connect
from tests.cloud.certificate import server_context
from tests.cloud.faults import FaultyProxy
from tests.cloud.running import RealHeat, Server, ServerDiedError, another_heat, missing_piece, running_heat


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the end of Heat's log to the report of a failed test."""
    report = yield
    real = getattr(item, "funcargs", {}).get("real_heat")
    if report.failed and isinstance(real, RealHeat):
        report.sections.append(("the end of Heat's log", real.heat.log[-3000:]))
    return report


@pytest.fixture(scope="session")
def real_heat(heat_python: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealHeat]:
    """Start Keystone and Heat for the session; fail if they are not installed."""
    if missing := missing_piece(heat_python):
        pytest.fail(missing)
    try:
        with running_heat(heat_python, tmp_path_factory.mktemp("real")) as running:
            yield running
    except ServerDiedError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture
def clouds(real_heat: RealHeat, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the clouds.yaml of the real Heat, the only cloud configuration that openstacksdk finds in the test."""
    for name in list(os.environ):
        if name.startswith("OS_") or name.lower() in {"http_proxy", "https_proxy", "all_proxy"}:
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(real_heat.clouds))
    return real_heat.clouds


@pytest.fixture
def demo(clouds: Path) -> Iterator[Connection]:
    """Connect as the regular user `demo`."""
    connection = connect("heat-demo")
    yield connection
    connection.close()


@pytest.fixture
def login_faults(real_heat: RealHeat, clouds: Path) -> Iterator[FaultyProxy]:
    """Start the proxy in front of Keystone for the cloud `heat-faulty`."""
    ports = real_heat.ports
    with accepting(FaultyProxy(ports.faulty_keystone, ports.keystone)) as proxy:
        yield proxy


@pytest.fixture
def faults(real_heat: RealHeat, login_faults: FaultyProxy) -> Iterator[FaultyProxy]:
    """Start the proxy in front of Heat for the cloud `heat-faulty`."""
    ports = real_heat.ports
    with accepting(FaultyProxy(ports.faulty_heat, ports.heat)) as proxy:
        yield proxy


@pytest.fixture
def tls(real_heat: RealHeat, clouds: Path) -> Iterator[FaultyProxy]:
    """Start the TLS proxy in front of Keystone for the clouds `heat-tls` and `heat-untrusted`."""
    ports = real_heat.ports
    with accepting(FaultyProxy(ports.tls_keystone, ports.keystone, server_context(real_heat.certificate))) as proxy:
        yield proxy


@pytest.fixture
def mortal_heat(real_heat: RealHeat, faults: FaultyProxy, tmp_path: Path) -> Iterator[Server]:
    """Start a separate Heat for the cloud `heat-faulty`, which the test may `kill`."""
    with another_heat(real_heat, tmp_path / "mortal") as (server, port):
        faults.target = port
        yield server


@contextmanager
def accepting(proxy: FaultyProxy) -> Iterator[FaultyProxy]:
    proxy.accept()
    try:
        yield proxy
    finally:
        proxy.refuse()
    assert proxy.mistakes == []
