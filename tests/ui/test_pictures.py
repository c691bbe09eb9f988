"""The window as it looks in each theme and size, with something in every pane."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heatstudio.ui.appearance import Scheme
from heatstudio.ui.session import Session
from heatstudio.ui.window import Window
from tests.ui.conftest import Shot
from tests.ui.fake_engine import FakeEngine, sample_plan


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK, Scheme.HIGH_CONTRAST])
@pytest.mark.parametrize("size", [(1280, 800), (900, 600)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_window_with_everything_in_it(
    qtbot: QtBot, window: Window, engine: FakeEngine, session: Session, file: Path, shot: Shot, scheme: Scheme,
    size: tuple[int, int],
) -> None:  # fmt: skip
    engine.plan = sample_plan
    window.appearance.choose(scheme)
    window.resize(*size)
    with qtbot.waitSignal(session.plan_changed):
        window.files.open([str(file)])
    window.browser.search.setText("interface")
    qtbot.waitUntil(lambda: window.type_page.type is not None)
    window.preview_dock.raise_()
    window.area.setFocus()
    path = shot(f"window-{scheme}-{size[0]}x{size[1]}")
    image = QImage(str(path))
    assert (image.width(), image.height()) == size
    colors = {image.pixelColor(x, y).name() for x in range(0, size[0], 7) for y in range(0, size[1], 7)}
    assert window.appearance.theme.value("editor-ground").lower() in colors
    assert len(colors) > 8


def test_window_with_nothing_in_it(qtbot: QtBot, window: Window, session: Session, shot: Shot) -> None:
    qtbot.waitExposed(window)
    assert QImage(str(shot("empty"))).width() == window.width()


def test_type_page_and_popups(
    qtbot: QtBot, window: Window, engine: FakeEngine, session: Session, file: Path, shot: Shot
) -> None:
    with qtbot.waitSignal(session.plan_changed):
        window.files.open([str(file)])
    window.navigation.go_to(session.current.analysis.diagnostics[0].span)
    window._show_type("OS::Neutron::RouterInterface")
    shot("type-page")
    folder = shot("type-page").parent
    window.actions_by_name["fix"].trigger()
    chooser = window.problems._chooser
    assert chooser.isVisible()
    chooser.grab().save(str(folder / "fixes.png"))
    chooser.hide()
    window.actions_by_name["command-palette"].trigger()
    window.picker.grab().save(str(folder / "palette.png"))
    window.picker.hide()
    QApplication.processEvents()
