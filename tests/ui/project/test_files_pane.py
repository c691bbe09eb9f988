"""The files pane in the window: its content and its keys."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from heatstudio.ui.project.pane import FileRow, FilesPane
from heatstudio.ui.widgets.tree_model import CELL_ROLE
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench
from tests.ui.opening import opened_document

Key = Qt.Key


@pytest.fixture
def root(tmp_path: Path, sample: str) -> Path:
    root = tmp_path / "templates"
    (root / "nested").mkdir(parents=True)
    (root / "a.yaml").write_text(sample, "utf-8")
    (root / "nested" / "b.yaml").write_text(sample, "utf-8")
    (root / "notes.txt").touch()
    return root


def index_of(pane: FilesPane, path: Path) -> QModelIndex:
    return pane.model.last_of(lambda value: isinstance(value, FileRow) and value.path == path)


def shown(pane: FilesPane) -> list[str]:
    return [str(index.data()) for index in pane.model.indexes()]


@pytest.fixture
def pane(qtbot: QtBot, window: Window, root: Path) -> FilesPane:
    window.files.open([str(root)])
    assert window.sides.is_seen("Files")
    pane = bench(window).stack_panes.files
    qtbot.waitUntil(lambda: shown(pane) == ["templates", "nested", "b.yaml", "a.yaml", "notes.txt"])
    window.activateWindow()
    qtbot.waitActive(window)
    return pane


def select(pane: FilesPane, path: Path) -> None:
    pane.view.setCurrentIndex(index_of(pane, path))
    pane.view.setFocus()


def answer_with(qtbot: QtBot, name: str) -> None:
    """Enter a name in the input dialog."""

    def dialog() -> QInputDialog | None:
        active = QApplication.activeModalWidget()
        return active if isinstance(active, QInputDialog) else None

    qtbot.waitUntil(lambda: dialog() is not None)
    asked = dialog()
    assert asked is not None
    asked.setTextValue(name)
    asked.accept()


def ask(pane: FilesPane, words: str) -> None:
    next(one for one in pane.view.actions() if one.text().startswith(words)).trigger()


def test_without_a_folder_a_button_opens_one(window: Window, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    window.sides.reveal("Files")
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getExistingDirectory", staticmethod(lambda *_, **__: str(root)))
    button = bench(window).stack_panes.files.findChild(QPushButton)
    assert isinstance(button, QWidget)
    button.click()
    assert window.session.root == root


def test_enter_opens_a_file_and_folds_a_folder(window: Window, pane: FilesPane, root: Path) -> None:
    select(pane, root / "nested")
    assert not pane.view.isExpanded(pane.view.currentIndex())
    QTest.keyClick(pane.view, Key.Key_Return)
    assert pane.view.isExpanded(pane.view.currentIndex())
    select(pane, root / "nested" / "b.yaml")
    QTest.keyClick(pane.view, Key.Key_Return)
    assert window.session.current is not None
    assert window.session.current.path == root / "nested" / "b.yaml"


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_link_to_a_file_outside_the_folder_is_not_followed(
    qtbot: QtBot, window: Window, pane: FilesPane, root: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret.yaml").touch()
    (root / "away").symlink_to(tmp_path)
    qtbot.waitUntil(lambda: "away" in shown(pane))
    assert "secret.yaml" not in shown(pane)
    select(pane, root / "away")
    QTest.keyClick(pane.view, Key.Key_Return)
    assert window.session.root == root
    ask(pane, "New File")
    answer_with(qtbot, "new.yaml")
    assert (root / "new.yaml").exists()


def test_badges_count_problems_of_files_and_their_folders(qtbot: QtBot, pane: FilesPane, root: Path) -> None:
    def counts(path: Path) -> object:
        return index_of(pane, path).data(CELL_ROLE).counts

    qtbot.waitUntil(lambda: bool(counts(root / "nested" / "b.yaml")) and bool(counts(root / "a.yaml")))
    assert counts(root / "nested") == counts(root / "nested" / "b.yaml") != counts(root)
    assert not counts(root / "notes.txt")


def test_unsaved_text_is_marked(qtbot: QtBot, window: Window, pane: FilesPane, root: Path) -> None:
    document = opened_document(window.session, root / "a.yaml")
    document.change("unsaved")
    qtbot.waitUntil(lambda: index_of(pane, root / "a.yaml").data(CELL_ROLE).icon[0] == "modified")
    assert "unsaved changes" in index_of(pane, root / "a.yaml").data(Qt.ItemDataRole.AccessibleTextRole)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_git_states_are_shown(qtbot: QtBot, window: Window, pane: FilesPane, root: Path) -> None:
    subprocess.run(["git", "init", "-q", root], check=True)
    window.session.check_disk()
    qtbot.waitUntil(lambda: index_of(pane, root / "notes.txt").data(CELL_ROLE).badge is not None)
    assert index_of(pane, root / "notes.txt").data(CELL_ROLE).badge[0] == "?"
    assert "git: untracked" in index_of(pane, root / "notes.txt").data(Qt.ItemDataRole.ToolTipRole)
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a"]
    subprocess.run([*git, "add", "a.yaml", "nested"], check=True)
    subprocess.run([*git, "commit", "-qm", "a"], check=True)
    (root / "nested" / "b.yaml").write_text("changed", "utf-8")
    window.session.check_disk()
    qtbot.waitUntil(lambda: index_of(pane, root).data(CELL_ROLE).badge[0] == "M1 ?1")
    assert index_of(pane, root / "nested").data(CELL_ROLE).badge[0] == "M1"
    assert "git: 1 modified" in index_of(pane, root / "nested").data(Qt.ItemDataRole.AccessibleTextRole)
    assert index_of(pane, root / "nested" / "b.yaml").data(CELL_ROLE).badge[0] == "M"


def test_current_file_is_selected_without_the_focus(window: Window, pane: FilesPane, root: Path) -> None:
    opened_document(window.session, root / "nested" / "b.yaml")
    assert pane.view.currentIndex() == index_of(pane, root / "nested" / "b.yaml")
    assert pane.view.isExpanded(index_of(pane, root / "nested"))
    assert not pane.view.hasFocus()
    select(pane, root / "notes.txt")
    pane.refresh()
    assert pane.view.currentIndex() == index_of(pane, root / "notes.txt"), "another selection stays"
    window.actions_by_name["follow-file"].trigger()
    opened_document(window.session, root / "a.yaml")
    assert pane.view.currentIndex() == index_of(pane, root / "notes.txt")
    window.actions_by_name["follow-file"].trigger()
    assert pane.view.currentIndex() == index_of(pane, root / "a.yaml")


def test_created_and_deleted_files_are_detected(qtbot: QtBot, pane: FilesPane, root: Path) -> None:
    pane.view.expand(index_of(pane, root / "nested"))
    (root / "nested" / "c.yaml").touch()
    qtbot.waitUntil(lambda: "c.yaml" in shown(pane))
    assert pane.view.isExpanded(index_of(pane, root / "nested"))
    (root / "a.yaml").unlink()
    qtbot.waitUntil(lambda: "a.yaml" not in shown(pane))


def test_renaming_an_open_file_keeps_its_tab_and_its_unsaved_text(
    qtbot: QtBot, window: Window, pane: FilesPane, root: Path
) -> None:
    document = opened_document(window.session, root / "a.yaml")
    other = opened_document(window.session, root / "nested" / "b.yaml")
    window.session.set_environments(other, (root / "a.yaml",))
    document.change("unsaved")
    select(pane, root / "a.yaml")
    QTest.keyClick(pane.view, Key.Key_F2)
    answer_with(qtbot, "new.yaml")
    assert (root / "new.yaml").exists()
    assert (document.path, document.text, document.modified) == (root / "new.yaml", "unsaved", True)
    assert other.environments == (root / "new.yaml",)
    assert window.session.settings.environments[root / "nested" / "b.yaml"] == (root / "new.yaml",)
    window.files.save(document)
    assert (root / "new.yaml").read_text("utf-8") == "unsaved"
    assert not (root / "a.yaml").exists()
    qtbot.waitUntil(lambda: "new.yaml" in shown(pane))
    assert pane.view.currentIndex().data() == "new.yaml"


def test_row_of_a_closed_file_is_kept_when_it_is_renamed_or_deleted(qtbot: QtBot, pane: FilesPane, root: Path) -> None:
    select(pane, root / "nested" / "b.yaml")
    (root / "nested" / "b.yaml").rename(root / "nested" / "c.yaml")
    pane._list_again()
    qtbot.waitUntil(lambda: "c.yaml" in shown(pane))
    assert pane.view.currentIndex().data() == "c.yaml"
    (root / "nested" / "c.yaml").unlink()
    pane._list_again()
    qtbot.waitUntil(lambda: "c.yaml" not in shown(pane))
    assert pane.view.currentIndex().data() == "nested"


def test_renaming_a_folder_keeps_the_tabs_of_its_files(
    qtbot: QtBot, window: Window, pane: FilesPane, root: Path
) -> None:
    document = opened_document(window.session, root / "nested" / "b.yaml")
    select(pane, root / "nested")
    QTest.keyClick(pane.view, Key.Key_F2)
    answer_with(qtbot, "inner")
    assert document.path == root / "inner" / "b.yaml"
    assert not document.modified


@pytest.mark.parametrize("name", ["notes.txt", "../away.yaml", "nested", "", "..", "a\0b"])
def test_invalid_name_changes_nothing(qtbot: QtBot, window: Window, pane: FilesPane, root: Path, name: str) -> None:
    before = sorted(root.parent.rglob("*"))
    select(pane, root / "a.yaml")
    QTest.keyClick(pane.view, Key.Key_F2)
    answer_with(qtbot, name)
    assert sorted(root.parent.rglob("*")) == before
    assert "Cannot use the name" in window.area.banner.sentence


def test_new_files_and_folders_are_created_at_the_selection(
    qtbot: QtBot, window: Window, pane: FilesPane, root: Path
) -> None:
    select(pane, root / "nested" / "b.yaml")
    ask(pane, "New File")
    answer_with(qtbot, "c.yaml")
    assert window.session.current is not None
    assert window.session.current.path == root / "nested" / "c.yaml"
    select(pane, root / "a.yaml")
    ask(pane, "New Folder")
    answer_with(qtbot, "more")
    assert (root / "more").is_dir()
    select(pane, root / "a.yaml")
    ask(pane, "Copy Path")
    assert QApplication.clipboard().text() == str(root / "a.yaml")


def agree(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    asked: list[str] = []

    def answer(box: QMessageBox) -> QMessageBox.StandardButton:
        asked.append(box.text())
        return QMessageBox.StandardButton.Yes

    monkeypatch.setattr(QMessageBox, "exec", answer)
    return asked


def test_deleted_file_is_moved_to_the_trash_and_its_text_stays_open(
    qtbot: QtBot, window: Window, pane: FilesPane, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "data"
    home.mkdir()
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    document = opened_document(window.session, root / "a.yaml")
    asked = agree(monkeypatch)
    select(pane, root / "a.yaml")
    QTest.keyClick(pane.view, Key.Key_Delete)
    qtbot.waitUntil(lambda: document.modified)
    assert len(asked) == 1
    assert not (root / "a.yaml").exists()
    assert (home / "Trash" / "files" / "a.yaml").exists()
    assert document in window.session.documents


def test_nothing_is_deleted_without_a_trash(
    qtbot: QtBot, window: Window, pane: FilesPane, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "no" / "such" / "folder"))
    (tmp_path / "no").touch()
    agree(monkeypatch)
    select(pane, root / "notes.txt")
    QTest.keyClick(pane.view, Key.Key_Delete)
    qtbot.waitUntil(lambda: "was not deleted" in window.area.banner.sentence)
    assert (root / "notes.txt").exists()


def test_opened_folder_cannot_be_renamed_or_deleted(
    pane: FilesPane, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = agree(monkeypatch)
    select(pane, root)
    for key in (Key.Key_Delete, Key.Key_F2):
        QTest.keyClick(pane.view, key)
    assert not asked
    assert QApplication.activeModalWidget() is None
