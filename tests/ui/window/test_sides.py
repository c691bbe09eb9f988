"""Panes are never lost: whatever is folded, shown by key or resized, each pane is one click and one key away."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QMainWindow,
    QMenuBar,
    QSplitter,
    QSplitterHandle,
    QStatusBar,
    QToolBar,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from heatstudio.service.engine import Engine
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.window.layout import PANES, Layout, Row
from heatstudio.ui.window.sides import TabStrip
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.session import Session
from tests.ui.bench import make_bench
from tests.ui.conftest import SIZE, EventRecorder, close_documents
from tests.ui.opening import plan_of

Key = Qt.Key
STEPS = 60


@pytest.fixture
def opened(qtbot: QtBot, window: Window, file: Path) -> Window:
    with qtbot.waitSignal(window.session.plan_changed):
        window.files.open([str(file)])
    with qtbot.waitActive(window):
        window.activateWindow()
    return window


def run(window: Window, *commands: str) -> None:
    """Run commands, as their shortcuts do."""
    for command in commands:
        window.actions_by_name[command].trigger()


def strip_of(window: Window, name: str) -> TabStrip:
    return window.sides.rows[PANES[name].row].strip


def click(window: Window, name: str) -> None:
    """Click on the tab of a pane, after scrolling to it if there is not enough room for all tabs."""
    strip = strip_of(window, name)
    assert strip.isVisible()
    index = next(at for at in range(strip.count()) if strip.tabText(at) == name)

    def is_covered() -> bool:
        center = strip.tabRect(index).center()
        return not strip.rect().contains(center) or strip.childAt(center) is not None

    for button in strip.findChildren(QToolButton):
        while button.isVisible() and button.isEnabled() and is_covered():
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not is_covered()
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=strip.tabRect(index).center())


def drag(widget: QWidget, by: QPoint) -> None:
    """Drag a widget with the mouse."""
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    for kind, button, buttons, moved in (
        (QEvent.Type.MouseButtonPress, left, left, QPoint()),
        (QEvent.Type.MouseMove, none, left, by),
        (QEvent.Type.MouseButtonRelease, left, none, by),
    ):
        point = QPointF(widget.rect().center() + moved)
        event = QMouseEvent(kind, point, widget.mapToGlobal(point), button, buttons, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(widget, event)


def shown(window: Window) -> dict[str, tuple[int, int]]:
    """Return the visible panes with their sizes."""
    pages = {name: window.sides.rows[row].page for row, name in window.sides.state.open_rows().items()}
    assert all(page.isVisible() for page in pages.values())
    return {name: (page.width(), page.height()) for name, page in pages.items()}


@pytest.mark.parametrize("name", PANES)
def test_pane_opened_by_its_command_brings_its_side_back(opened: Window, name: str) -> None:
    side = PANES[name].row.side
    run(opened, side)
    assert not opened.sides.is_seen(name)
    run(opened, PANES[name].command.name)
    before = shown(opened)
    assert name in before
    run(opened, side)
    assert shown(opened).keys() == {one for one in before if PANES[one].row.side is not side}
    run(opened, side)
    assert shown(opened) == before
    assert all(strip_of(opened, one).isVisible() for one in PANES)


def test_a_click_on_the_tab_in_front_folds_and_unfolds_the_side(opened: Window) -> None:
    before, text = shown(opened), opened.area.width()
    for name in ("Preview", "Problems", "Outline"):
        click(opened, name)
        assert not opened.sides.is_seen(name)
    assert opened.area.width() > text
    for name in ("Preview", "Problems", "Outline"):
        click(opened, name)
    assert shown(opened) == before
    click(opened, "Type")
    assert opened.sides.is_seen("Type")


def test_zen_mode_remembers_the_tabs_in_front(opened: Window) -> None:
    run(opened, "show-cloud", "show-explanation", "show-parameters", "editor")
    before = shown(opened)
    run(opened, "only-text")
    assert shown(opened) == {}
    run(opened, "only-text")
    assert shown(opened) == before
    run(opened, "only-text", "show-types", "only-text")
    assert shown(opened).keys() == (before.keys() - {"Cloud"}) | {"Types"}
    run(opened, "right", "bottom", "only-text", "only-text")
    assert shown(opened).keys() == {"Types", "Outline"}


@pytest.mark.parametrize("pane", ["Types", "Outline", "Search", "Problems", "Preview", "Files"])
def test_key_of_the_focused_pane_keeps_the_focus_and_selects_the_search(opened: Window, pane: str) -> None:
    command = PANES[pane].command.name
    run(opened, command)
    before = QApplication.focusWidget()
    assert before is not None
    assert opened.sides.row_with_focus() is PANES[pane].row
    if isinstance(before, QLineEdit):
        QTest.keyClicks(before, "port")
    run(opened, command)
    assert QApplication.focusWidget() is before
    assert opened.sides.is_seen(pane)
    assert not isinstance(before, QLineEdit) or before.selectedText() == "port"


def test_text_gets_the_focus_of_a_folded_pane(qtbot: QtBot, opened: Window) -> None:
    assert opened.area.editor
    for command in ("left", "only-text"):
        run(opened, "show-types", command)
        assert opened.area.editor.editor.hasFocus()
    run(opened, "only-text", "show-types", "show-files")
    assert opened.sides.row_with_focus() is Row.LEFT


def test_height_of_a_tall_pane_does_not_stay_with_a_list(opened: Window) -> None:
    low = shown(opened)["Problems"]
    for show in (partial(run, opened, "show-parameters"), partial(click, opened, "Parameters")):
        show()
        assert shown(opened)["Parameters"][1] > 2 * low[1]
        click(opened, "Problems")
        assert shown(opened)["Problems"] == low
    run(opened, "show-problems", "taller", "taller")
    click(opened, "Heat")
    click(opened, "Problems")
    assert shown(opened)["Problems"][1] == low[1] + 80


def test_strips_are_used_by_key(opened: Window) -> None:
    strip = opened.sides.rows[Row.RIGHT].strip
    run(opened, "right")
    strip.setFocus()
    assert "Folded" in strip.accessibleDescription()
    QTest.keyClick(strip, Key.Key_Return)
    assert opened.sides.is_seen("Preview")
    assert strip.accessibleDescription() == ""
    QTest.keyClick(strip, Key.Key_Right)
    assert opened.sides.is_seen("Type")
    QTest.keyClick(strip, Key.Key_Down)
    assert opened.sides.is_seen("Explanation")
    assert strip.hasFocus()
    QTest.keyClick(strip, Key.Key_Space)
    assert not opened.sides.is_seen("Explanation")


def test_lines_between_the_parts_resize_unfolded_parts(opened: Window) -> None:
    left, bottom = opened.sides.rows[Row.LEFT], opened.sides.rows[Row.BOTTOM]
    usual = left.width(), bottom.height()
    lines = [line for line in opened.sides.findChildren(QSplitterHandle) if line.isVisible() and line.isEnabled()]
    across = next(line for line in lines if line.x() in range(usual[0] - 4, usual[0] + 4))
    down = next(line for line in lines if line.splitter() is bottom.parent())
    drag(across, QPoint(50, 0))
    drag(down, QPoint(0, -70))
    dragged = left.width(), bottom.height()
    assert dragged == pytest.approx((usual[0] + 50, usual[1] + 70), abs=2)  # Qt's lines are a bit wider than painted
    run(opened, "left", "bottom")
    assert not across.isEnabled()
    assert not down.isEnabled()
    run(opened, "left", "bottom")
    assert (left.width(), bottom.height()) == dragged
    run(opened, "reset-layout")
    assert (left.width(), bottom.height()) == usual


def test_narrow_window_shows_the_text_between_strips(opened: Window) -> None:
    opened.resize(1024, 640)
    assert set(opened.sides.state.open_rows()) == {Row.BOTTOM}
    strips = [opened.sides.rows[row].strip for row in Row]
    assert all(strip.isVisible() for strip in strips)
    assert opened.area.width() > 1024 - 80
    run(opened, "left")
    opened.resize(1200, 640)
    assert set(opened.sides.state.open_rows()) == set(Row)
    opened.resize(1000, 640)
    assert set(opened.sides.state.open_rows()) == {Row.LEFT, Row.LOWER_LEFT, Row.BOTTOM}


def test_pane_that_is_not_ready_says_so(qtbot: QtBot, session: Session, appearance: Appearance) -> None:
    window = Window(session, appearance)
    qtbot.addWidget(window, before_close_func=close_documents)
    window.resize(*SIZE)
    window.show()
    assert {getattr(window.sides.rows[row].page, "text", str)() for row in Row} == {"Loading…"}
    assert set(shown(window)) == {"Types", "Outline", "Preview", "Problems"}
    make_bench(window)
    assert {type(window.sides.rows[row].page).__name__ for row in Row} == {
        "BrowserPane",
        "OutlinePane",
        "PreviewPane",
        "ProblemsPane",
    }


def test_layout_of_an_earlier_version_is_ignored(
    qtbot: QtBot, settings: Settings, session: Session, appearance: Appearance
) -> None:
    settings.store.setValue("window/docks", b"\x00\x00\x00\xff")
    settings.store.setValue("window/layout", '{"fronts": {"left": "Console"}, "sizes": [3]}')
    window = Window(session, appearance)
    qtbot.addWidget(window, before_close_func=close_documents)
    assert window.sides.state == Layout(is_narrow=window.sides.state.is_narrow)


def test_tabs_name_the_keys_of_their_panes(opened: Window) -> None:
    strip = opened.sides.rows[Row.RIGHT].strip
    assert [strip.tabToolTip(index) for index in range(3)] == [
        "Update Preview (Ctrl+Alt+D)",
        "Type Page (Ctrl+Alt+T)",
        "Explanation",
    ]


def test_tabs_keep_the_thickness_that_is_reserved(opened: Window) -> None:
    rows = opened.sides.rows
    assert {row.strip.sizeHint().height() for row in rows.values()} == {rows[Row.LEFT].thickness}
    run(opened, "only-text")
    assert {rows[row].strip.sizeHint().width() for row in (Row.LEFT, Row.LOWER_LEFT, Row.RIGHT)} == {
        rows[Row.LEFT].thickness
    }


def test_tabs_get_the_thickness_of_enlarged_texts(opened: Window) -> None:
    rows = opened.sides.rows
    before = rows[Row.BOTTOM].strip.height()
    for command in ("scale-up", "scale-reset"):
        run(opened, command)
        assert {row.strip.height() for row in rows.values()} == {rows[Row.BOTTOM].strip.sizeHint().height()}, command
    assert rows[Row.BOTTOM].strip.height() == before
    run(opened, "left")
    for command in ("scale-up", "scale-reset"):
        run(opened, command)
        assert rows[Row.LEFT].width() == rows[Row.LEFT].strip.sizeHint().width(), command


def test_key_press_does_not_lay_out_the_window(qtbot: QtBot, qapp: QApplication, real: Window, sample: str) -> None:
    """From the key to the squiggle, only the text, the panes and what counts the problems may be laid out."""
    real.session.new(sample)
    editor = real.area.editor
    assert editor is not None
    at = sample.index("10.10.0.0/24")
    editor.editor.select(at, at)
    layouts = EventRecorder(QEvent.Type.LayoutRequest, QEvent.Type.Resize)
    for key in (Key.Key_9, Key.Key_9, Key.Key_Backspace, Key.Key_Return):
        qtbot.waitUntil(lambda: real.session.current is not None and plan_of(real.session.current) is not None)
        QTest.qWait(200)  # for panes that follow the caret
        qapp.installEventFilter(layouts)
        with qtbot.waitSignal(real.session.plan_changed):
            QTest.keyClick(editor.editor, key)
        QTest.qWait(200)
        qapp.removeEventFilter(layouts)
    window_parts = QMainWindow, QMenuBar, QToolBar, QSplitter, QStatusBar, TabStrip
    assert [one for one in layouts.widgets if isinstance(one, window_parts)] == []
    assert layouts.widgets, "nothing was recorded"


def test_panes_stay_reachable_after_random_steps(
    qtbot: QtBot, settings: Settings, appearance: Appearance, sample: str, dice: random.Random
) -> None:
    window = start(qtbot, settings, appearance)
    for _ in range(STEPS):
        step, words = random_step(dice, window)
        sys.stdout.write(f"{words}\n")
        if step is None:
            before = window.sides.state, window.size()
            window.memory.keep()
            window.session.stop()
            window.close()
            window = start(qtbot, settings, appearance)
            window.resize(before[1])
            assert window.sides.state == before[0]
        else:
            step()
        assert shown(window).keys() == set(window.sides.state.open_rows().values())
        assert window.focusWidget() is None or window.focusWidget().isVisible()
        assert all(strip_of(window, name).isVisible() for name in PANES)
    for name in PANES:
        if not window.sides.is_seen(name):
            click(window, name)
        assert window.sides.is_seen(name)
    for name, pane in PANES.items():
        run(window, "only-text", pane.command.name)
        assert window.sides.is_seen(name)
        assert window.sides.row_with_focus() is pane.row
    window.session.stop()


def start(qtbot: QtBot, settings: Settings, appearance: Appearance) -> Window:
    window = Window(Session(settings, Engine), appearance)
    qtbot.addWidget(window, before_close_func=close_documents)
    window.resize(*SIZE)
    make_bench(window)
    window.show()
    return window


def random_step(chance: random.Random, window: Window) -> tuple[Callable[[], object] | None, str]:
    """Return a step and its description; None restarts the program."""
    command = chance.choice(
        ["left", "right", "bottom", "only-text", "wider", "shorter", *(one.command.name for one in PANES.values())]
    )
    size = chance.choice([(1280, 800), (1920, 1080), (1024, 640), (700, 500)])
    pane = chance.choice([*PANES])
    return chance.choice(
        [
            (partial(run, window, command), command),
            (partial(click, window, pane), f"click {pane}"),
            (partial(window.resize, *size), f"resize {size}"),
            (None, "restart"),
        ]
    )
