"""The tour: four tasks on the sample, completed according to the content of the template."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from heatstudio.assets import resource_path
from heatstudio.text import Severity
from heatstudio.ui.commands.files import SAMPLE
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.window.app import shows_first_steps
from heatstudio.ui.window.first_steps import TASKS
from heatstudio.ui.window.window import Window
from tests.sources import TOP
from tests.ui.bench import bench
from tests.ui.opening import plan_of

FIX, CHANGE, LOOK, SAVE = range(4)


@pytest.fixture
def begun(qtbot: QtBot, real: Window) -> Window:
    real.activateWindow()
    qtbot.waitActive(real)
    real.actions_by_name["first-steps"].trigger()
    qtbot.waitUntil(lambda: real.session.current is not None and plan_of(real.session.current) is not None)
    return real


def edit(window: Window, old: str, new: str) -> None:
    assert window.area.editor is not None
    text = window.area.editor.text()
    assert text.count(old) == 1
    window.area.editor.replace_text(text.replace(old, new))


def shown(window: Window) -> str:
    interface = QAccessible.queryAccessibleInterface(bench(window).first_steps)
    return f"{interface.text(QAccessible.Text.Name)}. {interface.text(QAccessible.Text.Description)}"


def test_command_of_the_readme_shows_the_tasks_once(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    (command,) = re.findall(r"\.venv/bin/heatstudio (resources/\S+)", (TOP / "README.md").read_text("utf-8"))
    monkeypatch.chdir(TOP)
    assert not shows_first_steps(["README.md"], settings)
    assert not shows_first_steps([command, "README.md"], settings)
    assert shows_first_steps([command], settings)
    assert not shows_first_steps([command], settings)


def test_start_without_files_shows_the_tasks_once(settings: Settings) -> None:
    assert shows_first_steps([], settings)
    assert not shows_first_steps([], settings)


def test_tasks_use_the_sample_that_is_open(qtbot: QtBot, real: Window) -> None:
    real.files.open([str(resource_path(*SAMPLE))])
    sample = real.session.current
    real.actions_by_name["new"].trigger()
    real.actions_by_name["first-steps"].trigger()
    assert real.session.current is sample
    qtbot.waitUntil(lambda: sample is not None and plan_of(sample) is not None)
    steps = bench(real).first_steps
    assert not steps.done, "a file that was not changed is not saved by the user"


def test_tasks_are_restarted_in_their_state(qtbot: QtBot, begun: Window) -> None:
    steps, sample = bench(begun).first_steps, begun.session.current
    with qtbot.waitSignal(steps.announced):
        edit(begun, "name: web-data\n", "name: web-data\n      size: 1\n")
    assert steps.done == {FIX}
    steps.close_button.click()
    begun.actions_by_name["new"].trigger()
    begun.actions_by_name["first-steps"].trigger()
    assert begun.session.current is sample
    assert len(begun.session.documents) == 2
    assert steps.done == {FIX}


def test_tasks_are_shown_with_their_document_only(begun: Window) -> None:
    steps, sample = bench(begun).first_steps, begun.session.current
    begun.actions_by_name["new"].trigger()
    assert not steps.isVisible()
    begun.session.make_current(sample)
    assert steps.isVisible()
    steps.close_button.click()
    begun.actions_by_name["new"].trigger()
    begun.session.make_current(sample)
    assert not steps.isVisible()


def test_tour_opens_only_on_request(real: Window) -> None:
    assert "first_steps" not in real.__dict__


def test_tasks_are_shown_below_an_edited_sample(real: Window) -> None:
    real.files.open_sample()
    edit(real, "10.10.0.0/24", "10.30.0.0/24")
    bench(real).begin_first_steps()
    assert len(real.session.documents) == 1
    assert bench(real).first_steps.isVisible()


def test_tasks_are_completed_in_order(
    qtbot: QtBot, begun: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "web.yaml"), ""))
    steps, document = bench(begun).first_steps, begun.session.current
    assert document is not None
    assert not steps.done
    assert shown(begun).startswith("First steps: 0 of 4 done. Click “Fix…”")
    analysis = document.current_analysis
    assert analysis is not None
    error = next(one for one in analysis.diagnostics if one.severity is Severity.ERROR)
    with qtbot.waitSignal(steps.announced) as announced:
        assert begun.area.editor is not None
        begun.area.editor.apply_edits(analysis.fixes(error)[0].edits)
    assert steps.done == {FIX}
    assert "set its default" in announced.args[0]
    with qtbot.waitSignal(steps.announced):
        edit(begun, "default: 10.10.0.0/24", "default: 10.20.0.0/24")
    assert steps.done == {FIX, CHANGE}
    view = bench(begun).preview.view
    view.setCurrentIndex(view.model().index(0, 0))
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert steps.done == {FIX, CHANGE, LOOK}
    with qtbot.waitSignal(steps.announced):
        begun.actions_by_name["save"].trigger()
    assert steps.done == {FIX, CHANGE, LOOK, SAVE}
    assert "That is all you need" in shown(begun)


def test_task_explains_itself_and_the_close_button_ends_the_tour(begun: Window) -> None:
    steps = bench(begun).first_steps
    for number, tick in enumerate(steps.ticks):
        tick.click()
        assert [one.isChecked() for one in steps.ticks] == [at == number for at in range(len(TASKS))]
    assert "saves the template" in shown(begun)
    steps.close_button.click()
    assert not steps.isVisible()
    edit(begun, "default: 10.10.0.0/24", "default: 10.20.0.0/24")
    assert not steps.done


def test_tasks_are_hidden_with_their_document_and_can_be_restarted(qtbot: QtBot, begun: Window) -> None:
    steps, document = bench(begun).first_steps, begun.session.current
    assert document is not None
    begun.session.close(document)
    assert not steps.isVisible()
    begun.actions_by_name["first-steps"].trigger()
    assert steps.isVisible()
    assert len(begun.session.documents) == 1


def test_everything_is_visible_in_a_small_window(qtbot: QtBot, begun: Window) -> None:
    begun.resize(900, 600)
    QTest.qWait(50)
    steps = bench(begun).first_steps
    for tick in steps.ticks:
        assert steps.rect().contains(QRect(tick.mapTo(steps, QPoint()), tick.size()))
        assert tick.width() >= tick.sizeHint().width()
