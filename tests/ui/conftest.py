"""A window for tests: separate settings, a simulated engine, no screen."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from heatstudio.assets import resource_path
from heatstudio.service.engine import Engine
from heatstudio.ui.commands.files import SAMPLE
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.widgets.appearance import Appearance, Scheme
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.session import Session
from tests.ui.bench import make_bench
from tests.ui.fake_engine import FakeEngine

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

KEEP = "HEATSTUDIO_SHOTS"
PATIENCE = 60_000
"""Milliseconds that a busy machine may need for anything: only what fails waits that long."""
SIZE = (1280, 800)
"""Of the window, which fits itself to the screen: that of the offscreen platform is smaller."""
Shot = Callable[[QWidget, str], Path]


class PatientBot(QtBot):
    """Waits for what must happen, however busy the machine is: no test asserts how long it takes."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, *arguments: Any, timeout: int = PATIENCE, **options: Any) -> Any:
        return super().waitSignal(*arguments, timeout=timeout, **options)

    def waitActive(self, widget: QWidget, *, timeout: int = PATIENCE) -> Any:
        return super().waitActive(widget, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def appearance(qapp: QApplication) -> Iterator[Appearance]:
    appearance = Appearance(qapp, Scheme.LIGHT)
    yield appearance
    appearance.choose(Scheme.LIGHT)


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def session(qapp: QApplication, settings: Settings, engine: FakeEngine) -> Iterator[Session]:
    session = Session(settings, lambda: engine)
    yield session
    session.stop()


def close_documents(window: Window) -> None:
    """Without a question."""
    for document in window.session.documents:
        window.session.close(document)


@pytest.fixture
def window(qtbot: QtBot, session: Session, appearance: Appearance) -> Window:
    window = Window(session, appearance)
    window.resize(*SIZE)
    qtbot.addWidget(window, before_close_func=close_documents)
    make_bench(window)
    window.painted.connect(session.start)
    window.show()
    return window


@pytest.fixture
def sample() -> str:
    return resource_path(*SAMPLE).read_text(encoding="utf-8")


@pytest.fixture
def file(tmp_path: Path, sample: str) -> Path:
    file = tmp_path / "web-server.yaml"
    file.write_text(sample, encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def heat() -> Engine:
    return Engine()


@pytest.fixture
def real_session(qapp: QApplication, settings: Settings, heat: Engine) -> Iterator[Session]:
    """A session with the real engine."""
    session = Session(settings, lambda: heat)
    session.start()
    yield session
    session.stop()


@pytest.fixture
def real(qtbot: QtBot, settings: Settings, appearance: Appearance, heat: Engine) -> Iterator[Window]:
    """A window with the real engine."""
    session = Session(settings, lambda: heat)
    window = Window(session, appearance)
    window.resize(*SIZE)
    qtbot.addWidget(window, before_close_func=close_documents)
    make_bench(window)
    window.show()
    session.start()
    qtbot.waitUntil(lambda: session.catalog is not None)
    yield window
    session.stop()


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    """The folder of the pictures; HEATSTUDIO_SHOTS names one to keep them in."""
    return Path(os.environ.get(KEEP, str(tmp_path)))


@pytest.fixture
def shot(qtbot: QtBot, shots: Path) -> Shot:
    """Takes a picture of a widget, in the theme that was chosen."""

    def take(widget: QWidget, name: str) -> Path:
        qtbot.waitUntil(widget.updatesEnabled)  # until then, the window changes to another theme
        QApplication.processEvents()
        path = shots / f"{name}.png"
        assert widget.grab().save(str(path))
        return path

    return take


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl+C means what it usually does, here and in what is started, also where the tests run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
