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
from heatstudio.ui.window.layout import Row
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


def test_results_of_tests_are_beside_them_and_summed(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    outputs = "outputs:\n  size: {value: small}\n"
    (tmp_path / "web.yaml").write_text(f"heat_template_version: 2018-08-31\n{outputs}", encoding="utf-8")
    file = tmp_path / "web.test.yaml"
    tests = "tests:\n- name: passes\n  outputs: {size: small}\n- name: fails\n  outputs: {size: large}\n"
    file.write_text(tests, encoding="utf-8")
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    editor, status = real.area.editor, real.status
    assert editor
    words = {line: editor.decorations.words_of_sign(line) for line in range(5)}
    assert words == {0: "", 1: "Test: Passed, passes", 2: "", 3: "Test: 1 failure, fails", 4: ""}
    icons = {line: sign.icon for line, sign in editor.decorations.changes.items()}
    assert icons == {1: ("check", Color.ADDED), 3: ("close", Color.ERROR)}
    assert (status.counts.text(), status.version.text()) == ("2 tests, 1 failed", "Tests of web.yaml")
    editor.go_to_line(1)
    qtbot.waitUntil(lambda: editor.editor.accessibleDescription() == words[1])
    with qtbot.waitSignal(real.session.plan_changed):
        editor.replace_text(tests.replace("large", "small"))
    assert status.counts.text() == "2 tests, 0 failed"
    with qtbot.waitSignal(real.session.plan_changed):
        editor.replace_text(f"{tests}- 'half\n")
    assert editor.decorations.words_of_sign(1) == "Test before the errors: Passed, passes"
    assert status.counts.text() == "1 error, 0 warnings"
