"""All screens of the program, opened as a user opens them, for screenshots and accessibility tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QTabWidget, QTreeView, QWidget

from heatstudio.service.edit_effect import NEUTRAL
from heatstudio.ui.commands.actions import PAGES, Command
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.window.layout import PANES, PaneSpec
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench
from tests.ui.cloud_screens import CLOUD_SCREENS, Screen, wait_until
from tests.ui.opening import plan_of

CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


def editor_of(window: Window) -> EditorPane:
    editor = window.area.editor
    assert editor
    return editor


def go(window: Window, mark: str) -> EditorPane:
    """Wait for the analysis, move the cursor before the first occurrence of a text, and return the editor."""
    wait_until(lambda: window.session.current is None or window.session.current.current_analysis is not None)
    editor = editor_of(window)
    at = editor.text().index(mark)
    editor.editor.select(at, at)
    editor.setFocus()
    QTest.qWait(60)
    return editor


def problems(window: Window) -> Iterator[None]:
    window.sides.show_pane("Preview")
    go(window, "network_id: {")
    yield


def type_page(part: int) -> Screen:
    def show(window: Window) -> Iterator[None]:
        bench(window).insert_controller.show_type("OS::Neutron::Port")
        tabs = bench(window).type_page.findChild(QTabWidget)
        assert tabs
        tabs.setCurrentIndex(part)
        tree = tabs.widget(0)
        assert isinstance(tree, QTreeView)
        tree.expand(tree.model().index(0, 0))
        yield
        tabs.setCurrentIndex(0)

    return show


def search_of_types(window: Window) -> Iterator[None]:
    for button in bench(window).browser._statuses.values():
        button.setChecked(True)
    bench(window).browser.search.setText("router")
    QTest.qWait(400)
    yield
    bench(window).browser.search.clear()
    QTest.qWait(400)


def completion(window: Window) -> Iterator[None]:
    editor = go(window, "    properties:\n      network_id")
    QTest.keyClick(editor.editor, Qt.Key.Key_End)
    QTest.keyClick(editor.editor, Qt.Key.Key_Return)
    QTest.keyClick(editor.editor, Qt.Key.Key_Space, CONTROL)
    wait_until(editor.help.completion.popup.isVisible)
    yield
    editor.help.completion.hide()
    window.actions_by_name["undo"].trigger()


def hover(window: Window) -> Iterator[None]:
    editor = go(window, "network_id: {")
    editor.help.hover.show_at_caret()
    QTest.qWait(100)
    yield
    editor.help.hover.hide()


def fixes(window: Window) -> Iterator[None]:
    go(window, "network_id: {")
    window.actions_by_name["fix"].trigger()
    chooser = bench(window).fix_controller.chooser
    wait_until(lambda: NEUTRAL in chooser._hint.text())
    yield
    chooser.hide()


def pane(spec: PaneSpec) -> Screen:
    def show(window: Window) -> Iterator[None]:
        window.actions_by_name[spec.command.name].trigger()
        QTest.qWait(600 if spec.command.is_tall else 150)
        yield
        window.sides.show_pane("Types")
        window.sides.show_pane("Problems")
        window.sides.show_pane("Preview")
        QTest.qWait(60)

    return show


def page(command: Command) -> Screen:
    def show(window: Window) -> Iterator[None]:
        window.actions_by_name[command.name].trigger()
        QTest.qWait(600)
        yield
        window.area.close_tab()
        QTest.qWait(60)

    return show


def explanation(window: Window) -> Iterator[None]:
    go(window, "network_id: {")
    bench(window).stack_panes.explain_problem()
    QTest.qWait(60)
    yield
    window.sides.show_pane("Preview")


def bar(command: str) -> Screen:
    def show(window: Window) -> Iterator[None]:
        editor = go(window, "network_id: {")
        window.area.command(command)
        if command == "replace":
            QTest.keyClicks(QApplication.focusWidget() or editor, "network")
        QTest.qWait(60)
        yield
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Escape)

    return show


def picker(command: str, query: str = "") -> Screen:
    def show(window: Window) -> Iterator[None]:
        window.actions_by_name[command].trigger()
        bench(window).picker.search.setText(query)
        QTest.qWait(60)
        yield
        bench(window).picker.hide()

    return show


def dialog(command: str, at: str = "network_id: {", typed: str = "") -> Screen:
    def show(window: Window) -> Iterator[None]:
        go(window, at)
        window.actions_by_name[command].trigger()
        wait_until(lambda: any(one.isVisible() for one in window.findChildren(QDialog)))
        QTest.qWait(100)
        field = QApplication.focusWidget()
        if typed and field is not None:
            QTest.keyClicks(field, typed)
            QTest.qWait(60)
        yield
        for one in window.findChildren(QDialog):
            one.close()
        QTest.qWait(20)

    return show


def menu(title: str) -> Screen:
    def show(window: Window) -> Iterator[None]:
        entry = next(one for one in window.menuBar().actions() if one.text() == title)
        sub = entry.menu()
        assert isinstance(sub, QMenu)
        sub.popup(window.menuBar().mapToGlobal(window.menuBar().actionGeometry(entry).bottomLeft()))
        yield
        sub.close()

    return show


def popped(menu_of: Callable[[Window], QMenu | None]) -> Screen:
    def show(window: Window) -> Iterator[None]:
        opened = menu_of(window)
        assert opened
        opened.popup(window.mapToGlobal(window.rect().center()))
        yield
        opened.close()

    return show


def hidden_type(window: Window) -> Iterator[None]:
    bench(window).insert_controller.show_type("OS::Neutron::LoadBalancer")
    yield
    window.sides.show_pane("Preview")


def welcome(window: Window) -> Iterator[None]:
    shown = window.session.current
    window.session.make_current(None)
    QTest.qWait(40)
    yield
    window.session.make_current(shown)


def notice(window: Window) -> Iterator[None]:
    window.area.banner.say(
        "web-server.yaml was changed both on disk and in the editor.",
        ("Use File on Disk", lambda: None),
        ("Keep Mine", lambda: None),
        ("Compare", lambda: None),
    )
    yield
    window.area.banner.hide()


def first_steps(window: Window) -> Iterator[None]:
    bench(window).take_first_steps()
    go(window, "cidr: {get_param: cidr}")
    wait_until(lambda: window.session.current is not None and plan_of(window.session.current) is not None)
    QTest.qWait(200)
    yield
    assert window.session.current is not None
    window.session.close(window.session.current)


SCREENS: dict[str, Screen] = {
    "problems": problems,
    "type-properties": type_page(0),
    "type-attributes": type_page(1),
    "type-rules": type_page(2),
    "type-releases": type_page(3),
    "type-snippet": type_page(4),
    "type-hidden": hidden_type,
    "search-of-types": search_of_types,
    "filter-of-types": popped(lambda window: bench(window).browser.shown),
    "releases": popped(lambda window: window.status.release.menu()),
    "completion": completion,
    "hover": hover,
    "fixes": fixes,
    **{f"pane-{spec.name.lower()}": pane(spec) for spec in PANES.values()},
    **{f"pane-{command.pane.lower().replace(' ', '-')}": page(command) for command in PAGES.values()},
    "explanation": explanation,
    "find": bar("replace"),
    "line": bar("go-to-line"),
    "palette": picker("command-palette", "fix"),
    "locator": picker("locate"),
    "fix-files": dialog("fix-files"),
    "environments": dialog("environments"),
    "client-versions": dialog("client-versions"),
    "settings": dialog("settings"),
    "rename": dialog("rename", "network:\n    type", "lan"),
    "about": dialog("about"),
    **CLOUD_SCREENS,
    "menu": menu("&View"),
    "notice": notice,
    "first-steps": first_steps,
    "welcome": welcome,
}


@contextmanager
def opened_screen(window: Window, name: str) -> Iterator[None]:
    """Open a screen, and close it at the end."""
    yield from SCREENS[name](window)


def picture(window: Window) -> QPixmap:
    """Return a screenshot of the window with all popups and dialogs above it."""
    QApplication.processEvents()
    QTest.qWait(20)
    ground = window.grab()
    painter = QPainter(ground)
    for widget in QApplication.topLevelWidgets():
        if widget.isVisible() and widget is not window:
            painter.drawPixmap(place_in(window, widget), widget.grab())
    painter.end()
    return ground


def place_in(window: Window, widget: QWidget) -> QPoint:
    """Return the position of a popup in the window; a dialog is centered, as on desktops."""
    if isinstance(widget, QDialog):
        return window.rect().center() - widget.rect().center()
    return widget.pos() - window.mapToGlobal(QPoint())
