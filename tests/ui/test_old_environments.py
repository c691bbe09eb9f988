"""Previews of a change of environments: the baseline may have other environments than the template."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from heatstudio.ui.documents.document import Document, running
from heatstudio.ui.environments.environments_dialog import OldEnvironmentsDialog
from heatstudio.ui.window.window import Window
from heatstudio.update.running_stack import RunningStack
from tests.ui.bench import bench
from tests.ui.opening import opened_document

TEXT = """\
heat_template_version: 2021-04-16
parameters: {length: {type: number, default: 1}}
resources:
  text: {type: OS::Heat::RandomString, properties: {length: {get_param: length}}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "main.yaml").write_text(TEXT, encoding="utf-8")
    for name, length in (("test.env", 8), ("live.env", 9)):
        (tmp_path / name).write_text(f"parameters: {{length: {length}}}\n", encoding="utf-8")
    return tmp_path


def wait_for_plan(qtbot: QtBot, window: Window, document: Document) -> None:
    window.session.reanalyze_current()
    with qtbot.waitSignal(window.session.plan_changed):
        pass
    bench(window).preview.refresh()


@pytest.fixture
def opened(qtbot: QtBot, real: Window, folder: Path) -> Document:
    """Open a template that is previewed with the environment `live.env`."""
    real.files.open([str(folder / "main.yaml")])
    document = real.session.current
    assert document is not None
    real.session.set_environments(document, (folder / "live.env",))
    wait_for_plan(qtbot, real, document)
    assert "replaced" not in bench(real).preview.totals
    return document


def asked(window: Window, monkeypatch: pytest.MonkeyPatch, *paths: Path) -> OldEnvironmentsDialog:
    """Open the dialog from the combo box of the pane; its file dialog returns `paths`."""
    box = bench(window).preview._baseline_box
    assert box.isVisible(), "another old side can be chosen where nothing would change"
    box.activated.emit(box.findText("other environments…"))
    dialog = window.environments.old_dialog
    assert dialog is not None
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(path) for path in paths], ""))
    return dialog


def test_same_template_with_other_environments(
    qtbot: QtBot, real: Window, opened: Document, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = asked(real, monkeypatch, folder / "test.env")
    assert dialog.windowTitle() == "Baseline environments of main.yaml"
    assert [dialog.list.item(at).text() for at in range(dialog.list.count())] == [str(folder / "live.env")]
    assert dialog.complaints.text().startswith("Same as the current environments")
    dialog._add()
    dialog._move(-1)
    dialog.list.setCurrentRow(1)
    dialog._remove()
    wait_for_plan(qtbot, real, opened)
    assert opened.environments == (folder / "live.env",)
    assert opened.old_environments == (folder / "test.env",)
    assert "1 replaced" in bench(real).preview.totals
    assert bench(real).preview._old_environments.accessibleName() == "Baseline environments: test.env"
    assert bench(real).preview._old_environments.isVisible()
    assert (
        bench(real)
        .preview.markdown()
        .startswith("# Update preview of main.yaml compared with as opened (baseline environments: test.env)")
    )
    dialog.same.click()
    wait_for_plan(qtbot, real, opened)
    assert opened.old_environments is None
    assert "replaced" not in bench(real).preview.totals
    assert bench(real).preview._old_environments.isHidden()


def test_baseline_without_environments_is_reported(qtbot: QtBot, real: Window, opened: Document) -> None:
    real.session.set_old_environments(opened, ())
    wait_for_plan(qtbot, real, opened)
    assert "1 replaced" in bench(real).preview.totals
    assert bench(real).preview._old_environments.accessibleName() == "Baseline environments: none"


def test_unreadable_baseline_environment_is_reported(
    qtbot: QtBot, real: Window, opened: Document, folder: Path
) -> None:
    real.session.set_old_environments(opened, (folder / "gone.env",))
    wait_for_plan(qtbot, real, opened)
    assert (
        bench(real).preview._old_environments.accessibleName() == "Baseline environments: gone.env (1 cannot be read)"
    )
    real.environments.show_old()
    assert real.environments.old_dialog is not None
    assert "gone.env" in real.environments.old_dialog.complaints.text()


def test_stack_with_its_own_environment_needs_no_other(
    qtbot: QtBot, real: Window, opened: Document, folder: Path
) -> None:
    real.session.set_old_environments(opened, (folder / "test.env",))
    stack = RunningStack(TEXT, environment={"parameters": {"length": 9}})
    real.session.set_baseline(opened, running(stack, "the stack"))
    wait_for_plan(qtbot, real, opened)
    assert "replaced" not in bench(real).preview.totals
    assert bench(real).preview._old_environments.isHidden()
    real.environments.show_old()
    assert real.environments.old_dialog is not None
    assert "has its own environment" in real.environments.old_dialog.complaints.text()


def test_old_environments_are_remembered(qtbot: QtBot, real: Window, opened: Document, folder: Path) -> None:
    real.session.set_old_environments(opened, (folder / "test.env",))
    real.session.close(opened)
    again = opened_document(real.session, folder / "main.yaml")
    assert again.old_environments == (folder / "test.env",)
    real.session.set_old_environments(again, None)
    real.session.close(again)
    assert opened_document(real.session, folder / "main.yaml").old_environments is None
    wait_for_plan(qtbot, real, again)
