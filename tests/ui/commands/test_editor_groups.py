"""Two groups of tabs: one text in both, tabs that move, panels as tabs, and their return after a restart."""

from __future__ import annotations

import json
import random
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from heatstudio.service.engine import Engine
from heatstudio.text import Severity
from heatstudio.ui.commands.actions import PAGES
from heatstudio.ui.commands.editor_groups import AreaState, key_of, restored
from heatstudio.ui.documents.document import Document
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.session import Session
from tests.ui.bench import bench, make_bench
from tests.ui.conftest import SIZE, close_documents

TEXT = "heat_template_version: 2021-04-16\nresources:\n  one:\n    type: OS::Heat::None\n  two:\n    type: A\n"


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    files = [tmp_path / f"{name}.yaml" for name in "abc"]
    for file in files:
        file.write_text(TEXT, encoding="utf-8")
    return files


@pytest.fixture
def opened(qtbot: QtBot, window: Window, files: list[Path]) -> Window:
    window.files.open(list(map(str, files)))
    with qtbot.waitActive(window):
        window.activateWindow()
    return window


def tabs(window: Window) -> list[list[str]]:
    """Return the titles in each group."""
    return [[tab.title for tab in group] for group in window.area.groups]


def run(window: Window, *commands: str) -> None:
    for command in commands:
        window.actions_by_name[command].trigger()


def pair(window: Window) -> tuple[EditorPane, EditorPane]:
    """Return the editors of the current document in the active and in the other group."""
    document = window.session.current
    assert document is not None
    return window.area.groups.active.editors[document], window.area.groups.other.editors[document]


def shown(window: Window) -> list[bool]:
    return [group.isVisible() for group in window.area.groups]


def test_text_in_both_groups_has_one_undo_history(opened: Window) -> None:
    assert shown(opened) == [True, False]
    run(opened, "split-right")
    assert tabs(opened) == [["a.yaml", "b.yaml", "c.yaml"], ["c.yaml"]]
    assert shown(opened) == [True, True]
    first, second = opened.area.groups.sizes()
    assert abs(first - second) <= 1
    right, left = pair(opened)
    assert right.editor.hasFocus()
    QTest.keyClicks(right.editor, "x")
    run(opened, "focus-other-group")
    assert left.editor.hasFocus()
    left.editor.moveCursor(left.editor.textCursor().MoveOperation.End)
    QTest.keyClicks(left.editor, "y")
    assert left.text() == right.text() == f"x{TEXT}y"
    assert opened.session.current is not None
    assert opened.session.current.text == left.text()
    run(opened, "undo", "focus-other-group")
    right.editor.moveCursor(right.editor.textCursor().MoveOperation.End)
    run(opened, "focus-other-group", "undo")
    assert left.editor.textCursor().position() == 0, "where the other editor typed"
    assert left.text() == right.text() == TEXT
    run(opened, "redo", "redo")
    assert left.text() == f"x{TEXT}y"


def test_long_lines_are_visible_in_the_narrower_editor_of_a_text(opened: Window, qtbot: QtBot) -> None:
    run(opened, "split-right")
    editors = pair(opened)
    editors[0].replace_text(TEXT.replace("OS::Heat::None", "a " * 200))
    run(opened, "wrap")
    opened.area.groups.setSizes([1_000, 400])
    wide, narrow = sorted((one.editor for one in editors), key=lambda one: one.width(), reverse=True)
    qtbot.waitUntil(lambda: wide.viewport().width() == narrow.viewport().width())
    assert wide.width() > narrow.width() + 100
    qtbot.waitUntil(lambda: narrow.horizontalScrollBar().maximum() == 0)
    run(opened, "wrap")
    assert wide.viewport().width() > narrow.viewport().width() + 100
    run(opened, "wrap", "close")
    document = opened.session.current
    assert document is not None
    (last,) = opened.area.groups.editors_of(document)
    qtbot.waitUntil(lambda: last.editor.viewportMargins().right() == 0)


def test_both_editors_of_a_text_show_its_problems_and_folds(opened: Window, qtbot: QtBot) -> None:
    run(opened, "split-right")
    editors = pair(opened)
    with qtbot.waitSignal(opened.session.plan_changed):
        QTest.keyClicks(editors[0].editor, "x")
    marks = [[(one.start, one.mark.severity) for one in editor.decorations.marks.all()] for editor in editors]
    assert marks[0] == marks[1]
    assert {severity for _, severity in marks[0]} <= set(Severity)
    run(opened, "undo", "fold-all")
    assert all(editor.editor.folding.is_folded(editor.editor.document().findBlockByNumber(2)) for editor in editors)
    run(opened, "focus-other-group")
    editors[1].go_to_line(3)
    assert not editors[0].editor.folding.is_folded(editors[0].editor.document().findBlockByNumber(2))


@pytest.mark.parametrize("closed_first", ["the editor with the text", "the other editor"])
def test_text_stays_in_the_other_group_when_its_tab_is_closed(opened: Window, closed_first: str) -> None:
    run(opened, "split-right")
    right, left = pair(opened)
    document = opened.session.current
    assert document is not None
    QTest.keyClicks(right.editor, "x")
    right.go_to_line(2)
    assert (left.is_shared, right.is_shared) == (False, True)
    if closed_first == "the editor with the text":
        run(opened, "focus-other-group")
    run(opened, "close")
    QApplication.processEvents()
    (last,) = opened.area.groups.editors_of(document)
    assert last is left
    assert last.text() == f"x{TEXT}"
    assert last.caret_place().line == (2 if closed_first == "the editor with the text" else 0)
    assert len(opened.session.documents) == 3
    QTest.keyClicks(last.editor, "y")
    last.editor.undo()
    last.editor.undo()
    assert last.text() == document.text == TEXT


def test_tab_moves_to_the_other_group_and_back(opened: Window) -> None:
    run(opened, "move-to-other-group")
    assert tabs(opened) == [["a.yaml", "b.yaml"], ["c.yaml"]]
    assert opened.session.current is not None
    assert opened.session.current.title == "c.yaml"
    run(opened, "focus-other-group")
    assert opened.session.current.title == "b.yaml"
    assert opened.windowTitle().startswith("b.yaml")
    run(opened, "move-to-other-group", "focus-other-group", "move-to-other-group")
    assert opened.area.editor is not None
    assert opened.area.editor.editor.hasFocus()
    assert tabs(opened) == [["c.yaml", "b.yaml", "a.yaml"], []]
    assert shown(opened) == [True, False]


def test_the_only_tab_cannot_move_but_can_be_split(opened: Window) -> None:
    run(opened, "close", "close", "move-to-other-group")
    assert opened.statusBar().currentMessage() == "The only tab cannot be moved."
    run(opened, "focus-other-group")
    assert "one group of tabs" in opened.statusBar().currentMessage()
    run(opened, "split-down")
    assert tabs(opened) == [["a.yaml"], ["a.yaml"]]
    assert opened.area.groups.orientation() is Qt.Orientation.Vertical
    run(opened, "move-to-other-group")
    assert tabs(opened) == [["a.yaml"], []]
    run(opened, "close", "close", "split-right")
    assert tabs(opened) == [[], []]


def test_panes_follow_the_group_with_the_focus(opened: Window, qtbot: QtBot) -> None:
    run(opened, "move-to-other-group")
    left = opened.area.groups.other
    page = left.page
    assert isinstance(page, EditorPane)
    page.go_to_line(4)
    assert opened.session.current is not None
    assert opened.session.current.title == "b.yaml"
    assert opened.area.editor is page
    qtbot.waitUntil(lambda: "Ln 5" in opened.status.place.text())
    assert [group.tabs.property("open") for group in opened.area.groups] == [True, False]


def test_closing_a_tab_shows_one_of_the_same_group(opened: Window) -> None:
    run(opened, "move-to-other-group", "focus-other-group", "move-to-other-group")
    assert tabs(opened) == [["a.yaml"], ["c.yaml", "b.yaml"]]
    run(opened, "close")
    assert opened.session.current is not None
    assert opened.session.current.title == "c.yaml"
    run(opened, "close")
    assert opened.session.current.title == "a.yaml"


def drag(window: Window, to: QPoint) -> None:
    """Drag the tab in front to a position of the groups."""
    bar, groups = window.area.tabs, window.area.groups
    start, end = bar.tabRect(bar.currentIndex()).center(), bar.mapFromGlobal(groups.mapToGlobal(to))
    QTest.mousePress(bar, Qt.MouseButton.LeftButton, pos=start)
    for at in (QPoint(start.x(), start.y() + 60), end):
        QTest.mouseMove(bar, at)
    QTest.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=end)


def test_escape_cancels_the_drag_of_a_tab(opened: Window) -> None:
    groups, bar = opened.area.groups, opened.area.groups.active.tabs
    before, start = tabs(opened), bar.tabRect(0).center()
    for to in (
        bar.mapFromGlobal(groups.mapToGlobal(QPoint(groups.width() - 20, groups.height() // 3))),
        bar.tabRect(2).center(),
    ):
        QTest.mousePress(bar, Qt.MouseButton.LeftButton, pos=start)
        for point in (start + QPoint(20, 0), to, to + QPoint(1, 0)):
            QTest.mouseMove(bar, point)
        QTest.keyClick(bar, Qt.Key.Key_Escape)
        QTest.mouseMove(bar, to)
        QTest.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=to)
        assert tabs(opened) == before
        assert QWidget.keyboardGrabber() is None
        assert not groups._band.isVisible()


def test_dragged_tab_moves_to_a_new_group_and_back(opened: Window) -> None:
    groups = opened.area.groups
    drag(opened, QPoint(groups.width() // 2, groups.height() // 3))
    assert tabs(opened) == [["a.yaml", "b.yaml", "c.yaml"], []]
    drag(opened, QPoint(groups.width() - 20, groups.height() // 3))
    assert tabs(opened) == [["a.yaml", "b.yaml"], ["c.yaml"]]
    assert groups.orientation() is Qt.Orientation.Horizontal
    drag(opened, QPoint(20, groups.height() // 2))
    assert tabs(opened) == [["a.yaml", "b.yaml", "c.yaml"], []]
    drag(opened, QPoint(20, groups.height() - 10))
    assert groups.orientation() is Qt.Orientation.Vertical
    assert tabs(opened) == [["a.yaml", "b.yaml"], ["c.yaml"]]


def test_panel_is_a_tab_that_keeps_its_group(opened: Window) -> None:
    run(opened, "show-graph")
    assert tabs(opened) == [["a.yaml", "b.yaml", "c.yaml", "Graph"], []]
    run(opened, "split-right")
    assert tabs(opened) == [["a.yaml", "b.yaml", "c.yaml"], ["Graph"]]
    assert opened.session.current is not None
    assert opened.session.current.title == "c.yaml"
    run(opened, "editor", "show-graph")
    assert tabs(opened)[1] == ["Graph"]
    run(opened, "close")
    assert tabs(opened) == [["a.yaml", "b.yaml", "c.yaml"], []]
    run(opened, "show-graph", "editor")
    assert opened.area.editor is not None
    assert opened.area.editor.editor.hasFocus()


def test_text_behind_a_panel_comes_to_the_front_for_its_commands(opened: Window) -> None:
    run(opened, "user-guide")
    assert opened.area.editor is not None
    assert not opened.area.editor.isVisible()
    run(opened, "duplicate")
    assert opened.area.editor.isVisible()
    assert opened.area.editor.text().count("heat_template_version") == 2


def test_panels_open_without_a_document(window: Window) -> None:
    run(window, "user-guide")
    assert window.area.groups.is_shown("User Guide")
    assert window.area.groups.active.page.isVisible()
    run(window, "close")
    assert not window.area.groups.isVisible()


def test_menu_and_tab_of_the_inactive_group_act_there(opened: Window) -> None:
    run(opened, "move-to-other-group")
    left = opened.area.groups.other
    left.tabs.menu_requested.emit(left.front, QPoint(10, 10))
    menu = QApplication.activePopupWidget()
    assert menu is not None
    menu.hide()
    found = {action.text().replace("&", ""): action for action in menu.actions()}
    found["Move to Other Group"].trigger()
    assert tabs(opened) == [["a.yaml"], ["c.yaml", "b.yaml"]]


def test_groups_are_restored_after_a_restart(
    qtbot: QtBot, opened: Window, settings: Settings, appearance: Appearance
) -> None:
    run(opened, "split-down", "show-graph", "focus-other-group", "previous-tab")
    opened.area.groups.setSizes([150, 300])
    before, sizes = opened.area.groups.state(), opened.area.groups.sizes()
    assert len(sizes) == 2
    assert tabs(opened) == [["a.yaml", "b.yaml", "c.yaml"], ["c.yaml", "Graph"]]
    opened.memory.keep()
    again = start(qtbot, settings, appearance)
    assert again.area.groups.state() | {"sizes": before["sizes"]} == before
    assert abs(again.area.groups.sizes()[0] - sizes[0]) <= 2
    assert again.session.current is not None
    assert again.session.current.title == "b.yaml"
    assert again.area.groups.other.page.isVisible()
    again.activateWindow()
    qtbot.waitActive(again)
    assert again.area.editor is not None
    assert again.focusWidget() is again.area.editor.editor
    again.session.stop()


def test_panel_of_the_last_session_keeps_the_focus(
    qtbot: QtBot, opened: Window, settings: Settings, appearance: Appearance
) -> None:
    run(opened, "move-to-other-group", "focus-other-group", "show-graph")
    opened.memory.keep()
    again = start(qtbot, settings, appearance)
    front = again.area.groups.active.front
    assert front is bench(again).stack_panes.graph
    focus = again.focusWidget()
    assert focus is not None
    assert front.isAncestorOf(focus)
    again.session.stop()


def start(qtbot: QtBot, settings: Settings, appearance: Appearance) -> Window:
    """Start the program as its last session ended."""
    window = Window(Session(settings, Engine), appearance)
    qtbot.addWidget(window, before_close_func=close_documents)
    window.resize(*SIZE)
    window.memory.reopen()
    window.show()
    make_bench(window)
    return window


def is_sound(window: Window) -> bool:
    """Return whether each document has a tab, each panel one tab at most, and no group is empty beside another."""
    groups = list(window.area.groups)
    documents = {tab for group in groups for tab in group if isinstance(tab, Document)}
    panels = [tab.title for group in groups for tab in group if not isinstance(tab, Document)]
    fronts = [group.front is not None for group in groups]
    return (
        documents == set(window.session.documents)
        and len(panels) == len(set(panels))
        and fronts in ([True, True], [True, False], [False, False])
        and all(
            group.isVisibleTo(window.area.groups) is has_front for group, has_front in zip(groups, fronts, strict=True)
        )
        and all(len(set(map(key_of, group))) == group.tabs.count() for group in groups)
        and (window.session.current is None) is not bool(documents)
    )


def act(window: Window, chance: random.Random, step: str, files: list[Path]) -> None:
    """Take a step that is no command."""
    size, front = window.area.groups.size(), window.area.groups.active.front
    if step == "open":
        window.files.open([str(chance.choice(files))])
    elif step == "drag" and front is not None:
        drag(window, QPoint(chance.randrange(size.width()), chance.randrange(40, size.height())))
    elif step == "type" and window.area.editor is not None and window.area.editor.isVisible():
        QTest.keyClicks(window.area.editor.editor, "x")
    elif step == "close" and isinstance(front, Document) and front not in window.area.groups.other.editors:
        window.session.close(front)  # without a question
    elif step == "close":
        run(window, "close")


def test_no_tab_is_lost_in_random_use(
    qtbot: QtBot, settings: Settings, appearance: Appearance, files: list[Path]
) -> None:
    settings.files = list(map(str, files))
    seed = random.SystemRandom().randrange(1 << 32)
    sys.stdout.write(f"seed {seed}\n")
    chance, window = random.Random(seed), start(qtbot, settings, appearance)
    commands = ["split-right", "split-down", "move-to-other-group", "focus-other-group", "next-tab", "tab-left", "undo"]
    commands += [command.name for command in PAGES.values()]
    for _ in range(60):
        step = chance.choice([*commands, *commands, "close", "open", "drag", "type", "restart"])
        sys.stdout.write(f"{step}\n")
        if step == "restart":
            window = restart(qtbot, window, settings, appearance)
        elif step in commands:
            run(window, step)
        else:
            act(window, chance, step, files)
        assert is_sound(window), tabs(window)
        for document in window.session.documents:
            assert {editor.text() for editor in window.area.groups.editors_of(document)} == {document.text}
    window.session.stop()


def restart(qtbot: QtBot, window: Window, settings: Settings, appearance: Appearance) -> Window:
    """Save all documents, and start the program again."""
    window.files.save_all()
    window.memory.keep()
    before = tabs(window)
    window.session.stop()
    window.close()
    window = start(qtbot, settings, appearance)
    assert tabs(window) == before
    return window


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=4)


@given(st.dictionaries(st.sampled_from([*asdict(AreaState())]), JSON))
def test_invalid_states_are_ignored(data: dict[str, object]) -> None:
    state = restored(data)
    assert restored(json.loads(json.dumps(asdict(state)))) == state


def test_second_view_keeps_the_enclosing_lines_at_the_top(qtbot: QtBot, real: Window, file: Path) -> None:
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    assert real.area.editor
    real.area.editor.go_to_line(100)
    run(real, "split-right")
    here, there = pair(real)
    assert here.editor.sticky_lines.lines == there.editor.sticky_lines.lines != []
