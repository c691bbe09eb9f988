"""What every test may ask for, and what no test may leave behind.

Warnings, unraisable exceptions and exceptions of threads already are errors (pyproject.toml); here are the guards that
pytest does not have. The tests below `ui` also run where PySide6 is not installed: nothing here imports it.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
pytest_plugins = ["tests.cloud.fixtures", "tests.generated.fixtures"]

# No example fails because the machine is busy.
settings.register_profile("here", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("here"), database=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

SHARED = Path(__file__).parents[2] / "shared"
PATIENCE = 60.0
"""Seconds that a busy machine may need for anything: only what fails waits that long."""


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare the settings of pytest-qt where it is not installed, so that they are no unknown words there."""
    if not pluginmanager.hasplugin("pytest-qt"):
        for name in ("qt_api", "qt_log_level_fail", "qt_log_ignore"):
            parser.addini(name, "Read by pytest-qt")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The engine's answers and the real templates that lie beside a developer's checkout."""
    if not SHARED.is_dir():
        refuse = pytest.fail if os.environ.get("CI") else pytest.skip
        refuse("the folder ../shared with the engine's answers and real templates is not here")
    return SHARED


@pytest.fixture(scope="session")
def engine_answers() -> Path:
    """The engine's answers about single facts: all of them, or the sample in `cases`, which every clone has."""
    return SHARED / "cases" if SHARED.is_dir() else Path(__file__).parent / "cases"


class NetworkGuard:
    """Refuses every way out of this machine that Python code could take, and remembers what was tried."""

    def __init__(self) -> None:
        self.active = False
        self.loopback = False
        self.refused: list[str] = []

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        """An audit hook: it sees the attempts of C code too, and those whose exception the program swallows."""
        if not self.active or event not in {"socket.connect", "socket.sendto", "socket.getaddrinfo"}:
            return
        host = arguments[0] if event == "socket.getaddrinfo" else _host(arguments[1])
        if host is None or (self.loopback and host in {"127.0.0.1", "::1", "localhost"}):
            return
        self.refused.append(f"{event} {host}")
        raise PermissionError(f"a test may not use the network: {event} {host}")


def _host(address: object) -> object:
    """The host of a socket's address; None for a socket that is a file."""
    return address[0] if isinstance(address, tuple) and address else None


network_guard = NetworkGuard()
sys.addaudithook(network_guard)


@pytest.fixture(autouse=True)
def _no_network(request: pytest.FixtureRequest) -> Iterator[None]:
    network_guard.refused.clear()
    network_guard.loopback = request.node.get_closest_marker("loopback") is not None
    network_guard.active = True
    yield
    network_guard.active = False
    assert network_guard.refused == []


@pytest.fixture(autouse=True)
def _no_stray_log_record(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that expects a record asks for `caplog`."""
    records: list[str] = []

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(f"{record.name}: {record.levelname}: {record.getMessage()}")

    keeper = Keeper(logging.WARNING)
    logging.getLogger().addHandler(keeper)
    yield
    logging.getLogger().removeHandler(keeper)
    assert "caplog" in request.fixturenames or records == []


@pytest.fixture(autouse=True)
def _no_thread_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    until = time.monotonic() + PATIENCE
    left = [thread for thread in threading.enumerate() if thread not in before and not _is_of_qt(thread)]
    for thread in left:
        thread.join(max(0.0, until - time.monotonic()))
    assert [thread.name for thread in left if thread.is_alive()] == []


def _is_of_qt(thread: threading.Thread) -> bool:
    """Whether the thread was not started by Python, which then never learns of its end."""
    return thread.name.startswith("Dummy-")


@pytest.fixture(autouse=True)
def _no_widget_left() -> Iterator[None]:
    """A test ends its work in the pool, and closes and deletes its windows, mostly through `qtbot.addWidget`."""
    before = set(_windows())
    yield
    core = sys.modules.get("PySide6.QtCore")
    if core is not None and core.QCoreApplication.instance() is not None:
        assert core.QThreadPool.globalInstance().waitForDone(int(PATIENCE * 1000)), "work is left in the thread pool"
        core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete.value)
    assert [name for name in _windows() if name not in before] == []


def _windows() -> list[str]:
    """The windows that belong to nothing else, each as its class, its name and its place in memory."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    shiboken = sys.modules.get("shiboken6")
    if widgets is None or shiboken is None or not isinstance(widgets.QApplication.instance(), widgets.QApplication):
        return []
    windows = [widget for widget in widgets.QApplication.topLevelWidgets() if widget.parent() is None]
    return [
        f"{type(widget).__name__} {widget.objectName()!r} at {shiboken.getCppPointer(widget)}" for widget in windows
    ]
