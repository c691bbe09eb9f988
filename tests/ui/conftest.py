"""A window to test: its own settings, an engine that says what the test wants, no screen."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heatstudio.assets import resource_path
from heatstudio.ui.appearance import Appearance, Scheme
from heatstudio.ui.files import SAMPLE
from heatstudio.ui.session import Session
from heatstudio.ui.settings import Settings
from heatstudio.ui.window import Window
from tests.ui.fake_engine import FakeEngine

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

Shot = Callable[[str], Path]


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


@pytest.fixture
def window(qtbot: QtBot, session: Session, appearance: Appearance) -> Iterator[Window]:
    window = Window(session, appearance)
    qtbot.addWidget(window, before_close_func=lambda window: [session.close(one) for one in session.documents])
    window.furnish()
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


@pytest.fixture
def shot(window: Window, tmp_path: Path) -> Shot:
    """Takes a picture of the window; HEATSTUDIO_SHOTS names a folder to keep the pictures in."""
    folder = Path(os.environ.get("HEATSTUDIO_SHOTS", str(tmp_path)))

    def take(name: str) -> Path:
        QApplication.processEvents()
        path = folder / f"{name}.png"
        assert window.grab().save(str(path))
        return path

    return take
