"""Qt objects of the window stay valid in Python as long as in Qt."""

from __future__ import annotations

import ast
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from heatstudio.ui.commands.actions import PAGES
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.window.layout import PANES
from heatstudio.ui.window.window import Window
from tests.sources import trees
from tests.ui.bench import bench
from tests.ui.borrowed_signals import borrowing_connections
from tests.ui.conftest import EventRecorder
from tests.ui.ownership import qt_objects, strays

Key = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def active(qtbot: QtBot, real: Window, file: Path) -> Window:
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    real.activateWindow()
    qtbot.waitActive(real)
    return real


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    focus = QApplication.focusWidget()
    assert focus
    QTest.keyClick(focus, key, modifiers)
    QTest.qWait(20)


@pytest.mark.parametrize("bar", [Key.Key_F, Key.Key_G, Key.Key_H])
def test_typing_works_after_a_tab_is_closed_while_a_bar_is_open_in_another(active: Window, bar: Qt.Key) -> None:
    press(bar, CONTROL)
    press(Key.Key_N, CONTROL)
    press(bar, CONTROL)
    press(Key.Key_W, CONTROL)
    active.area.setFocus()
    press(Key.Key_X)
    editor = active.area.editor
    assert editor
    assert editor.text().startswith("x")
    assert strays() == []


def test_parts_of_a_new_pane_are_not_shown_as_windows(qtbot: QtBot, qapp: QApplication, active: Window) -> None:
    bench(active).cloud.notices.add(
        "Not connected.", ("severity-error", Color.ERROR)
    )  # shown as soon as it is in its pane
    shown = EventRecorder(QEvent.Type.Show, only=QWidget.isWindow)
    qapp.installEventFilter(shown)
    for name in PANES:
        active.sides.show_pane(name)
        assert active.sides.is_seen(name)
    for name in PAGES:
        active.area.groups.show_panel(name)
    qapp.removeEventFilter(shown)
    assert shown.widgets == []


def test_every_object_has_a_parent_that_lives_as_long(qtbot: QtBot, active: Window) -> None:
    for name in PANES:
        active.sides.show_pane(name)
        assert active.sides.is_seen(name)
    for name in PAGES:
        active.area.groups.show_panel(name)
    active.activateWindow()  # announcements deactivate it on the offscreen platform
    qtbot.waitActive(active)
    for _ in range(12):
        press(Key.Key_F6)
        press(Key.Key_Tab)
    bench(active).take_first_steps()
    bench(active).first_steps.hide()
    assert strays() == []


def test_objects_are_listed_while_another_thread_builds_tuples(qtbot: QtBot) -> None:
    is_over = Event()

    def build() -> None:
        while not is_over.is_set():
            tuple(number for number in range(300))  # grows several times, which needs to be its only user

    with ThreadPoolExecutor(1) as pool:
        built = pool.submit(build)
        for _ in range(40):
            assert qt_objects()
        is_over.set()
    built.result()


def test_signals_of_other_objects_are_connected_to_bound_methods() -> None:
    window = {name: tree for name, tree in trees().items() if name.startswith("heatstudio.ui.")}
    found = {name: list(borrowing_connections(tree)) for name, tree in window.items()}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ("session.closed.connect(lambda: self.hide())", True),
        ("session.closed.connect(partial(self.show, 1))", True),
        ("session.closed.connect(self.hide)", False),
        ("self._session = session\n    self._session.closed.connect(lambda: self.hide())", True),
        ("area, own = session.area, Area()\n    area.closed.connect(lambda: own.hide())", True),
        ("area, own = session.area, Area()\n    own.closed.connect(lambda: area.hide())", False),
        ("for one in session.documents:\n        one.closed.connect(lambda: self.hide())", True),
        ("def close():\n        self.hide()\n    session.closed.connect(close)", True),
        ("session.head().resized.connect(lambda: session.repaint())", False),
    ],
)
def test_rule_finds_functions_on_signals_of_other_objects(body: str, is_found: bool) -> None:
    tree = ast.parse(f"class Pane:\n  def __init__(self, session):\n    {body}\n")
    assert bool(list(borrowing_connections(tree))) is is_found
