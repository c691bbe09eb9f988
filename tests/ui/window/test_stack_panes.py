"""The explanation and graph panes follow the cursor, the problems and the keys."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.session import Session
from tests.ui.bench import bench
from tests.ui.screens import go


def test_f1_on_a_problem_opens_its_page(qtbot: QtBot, window: Window, session: Session, file: Path) -> None:
    with qtbot.waitSignal(session.plan_changed):
        window.files.open([str(file)])
    view = bench(window).problems.view
    rows = [index for index in bench(window).problems.model.indexes() if "Missing `size`" in str(index.data())]
    view.setCurrentIndex(rows[0])
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_F1)
    assert bench(window).stack_panes.explain.code == "property-group"
    assert window.sides.is_seen("Explanation")


def test_problem_at_the_cursor_is_explained(qtbot: QtBot, window: Window, session: Session, file: Path) -> None:
    with qtbot.waitSignal(session.plan_changed):
        window.files.open([str(file)])
    assert session.current is not None
    assert window.area.editor is not None
    go(window, "properties:\n      name: web-data")
    window.actions_by_name["explain"].trigger()
    assert bench(window).stack_panes.explain.code == "property-group"


def test_selection_in_the_graph_moves_the_cursor(qtbot: QtBot, window: Window, session: Session, file: Path) -> None:
    with qtbot.waitSignal(session.plan_changed):
        window.files.open([str(file)])
    window.actions_by_name["show-graph"].trigger()
    assert bench(window).stack_panes.graph.isVisible()
    bench(window).stack_panes.graph.selected.emit("server")
    assert session.current is not None
    assert window.area.editor is not None
    place = window.area.editor.selection()
    assert session.current.text[place.start : place.end] == "server"
    window.actions_by_name["show-parameters"].trigger()
    assert window.sides.is_seen("Parameters")
