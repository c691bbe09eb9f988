"""All safe fixes in a folder: listed first, then applied to the selected files, in editors and on disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from heatstudio.cli import run
from heatstudio.ui.commands.folder_fix_controller import save
from heatstudio.ui.commands.text_controller import CHANGED_MEANWHILE
from heatstudio.ui.problems.fix_all_dialog import FixAllDialog
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench
from tests.ui.conftest import Shot

OLD = """heat_template_version: 2021-04-16
resources:
  port:  # kept
    type: OS::Neutron::Port
    properties: {network_id: private,  name: 'x'}
"""
NEW = OLD.replace("network_id", "network")
REPORT = "5: `network` replaces `network_id`."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with templates that can be fixed, and with other files."""
    folder = tmp_path / "templates"
    texts = {
        "one.yaml": OLD,
        "deep/two.template": OLD.replace("\n", "\r\n"),
        "deep/fine.yaml": NEW,
        "environment.yaml": "parameters: {network_id: x}\n",
        ".hidden/three.yaml": OLD,
        "notes.txt": OLD,
    }
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    (folder / "strange.yaml").write_bytes(b"heat_template_version: \xff\n")
    return folder


def look(qtbot: QtBot, window: Window, folder: Path, monkeypatch: pytest.MonkeyPatch) -> FixAllDialog:
    """Select a folder in the dialog, and return the dialog when the search is complete."""
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    window.actions_by_name["fix-files"].trigger()
    dialog = bench(window).fix_controller.files.dialog
    assert dialog is not None
    dialog.places.setCurrentIndex(dialog.places.count() - 1)
    dialog.places.activated.emit(dialog.places.currentIndex())
    assert dialog.places.currentText() == f"the folder {folder.name}"
    qtbot.waitUntil(lambda: "to apply" in dialog.verdict.text())
    return dialog


def apply(qtbot: QtBot, dialog: FixAllDialog) -> list[str]:
    """Apply the fixes and return the lines of the report."""
    dialog.apply_button.click()
    qtbot.waitUntil(lambda: dialog.tabs.currentWidget() is dialog.report)
    return dialog.report.toPlainText().splitlines()


def rows(dialog: FixAllDialog) -> list[str]:
    return [dialog.files.item(row).text() for row in range(dialog.files.count())]


def test_nothing_is_written_before_confirmation(
    qtbot: QtBot, real: Window, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    dialog = look(qtbot, real, folder, monkeypatch)
    assert rows(dialog) == ["one.yaml: 1 change", "deep/two.template: 1 change"]
    words = "2 changes in 2 files to apply. 1 file cannot be read; see the report."
    assert dialog.verdict.text() == words
    assert "strange.yaml is not UTF-8" in dialog.report.toPlainText()
    assert "Skipped (not a template): 1 file." in dialog.report.toPlainText()
    shown = dialog.changes.toPlainText()
    assert "one.yaml" in shown
    assert "-    5      properties: {network_id: private,  name: 'x'}" in shown
    assert "+    5      properties: {network: private,  name: 'x'}" in shown
    dialog.close()
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_only_checked_files_are_written(
    qtbot: QtBot, real: Window, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = look(qtbot, real, folder, monkeypatch)
    dialog.files.item(0).setCheckState(Qt.CheckState.Unchecked)
    report = apply(qtbot, dialog)
    assert report[0] == f"deep/two.template:{REPORT}"
    assert "strange.yaml is not UTF-8" in report[1]
    assert dialog.verdict.text().startswith("1 change in 1 file. No effect on the stack")
    assert rows(dialog) == ["one.yaml: not fixed", "deep/two.template: 1 change made"]
    assert not any(dialog.files.item(row).flags() & Qt.ItemFlag.ItemIsUserCheckable for row in range(2))
    assert (folder / "one.yaml").read_bytes() == OLD.encode()
    assert (folder / "deep/two.template").read_bytes() == NEW.replace("\n", "\r\n").encode()
    assert (folder / ".hidden/three.yaml").read_bytes() == OLD.encode()
    assert real.session.documents == ()
    dialog.close()


def test_open_file_is_changed_in_its_editor_in_one_undo_step(
    qtbot: QtBot, real: Window, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real.files.open([str(folder / "one.yaml")])
    document = real.session.current
    assert document is not None
    editor = real.area.editor_of(document).editor
    editor.setPlainText(f"# mine\n{OLD}")
    dialog = look(qtbot, real, folder, monkeypatch)
    assert apply(qtbot, dialog)[0] == "one.yaml:6: `network` replaces `network_id`."
    assert document.text == f"# mine\n{NEW}"
    assert (folder / "one.yaml").read_bytes() == OLD.encode()
    assert (folder / "deep/two.template").read_bytes() == NEW.replace("\n", "\r\n").encode()
    editor.undo()
    assert document.text == f"# mine\n{OLD}"
    dialog.close()


def test_files_changed_since_the_search_are_not_fixed(
    qtbot: QtBot, real: Window, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = look(qtbot, real, folder, monkeypatch)
    (folder / "deep/two.template").write_text(OLD + "# theirs\n")
    real.files.open([str(folder / "one.yaml")])
    document = real.session.current
    assert document is not None
    document.change(OLD + "# mine\n")
    report = apply(qtbot, dialog)
    assert report[0] == f"one.yaml: not fixed: {CHANGED_MEANWHILE}"
    assert "two.template: not fixed:" in report[1]
    assert "was changed on disk" in report[1]
    assert (folder / "deep/two.template").read_text() == OLD + "# theirs\n"
    assert document.text == OLD + "# mine\n"
    dialog.close()


def test_file_opened_after_the_search_is_changed_in_its_editor(
    qtbot: QtBot, real: Window, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = look(qtbot, real, folder, monkeypatch)
    real.files.open([str(folder / "one.yaml")])
    apply(qtbot, dialog)
    document = real.session.current
    assert document is not None
    assert (document.text, document.modified) == (NEW, True)
    assert (folder / "one.yaml").read_bytes() == OLD.encode()
    dialog.close()


def test_selected_code_limits_the_fixes(
    qtbot: QtBot, real: Window, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mute = "  text:\n    type: OS::Heat::RandomString\n    properties: {sequence: digits}\n"
    (folder / "one.yaml").write_text(OLD + mute)
    dialog = look(qtbot, real, folder, monkeypatch)
    kinds = [dialog.kinds.itemText(row) for row in range(dialog.kinds.count())]
    assert rows(dialog)[0] == "one.yaml: 2 changes"
    assert len(kinds) > 1
    dialog.kinds.setCurrentIndex(1)
    dialog.kinds.activated.emit(1)
    qtbot.waitUntil(lambda: "to apply" in dialog.verdict.text())
    assert dialog.kinds.currentText() == kinds[1]
    dialog.close()


def test_the_search_can_be_canceled(qtbot: QtBot, real: Window, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dialog = look(qtbot, real, folder, monkeypatch)
    dialog.kinds.activated.emit(0)
    assert dialog.progress.isVisible()
    assert not dialog.apply_button.isEnabled()
    dialog.stop_button.click()
    assert dialog.verdict.text() == "Canceled. Nothing was changed."
    assert not dialog.progress.isVisible()
    qtbot.wait(50)
    assert rows(dialog) == []
    dialog.close()


def test_selecting_another_code_cancels_the_previous_search(
    qtbot: QtBot, real: Window, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = look(qtbot, real, folder, monkeypatch)
    for row in (1, 0):
        dialog.kinds.setCurrentIndex(row)
        dialog.kinds.activated.emit(row)
        assert dialog.verdict.text() == "Finding fixes…"
        assert dialog.progress.isVisible()
    qtbot.waitUntil(lambda: len(rows(dialog)) == 2)
    dialog.close()


def test_canceled_save_reports_the_remaining_files(
    qtbot: QtBot, real: Window, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = look(qtbot, real, folder, monkeypatch)
    job = real.session.jobs.begin("Saving")
    job.stop()
    fixed = save(job, dialog.chosen())
    real.session.jobs.end(job)
    assert [(one.lines, one.refusals) for one in fixed] == [((), ("Canceled.",))] * 2
    assert (folder / "one.yaml").read_bytes() == OLD.encode()
    dialog.close()


def test_open_files_are_fixed_if_no_folder_is_selected(
    qtbot: QtBot, real: Window, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")
    real.files.open([str(folder / "one.yaml")])
    real.actions_by_name["fix-files"].trigger()
    dialog = bench(real).fix_controller.files.dialog
    assert dialog is not None
    dialog.places.setCurrentIndex(dialog.places.count() - 1)
    dialog.places.activated.emit(dialog.places.currentIndex())
    assert dialog.places.currentText() == "the open files"
    qtbot.waitUntil(lambda: rows(dialog) == ["one.yaml: 1 change"])
    dialog.close()


def test_the_open_folder_is_fixed_if_no_file_is_open(qtbot: QtBot, real: Window, folder: Path) -> None:
    real.session.open_folder(folder)
    real.actions_by_name["fix-files"].trigger()
    dialog = bench(real).fix_controller.files.dialog
    assert dialog.places.currentText() == f"the folder {folder.name}"
    qtbot.waitUntil(lambda: "one.yaml: 1 change" in rows(dialog))
    dialog.close()


def test_open_files_of_one_name_are_told_apart(qtbot: QtBot, real: Window, folder: Path) -> None:
    (folder / "deep/one.yaml").write_text(OLD, encoding="utf-8")
    real.files.open([str(folder / "one.yaml"), str(folder / "deep/one.yaml")])
    real.actions_by_name["fix-files"].trigger()
    dialog = bench(real).fix_controller.files.dialog
    qtbot.waitUntil(lambda: len(rows(dialog)) == 2)
    assert rows(dialog) == ["one.yaml — templates: 1 change", "one.yaml — deep: 1 change"]
    dialog.close()


def test_a_folder_is_upgraded_to_a_release(qtbot: QtBot, real: Window, tmp_path: Path, shot: Shot) -> None:
    zone = "  zone: {type: OS::Designate::Zone, properties: {name: a., email: a@b.c, attributes: {a: b}}}\n"
    (tmp_path / "one.yaml").write_text(OLD, encoding="utf-8")
    (tmp_path / "zone.yaml").write_text(OLD.replace("network_id", "network") + zone, encoding="utf-8")
    real.session.open_folder(tmp_path)
    real.actions_by_name["upgrade"].trigger()
    dialog = bench(real).fix_controller.files.dialog
    qtbot.waitUntil(lambda: rows(dialog) == ["one.yaml: 1 change"])
    assert dialog.release.text() == "27.0.0 (2026.2 Hibiscus)"
    next(one for one in dialog.release.menu().actions() if one.data() == "Yoga").trigger()
    qtbot.waitUntil(lambda: rows(dialog) == ["one.yaml: 1 change", "zone.yaml: no safe fixes, 1 problem left"])
    assert real.session.target.release == "Yoga"
    report = dialog.report.toPlainText().splitlines()
    assert report[0] == f"# Upgrade to {dialog.release.text()}"
    assert f"- Safe fix, line {REPORT}" in report
    assert report[-1].startswith("- [ ] Line 6: ")
    shot(dialog, "upgrade")
    dialog.files.setCurrentRow(1)
    assert dialog.report.textCursor().selectedText() == "## zone.yaml"
    dialog.copy_button.click()
    assert QGuiApplication.clipboard().text().splitlines() == report
    dialog.close()


def test_window_applies_the_same_safe_fixes_as_the_command_line(
    qtbot: QtBot, real: Window, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    template = tmp_path / "one.yaml"
    template.write_text(OLD.replace("# kept", "# heatstudio: ignore[unknown-property]"), encoding="utf-8")
    assert run(["upgrade", str(tmp_path), "--to", "2026.2", "--format", "markdown"]) == 0
    expected = capsys.readouterr().out.replace(str(template), "one.yaml").splitlines()
    assert sum(line.startswith("- Safe fix, ") for line in expected) == 2
    real.session.open_folder(tmp_path)
    real.actions_by_name["upgrade"].trigger()
    dialog = bench(real).fix_controller.files.dialog
    qtbot.waitUntil(lambda: rows(dialog) == ["one.yaml: 2 changes"])
    assert dialog.report.toPlainText().splitlines() == expected
    apply(qtbot, dialog)
    assert template.read_text("utf-8") == NEW.replace("  # kept", "")
    dialog.close()
