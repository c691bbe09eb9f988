"""Fixtures with a window that has separate settings, and no screen."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, QSettings
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from heatstudio.analysis import Analysis
from heatstudio.assets import resource_path
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.ui.commands.files import SAMPLE
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.tasks import disk
from heatstudio.ui.widgets.appearance import Appearance, Scheme
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.session import Session
from tests.ui.bench import make_bench

KEEP = "HEATSTUDIO_SHOTS"
if KEEP in os.environ and os.environ["QT_QPA_PLATFORM"] == "offscreen":
    # The usual offscreen screen has 800 by 800 pixels, which would move or shrink pop-ups and dialogs in the pictures.
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={Path(__file__).with_name('screen.json')}"
PATIENCE = 60_000
"""Timeout in milliseconds for a busy machine; only a failing test waits this long."""
SIZE = (1280, 800)
"""The size of the window, which would otherwise fit the smaller screen of the offscreen platform."""
Shot = Callable[[QWidget, str], Path]


class EventRecorder(QObject):
    """An event filter that records the widgets that receive events of some types, if a condition is true then."""

    def __init__(self, *types: QEvent.Type, only: Callable[[QWidget], bool] = QWidget.isWidgetType) -> None:
        super().__init__()
        self._types, self._only = types, only
        self.widgets: list[QWidget] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Record a widget, and do not block the event."""
        if event.type() in self._types and isinstance(watched, QWidget) and self._only(watched):
            self.widgets.append(watched)
        return False


class PatientBot(QtBot):
    """A QtBot with a long default timeout for busy machines."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, *arguments: Any, timeout: int = PATIENCE, **options: Any) -> Any:
        return super().waitSignal(*arguments, timeout=timeout, **options)

    def waitActive(self, widget: QWidget, *, timeout: int = PATIENCE) -> Any:
        return super().waitActive(widget, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


@pytest.fixture(autouse=True)
def patient_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the window wait for the disk of a busy machine, so that files are open as soon as a test opens them."""
    monkeypatch.setattr(disk, "PATIENCE", PATIENCE / 1000)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def appearance(qapp: QApplication) -> Iterator[Appearance]:
    appearance = Appearance(qapp, Scheme.LIGHT)
    yield appearance
    appearance.choose(Scheme.LIGHT)


@pytest.fixture(scope="session")
def heat() -> Engine:
    return Engine()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Snapshot]:
    """Record what is analyzed."""
    analyze, asked = Engine.analyze, list[Snapshot]()

    def record(engine: Engine, snapshot: Snapshot, previous: Analysis | None) -> Analysis:
        asked.append(snapshot)
        return analyze(engine, snapshot, previous)

    monkeypatch.setattr(Engine, "analyze", record)
    return asked


@pytest.fixture
def session(qapp: QApplication, settings: Settings, heat: Engine) -> Iterator[Session]:
    """Return a session that has not started, so that a test or the first paint of a window starts it."""
    session = Session(settings, lambda: heat)
    yield session
    session.stop()


def close_documents(window: Window) -> None:
    """Close all documents of a window without confirmation."""
    for document in window.session.documents:
        window.session.close(document)


def shown_window(qtbot: QtBot, session: Session, appearance: Appearance) -> Window:
    window = Window(session, appearance)
    window.resize(*SIZE)
    qtbot.addWidget(window, before_close_func=close_documents)
    make_bench(window)
    window.show()
    return window


@pytest.fixture
def window(qtbot: QtBot, session: Session, appearance: Appearance) -> Window:
    """Show a window whose engine is loaded after the first paint, as in the program."""
    window = shown_window(qtbot, session, appearance)
    window.painted.connect(session.start)
    return window


@pytest.fixture
def sample() -> str:
    return resource_path(*SAMPLE).read_text(encoding="utf-8")


@pytest.fixture
def file(tmp_path: Path, sample: str) -> Path:
    file = tmp_path / "web-server.yaml"
    file.write_text(sample, encoding="utf-8")
    return file


@pytest.fixture
def real_session(session: Session) -> Session:
    """Return a session that has started."""
    session.start()
    return session


@pytest.fixture
def real(qtbot: QtBot, session: Session, appearance: Appearance) -> Window:
    """Show a window whose engine is loaded."""
    window = shown_window(qtbot, session, appearance)
    with qtbot.waitSignal(session.catalog_loaded):  # which the panes follow; the attribute is set before
        session.start()
    return window


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    """Return the folder for screenshots: HEATSTUDIO_SHOTS, or a temporary one."""
    return Path(os.environ.get(KEEP, str(tmp_path)))


@pytest.fixture
def shot(qtbot: QtBot, shots: Path) -> Shot:
    """Return a function that saves a screenshot of a widget and returns its path."""

    def take(widget: QWidget, name: str) -> Path:
        qtbot.waitUntil(widget.updatesEnabled)  # updates are disabled during a change of the theme
        QApplication.processEvents()
        path = shots / f"{name}.png"
        assert widget.grab().save(str(path))
        return path

    return take


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Set the default SIGINT handler for this process and its children; background processes may ignore SIGINT."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
