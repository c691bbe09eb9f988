"""Fixtures for all tests, and guards against leftovers: network access, log records, threads and widgets.

pyproject.toml already turns warnings, unraisable exceptions and exceptions in threads into errors. This module does
not import PySide6, because all tests except those in `ui` also run where PySide6 is not installed.
"""

from __future__ import annotations

import logging
import os
import random
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
pytest_plugins = ["tests.cloud.fixtures", "tests.generated.fixtures"]

# A slow machine must not fail an example.
settings.register_profile("here", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("here"), database=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

SHARED = Path(__file__).parents[2] / "shared"
PATIENCE = 60.0
"""Timeout in seconds for a busy machine; only a failing test waits this long."""


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare the settings of pytest-qt if it is not installed, so that pytest does not warn about unknown ones."""
    if not pluginmanager.hasplugin("pytest-qt"):
        for name in ("qt_api", "qt_log_level_fail", "qt_log_ignore"):
            parser.addini(name, "Read by pytest-qt")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder with recorded results of the Heat engine and real templates, next to the checkout."""
    if not SHARED.is_dir():
        refuse = pytest.fail if os.environ.get("CI") else pytest.skip
        refuse("the folder ../shared with the engine's answers and real templates is not here")
    return SHARED


@pytest.fixture(scope="session")
def engine_answers() -> Path:
    """Return the folder with the engine's results for single cases: all, or the sample in `cases` of the repository."""
    return SHARED / "cases" if SHARED.is_dir() else Path(__file__).parent / "cases"


@pytest.fixture
def dice() -> random.Random:
    """Return the random generator, and print its seed for HEATSTUDIO_SEED, which pytest shows if the test fails."""
    seed = int(os.environ.get("HEATSTUDIO_SEED") or random.SystemRandom().randrange(10**9))
    sys.stdout.write(f"HEATSTUDIO_SEED={seed}\n")
    return random.Random(seed)


@pytest.fixture(scope="session")
def heat_python() -> str:
    """Return the Python with the real Heat; skip if HEAT_PYTHON is not set."""
    python = os.environ.get("HEAT_PYTHON")
    if not python:
        pytest.skip("HEAT_PYTHON names no Python that has openstack-heat")
    return python


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that ask the real Heat, so that `-m heat` selects them."""
    for item in items:
        if "heat_python" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.heat)


@pytest.fixture(scope="session", autouse=True)
def _bytecode_of_processes() -> Iterator[None]:
    """Let the processes of tests keep compiled modules also where the environment says that Python keeps none.

    Otherwise, each of them compiles the program again, which takes half of its start.
    """
    with pytest.MonkeyPatch.context() as environment:
        environment.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        yield


class NetworkGuard:
    """An audit hook that blocks network access from Python code and records the attempts."""

    def __init__(self) -> None:
        self.active = False
        self.loopback = False
        self.refused: list[str] = []

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        """Block an access; the record also shows attempts in C extensions, and those whose exception is caught."""
        if not self.active or event not in {"socket.connect", "socket.sendto", "socket.getaddrinfo"}:
            return
        host = arguments[0] if event == "socket.getaddrinfo" else _host(arguments[1])
        if host is None or (self.loopback and host in {"127.0.0.1", "::1", "localhost"}):
            return
        self.refused.append(f"{event} {host}")
        raise PermissionError(f"a test may not use the network: {event} {host}")


def _host(address: object) -> object:
    """Return the host of a socket's address; None for a Unix domain socket."""
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
    """Fail if a test logs a warning or error, unless the test uses `caplog`."""
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
    """Return whether the thread was not started by Python, which then cannot detect when the thread ends."""
    return thread.name.startswith("Dummy-")


@pytest.fixture(autouse=True)
def _no_widget_left() -> Iterator[None]:
    """Fail if a test leaves tasks in the thread pool or undeleted windows; `qtbot.addWidget` deletes windows."""
    before = set(_windows())
    yield
    core = sys.modules.get("PySide6.QtCore")
    if core is not None and core.QCoreApplication.instance() is not None:
        assert core.QThreadPool.globalInstance().waitForDone(int(PATIENCE * 1000)), "work is left in the thread pool"
        core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete.value)
    assert [name for name in _windows() if name not in before] == []


def _windows() -> list[str]:
    """Return the top-level widgets without a parent, each as its class, object name and memory address."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    shiboken = sys.modules.get("shiboken6")
    if widgets is None or shiboken is None or not isinstance(widgets.QApplication.instance(), widgets.QApplication):
        return []
    windows = [widget for widget in widgets.QApplication.topLevelWidgets() if widget.parent() is None]
    return [
        f"{type(widget).__name__} {widget.objectName()!r} at {shiboken.getCppPointer(widget)}" for widget in windows
    ]
