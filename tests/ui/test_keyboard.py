"""Complete workflows by keyboard, and the visibility and accessible names of the focus."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot

from heatstudio.ui.widgets.appearance import Scheme
from heatstudio.ui.window.layout import PANES
from heatstudio.ui.window.window import Window
from tests.sampling import sample
from tests.ui.bench import bench
from tests.ui.screens import ALT, CONTROL, SCREENS, SHIFT, opened_screen

QT_OWN = {
    *("qt_toolbar_ext_button", "qt_menubar_ext_button", "ScrollLeftButton", "ScrollRightButton"),
    *("qt_scrollarea_viewport", "qt_tableview_cornerbutton"),
}
Key = Qt.Key
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def active(qtbot: QtBot, real: Window) -> Window:
    real.activateWindow()
    qtbot.waitActive(real)
    return real


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Send a key to the widget with the focus, as the desktop does."""
    popup = QApplication.activePopupWidget()
    focus = QApplication.focusWidget()
    target = focus if popup is None or (focus is not None and popup.isAncestorOf(focus)) else popup
    target = target or QApplication.activeWindow()
    assert target
    QTest.keyClick(target, key, modifiers)


def come_back(qtbot: QtBot, window: Window) -> None:
    """Activate the window after a popup closes, as a desktop does; the offscreen platform does not."""

    def is_back() -> bool:
        window.activateWindow()
        return window.isActiveWindow() and QApplication.focusWidget() is not None

    qtbot.waitUntil(is_back)


def type_in(text: str) -> None:
    focus = QApplication.focusWidget()
    assert focus
    QTest.keyClicks(focus, text)


def test_open_find_fix_preview_revert_insert_and_save(
    qtbot: QtBot, active: Window, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(file)], ""))
    with qtbot.waitSignal(active.session.plan_changed):
        press(Key.Key_O, CONTROL)
    editor = active.area.editor
    assert editor
    assert editor.editor.hasFocus()

    press(Key.Key_F8)
    assert editor.text()[editor.selection().start : editor.selection().end] == "network_id"
    press(Key.Key_Return, ALT)
    chooser = bench(active).fix_controller.chooser
    qtbot.waitUntil(chooser.isVisible)
    with qtbot.waitSignal(active.session.plan_changed):
        press(Key.Key_Return)
    come_back(qtbot, active)
    assert " network: {get_resource: network}" in editor.text()

    press(Key.Key_F, CONTROL)
    qtbot.waitUntil(editor.search_bar.pattern.hasFocus)
    type_in("10.10.0.0/24")
    press(Key.Key_Return)
    press(Key.Key_Escape)
    qtbot.waitUntil(editor.editor.hasFocus)
    with qtbot.waitSignal(active.session.plan_changed):
        type_in("10.20.0.0/24")
    assert "default: 10.20.0.0/24" in editor.text()

    press(Key.Key_D, CONTROL | ALT)
    view = bench(active).preview.view
    qtbot.waitUntil(view.hasFocus)
    assert bench(active).preview.verdict.sentence == "Heat would reject this: 1 error"
    press(Key.Key_Home)
    while view.currentIndex().data() != "subnet" and view.indexBelow(view.currentIndex()).isValid():
        press(Key.Key_Down)
    assert view.currentIndex().data() == "subnet"
    press(Key.Key_1, CONTROL)
    qtbot.waitUntil(editor.editor.hasFocus)
    with qtbot.waitSignal(active.session.plan_changed):
        press(Key.Key_Z, CONTROL)
    assert "default: 10.10.0.0/24" in editor.text()
    assert bench(active).preview.verdict.sentence == "Heat would reject this: 1 error"

    press(Key.Key_I, CONTROL | SHIFT)
    qtbot.waitUntil(bench(active).browser.search.hasFocus)
    type_in("RouterInterf")
    qtbot.waitUntil(lambda: bench(active).browser.view.currentIndex().data() == "RouterInterface")
    press(Key.Key_Return)
    assert editor.editor.hasFocus()
    assert "  router_interface_2:\n    type: OS::Neutron::RouterInterface\n" in editor.text()
    press(Key.Key_Escape)

    press(Key.Key_S, CONTROL)
    assert active.status.state.text() == "Saved"
    assert file.read_text() == editor.text()


def test_change_is_reverted_from_the_preview(qtbot: QtBot, active: Window, file: Path) -> None:
    with qtbot.waitSignal(active.session.plan_changed):
        active.files.open([str(file)])
    editor = active.area.editor
    assert editor
    before = editor.text()
    with qtbot.waitSignal(active.session.plan_changed):
        editor.replace_text(before.replace("name: web\n", "name: web-tier\n"))
    press(Key.Key_D, CONTROL | ALT)
    qtbot.waitUntil(bench(active).preview.view.hasFocus)
    for key in (Key.Key_Home, Key.Key_Down, Key.Key_Down):  # the first row is an error of the sample
        press(key)
    assert bench(active).preview.view.currentIndex().data() == "network"
    press(Key.Key_Backspace, CONTROL)
    qtbot.waitUntil(lambda: editor.text() == before)


def test_palette_and_menus_by_keyboard(qtbot: QtBot, active: Window) -> None:
    press(Key.Key_P, CONTROL | SHIFT)
    qtbot.waitUntil(bench(active).picker.isVisible)
    type_in("dark colors")
    press(Key.Key_Return)
    assert active.appearance.scheme is Scheme.DARK
    press(Key.Key_H, ALT)
    assert isinstance(QApplication.activePopupWidget(), QMenu)
    press(Key.Key_F)
    assert bench(active).first_steps.isVisible()
    bench(active).first_steps.ticks[0].setFocus()
    press(Key.Key_Escape)
    assert not bench(active).first_steps.isVisible()
    assert active.session.current
    active.session.close(active.session.current)


def nameless(widgets: list[QWidget]) -> list[str]:
    """Return the visible widgets without an accessible name that can get the focus or are windows."""
    found = []
    for widget in widgets:
        interface = QAccessible.queryAccessibleInterface(widget)
        focusable = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        met = widget.isVisible() and (focusable or widget.isWindow()) and widget.objectName() not in QT_OWN
        if met and interface is not None and not interface.text(QAccessible.Text.Name):
            found.append(f"{type(widget).__name__} in {type(widget.parent()).__name__}")
    return found


def unsaid(widgets: list[QWidget]) -> list[str]:
    """Return the texts of visible labels that their accessible name does not contain."""
    found = []
    for label in widgets:
        if isinstance(label, QLabel) and label.isVisible() and "<" not in label.text():
            words = label.text().replace("&", "").replace("\u200b", "")
            interface = QAccessible.queryAccessibleInterface(label)
            if words and words not in interface.text(QAccessible.Text.Name).replace("\u200b", ""):
                found.append(words)
    return found


def test_every_widget_and_label_of_every_screen_has_an_accessible_name(
    qtbot: QtBot, active: Window, file: Path
) -> None:
    with qtbot.waitSignal(active.session.plan_changed):
        active.files.open([str(file)])
    silent: dict[str, list[str]] = {}
    for name in sample(SCREENS, 15):
        with opened_screen(active, name):
            found = nameless(QApplication.allWidgets()) + unsaid(QApplication.allWidgets())
            if found:
                silent[name] = found
    assert silent == {}


WALKED = (
    "problems",
    "type-snippet",
    *(f"pane-{name.lower()}" for name in PANES),
    *("pane-graph", "pane-comparison"),  # in the user guide, Tab also goes from link to link
    "explanation",
    "find",
    "notice",
    "first-steps",
)
"""Screens in which the Tab order differs from that of the main window."""


@pytest.mark.parametrize("scheme", sample([Scheme.LIGHT, Scheme.DARK, Scheme.HIGH_CONTRAST], 1))
def test_tab_reaches_all_widgets_and_the_focus_is_visible(
    qtbot: QtBot, active: Window, file: Path, scheme: Scheme
) -> None:
    with qtbot.waitSignal(active.session.plan_changed):
        active.files.open([str(file)])
    active.appearance.choose(scheme)
    qtbot.waitUntil(active.updatesEnabled)
    flash = QApplication.cursorFlashTime()
    QApplication.setCursorFlashTime(0)
    unseen: dict[str, list[str]] = {}
    seen: list[QWidget] = []
    for name in WALKED:
        with opened_screen(active, name):
            stops = way_of_tab(active)
            new = [stop for stop in stops if stop not in seen]
            found = [name_of(stop) for stop in new if not shows_focus(stop, stops)]
            seen += new
            if found:
                unseen[name] = found
    QApplication.setCursorFlashTime(flash)
    assert unseen == {}


@pytest.mark.parametrize("name", ["fix-files", "environments", "client-versions", "settings", "rename", "update-stack"])
def test_tab_reaches_all_widgets_of_a_dialog_and_the_focus_is_visible(
    qtbot: QtBot, active: Window, file: Path, name: str
) -> None:
    with qtbot.waitSignal(active.session.plan_changed):
        active.files.open([str(file)])
    flash = QApplication.cursorFlashTime()
    QApplication.setCursorFlashTime(0)
    with opened_screen(active, name):
        dialog = next(one for one in active.findChildren(QDialog) if one.isVisible())
        dialog.activateWindow()
        qtbot.waitUntil(dialog.isActiveWindow)
        qtbot.waitUntil(lambda: not active.session.jobs._running)  # running jobs may add a Stop button later
        stops: list[QWidget] = []
        while (stop := QApplication.focusWidget()) not in stops:
            assert stop
            stops.append(stop)
            QTest.keyClick(stop, Key.Key_Tab)
        takes = [one for one in dialog.findChildren(QWidget) if one.focusPolicy() & Qt.FocusPolicy.TabFocus]
        assert {one for one in takes if one.isVisible() and one.isEnabled() and not one.focusProxy()} <= set(stops)
        assert [name_of(stop) for stop in stops if not shows_focus(stop, stops)] == []
    QApplication.setCursorFlashTime(flash)


def way_of_tab(window: Window) -> list[QWidget]:
    """Return the widgets that Tab and Shift+Tab reach from the page in front; fail unless they are all stops."""
    home: QWidget = window.area.groups.active.page
    while (proxy := home.focusProxy()) is not None:
        home = proxy
    there = walk(home, NONE, Key.Key_Tab)
    back = walk(home, SHIFT, Key.Key_Backtab)
    every = {stop for part in window.focus_order.parts() for stop in part.stops}
    assert every == {*there, *back, home}
    return [*there, *(stop for stop in back if stop not in there)]


def walk(start: QWidget, modifier: Qt.KeyboardModifier, key: Key) -> list[QWidget]:
    start.setFocus()
    QTest.keyClick(start, Key.Key_F6, modifier)
    stops: list[QWidget] = []
    while (stop := QApplication.focusWidget()) is not start:
        assert stop
        assert stop not in stops, f"Tab goes round below {name_of(stop)}"
        stops.append(stop)
        QTest.keyClick(stop, key, modifier)
    return stops


def shows_focus(stop: QWidget, stops: list[QWidget]) -> bool:
    """Return whether a widget looks different with the focus."""
    stop.setFocus(Qt.FocusReason.TabFocusReason)
    focused = cell_of(stop)
    next(other for other in stops if other is not stop).setFocus()
    return cell_of(stop) != focused


def name_of(widget: QWidget) -> str:
    return f"{type(widget).__name__} {QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)}"


def test_f6_moves_the_focus_between_parts_and_banners(qtbot: QtBot, active: Window, file: Path) -> None:
    with qtbot.waitSignal(active.session.plan_changed):
        active.files.open([str(file)])
    homes = []
    for _ in range(7):
        homes.append(name_of(QApplication.focusWidget() or active))
        press(Key.Key_F6)
    assert homes[:6] == [
        f"TextEditor Text of {file.name}",
        "RowTree Update preview",
        "RowTree Problems",
        "QToolButton 1 error, 5 warnings",
        "SearchField Search types",
        "RowTree Outline",
    ]
    assert homes[6] == homes[0]
    active.area.setFocus()
    active.area.banner.say("It was changed.", ("Keep Mine", lambda: None))
    press(Key.Key_F6, SHIFT)
    assert name_of(QApplication.focusWidget() or active) == "QPushButton Keep Mine"
    press(Key.Key_Space)
    assert active.area.banner.sentence == ""
    assert name_of(QApplication.focusWidget() or active) == homes[0]
    bench(active).preview.setFocus()
    press(Key.Key_F8)
    assert name_of(QApplication.focusWidget() or active) == homes[0]


def test_f6_past_the_lists_leaves_the_caret_where_it_is(qtbot: QtBot, active: Window, file: Path) -> None:
    with qtbot.waitSignal(active.session.plan_changed):
        active.files.open([str(file)])
    editor = active.area.editor
    assert editor
    editor.go_to_line(30)
    place = editor.caret_offset()
    for _ in range(6):
        QTest.keyPress(QApplication.focusWidget() or active, Key.Key_F6)
        QTest.keyRelease(QApplication.focusWidget() or active, Key.Key_F6)
        QApplication.processEvents()
    assert editor.editor.hasFocus()
    assert editor.caret_offset() == place
    press(Key.Key_F6, SHIFT)
    press(Key.Key_Down)
    assert editor.caret_offset() != place


def cell_of(widget: QWidget) -> QImage:
    QApplication.processEvents()
    return widget.grab().toImage()
