"""Find and replace in files, in the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeWidgetItem
from pytestqt.qtbot import QtBot

from heatstudio.text import Span
from heatstudio.ui.editor.search import files_pane
from heatstudio.ui.editor.search.files_pane import FindInFilesPane
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench
from tests.ui.opening import opened_document


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "templates"
    (root / "nested").mkdir(parents=True)
    (root / "a.yaml").write_bytes(b"size: 1\r\nname: size\r\n")
    (root / "nested" / "b.yaml").write_text("other: Size\nresize: 2\n", "utf-8")
    (root / "binary").write_bytes(b"size\0\xff\xfe")
    (root / ".hidden").write_text("size")
    return root


@pytest.fixture
def pane(window: Window, root: Path) -> FindInFilesPane:
    window.files.open([str(root)])
    window.actions_by_name["find-in-files"].trigger()
    return bench(window).stack_panes.search


def items(pane: FindInFilesPane) -> list[QTreeWidgetItem]:
    tops = [pane.tree.topLevelItem(row) for row in range(pane.tree.topLevelItemCount())]
    found = [top.child(row) for top in tops if top is not None for row in range(top.childCount())]
    return [one for one in found if one is not None]


def lines(pane: FindInFilesPane) -> list[str]:
    return [one.text(0) for one in items(pane)]


Find = Callable[[str], list[str]]


@pytest.fixture
def find(qtbot: QtBot, pane: FindInFilesPane) -> Find:
    def ask(words: str) -> list[str]:
        pane.field.setText(words)
        return settled(qtbot, pane)

    return ask


def settled(qtbot: QtBot, pane: FindInFilesPane) -> list[str]:
    """Search, and return the lines of the results when the search has ended."""
    pane.search()
    qtbot.waitUntil(lambda: pane.status.text() != "Searching…")
    return lines(pane)


def replace(qtbot: QtBot, pane: FindInFilesPane, new: str) -> list[str]:
    pane.replacing.setChecked(True)
    pane.replacement.setText(new)
    return settled(qtbot, pane)


def test_matches_are_grouped_by_file(pane: FindInFilesPane, find: Find) -> None:
    assert find("size") == ["1: size: 1", "2: name: size", "1: other: Size", "2: resize: 2"]
    tops = [pane.tree.topLevelItem(row) for row in range(2)]
    assert [top.text(0) for top in tops if top is not None] == ["a.yaml: 2 matches", "nested/b.yaml: 2 matches"]
    assert pane.status.text() == "4 matches"


def test_options_limit_the_matches(qtbot: QtBot, pane: FindInFilesPane, find: Find) -> None:
    find("size")
    pane.case.setChecked(True)
    assert settled(qtbot, pane) == ["1: size: 1", "2: name: size", "2: resize: 2"]
    pane.words.setChecked(True)
    assert settled(qtbot, pane) == ["1: size: 1", "2: name: size"]
    pane.regex.setChecked(True)
    assert find(r"^si.e") == ["1: size: 1"]
    assert find("(") == []
    assert "Missing )" in pane.status.text()


def test_search_with_a_slow_pattern_is_stopped(window: Window, root: Path, pane: FindInFilesPane, find: Find) -> None:
    (root / "a.yaml").write_text("a" * 5000 + "!")
    pane.regex.setChecked(True)
    assert find(r"(a|aa)+$") == []
    assert "takes too long" in pane.status.text()


def test_unsaved_text_is_searched(window: Window, root: Path, pane: FindInFilesPane, find: Find) -> None:
    opened_document(window.session, root / "a.yaml").change("no match\n")
    assert find("size") == ["1: other: Size", "2: resize: 2"]


def test_search_can_be_limited_to_open_files(
    qtbot: QtBot, window: Window, root: Path, pane: FindInFilesPane, find: Find
) -> None:
    opened_document(window.session, root / "nested" / "b.yaml")
    window.session.new("size: 3\n")
    pane.scope.setCurrentIndex(1)
    assert find("size") == ["1: other: Size", "2: resize: 2", "1: size: 3"]
    pane.tree.itemActivated.emit(items(pane)[2], 0)
    assert window.session.current is not None
    assert window.session.current.path is None


def test_excessive_matches_are_omitted(pane: FindInFilesPane, find: Find, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files_pane, "MOST_MATCHES", 3)
    assert find("size") == ["1: size: 1", "2: name: size", "1: other: Size"]
    assert pane.status.text() == "The first 3 matches"


def test_enter_goes_to_a_match(window: Window, root: Path, pane: FindInFilesPane, find: Find) -> None:
    find("size")
    pane.tree.setCurrentItem(items(pane)[3])
    QTest.keyClick(pane.tree, Qt.Key.Key_Return)
    assert window.session.current is not None
    assert window.session.current.path == root / "nested" / "b.yaml"
    assert window.area.editor is not None
    assert window.area.editor.selection() == Span(14, 18)


def test_checked_matches_are_replaced_in_one_undo_step_per_file(
    qtbot: QtBot, window: Window, root: Path, pane: FindInFilesPane, find: Find
) -> None:
    document = opened_document(window.session, root / "a.yaml")
    find("size")
    assert replace(qtbot, pane, "width")[0] == "1: size → width: 1"
    items(pane)[2].setCheckState(0, Qt.CheckState.Unchecked)
    pane.replace_button.click()
    qtbot.waitUntil(lambda: len(window.session.documents) == 2 and not pane._next.isActive())
    other = opened_document(window.session, root / "nested" / "b.yaml")
    assert document.text == "width: 1\nname: width\n"
    assert other.text == "other: Size\nrewidth: 2\n"
    assert (root / "a.yaml").read_bytes() == b"size: 1\r\nname: size\r\n"
    for one in (document, other):
        window.session.make_current(one)
        window.actions_by_name["undo"].trigger()
        assert not one.modified


def test_groups_of_a_pattern_are_replaced(qtbot: QtBot, pane: FindInFilesPane, find: Find) -> None:
    pane.regex.setChecked(True)
    find(r"(\w+): size")
    assert replace(qtbot, pane, "$1: $0!")[0] == "2: name: size → name: name: size!"


def test_file_changed_after_the_search_is_not_changed(
    qtbot: QtBot, window: Window, root: Path, pane: FindInFilesPane, find: Find
) -> None:
    document = opened_document(window.session, root / "a.yaml")
    find("size")
    replace(qtbot, pane, "width")
    document.change("size: typed\n")
    (root / "nested" / "b.yaml").write_text("size: written\n")
    pane.replace_button.click()
    qtbot.waitUntil(lambda: "Not replaced" in window.area.banner.sentence)
    assert document.text == "size: typed\n"
    assert (root / "nested" / "b.yaml").read_text() == "size: written\n"
    assert "a.yaml" in window.area.banner.sentence
    assert "b.yaml" in window.area.banner.sentence


def test_nothing_is_replaced_before_the_fields_are_searched(pane: FindInFilesPane, find: Find) -> None:
    pane.replacing.setChecked(True)
    find("size")
    assert pane.replace_button.isEnabled()
    pane.replacement.setText("width")
    assert not pane.replace_button.isEnabled()


def test_a_search_can_be_canceled(
    qtbot: QtBot, pane: FindInFilesPane, find: Find, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane.field.setText("size")
    pane.search()
    pane.stop.click()
    assert pane.status.text() == "Canceled."
    qtbot.wait(50)
    assert lines(pane) == []
    assert find("resize") == ["2: resize: 2"]


def test_tab_goes_from_the_option_to_the_new_text(qtbot: QtBot, pane: FindInFilesPane) -> None:
    pane.replacing.setChecked(True)
    assert pane.replacing.nextInFocusChain() is pane.replacement
    assert pane.replacement.hasFocus(), "the new field"
    assert pane.replacement.nextInFocusChain() is pane.replace_button


def test_button_says_that_matches_without_a_new_text_are_deleted(qtbot: QtBot, pane: FindInFilesPane) -> None:
    pane.replacing.setChecked(True)
    assert pane.replace_button.text() == "Delete Selected"
    pane.replacement.setText("new")
    pane.search()
    assert pane.replace_button.text() == "Replace Selected"
