"""An empty preview explains why it is empty and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from heatstudio.ui.documents.document import Baseline
from heatstudio.ui.problems.table import Scope
from heatstudio.ui.widgets.panel import Panel
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.document_panel import LARGE, PAUSED
from tests.ui.bench import bench

TEXT = "heat_template_version: 2021-04-16\nresources:\n  a: {type: OS::Heat::RandomString}\n"
BROKEN = TEXT.replace("OS::", '"OS::')


def panes_of(window: Window) -> list[Panel]:
    """Open the graph and parameters panes, and return them and the outline after a refresh."""
    for command in ("show-graph", "show-parameters"):
        window.actions_by_name[command].trigger()
    panes: list[Panel] = [bench(window).outline, bench(window).stack_panes.graph, bench(window).stack_panes.parameters]
    for pane in panes:
        pane.refresh()
    return panes


def words(window: Window) -> str:
    return bench(window).preview.empty.accessibleName()


def reported(window: Window) -> str:
    return bench(window).preview.empty._sentence.text()


@pytest.fixture
def saved(qtbot: QtBot, real: Window, tmp_path: Path) -> Window:
    path = tmp_path / "main.yaml"
    path.write_text(TEXT, encoding="utf-8")
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(path)])
    return real


def write(qtbot: QtBot, window: Window, text: str) -> None:
    editor = window.area.editor
    assert editor is not None
    with qtbot.waitSignal(window.session.plan_changed):
        editor.replace_text(text)
    bench(window).preview.refresh()


def test_preview_is_not_available_while_the_text_is_invalid(qtbot: QtBot, saved: Window) -> None:
    bench(saved).preview.refresh()
    assert words(saved) == "No changes"
    write(qtbot, saved, BROKEN)
    assert words(saved) == "The template has a syntax error"
    assert reported(saved).startswith("Line 3: Unclosed quote")
    assert reported(saved).endswith("F8 goes there.")
    assert bench(saved).preview._baseline_box.isVisible()
    write(qtbot, saved, TEXT)
    assert words(saved) == "No changes"


def test_invalid_baseline_is_reported(qtbot: QtBot, saved: Window) -> None:
    document = saved.session.current
    assert document is not None
    with qtbot.waitSignal(saved.session.plan_changed):
        saved.session.set_baseline(document, Baseline("old.yaml", BROKEN))
    bench(saved).preview.refresh()
    assert words(saved) == "The baseline is not a valid template"
    assert "Baseline: “old.yaml”" in reported(saved)
    assert bench(saved).preview._baseline_box.isVisible()


def test_large_texts_and_environments_have_explanations(
    qtbot: QtBot, saved: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    with qtbot.waitSignal(saved.session.plan_changed):
        saved.session.new("parameter_defaults: {a: 1}\n")
    bench(saved).preview.refresh()
    assert bench(saved).preview.empty.accessibleName() == "No preview for environment files"
    monkeypatch.setattr("heatstudio.service.inputs.snapshot.LARGE", 10)
    saved.session.new(TEXT)
    empty = [pane.empty for pane in (bench(saved).preview, bench(saved).problems, *panes_of(saved))]
    assert all("here" in one.accessibleName() for one in empty)
    assert {one.accessibleDescription() for one in empty} == {LARGE}


def test_panes_say_how_to_resume_paused_checks(qtbot: QtBot, saved: Window) -> None:
    saved.session.pause_checking()
    saved.session.new(TEXT)
    empty = [pane.empty for pane in (bench(saved).preview, bench(saved).problems, *panes_of(saved))]
    assert {one.accessibleDescription() for one in empty} == {PAUSED}
    saved.actions_by_name["check"].trigger()
    qtbot.waitUntil(lambda: bool(saved.session.current and saved.session.current.state))
    bench(saved).problems.refresh()
    assert bench(saved).problems.empty.accessibleName() == "No problems"


def test_unchecked_tab_is_not_said_to_have_no_problems(qtbot: QtBot, saved: Window, tmp_path: Path) -> None:
    saved.session.open_folder(tmp_path)
    problems = bench(saved).problems
    qtbot.waitUntil(lambda: problems.empty.accessibleName() == "No problems")
    saved.session.pause_checking()
    (tmp_path / "other.yaml").write_text(BROKEN, encoding="utf-8")
    saved.session.open(tmp_path / "other.yaml")
    qtbot.waitUntil(lambda: not problems._folder.is_under_way)
    assert problems.bar.scope is Scope.FOLDER
    qtbot.waitUntil(lambda: problems.empty.accessibleDescription() == PAUSED)


def test_focus_stays_in_the_pane_when_its_rows_are_removed(qtbot: QtBot, saved: Window) -> None:
    saved.activateWindow()
    write(qtbot, saved, TEXT.replace("RandomString}", "TestResource}"))
    saved.sides.reveal("Preview")
    qtbot.waitUntil(bench(saved).preview.view.hasFocus)
    write(qtbot, saved, TEXT)
    assert bench(saved).preview.empty.hasFocus()
    write(qtbot, saved, TEXT.replace("RandomString}", "TestResource}"))
    assert bench(saved).preview.view.hasFocus()
