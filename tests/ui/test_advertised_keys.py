"""Keys that tool tips, menus and sentences advertise act where they are read."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QModelIndex, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox, QTreeView, QTreeWidget, QWidget
from pytestqt.qtbot import QtBot

from heatstudio.analysis import Diagnostic
from heatstudio.text import preferred_fix
from heatstudio.ui.commands.actions import COMMANDS
from heatstudio.ui.editor.search.search_bar import SearchBar
from heatstudio.ui.problems.table import ProblemRow
from heatstudio.ui.widgets.panel import Panel
from heatstudio.ui.widgets.tree_model import CELL_ROLE
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench
from tests.ui.screens import ALT, CONTROL, SHIFT, editor_of

KEYS = re.compile(
    r"(?:Ctrl\+|Alt\+|Shift\+)*(?:F\d+|Enter|Del|Delete|Backspace|Space|Up|Down|PgUp|PgDown)\b"
    r"|(?:Ctrl\+|Alt\+|Shift\+)+(?:\w\b|[^\w\s])|(?<=\()[-+0](?=\))"
)
EDITING = {
    "Ctrl+X",
    "Shift+Del",
    "Ctrl+C",
    "Ctrl+Ins",
    "Ctrl+V",
    "Shift+Ins",
    "Ctrl+A",
    "Ctrl+Z",
    "Ctrl+Shift+Z",
    "Ctrl+Y",
}
"""Shortcuts that a text or field handles itself."""


@pytest.fixture
def edited(qtbot: QtBot, real: Window, file: Path) -> Window:
    """Show a template of an open folder with problems and a change."""
    real.activateWindow()
    qtbot.waitActive(real)
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    editor = editor_of(real)
    with qtbot.waitSignal(real.session.plan_changed):
        editor.replace_text(editor.text().replace("name: web\n", "name: web-tier\n"))
    return real


def click(view: QTreeView | QTreeWidget, row: QModelIndex) -> QWidget:
    view.scrollTo(row)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(row).center())
    return view


def row_with(view: QTreeView | QTreeWidget, words: str) -> QModelIndex:
    """Return the first row that starts with a text."""
    model = view.model()
    start = model.index(0, 0)
    flags = Qt.MatchFlag.MatchStartsWith | Qt.MatchFlag.MatchRecursive
    (found,) = model.match(start, Qt.ItemDataRole.DisplayRole, words, 1, flags)
    return found


def problems(_qtbot: QtBot, window: Window) -> QWidget:
    return click(bench(window).problems.view, row_with(bench(window).problems.view, "Property"))


def preview(_qtbot: QtBot, window: Window) -> QWidget:
    return click(bench(window).preview.view, row_with(bench(window).preview.view, "network"))


def outline(_qtbot: QtBot, window: Window) -> QWidget:
    return click(bench(window).outline.view, row_with(bench(window).outline.view, "subnet"))


def files(qtbot: QtBot, window: Window) -> QWidget:
    document = window.session.current
    assert document
    assert document.path
    window.session.open_folder(document.path.parent)
    window.sides.show_pane("Files")
    view = bench(window).stack_panes.files.view
    qtbot.waitUntil(lambda: view.model().rowCount() > 0)
    return click(view, row_with(view, "web-server"))


def search(qtbot: QtBot, window: Window) -> QWidget:
    window.sides.show_pane("Search")
    pane = bench(window).stack_panes.search
    pane.scope.setCurrentText("Open files")
    pane.field.setText("10.10.0.0")
    qtbot.waitUntil(lambda: pane.tree.topLevelItemCount() == 1)
    return click(pane.tree, pane.tree.model().index(0, 0, pane.tree.model().index(0, 0)))


def graph(qtbot: QtBot, window: Window) -> QWidget:
    window.area.groups.show_panel("Graph")
    pane = bench(window).stack_panes.graph
    qtbot.waitUntil(lambda: "subnet" in pane.scene.cards)
    pane.view.setFocus()
    pane.view.choose("subnet")
    return pane.view


def find_bar(_qtbot: QtBot, window: Window) -> QWidget:
    window.area.command("replace")
    return editor_of(window).search_bar.pattern


def types(_qtbot: QtBot, window: Window) -> QWidget:
    bench(window).browser.setFocus()
    return bench(window).browser.search


def text(_qtbot: QtBot, window: Window) -> QWidget:
    window.area.setFocus()
    return editor_of(window).editor


State = Callable[[QtBot, Window], QWidget]
LISTS: tuple[State, ...] = (problems, preview, outline, files, search)
STATES: tuple[State, ...] = (*LISTS, graph, find_bar, types, text)


@pytest.mark.parametrize("state", STATES)
def test_shortcuts_of_commands_run_them_from_everywhere(qtbot: QtBot, edited: Window, state: State) -> None:
    focus = state(qtbot, edited)
    assert focus.hasFocus()
    ran: list[str] = []
    edited.actions_by_name.connect_handlers({name: partial(ran.append, name) for name in COMMANDS})
    own = EDITING if isinstance(focus, type(editor_of(edited).editor)) or state in (find_bar, types) else set()
    own |= {"F2"} if state is files else set()
    silent = {}
    for command in COMMANDS.values():
        for shortcut in command.shortcuts:
            if QKeySequence(shortcut).toString() in own:
                continue
            ran.clear()
            press(focus, shortcut)
            if ran != [command.name]:
                silent[shortcut] = list(ran)
    assert silent == {}


_NAMES = {"Del": "Delete", "Ins": "Insert", "PgUp": "PageUp", "PgDown": "PageDown", "Enter": "Return"}


def press(focus: QWidget, shortcut: str) -> bool:
    """Press a key in a widget, and return whether it was handled."""
    *modifiers, name = re.split(r"\+(?=.)", shortcut)
    key = ord(name.upper()) if len(name) == 1 else Qt.Key[f"Key_{_NAMES.get(name, name)}"]
    held = Qt.KeyboardModifier.NoModifier
    for modifier in modifiers:
        held |= {"Ctrl": CONTROL, "Alt": ALT, "Shift": SHIFT}[modifier]
    text = name if len(name) == 1 and not modifiers else ""
    event = QKeyEvent(QEvent.Type.KeyPress, key, held, text)
    QApplication.sendEvent(focus, event)
    return event.isAccepted()


def pane_of(widget: QWidget | None) -> QWidget:
    """Return the pane or bar with a widget."""
    while not isinstance(widget, Panel | SearchBar):
        assert widget
        widget = widget.parentWidget()
    return widget


def advertised(pane: QWidget) -> set[str]:
    """Return the keys in the tool tips and context menus of a pane."""
    found: set[str] = set()
    for widget in (pane, *pane.findChildren(QWidget)):
        if widget.isVisible():
            found.update(KEYS.findall(widget.toolTip()))
            found.update(action.text().partition("\t")[2] for action in widget.actions())
            found.update(key.toString() for action in widget.actions() for key in action.shortcuts())
    return found - {""}


@pytest.mark.parametrize(
    ("state", "known"),
    [
        (problems, {"Alt+Enter", "F1", "Del"}),
        (preview, {"Ctrl+Backspace", "Shift+Return"}),
        (files, {"F2", "Del"}),
        (graph, {"-", "0", "+"}),
        (find_bar, {"Enter", "Shift+Enter", "Alt+C", "Alt+W", "Alt+R"}),
    ],
)
def test_advertised_keys_of_a_pane_act_in_it(
    qtbot: QtBot, edited: Window, monkeypatch: pytest.MonkeyPatch, state: State, known: set[str]
) -> None:
    monkeypatch.setattr(QMessageBox, "exec", lambda *_: QMessageBox.StandardButton.Cancel)
    names = advertised(pane_of(state(qtbot, edited)))
    assert known <= names
    ran: list[str] = []
    edited.actions_by_name.connect_handlers({name: partial(ran.append, name) for name in COMMANDS})
    before = editor_of(edited).text()
    for name in sorted(names):
        focus = state(qtbot, edited)
        assert focus.hasFocus()
        assert press(focus, name) or ran, name
        for opened in (*edited.findChildren(QDialog), QApplication.activePopupWidget()):
            if opened is not None:
                opened.close()
        if editor_of(edited).text() != before:
            assert name in ("Del", "Ctrl+Backspace")
            editor_of(edited).editor.undo()
            qtbot.waitUntil(lambda: not edited.session.is_outdated())


def test_revert_that_a_tool_tip_names_works_after_a_click_on_the_row(qtbot: QtBot, edited: Window) -> None:
    view = preview(qtbot, edited)
    editor = editor_of(edited)
    assert editor.text()[editor.selection().start : editor.selection().end] == "network"
    press(view, "Ctrl+Backspace")
    qtbot.waitUntil(lambda: "name: web-tier" not in editor.text())
    assert "  network:\n    type: OS::Neutron::Net\n    properties:\n      name: web\n" in editor.text()
    assert view.hasFocus()


@pytest.mark.parametrize("state", LISTS)
def test_lists_keep_the_focus_until_enter(qtbot: QtBot, edited: Window, state: State) -> None:
    view, editor = state(qtbot, edited), editor_of(edited)
    assert isinstance(view, QTreeView)
    shown = editor.selection()
    assert view.hasFocus()
    row = view.currentIndex()
    other = view.indexAbove(row) if state in (files, search) else view.indexBelow(row)
    QTest.keyClick(view, Qt.Key.Key_Up if state in (files, search) else Qt.Key.Key_Down)
    assert view.currentIndex() == other
    assert view.hasFocus()
    if state not in (files, search):  # their other rows have no text
        assert editor.selection() != shown
    before = editor.text()
    view.setCurrentIndex(row)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert editor.editor.hasFocus()
    assert editor.text() == before
    assert editor.selection().start == shown.start


def test_enter_on_a_row_without_a_text_stays_in_the_list(qtbot: QtBot, edited: Window) -> None:
    view = problems(qtbot, edited)
    assert isinstance(view, QTreeView)
    view.setCurrentIndex(row_with(view, "Warnings"))
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert view.hasFocus()


def test_applied_fix_leaves_the_focus_in_the_list(qtbot: QtBot, edited: Window) -> None:
    view, editor = bench(edited).problems.view, editor_of(edited)
    problems(qtbot, edited)
    following = view.indexBelow(view.currentIndex()).data()
    assert view.currentIndex().data(CELL_ROLE).badge[0] == "Fix"
    bench(edited).problems._fix_clicked()
    qtbot.waitUntil(lambda: " network: {get_resource: network}" in editor.text())
    qtbot.waitUntil(lambda: view.currentIndex().data() == following)
    assert view.hasFocus()


def test_badge_says_whether_a_list_of_fixes_opens(qtbot: QtBot, edited: Window) -> None:
    pane, document = bench(edited).problems, edited.session.current
    assert document
    assert document.current_analysis
    badges = []
    for index in pane.model.indexes():
        row = pane.model.value(index)
        if isinstance(row, ProblemRow) and isinstance(row.diagnostic, Diagnostic) and row.diagnostic.has_fixes:
            is_one = preferred_fix(document.current_analysis.fixes(row.diagnostic)) is not None
            assert index.data(CELL_ROLE).badge[0] == ("Fix" if is_one else "Fix…")
            badges.append(index.data(CELL_ROLE).badge[0])
    assert {"Fix", "Fix…"} == set(badges)


def test_cut_and_paste_do_not_reach_the_text_from_a_list(qtbot: QtBot, edited: Window) -> None:
    view, editor = problems(qtbot, edited), editor_of(edited)
    before = editor.text()
    QApplication.clipboard().setText("pasted")
    for shortcut in ("Ctrl+X", "Shift+Del", "Ctrl+V", "Shift+Ins"):
        press(view, shortcut)
        assert editor.text() == before
    assert edited.status.currentMessage().startswith("Select text in the editor first")
