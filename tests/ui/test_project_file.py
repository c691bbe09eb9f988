"""The project file in the window: its problems are listed, and its settings apply to open templates."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from heatstudio.ui.problems.table import Scope
from heatstudio.ui.window.window import Window
from heatstudio.update.plan.update_plan import UpdatePlan
from tests.ui.bench import bench
from tests.ui.opening import opened_document, plan_of

HOT = "heat_template_version: 2021-04-16\nresources:\n  a: {type: OS::Acme::Firewall}\n"


def test_project_file_has_problems_and_applies_to_templates(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(HOT, encoding="utf-8")
    project = tmp_path / "heatstudio.toml"
    project.write_text('# x\nrelase = "Yoga"\n', encoding="utf-8")
    template, toml = opened_document(real.session, tmp_path / "a.yaml"), opened_document(real.session, project)
    qtbot.waitUntil(lambda: [one.code for one in toml.problems or ()] == ["project-file"])
    qtbot.waitUntil(lambda: [one.code for one in template.problems or ()] == ["unknown-type"])
    qtbot.waitUntil(lambda: plan_of(toml) is not None)
    assert plan_of(toml) == UpdatePlan()
    toml.change('[types."OS::Acme::Firewall"]\nattributes = []\n')
    qtbot.waitUntil(lambda: toml.problems == ())
    real.session.make_current(template)
    qtbot.waitUntil(lambda: template.problems == ())


def test_menu_and_status_bar_name_the_release_of_the_project(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    project = tmp_path / "heatstudio.toml"
    project.write_text('release = "Yoga"\n', encoding="utf-8")
    (tmp_path / "a.yaml").write_text(HOT, encoding="utf-8")
    template, status, menu = (
        opened_document(real.session, tmp_path / "a.yaml"),
        real.status,
        bench(real).target_controller.releases,
    )
    qtbot.waitUntil(lambda: template.state is not None)
    assert status.release.text() == "Target: Yoga"
    menu.aboutToShow.emit()
    assert menu.actions()[0].text().startswith("heatstudio.toml: Yoga (Heat ")
    assert menu.actions()[0].isChecked()
    toml = opened_document(real.session, project)
    qtbot.waitUntil(lambda: toml.state is not None)
    assert (status.language.text(), status.version.text()) == ("TOML", "")
    toml.change("")
    real.session.make_current(template)
    menu.aboutToShow.emit()
    assert menu.actions()[0].text() == "Bundled Heat (27.0.1)"
    qtbot.waitUntil(lambda: status.release.text() == "Heat 2026.2 Hibiscus")


@pytest.mark.skipif(os.name != "posix", reason="Windows has no pipes among its files")
def test_unusable_files_are_named_where_nothing_is_wrong(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "heatstudio.toml")
    (tmp_path / "a.yaml").write_text("heat_template_version: 2021-04-16\n", encoding="utf-8")
    document, pane = opened_document(real.session, tmp_path / "a.yaml"), bench(real).problems
    qtbot.waitUntil(lambda: document.problems == ())
    assert pane.empty.accessibleName() == "No problems in what was checked"
    assert pane.note.text() == f"{tmp_path}/heatstudio.toml:1: The file is a pipe. Choose another file."
    real.session.close(document)
    real.session.open_folder(tmp_path)
    pane.bar.scopes.setCurrentText(Scope.FOLDER)
    qtbot.waitUntil(lambda: pane.note.text() == "heatstudio.toml is a pipe. Choose another file.", timeout=60_000)
    assert pane.empty.accessibleName() == "No problems in what was checked"
