"""Files that are changed or deleted on disk while they are open, and full disks: no text is lost without a question."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from heatstudio.ui.documents.document import Document
from heatstudio.ui.window.window import Window
from tests.ui.lives import ProgramRun

BEFORE = b"heat_template_version: 2021-04-16\r\nresources: {}\r\n"
THEIRS = b"# theirs\r\nheat_template_version: 2018-08-31\r\n"
TAKE, KEEP, COMPARE = "Use File on Disk", "Keep Mine", "Compare"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "templates" / "a.yaml"
    file.parent.mkdir()
    file.write_bytes(BEFORE)
    return file


def banner(life: ProgramRun) -> str:
    return life.state()["banner"]


def test_conflict_is_resolved_by_the_choice_of_the_user(tmp_path: Path, file: Path) -> None:
    with ProgramRun(tmp_path, file) as life:
        life.type_in("# mine\n")
        file.write_bytes(THEIRS)
        life.wait_until("'was changed both on disk and in the editor' in state()['banner']")
        life.save()
        assert file.read_bytes() == THEIRS
        assert "a.yaml was not saved: the file was changed on disk" in banner(life)

        life.press(COMPARE)
        life.wait_until("'# theirs' in bench.stack_panes.compare.new.toPlainText()")  # one column in the small window
        assert life.do("window.area.groups.is_shown('Comparison')")
        assert "Which one do you want to keep?" in banner(life)
        life.do("window.files.new(); window.area.step(-2)")  # behind the comparison
        assert "Which one do you want to keep?" in banner(life)

        life.press(TAKE)
        assert life.state()["modified"] == [False, False]
        assert life.do("text.toPlainText()") == THEIRS.decode().replace("\r\n", "\n")
        life.do("window.actions_by_name['undo'].trigger()")
        mine = b"# mine\r\n" + BEFORE
        assert life.do("text.toPlainText()") == mine.decode().replace("\r\n", "\n")
        assert life.do("window.session.current.baseline.label") == "as opened"

        file.write_bytes(THEIRS + b"# again\r\n")
        life.wait_until("'changed both on disk and in the editor' in state()['banner']")
        life.press(KEEP)
        assert banner(life) == ""
        assert file.read_bytes() == THEIRS + b"# again\r\n"
        life.save()
        assert file.read_bytes() == mine
        assert life.do("window.session.current.modified") is False


def test_text_of_a_deleted_file_is_kept(tmp_path: Path, file: Path) -> None:
    away = file.with_name("away")
    with ProgramRun(tmp_path, file) as life:
        file.rename(away)
        life.wait_until("'a.yaml was deleted or renamed' in state()['banner']")
        assert life.do("window.status.state.text()") == "Modified"
        away.rename(file)
        life.wait_until("state()['banner'] == '' and state()['modified'] == [False]")
        file.unlink()
        file.write_bytes(THEIRS)  # as git does
        life.wait_until("'# theirs' in text.toPlainText()")
        assert "reloaded" in banner(life)
        file.unlink()
        life.wait_until("'a.yaml was deleted or renamed' in state()['banner']")
        file.write_bytes(BEFORE)
        life.press("Save Again")
        assert "not saved: the file was changed on disk" in banner(life)
        assert file.read_bytes() == BEFORE
        file.unlink()
        file.parent.rmdir()
        life.wait_until("window.session.current.is_gone")
        life.wait_until_kept(1)
        life.kill()
    with ProgramRun(tmp_path) as life:
        assert "No file on disk for a.yaml" in banner(life)
        life.save()
        assert "because the folder" in banner(life)
        life.press("Create Folder")
        assert file.read_bytes().splitlines() == THEIRS.splitlines()


def test_two_instances_with_the_same_file_lose_no_text(tmp_path: Path, file: Path) -> None:
    with ProgramRun(tmp_path, file) as one, ProgramRun(tmp_path, file) as other:
        one.type_in("# one\n")
        other.type_in("# other\n")
        one.save()
        other.wait_until("'changed both on disk and in the editor' in state()['banner']")
        other.save()
        assert file.read_bytes() == b"# one\r\n" + BEFORE
        one.type_in("# more\n")
        one.wait_until_kept(2)
        one.kill()
        other.kill()
    with ProgramRun(tmp_path) as life:
        reported = life.state()
        plain = BEFORE.decode().replace("\r\n", "\n")
        assert sorted(reported["texts"]) == [f"# one\n# more\n{plain}", f"# other\n{plain}"]
        assert sorted(reported["files"]) == ["a-also-not-saved.yaml", "a.yaml"]
        assert reported["modified"] == [True, True]
        assert file.read_bytes() == b"# one\r\n" + BEFORE


def test_restored_text_overwrites_external_changes_only_after_confirmation(tmp_path: Path, file: Path) -> None:
    with ProgramRun(tmp_path, file) as life:
        life.type_in("# mine\n")
        life.wait_until_kept(1)
        life.kill()
    file.write_bytes(THEIRS)
    with ProgramRun(tmp_path) as life:
        assert "Changed on disk in the meantime: a.yaml" in banner(life)
        life.press("Keep")
        life.save()
        assert file.read_bytes() == THEIRS
        life.press(KEEP)
        life.save()
        assert file.read_bytes().startswith(b"# mine")


def test_full_disk_loses_no_text(tmp_path: Path, file: Path) -> None:
    resource = pytest.importorskip("resource")
    with ProgramRun(tmp_path, file) as life:
        life.do(f"__import__('resource').setrlimit({resource.RLIMIT_FSIZE}, (20, {resource.RLIM_INFINITY}))")
        life.type_in("# mine\n")
        life.wait_until("'Unsaved changes cannot be backed up' in state()['banner']")
        life.save()
        assert "the file exceeds a size limit" in banner(life)
        assert file.read_bytes() == BEFORE
        assert [one.name for one in file.parent.iterdir()] == ["a.yaml"]
        life.do(f"__import__('resource').setrlimit({resource.RLIMIT_FSIZE}, ({resource.RLIM_INFINITY},) * 2)")
        life.wait_until_kept(1)
        life.press("Try Again")
        assert file.read_bytes() == b"# mine\r\n" + BEFORE
        assert life.state()["modified"] == [False]


def test_read_only_file_offers_to_save_elsewhere_or_try_again(tmp_path: Path, file: Path) -> None:
    file.chmod(0o444)
    if os.access(file, os.W_OK):
        pytest.skip("this user may write everywhere")
    with ProgramRun(tmp_path, file) as life:
        life.type_in("# mine\n")
        life.save()
        assert "a.yaml may not be changed" in banner(life)
        assert file.read_bytes() == BEFORE
        assert life.do("[button.text() for button in window.area.banner._buttons]") == ["Save As…", "Try Again"]
        file.chmod(0o644)
        life.press("Try Again")
        assert file.read_bytes() == b"# mine\r\n" + BEFORE


def test_file_is_open_once_under_all_its_names(window: Window, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "real" / "a.yaml").write_text("a: 1\n")
    window.files.open([str(tmp_path / "link" / "a.yaml")])
    window.files.open([str(tmp_path / "real" / "a.yaml")])
    assert [one.path for one in window.session.documents] == [tmp_path / "link" / "a.yaml"]


def test_many_files_open_behind_the_first_ones(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.yaml" for number in range(30)]
    for path in paths:
        path.write_text("a: 1\n", "utf-8")
    shown: list[Document | None] = []
    window.session.current_changed.connect(shown.append)
    held: list[bool] = []
    window.session.document_opened.connect(lambda _: held.append(not window.area.tabs.isVisible()))
    window.files.open(map(str, paths))
    qtbot.waitUntil(lambda: [one.path for one in window.session.documents] == paths)
    assert held == [True] * 30
    assert [one.path for one in shown if one is not None] == [*paths[:8], paths[-1]]
    assert window.area.tabs.isVisible()
