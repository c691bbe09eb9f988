"""A narrow status bar: the problem at the cursor fits, and nothing moves when the cursor moves."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.window.panes import Row
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.session import Session
from tests.ui.bench import make_bench
from tests.ui.conftest import SIZE, close_documents
from tests.ui.screens import go


@pytest.fixture
def narrow(qtbot: QtBot, real: Window, sample: str) -> Window:
    with qtbot.waitSignal(real.session.plan_changed):
        real.session.new(sample)
    real.resize(900, 600)
    QApplication.processEvents()
    return real


def seen(window: Window) -> list[str]:
    """Return the object names of the visible parts of the status bar."""
    parts = [child for child in window.status.findChildren(QWidget) if child.isVisible()]
    return [part.objectName() for part in parts if part.objectName()]


def test_problem_at_the_cursor_fits(qtbot: QtBot, narrow: Window) -> None:
    go(narrow, "network_id: {")
    line = narrow.status.problem
    assert line.words == "", "the list of problems says it"
    narrow.sides.toggle(Row.BOTTOM)
    qtbot.waitUntil(lambda: "network_id" in line.words)
    assert "`" not in line.words
    QApplication.processEvents()
    assert line.width() >= 200
    assert line.geometry().right() < narrow.status.place.x()
    assert line.toolTip() == line.accessibleDescription() == line.words
    image = line.grab().toImage()
    colors = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert narrow.appearance.theme.value(Color.WARNING).lower() in colors


def test_parts_do_not_move_when_the_cursor_reaches_a_problem(qtbot: QtBot, narrow: Window) -> None:
    narrow.sides.toggle(Row.BOTTOM)
    go(narrow, "network_id: {")
    qtbot.waitUntil(lambda: narrow.status.problem.words != "")
    with_problem = seen(narrow)
    go(narrow, "parameters:")
    qtbot.waitUntil(lambda: narrow.status.problem.words == "")
    assert seen(narrow) == with_problem


def test_least_important_parts_are_hidden_first(narrow: Window) -> None:
    always = {"Saved or modified", "Problem count", "Line and column"}
    assert always | {"Target release", "Network", "Environments"} <= set(seen(narrow))
    assert not {"Language", "Line endings"} & set(seen(narrow))
    narrow.resize(1280, 800)
    QApplication.processEvents()
    assert {"Template version", "Language", "Line endings", "Network"} <= set(seen(narrow))


def test_parts_without_text_are_hidden(qtbot: QtBot, session: Session, appearance: Appearance) -> None:
    window = Window(session, appearance)
    window.resize(*SIZE)
    qtbot.addWidget(window, before_close_func=close_documents)
    make_bench(window)
    window.show()
    session.new("heat_template_version: 2021-04-16\nresources: {}\n")
    QApplication.processEvents()
    late = {"Target release", "Template version"}
    assert not late & set(seen(window))
    session.start()
    qtbot.waitUntil(lambda: late <= set(seen(window)))


def test_click_on_the_counts_shows_the_problems(qtbot: QtBot, narrow: Window) -> None:
    with qtbot.waitSignal(narrow.status.problems_requested):
        QTest.mouseClick(narrow.status.counts, Qt.MouseButton.LeftButton)


def test_counts_say_that_they_are_of_the_file_while_a_folder_is_open(qtbot: QtBot, real: Window, file: Path) -> None:
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    assert real.status.counts.text() == "1 error, 5 warnings"
    real.session.open_folder(file.parent)
    qtbot.waitUntil(lambda: real.status.counts.text() == "This file: 1 error, 5 warnings")
