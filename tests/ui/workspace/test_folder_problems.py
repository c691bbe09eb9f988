"""Problems of an opened folder, including files that are not open, with updates when files change."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from heatstudio.cli import run
from heatstudio.service.inputs import snapshot
from heatstudio.service.pool import folder_check
from heatstudio.service.pool.file_check import FileChecker
from heatstudio.service.pool.processes import CheckerPool
from heatstudio.service.pool.questions import FileQuestion
from heatstudio.ui.problems.table import Grouping, ProblemGroup, ProblemRow, Scope
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench
from tests.ui.screens import editor_of

HOT = "heat_template_version: 2021-04-16\n"
WRONG = HOT + "resources:\n  net: {type: OS::Neutron::Net, properties: {nme: x, shared: maybe}}\n"
FINE = WRONG.replace("{nme: x, shared: maybe}", "{name: x}")
CHILD = HOT + "parameters:\n  size: {type: number}\n"
PARENT = HOT + "resources:\n  one: {type: child.yaml, properties: {size: 1}}\n"
ENVIRONMENT = "parameters: {size: many}\nparameter_defalts: {}\n"
TEXTS = {
    "wrong.yaml": WRONG,
    "fine.yaml": FINE,
    "deep/child.yaml": CHILD,
    "deep/parent.yaml": PARENT,
    "deep/marked.template": "\ufeff" + WRONG.replace("\n", "\r\n"),
    "deep/broken.yaml": WRONG + "  net: [\n",
    "deep/upwards.yaml": HOT + "resources:\n  net: {type: ../wrong.yaml}\n  out: {type: ../../out.yaml}\n",
    "deep/old.json": json.dumps({"AWSTemplateFormatVersion": "2010-09-09", "Resources": {"a": {"Type": "AWS::No"}}}),
    "settings.env": ENVIRONMENT,
    "template.txt": WRONG,
}
NO_TEMPLATES = {
    "play.yaml": "- hosts: all\n  tasks: []\n",
    "package.json": '{"name": "x", "dependencies": {}}',
    "notes.txt": "heat_template_version is the first key of a template.\n",
    ".hidden/wrong.yaml": WRONG,
    ".wrong.yaml": WRONG,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with templates, environments and other files."""
    folder = tmp_path / "templates"
    for name, text in (TEXTS | NO_TEMPLATES).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return folder


def open_folder(qtbot: QtBot, window: Window, folder: Path) -> None:
    """Open a folder, and wait until it is checked."""
    window.session.open_folder(folder)
    wait_for_plan(qtbot, window)


def wait_for_plan(qtbot: QtBot, window: Window) -> None:
    qtbot.waitUntil(lambda: not bench(window).folder_problems.is_under_way, timeout=30_000)


def rows(window: Window) -> list[ProblemRow]:
    model = bench(window).problems.model
    return [row for index in model.indexes() if isinstance(row := model.value(index), ProblemRow)]


def files(window: Window) -> list[str]:
    """Return the titles of the groups."""
    model = bench(window).problems.model
    tops = (model.value(model.index(row, 0)) for row in range(model.rowCount()))
    return [top.title for top in tops if isinstance(top, ProblemGroup)]


def problem(window: Window, file: str, words: str) -> QModelIndex:
    model = bench(window).problems.model
    return next(
        index
        for index in model.indexes()
        if isinstance(row := model.value(index), ProblemRow)
        and row.file.name == file
        and words in row.diagnostic.message
    )


def eventually(qtbot: QtBot, is_so: Callable[[], bool]) -> None:
    qtbot.waitUntil(is_so, timeout=30_000)


def test_closed_files_have_the_same_problems_as_on_the_command_line(
    qtbot: QtBot, real: Window, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    open_folder(qtbot, real, folder)
    assert bench(real).problems.bar.scope is Scope.FOLDER
    assert bench(real).problems.bar.grouping is Grouping.FILE
    shown = [(row.file.name, row.line, row.diagnostic.severity.word, row.diagnostic.message) for row in rows(real)]
    said = []
    for name in TEXTS:
        run(["check", "--format", "json", "--root", str(folder), str(folder / name)])
        found = json.loads(capsys.readouterr().out)["problems"]
        said += [(name, one["range"]["start"]["line"] + 1, one["severity"], one["message"]) for one in found]
    assert sorted(shown) == sorted(said)
    assert files(real) == [
        "settings.env", "template.txt", "wrong.yaml",
        "deep/broken.yaml", "deep/marked.template", "deep/old.json", "deep/upwards.yaml",
    ]  # fmt: skip
    assert bench(real).problems.note.text() == ""
    assert real.session.documents == ()


def test_enter_opens_a_closed_file_at_the_position_in_a_tab(qtbot: QtBot, real: Window, folder: Path) -> None:
    open_folder(qtbot, real, folder)
    view, name = bench(real).problems.view, "deep/marked.template"
    index = problem(real, name, "nme")
    view.setCurrentIndex(index)
    view.clicked.emit(index)
    assert real.session.documents == ()
    before = len(rows(real))
    QTest.keyClick(view, Qt.Key.Key_Return)
    editor = editor_of(real)
    assert real.session.current is not None
    assert real.session.current.path == folder / name
    assert editor.text()[editor.selection().start : editor.selection().end] == "nme"
    eventually(qtbot, lambda: real.session.documents[0].state is not None)
    wait_for_plan(qtbot, real)
    assert len(rows(real)) == before
    selected = bench(real).problems._selected()
    assert selected is not None
    assert "nme" in selected.diagnostic.message
    editor.replace_text(FINE)
    eventually(qtbot, lambda: name not in files(real))
    assert len(rows(real)) == before - 2
    real.session.close(real.session.current)
    eventually(qtbot, lambda: name in files(real))
    assert len(rows(real)) == before


def test_files_changed_on_disk_are_checked_again(qtbot: QtBot, real: Window, folder: Path) -> None:
    open_folder(qtbot, real, folder)
    (folder / "wrong.yaml").write_text(FINE)
    eventually(qtbot, lambda: "wrong.yaml" not in files(real))
    (folder / "deep" / "child.yaml").write_text(CHILD.replace("size", "length"))
    eventually(qtbot, lambda: "deep/parent.yaml" in files(real))
    (folder / "deep" / "child.yaml").unlink()
    eventually(qtbot, lambda: any("child.yaml" in row.diagnostic.message for row in rows(real)))
    (folder / "deep" / "child.yaml").write_text(CHILD)
    eventually(qtbot, lambda: "deep/parent.yaml" not in files(real))
    (folder / "new.yaml").write_text(WRONG)
    eventually(qtbot, lambda: "new.yaml" in files(real))
    (folder / "new.yaml").unlink()
    eventually(qtbot, lambda: "new.yaml" not in files(real))


def test_closed_parent_templates_are_checked_with_unsaved_text(qtbot: QtBot, real: Window, folder: Path) -> None:
    open_folder(qtbot, real, folder)
    real.files.open([str(folder / "deep" / "child.yaml")])
    editor_of(real).replace_text(CHILD.replace("size", "length"))
    eventually(qtbot, lambda: "deep/parent.yaml" in files(real))
    real.actions_by_name["undo"].trigger()
    eventually(qtbot, lambda: "deep/parent.yaml" not in files(real))


def test_other_files_are_skipped_or_listed(
    qtbot: QtBot, real: Window, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "zero.yaml").write_bytes(b"heat_template_version: \0\n")
    outside = folder.parent / "outside.yaml"
    outside.write_text(WRONG)
    (folder / "link.yaml").symlink_to(outside)
    (folder / "inner.yaml").symlink_to(folder / "wrong.yaml")
    (folder / "all").symlink_to(folder.parent)
    (folder / "round.yaml").symlink_to(folder / "round.yaml")
    (folder / "large.yaml").write_text(WRONG + f"# {'-' * 60}\n" * (snapshot.LARGE // 60))
    open_folder(qtbot, real, folder)
    assert {"inner.yaml", "wrong.yaml"} < set(files(real))
    assert {"link.yaml", "all/templates/wrong.yaml", "large.yaml"}.isdisjoint(files(real))
    assert "zero.yaml is not a text file" in bench(real).problems.note.text()
    assert "1 large file not checked" in bench(real).problems.note.text()
    monkeypatch.setattr(folder_check, "MOST_FILES", 3)
    open_folder(qtbot, real, folder)
    assert "Only the first 2,000 YAML and JSON files of the folder are checked" in bench(real).problems.note.text()
    assert set(files(real)) == {"inner.yaml"}


def test_check_of_a_folder_is_canceled_and_resumed_on_request(
    qtbot: QtBot, real: Window, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def submit(
        pool: CheckerPool, ask: Callable[[FileChecker, FileQuestion], object], question: FileQuestion
    ) -> Future[object]:
        return Future() if question.path.name == "old.json" else really_submit(pool, ask, question)

    really_submit = CheckerPool._submit
    monkeypatch.setattr(CheckerPool, "_submit", submit)
    real.session.open_folder(folder)
    eventually(qtbot, lambda: any("templates" in job.name for job in real.session.jobs.shown))
    eventually(qtbot, lambda: "deep/marked.template" in files(real))
    real.actions_by_name["stop"].trigger()
    assert "Canceled" in bench(real).problems.note.text()
    assert "deep/old.json" not in files(real)
    monkeypatch.setattr(CheckerPool, "_submit", really_submit)
    (folder / "wrong.yaml").write_text(FINE)
    QTest.qWait(600)
    assert "wrong.yaml" in files(real)
    real.actions_by_name["check"].trigger()
    eventually(qtbot, lambda: "deep/old.json" in files(real) and "wrong.yaml" not in files(real))
    assert bench(real).problems.note.text() == ""


def test_scope_and_groupings_are_remembered(qtbot: QtBot, real: Window, folder: Path) -> None:
    open_folder(qtbot, real, folder)
    bar = bench(real).problems.bar
    bar.groupings.setCurrentText(Grouping.CODE)
    assert all(row.file.is_said for row in rows(real))
    bar.scopes.setCurrentText(Scope.OPEN)
    assert bar.grouping is Grouping.SEVERITY
    bar.groupings.setCurrentText(Grouping.RESOURCE)
    bar.scopes.setCurrentText(Scope.FOLDER)
    assert bar.groupings.currentText() == Grouping.CODE
    again = type(bar)(real.session.settings, real.appearance)
    qtbot.addWidget(again)
    assert (again.scope, again.grouping) == (Scope.FOLDER, Grouping.CODE)
    assert real.session.settings.problem_groupings == {Scope.FOLDER: Grouping.CODE, Scope.OPEN: Grouping.RESOURCE}


def test_folder_scope_without_a_folder_explains_how_to_open_one(qtbot: QtBot, real: Window) -> None:
    bench(real).problems.bar.scopes.setCurrentText(Scope.FOLDER)
    assert bench(real).problems.bar.isVisible()
    assert bench(real).problems.empty.isVisible()
    assert "Ctrl+Shift+E" in bench(real).problems.empty.accessibleDescription()
    bench(real).problems.bar.scopes.setCurrentText(Scope.CURRENT)
    assert not bench(real).problems.bar.isVisible()


def test_a_problem_of_a_closed_file_is_fixed_in_a_tab(qtbot: QtBot, real: Window, folder: Path) -> None:
    open_folder(qtbot, real, folder)
    problems = bench(real).problems
    problems.view.setCurrentIndex(problem(real, "wrong.yaml", "nme"))
    problems.fix_selected()
    eventually(qtbot, bench(real).fix_controller.chooser.isVisible)
    QTest.keyClick(bench(real).fix_controller.chooser, Qt.Key.Key_Return)
    assert real.session.current is not None
    eventually(qtbot, lambda: "name: x" in real.session.documents[0].text)
    assert real.session.current.path == folder / "wrong.yaml"


def test_fix_in_a_deleted_file_is_dropped(qtbot: QtBot, real: Window, folder: Path) -> None:
    open_folder(qtbot, real, folder)
    bench(real).problems.view.setCurrentIndex(problem(real, "wrong.yaml", "nme"))
    (folder / "wrong.yaml").unlink()
    bench(real).problems.fix_selected()
    assert "no such file" in real.area.banner.sentence
    assert bench(real).problems._when_open is None
    eventually(qtbot, lambda: "wrong.yaml" not in files(real))


def test_folder_is_checked_with_the_last_environments_of_its_templates(
    qtbot: QtBot, real: Window, folder: Path
) -> None:
    template, environment = folder / "deep" / "child.yaml", folder / "settings.env"
    environment.write_text("parameters: {size: many}\n")
    real.session.settings.set_environments(template, (environment,))
    open_folder(qtbot, real, folder)
    messages = [row.diagnostic.message for row in rows(real) if row.file.name == "settings.env"]
    assert any("size" in one for one in messages)
    environment.write_text("parameters: {size: 7}\n")
    eventually(qtbot, lambda: "settings.env" not in files(real))


def test_collapsed_groups_stay_collapsed_while_others_change(qtbot: QtBot, real: Window, folder: Path) -> None:
    open_folder(qtbot, real, folder)
    view, model = bench(real).problems.view, bench(real).problems.model

    def top(name: str) -> QModelIndex:
        return next(one for row in range(model.rowCount()) if (one := model.index(row, 0)).data() == name)

    view.collapse(top("deep/broken.yaml"))
    (folder / "deep" / "broken.yaml").write_text(WRONG + "  net: {\n")
    (folder / "new.yaml").write_text(WRONG)
    eventually(qtbot, lambda: "new.yaml" in files(real))
    assert not view.isExpanded(top("deep/broken.yaml"))
    assert view.isExpanded(top("new.yaml"))
    assert view.isExpanded(top("wrong.yaml"))
