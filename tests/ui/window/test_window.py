"""Complete workflows in the window."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSize, Qt, QUrl
from PySide6.QtGui import (
    QAccessible,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeySequence,
    QPalette,
    QScreen,
    QTextCursor,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QStyle,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.text import Span, TextEdit
from heatstudio.ui.commands.actions import COMMANDS, FOR_EDITOR, MENUS, SWITCHES, TOOL_BAR
from heatstudio.ui.commands.fix_controller import NOTHING_HERE, NOTHING_READY
from heatstudio.ui.commands.text_menu import RecentMenu
from heatstudio.ui.documents.document import Baseline
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.problems.fix_chooser import AllOfKind
from heatstudio.ui.problems.table import Scope
from heatstudio.ui.widgets.appearance import Appearance, Scheme
from heatstudio.ui.widgets.theme import Color, load_theme
from heatstudio.ui.widgets.tree_model import CELL_ROLE
from heatstudio.ui.window.app import has_display, set_window_icon
from heatstudio.ui.window.caret_problem import HAS_FIXES
from heatstudio.ui.window.layout import Row
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.session import Session
from tests.ui.bench import bench, crumbs_of, make_bench, rows_of
from tests.ui.conftest import PATIENCE, SIZE, close_documents
from tests.ui.opening import opened_document
from tests.ui.plans import AFTER, BEFORE

QT_OWN = {"qt_toolbar_ext_button", "qt_menubar_ext_button", "ScrollLeftButton", "ScrollRightButton"}
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
SPOKEN = (QAbstractButton, QAbstractItemView, QComboBox, QLineEdit)


@pytest.fixture
def opened(qtbot: QtBot, window: Window, session: Session, file: Path) -> Window:
    with qtbot.waitSignal(session.plan_changed):
        window.files.open([str(file)])
    return window


def name_of(widget: QWidget) -> str:
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def test_every_widget_has_an_accessible_name(opened: Window) -> None:
    nameless = [
        f"{type(widget).__name__} in {type(widget.parent()).__name__}"
        for widget in opened.findChildren(QWidget)
        if isinstance(widget, SPOKEN) or widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if widget.objectName() not in QT_OWN
        if not (isinstance(widget, QTabBar) and not widget.count())  # of the second group, hidden without tabs
        if not name_of(widget)
    ]
    assert nameless == []


def test_shortcuts_can_be_typed_on_us_and_german_keyboards() -> None:
    """On a German keyboard, a bracket with Shift is a trade mark; on a US one, a brace is a bracket with Shift."""
    for command in COMMANDS.values():
        braces = [key for key in command.shortcuts if key[-1] in "{}<>?:|~"]
        brackets = [key for key in command.shortcuts if key[-1] in "[]\\@" and "Shift+" in key]
        assert (braces, brackets == list(command.shortcuts) != []) == ([], False), command.name


def test_shortcuts_are_unique() -> None:
    keys = Counter(QKeySequence(key).toString() for command in COMMANDS.values() for key in command.shortcuts)
    assert [key for key, count in keys.items() if count > 1 or not key] == []


@pytest.mark.parametrize(
    ("sentence", "command"), [(NOTHING_HERE, "next-problem"), (NOTHING_READY, "explain"), (HAS_FIXES, "fix")]
)
def test_messages_name_the_shortcut_of_their_command(sentence: str, command: str) -> None:
    assert COMMANDS[command].shortcuts[0] in sentence.split()


def test_menu_entries_and_mnemonics_are_unique() -> None:
    for menu in MENUS:
        names = Counter(command.name for command in menu.commands if command)
        assert [name for name, count in names.items() if count > 1] == []
    marks = Counter(menu.title[menu.title.index("&") + 1].lower() for menu in MENUS)
    assert max(marks.values()) == 1
    assert {name for name in TOOL_BAR if name} <= COMMANDS.keys()


def test_tool_bar_cannot_be_lost(window: Window) -> None:
    menu = window.createPopupMenu()
    assert menu is None or menu.isEmpty()


def test_editor_has_handlers_for_its_commands(opened: Window) -> None:
    editor = opened.area.editor
    assert editor
    assert set(FOR_EDITOR) == editor.commands.keys()


def test_open_see_fix_preview_and_save_without_a_mouse(
    qtbot: QtBot, opened: Window, session: Session, file: Path
) -> None:
    with qtbot.waitActive(opened):
        opened.activateWindow()
    editor = opened.area.editor
    assert editor
    QTest.keyClick(editor.editor, Qt.Key.Key_F8)
    assert editor.text()[editor.selection().start : editor.selection().end] == "network_id"
    QTest.keyClick(editor.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.AltModifier)
    chooser = bench(opened).fix_controller.chooser
    qtbot.waitUntil(chooser.isVisible)
    QTest.keyClick(chooser, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: opened.status.state.text() == "Modified")
    QTest.keyClick(editor.editor, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(bench(opened).preview.view.hasFocus)
    QTest.keyClick(bench(opened).preview.view, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert opened.status.state.text() == "Saved"
    assert " network: {get_resource: network}" in file.read_text()
    assert "network_id:" not in file.read_text()


def test_all_safe_fixes_are_one_undo_step(qtbot: QtBot, opened: Window, session: Session) -> None:
    editor = opened.area.editor
    assert editor
    before = editor.text()
    opened.actions_by_name["fix-all"].trigger()
    qtbot.waitUntil(lambda: editor.text() != before)
    reported = "4 changes made in one undo step. No effect on the stack."
    assert opened.statusBar().currentMessage() == reported
    opened.actions_by_name["undo"].trigger()
    assert editor.text() == before
    port = "a: {type: OS::Neutron::Port, properties: {network_id: x}}"
    editor.replace_text(f"heat_template_version: 2021-04-16\nresources: {{{port}}}\n")
    opened.actions_by_name["fix-all"].trigger()
    qtbot.waitUntil(lambda: "network: x" in editor.text())
    assert opened.statusBar().currentMessage().startswith("1 change made in one undo step.")


@pytest.fixture
def planned(qtbot: QtBot, window: Window, session: Session) -> Window:
    """Show an update that changes a resource in each way."""
    with qtbot.waitSignal(session.plan_changed):
        document = session.new(AFTER)
    with qtbot.waitSignal(session.plan_changed):
        session.set_baseline(document, Baseline("as it runs", BEFORE))
    return window


def test_preview_shows_the_outcomes(planned: Window) -> None:
    counted = "1 update not supported · 1 replaced · 1 may be replaced · 1 deleted · 1 updated in place · 1 added"
    assert bench(planned).preview.totals == counted
    report = bench(planned).preview.markdown()
    assert "untitled-1.yaml compared with as it runs" in report
    assert "**data** (AWS::EC2::Volume): update not supported" in report
    assert "`Size`: `10` → `11`" in report
    assert "**text** (OS::Heat::RandomString): may be replaced" in report
    asked: list[str] = []
    bench(planned).preview.baseline_requested.connect(asked.append)
    bench(planned).preview._baseline_box.activated.emit(0)
    assert asked == ["git"]


def test_change_is_undone_from_the_preview(qtbot: QtBot, planned: Window) -> None:
    model, view, editor = bench(planned).preview.model, bench(planned).preview.view, planned.area.editor
    assert editor
    bench(planned).preview.view.setFocus()
    view.setCurrentIndex(next(index for index in model.indexes() if index.data() == "server"))
    QTest.keyClick(view, Qt.Key.Key_Backspace, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: editor.text() == AFTER.replace("large", "small"))
    planned.actions_by_name["undo"].trigger()
    assert editor.text() == AFTER


def test_baseline_is_shown_for_each_document(qtbot: QtBot, opened: Window, session: Session) -> None:
    first = session.current
    assert first
    session.set_baseline(first, Baseline("stack as it runs", "a: 1\n"))
    qtbot.waitUntil(lambda: bench(opened).preview._baseline_box.currentText() == "stack as it runs")
    opened.files.new()
    assert bench(opened).preview._baseline_box.currentText() == "as opened"
    session.make_current(first)
    assert bench(opened).preview._baseline_box.currentText() == "stack as it runs"


def test_click_on_a_change_goes_to_its_resource(planned: Window) -> None:
    model, editor = bench(planned).preview.model, planned.area.editor
    index = next(index for index in model.indexes() if index.data() == "server")
    bench(planned).preview.view.activated.emit(index)
    assert editor
    assert editor.text()[editor.selection().start : editor.selection().end] == "server"


def test_outline_follows_and_moves_the_cursor(qtbot: QtBot, opened: Window) -> None:
    editor = opened.area.editor
    assert editor
    editor.go_to_line(editor.text()[: editor.text().index("  router:")].count("\n"))
    qtbot.waitUntil(lambda: bench(opened).outline.view.currentIndex().data() == "router")
    assert crumbs_of(editor) == ["resources", "router"]
    index = next(index for index in bench(opened).outline.model.indexes() if index.data() == "server")
    bench(opened).outline.view.activated.emit(index)
    assert editor.text()[editor.caret_offset() :].startswith("server:")
    assert opened.status.place.text().startswith("Ln ")


def test_panes_follow_the_cursor_at_the_end_of_a_long_text(qtbot: QtBot, window: Window, session: Session) -> None:
    session.begin("# " + "x" * 2 * PATIENCE)
    assert window.area.editor is not None
    with qtbot.waitSignal(window.caret_rested):
        window.area.editor.editor.moveCursor(QTextCursor.MoveOperation.End)


def test_types_are_found_by_name_and_property_and_shown(qtbot: QtBot, opened: Window, session: Session) -> None:
    browser = bench(opened).browser
    assert session.catalog
    shown = [index.data() for index in browser.model.indexes()]
    assert "Server" in shown
    assert "RouterGateway" not in shown
    browser.search.setText("RouterInterface")
    qtbot.waitUntil(lambda: browser.view.currentIndex().data() == "RouterInterface")
    shown_type = bench(opened).type_page.type
    assert shown_type is not None
    assert shown_type.name == "OS::Neutron::RouterInterface"
    assert "router: " in bench(opened).type_page._snippet.toPlainText()
    browser._statuses[next(iter(browser._statuses))].toggle()
    with qtbot.waitSignal(browser.insert_requested):
        QTest.keyClick(browser.search, Qt.Key.Key_Return)
    assert opened.area.editor
    assert opened.area.editor.text().count("    type: OS::Neutron::RouterInterface\n") == 2


def test_hidden_types_are_shown_only_on_request(qtbot: QtBot, opened: Window, session: Session) -> None:
    assert session.catalog
    model = bench(opened).browser.model
    types = [index for index in model.indexes() if index.parent().isValid()]
    assert len(types) == len(session.catalog.visible_names)
    for button in bench(opened).browser._statuses.values():
        button.setChecked(True)
    types = [index for index in model.indexes() if index.parent().isValid()]
    assert len(types) == len(session.catalog.names())


def test_window_state_is_restored(
    qtbot: QtBot, opened: Window, session: Session, appearance: Appearance, settings: Settings, file: Path
) -> None:
    opened.sides.toggle(Row.BOTTOM)
    opened.close()
    assert settings.files == [str(file)]
    again = Window(session, appearance)
    make_bench(again)
    qtbot.addWidget(again)
    again.resize(*SIZE)
    again.show()
    assert not again.sides.is_seen("Problems")
    assert again.sides.is_seen("Outline")


def test_command_palette_finds_and_runs_a_command(qtbot: QtBot, opened: Window) -> None:
    opened.actions_by_name["command-palette"].trigger()
    picker = bench(opened).picker
    listed = {index.data() for index in picker.model.indexes()}
    assert {command.title for command in COMMANDS.values() if command.name != "command-palette"} == listed
    QTest.keyClicks(picker.search, "high contrast")
    QTest.keyClick(picker.search, Qt.Key.Key_Return)
    assert not picker.isVisible()
    assert opened.appearance.scheme is Scheme.HIGH_CONTRAST
    assert opened.session.settings.scheme == "high-contrast"


def test_locator_goes_to_a_resource(qtbot: QtBot, opened: Window) -> None:
    opened.actions_by_name["locate"].trigger()
    QTest.keyClicks(bench(opened).picker.search, "floating_ip")
    QTest.keyClick(bench(opened).picker.search, Qt.Key.Key_Return)
    editor = opened.area.editor
    assert editor
    assert editor.text()[editor.selection().start :].startswith("floating_ip:")
    opened.actions_by_name["back"].trigger()
    assert editor.caret_offset() == 0
    opened.actions_by_name["forward"].trigger()
    assert editor.caret_offset() > 0


def test_theme_changes_without_restart(qtbot: QtBot, opened: Window) -> None:
    colors = set()
    for scheme in (Scheme.LIGHT, Scheme.DARK, Scheme.HIGH_CONTRAST):
        opened.actions_by_name[f"theme-{scheme}"].trigger()
        qtbot.waitUntil(opened.updatesEnabled)
        colors.add(bench(opened).problems.view.viewport().grab().toImage().pixelColor(300, 40).name())
        assert opened.actions_by_name[f"theme-{scheme}"].isChecked()
    assert len(colors) == 3


def test_colors_that_widgets_set_themselves_follow_the_theme(qtbot: QtBot, real: Window, file: Path) -> None:
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    real.actions_by_name["show-parameters"].trigger()
    real.actions_by_name["first-steps"].trigger()
    real.area.banner.say("It was changed.", stays=True)
    qtbot.waitUntil(lambda: bool(bench(real).stack_panes.parameters.rows))
    light, dark = load_theme("light"), load_theme("dark")
    old = {light.color(color).name() for color in Color} - {dark.color(color).name() for color in Color}
    real.appearance.choose(Scheme.DARK)
    qtbot.waitUntil(real.updatesEnabled)
    roles = (QPalette.ColorRole.Window, QPalette.ColorRole.WindowText, QPalette.ColorRole.Base)
    shown = [widget for widget in real.findChildren(QWidget) if widget.isVisible()]
    assert [widget for widget in shown for role in roles if widget.palette().color(role).name() in old] == []


def test_editor_settings_are_remembered(
    qtbot: QtBot, opened: Window, session: Session, appearance: Appearance, settings: Settings
) -> None:
    settings.store.setValue("appearance/switches", '{"blanks": "odd", "no-such": true}')
    for name in ("wrap", "messages"):
        opened.actions_by_name[name].trigger()
    opened.memory.keep()
    again = Window(session, appearance)
    qtbot.addWidget(again, before_close_func=close_documents)
    editor = again.area.editor
    assert editor
    assert editor.editor.lineWrapMode() is QPlainTextEdit.LineWrapMode.WidgetWidth
    assert not editor.decorations.shown["messages"]
    make_bench(again)
    checked = {name: again.actions_by_name[name].isChecked() for name in SWITCHES}
    assert checked == {"wrap": True, "messages": False, "advice-messages": False, "blanks": False, "sticky-lines": True}


def test_text_hidden_during_a_theme_change_has_the_new_colors(qtbot: QtBot, opened: Window) -> None:
    first = opened.session.current
    opened.files.new()
    opened.actions_by_name["theme-dark"].trigger()
    qtbot.waitUntil(opened.updatesEnabled)
    assert first is not None
    opened.session.make_current(first)
    editor = opened.area.editor_of(first).editor
    assert editor.theme == opened.appearance.theme
    assert editor.viewport().grab().toImage().pixelColor(300, 370) == opened.appearance.theme.color(Color.EDITOR_GROUND)


def test_cursor_of_a_new_template_is_at_the_first_resource(window: Window) -> None:
    window.actions_by_name["new"].trigger()
    editor = window.area.editor
    assert editor
    QTest.keyClicks(editor.editor, "a:")
    assert editor.text() == "heat_template_version: 2021-04-16\n\nresources:\n  a:"


def test_undo_stops_at_the_saved_text(opened: Window, file: Path) -> None:
    editor, document = opened.area.editor, opened.session.current
    assert editor
    assert document
    QTest.keyClicks(editor.editor, "#ab")
    opened.actions_by_name["save"].trigger()
    saved = file.read_text()
    QTest.keyClicks(editor.editor, "cd")
    opened.actions_by_name["undo"].trigger()
    assert editor.text() == saved
    assert saved.startswith("#ab")
    assert not document.modified
    opened.actions_by_name["undo"].trigger()
    assert document.modified


def test_save_all_saves_one_file_per_event_loop_iteration(
    qtbot: QtBot, window: Window, session: Session, tmp_path: Path
) -> None:
    old = "heat_template_version: 2021-04-16\n"
    files = [tmp_path / f"{name}.yaml" for name in "abc"]
    for file in files:
        file.write_text(old, "utf-8")
        opened_document(session, file).change(f"{old}# new\n")
    window.actions_by_name["save-all"].trigger()
    assert [document.modified for document in session.documents if document.path in files] == [False, True, True]
    session.close(session.documents[-1])
    qtbot.waitUntil(lambda: not any(document.modified for document in session.documents))
    assert [file.read_text("utf-8") == old for file in files] == [False, False, True], "the last one was closed"


def test_unsaved_changes_must_be_confirmed(opened: Window, monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    editor, buttons = opened.area.editor, QMessageBox.StandardButton
    assert editor
    editor.editor.insertPlainText("# new\n")
    answers = iter([buttons.Cancel, buttons.Save])
    monkeypatch.setattr(QMessageBox, "exec", lambda *_: next(answers))
    event = QCloseEvent()
    opened.closeEvent(event)
    assert not event.isAccepted()
    opened.actions_by_name["close"].trigger()
    assert file.read_text().startswith("# new\n")
    assert opened.session.documents == ()


def test_closed_document_is_deleted_and_stale_references_are_harmless(qtbot: QtBot, opened: Window, file: Path) -> None:
    session, document = opened.session, opened.session.current
    assert document
    opened.actions_by_name["environments"].trigger()
    session.close(document)
    qtbot.waitUntil(lambda: not isValid(document))
    assert opened.environments.dialog
    assert not opened.environments.dialog.isVisible()
    document.change("a: 1\n")
    session.reload(document)
    session.set_environments(document, (file,))
    session.make_current(document)
    assert session.current is None
    assert not session.is_analyzing


def test_answers_about_unsaved_changes_have_mnemonics(opened: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    editor, shown = opened.area.editor, list[str]()
    assert editor
    editor.editor.insertPlainText("# new\n")

    def answer(box: QMessageBox) -> QMessageBox.StandardButton:
        default = box.defaultButton()
        shown.extend(button.text() for button in [default, *(one for one in box.buttons() if one is not default)])
        return QMessageBox.StandardButton.Cancel

    monkeypatch.setattr(QMessageBox, "exec", answer)
    opened.actions_by_name["close"].trigger()
    assert shown[0] == "&Save"
    assert sorted(shown) == ["&Cancel", "&Discard", "&Save"]


def test_document_that_is_closed_while_its_question_is_open_is_closed_once(
    opened: Window, monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    """A second key may arrive while the question is open."""
    editor, document, before = opened.area.editor, opened.session.current, file.read_text()
    assert editor
    assert document
    editor.editor.insertPlainText("# new\n")

    def answer(*_: object) -> QMessageBox.StandardButton:
        opened.session.close(document)
        return QMessageBox.StandardButton.Save

    monkeypatch.setattr(QMessageBox, "exec", answer)
    opened.actions_by_name["close"].trigger()
    assert opened.session.documents == ()
    assert file.read_text() == before


def test_change_on_disk_asks_for_a_decision(qtbot: QtBot, opened: Window, file: Path) -> None:
    editor, banner = opened.area.editor, opened.area.banner
    assert editor
    editor.editor.insertPlainText("# mine\n")
    file.write_text("heat_template_version: 2018-08-31\n")
    qtbot.waitUntil(lambda: "changed both on disk and in the editor" in banner.sentence)
    assert editor.text().startswith("# mine\n")
    next(button for button in banner.findChildren(QAbstractButton) if "File on Disk" in button.text()).click()
    assert editor.text() == "heat_template_version: 2018-08-31\n"
    assert banner.sentence == ""


def test_messages_about_unreadable_files_stay_until_dismissed(window: Window, tmp_path: Path, file: Path) -> None:
    banner = window.area.banner
    (tmp_path / "binary").write_bytes(b"\xff\0")
    window.files.open([str(tmp_path / "none.yaml"), str(tmp_path / "binary"), str(file)])
    errors = banner.sentence.splitlines()
    assert "no such file" in errors[0]
    assert "not a text file" in errors[1]
    window.files.new()
    banner.say("Something that does not stay.")
    window.area.step(1)
    assert banner.sentence.splitlines() == errors
    banner.dismiss()
    assert banner.sentence == ""


def test_unreadable_file_is_reported_in_the_banner(window: Window, tmp_path: Path) -> None:
    window.files.open([str(tmp_path / "none.yaml")])
    assert "no such file" in window.area.banner.sentence
    (tmp_path / "binary").write_bytes(b"\xff\0")
    window.files.open([str(tmp_path / "binary")])
    assert "not a text file" in window.area.banner.sentence


def test_comparing_without_git_says_so(qtbot: QtBot, opened: Window) -> None:
    opened.actions_by_name["against-git"].trigger()
    qtbot.waitUntil(lambda: "is not in a git repository" in opened.area.banner.sentence)


def test_commands_are_disabled_without_a_document(qtbot: QtBot, window: Window) -> None:
    assert not window.actions_by_name["save"].isEnabled()
    window.files.new()
    assert window.actions_by_name["save"].isEnabled()
    window.actions_by_name["next-tab"].trigger()
    window.actions_by_name["messages"].trigger()
    assert window.area.editor
    assert not window.area.editor.decorations.shown["messages"]


@pytest.mark.parametrize("name", ["DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"])
def test_display_is_detected(name: str) -> None:
    assert has_display("linux", {name: "x"})
    assert not has_display("linux", {})
    assert has_display("win32", {})


def test_missing_display_is_reported_in_one_sentence() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from heatstudio.ui.window.app import run; sys.exit(run([]))"],
        env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "without a display" in done.stderr


def test_fix_of_an_older_text_is_not_applied(opened: Window) -> None:
    editor = opened.area.editor
    assert editor
    editor.editor.insertPlainText("# moved\n")
    before = editor.text()
    opened.actions_by_name["fix-all"].trigger()
    bench(opened).navigation.show_resource("subnet")
    opened.actions_by_name["fix-preferred"].trigger()
    assert editor.text() == before


def press(window: Window, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press a key in the editor."""
    editor = window.area.editor
    assert editor
    window.activateWindow()
    editor.setFocus()
    QTest.keyClick(editor.editor, key, modifiers)


def pick(window: Window, words: str) -> None:
    assert bench(window).picker.isVisible()
    QTest.keyClicks(bench(window).picker.search, words)
    QTest.keyClick(bench(window).picker.search, Qt.Key.Key_Return)
    assert not bench(window).picker.isVisible()


def test_keys_open_the_palette_and_the_locators(qtbot: QtBot, opened: Window, session: Session, tmp_path: Path) -> None:
    editor = opened.area.editor
    assert editor
    press(opened, Qt.Key.Key_P, CONTROL | SHIFT)
    pick(opened, "dark colors")
    assert opened.appearance.scheme is Scheme.DARK
    press(opened, Qt.Key.Key_O, CONTROL | SHIFT)
    pick(opened, "security_group")
    assert editor.text()[editor.selection().start :].startswith("security_group:")
    press(opened, Qt.Key.Key_K, CONTROL)
    pick(opened, "public_network")
    assert editor.text()[editor.selection().start :].startswith("public_network:")
    press(opened, Qt.Key.Key_K, CONTROL)
    pick(opened, "RouterInterface")
    shown_type = bench(opened).type_page.type
    assert shown_type is not None
    assert shown_type.name == "OS::Neutron::RouterInterface"
    folder = tmp_path / "folder" / "below"
    folder.mkdir(parents=True)
    (folder / "other.yaml").write_text("a: 1\n")
    session.open_folder(tmp_path / "folder")
    press(opened, Qt.Key.Key_P, CONTROL)
    pick(opened, "other")
    assert session.current
    assert session.current.path == folder / "other.yaml"


def test_keys_go_back_and_forward(opened: Window) -> None:
    editor = opened.area.editor
    assert editor
    places = []
    for name in ("server", "cidr"):
        press(opened, Qt.Key.Key_O, CONTROL | SHIFT)
        pick(opened, name)
        places.append(editor.caret_offset())
    press(opened, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert editor.caret_offset() == places[0]
    press(opened, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert editor.caret_offset() == places[1]


def test_keys_change_the_text_size(opened: Window) -> None:
    editor = opened.area.editor
    assert editor
    size = editor.editor.font().pixelSize()
    press(opened, Qt.Key.Key_Plus, CONTROL)
    press(opened, Qt.Key.Key_Plus, CONTROL)
    assert editor.editor.font().pixelSize() == size + 2
    press(opened, Qt.Key.Key_Minus, CONTROL)
    assert editor.editor.font().pixelSize() == size + 1
    press(opened, Qt.Key.Key_0, CONTROL)
    assert editor.editor.font().pixelSize() == size


def test_problems_of_a_code_are_fixed_in_the_checked_files(
    qtbot: QtBot, opened: Window, session: Session, sample: str, tmp_path: Path
) -> None:
    first = session.current
    assert first
    (tmp_path / "second.yaml").write_text(sample)
    (tmp_path / "third.yaml").write_text(sample)
    opened.files.open([str(tmp_path / "second.yaml"), str(tmp_path / "third.yaml")])
    qtbot.waitUntil(lambda: all(one.current_analysis for one in session.documents))
    press(opened, Qt.Key.Key_F8)
    press(opened, Qt.Key.Key_Period, CONTROL)
    chooser = bench(opened).fix_controller.chooser
    qtbot.waitUntil(chooser.isVisible)
    row = rows_of(chooser).index(AllOfKind("property-support"))
    chooser._list.setCurrentIndex(chooser.model.index(row, 0))
    QTest.keyClick(chooser, Qt.Key.Key_Return)
    dialog = bench(opened).fix_controller.files.dialog
    assert dialog
    assert dialog.isVisible()
    assert not dialog.isModal()
    assert dialog.kinds.currentText() == "property-support"
    qtbot.waitUntil(lambda: dialog.files.count() == 3)
    assert "network_id" in dialog.changes.toPlainText()
    dialog.files.item(1).setCheckState(Qt.CheckState.Unchecked)
    dialog.apply_button.click()
    qtbot.waitUntil(lambda: bool(dialog.report.toPlainText()))
    assert "web-server.yaml:47: `network` replaces `network_id`." in dialog.report.toPlainText()
    assert "in 2 files. No effect on the stack" in dialog.verdict.text()
    assert [one.modified for one in session.documents] == [True, False, True]
    opened.area.editor_of(first).editor.undo()
    assert not first.modified
    dialog.close()


def test_environments_are_kept_in_order_and_remembered(
    qtbot: QtBot,
    opened: Window,
    session: Session,
    asked: list[Snapshot],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, two = tmp_path / "one.yaml", tmp_path / "two.yaml"
    one.write_text("parameters: {}\n")
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(one), str(two)], ""))
    press(opened, Qt.Key.Key_E, CONTROL)
    dialog, document = opened.environments.dialog, session.current
    assert dialog
    assert document
    dialog._add()
    dialog.list.setCurrentRow(1)
    dialog._move(-1)
    assert document.environments == (two, one)
    qtbot.waitUntil(lambda: "1 unusable file" in opened.status.environments.text())
    assert (two, one) in [one.environments for one in asked]  # among the scenarios of the dialog
    dialog.list.setCurrentRow(0)
    dialog._remove()
    qtbot.waitUntil(lambda: opened.status.environments.text() == "1 environment")
    dialog.close()
    path = document.path
    assert path
    session.close(document)
    assert opened_document(session, path).environments == (one,)


def test_externally_changed_file_is_not_overwritten_silently(opened: Window, session: Session, file: Path) -> None:
    document, editor = session.current, opened.area.editor
    assert document
    assert editor
    editor.editor.insertPlainText("# mine\n")
    file.write_text("a: 1\n")
    press(opened, Qt.Key.Key_S, CONTROL)
    assert document.modified
    assert file.read_text() == "a: 1\n"
    opened.area.banner.press("Keep Mine")
    assert file.read_text() == "a: 1\n"
    press(opened, Qt.Key.Key_S, CONTROL)
    assert file.read_text().startswith("# mine\n")


def test_deleted_file_is_reported_and_can_be_saved_again(opened: Window, session: Session, file: Path) -> None:
    text = file.read_text()
    file.unlink()
    session.check_disk()
    assert "was deleted or renamed" in opened.area.banner.sentence
    opened.area.banner.press("Save Again")
    assert file.read_text() == text


def test_undo_survives_other_tabs_and_reloading(opened: Window, session: Session, file: Path) -> None:
    first, editor = session.current, opened.area.editor
    assert first
    assert editor
    text = editor.text()
    editor.editor.insertPlainText("# mine\n")
    opened.files.new()
    session.make_current(first)
    opened.actions_by_name["reload"].trigger()
    assert editor.text() == text
    press(opened, Qt.Key.Key_Z, CONTROL)
    assert editor.text() == f"# mine\n{text}"
    press(opened, Qt.Key.Key_Z, CONTROL)
    assert editor.text() == text


def test_tabs_and_cursors_are_restored(
    qtbot: QtBot, opened: Window, session: Session, appearance: Appearance, settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "second.yaml").write_text("a: 1\nb: 2\n")
    first = session.current
    assert first
    opened.files.open([str(tmp_path / "second.yaml")])
    assert opened.area.editor
    opened.area.editor.go_to_line(1)
    session.make_current(first)
    opened.close()
    later = Session(settings, Engine)
    again = Window(later, appearance)
    qtbot.addWidget(again)
    again.memory.reopen()
    make_bench(again)
    assert [document.title for document in later.documents] == ["web-server.yaml", "second.yaml"]
    assert [place.caret for _, place in again.area.places()] == [0, 5]
    assert later.current is later.documents[0]
    recent = again.findChildren(RecentMenu)[0]
    recent.aboutToShow.emit()
    names = [Path(action.text()).name for action in recent.actions()]
    assert names[:2] == ["second.yaml", "web-server.yaml"]
    later.stop()


def test_window_reports_file_and_errors_to_the_desktop(
    qtbot: QtBot, real: Window, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    badges: list[int] = []
    monkeypatch.setattr(QApplication, "setBadgeNumber", lambda _application, number: badges.append(number))
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    assert real.windowFilePath() == str(file)
    assert real.windowTitle() == "web-server.yaml[*] - Heat Studio"
    assert badges[-1] == 1
    real.session.close(real.session.documents[0])
    assert badges[-1] == 0
    assert real.windowFilePath() == ""


QT_6_12 = pytest.mark.filterwarnings("ignore:Function. 'QDragEnterEvent:DeprecationWarning")
"""Qt 6.12 requires QPointF, which earlier versions do not accept."""


def drop_on(window: QWidget, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    action, button, no_key = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(20, 20), action, data, button, no_key)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    drop = QDropEvent(QPointF(20, 20), action, data, button, no_key)
    QApplication.sendEvent(window, drop)


@QT_6_12
def test_file_dropped_on_the_empty_window_is_opened(window: Window, session: Session, file: Path) -> None:
    drop_on(window, file)
    assert [document.path for document in session.documents] == [file]


@QT_6_12
def test_file_dropped_on_the_text_is_opened_and_not_pasted(opened: Window, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text("heat_template_version: 2021-04-16\n")
    editor = opened.area.editor
    assert editor
    before = editor.text()
    drop_on(editor.editor.viewport(), other)
    assert [document.path for document in opened.session.documents][-1] == other
    assert editor.text() == before


@QT_6_12
def test_folder_dropped_on_the_window_is_opened_as_a_folder(window: Window, session: Session, file: Path) -> None:
    drop_on(window, file.parent)
    assert session.documents == ()
    assert session.root == file.parent
    assert session.settings.folder == str(file.parent)
    assert str(file) in session.folder_files()
    assert "Ctrl+P" in window.statusBar().currentMessage()
    assert not window.area.banner.isVisible()


@pytest.mark.parametrize("command", ["settings", "fix-files"])
def test_dialogs_fit_the_screen_and_their_buttons_have_no_icons_of_the_style(
    qtbot: QtBot, opened: Window, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr(QScreen, "availableSize", lambda _screen: QSize(800, 500))
    opened.actions_by_name[command].trigger()
    qtbot.waitUntil(lambda: any(one.isVisible() for one in opened.findChildren(QDialog)))
    dialog = next(one for one in opened.findChildren(QDialog) if one.isVisible())
    assert dialog.height() <= 500
    box = dialog.findChild(QDialogButtonBox)
    assert box is not None
    assert box.style().styleHint(QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons, None, box) == 0
    assert [button.text() for button in box.buttons() if not button.icon().isNull()] == []


def test_about_dialog_does_not_block(window: Window) -> None:
    window.actions_by_name["about"].trigger()
    box = window.findChild(QMessageBox)
    assert box
    assert box.isVisible()
    assert not box.isModal()
    assert "offline, as you type" in box.informativeText()
    box.close()


def test_every_command_has_a_handler(real: Window) -> None:
    assert {name for name in COMMANDS if name not in real.actions_by_name._command_handlers} == set()


def test_tab_titles_of_many_documents_are_readable(window: Window, session: Session) -> None:
    window.resize(900, 600)
    for number in range(12):
        session.begin("a: 1\n", f"template-{number}.yaml")
    session.begin("a: 1\n", f"{'long-' * 20}.yaml")
    QApplication.processEvents()
    tabs = window.area.tabs
    metrics = tabs.fontMetrics()
    room = [tabs.tabRect(row).width() - metrics.horizontalAdvance(tabs.tabText(row)) for row in range(12)]
    assert min(room) > 75, "the name, an icon and the cross"
    assert tabs.tabRect(12).width() <= 280
    assert tabs.tabRect(12).right() <= tabs.width(), "the current one is in sight"


def test_very_large_file_is_shown_and_checked_only_on_request(
    qtbot: QtBot, window: Window, asked: list[Snapshot], tmp_path: Path
) -> None:
    lines = 90_000
    file = tmp_path / "large.yaml"
    file.write_text("heat_template_version: 2021-04-16\n" + "# a comment\n" * lines)
    qtbot.waitUntil(lambda: window.session.engine is not None)
    window.files.open([str(file)])
    assert "90,002 lines" in window.area.banner.sentence
    editor = window.area.editor
    assert editor
    with qtbot.assertNotEmitted(window.session.analysis_changed, wait=300):
        editor.editor.insertPlainText("# typed\n")
    assert asked == []
    with qtbot.waitSignal(window.session.analysis_changed):
        window.area.banner.press("Check Once")
    assert [len(snapshot.text) for snapshot in asked] == [len(editor.text())]


def test_outline_filter_announces_the_number_of_matches(
    qtbot: QtBot, opened: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    outline, reported = bench(opened).outline, list[str]()
    with qtbot.waitActive(opened):
        opened.activateWindow()
    monkeypatch.setattr(outline.filter._voice, "say_later", reported.append)
    outline.filter.setFocus()
    outline.filter.setText("router")
    qtbot.waitUntil(lambda: len(reported) == 1)
    outline.filter.setText("nothing of the kind")
    qtbot.waitUntil(lambda: len(reported) == 2)
    assert reported == ["2 found", "No matches."]
    assert outline.model.rowCount() == 0


def test_outline_keeps_the_current_row_while_it_has_the_focus(qtbot: QtBot, opened: Window) -> None:
    view, editor = bench(opened).outline.view, opened.area.editor
    assert editor
    with qtbot.waitActive(opened):
        opened.activateWindow()
    opened.sides.reveal("Outline")
    assert view.hasFocus()
    index = next(index for index in bench(opened).outline.model.indexes() if index.data() == "server")
    view.setCurrentIndex(index)
    with qtbot.waitSignal(opened.session.plan_changed):
        editor.apply_edits([TextEdit(Span(0, 0), "conditions: {}\n")])
    qtbot.waitUntil(lambda: "conditions" in {index.data() for index in bench(opened).outline.model.indexes()})
    assert view.currentIndex().data() == "server"


def test_outline_shows_how_resources_are_linked(opened: Window) -> None:
    model = bench(opened).outline.model
    index = next(index for index in model.indexes() if index.data() == "network")
    assert str(index.siblingAtColumn(1).data(CELL_ROLE).badge[0]).startswith("\u2190")
    assert bench(opened).outline.view.header().sectionSize(1) > 20
    assert "Used by" in str(index.data(Qt.ItemDataRole.ToolTipRole))


def test_tab_bars_have_accessible_names(opened: Window) -> None:
    bars = [bar for bar in opened.findChildren(QTabBar) if bar.isVisible()]
    assert len(bars) > 3
    assert all(bar.accessibleName() for bar in bars)
    assert "Panes: Preview, Type, Explanation" in {bar.accessibleName() for bar in bars}


def test_current_tabs_are_restored(qtbot: QtBot, opened: Window, settings: Settings, appearance: Appearance) -> None:
    opened.sides.show_pane("Parameters")
    opened.sides.show_pane("Cloud")
    opened.close()
    later = Session(settings, Engine)
    again = Window(later, appearance)
    qtbot.addWidget(again)
    again.resize(*SIZE)
    again.show()
    assert set(again.sides.state.open_rows().values()) == {"Cloud", "Outline", "Preview", "Parameters"}
    later.stop()


def test_command_before_the_workbench_exists_runs_when_it_does(
    qtbot: QtBot, session: Session, appearance: Appearance
) -> None:
    window = Window(session, appearance)
    qtbot.addWidget(window, before_close_func=close_documents)
    window.show()
    window.actions_by_name["new"].trigger()
    assert not session.documents
    make_bench(window)
    assert len(session.documents) == 1


def test_folder_of_the_command_line_is_shown(
    qtbot: QtBot, session: Session, appearance: Appearance, tmp_path: Path
) -> None:
    window = Window(session, appearance)
    qtbot.addWidget(window, before_close_func=close_documents)
    window.files.open([str(tmp_path)])
    window.show()
    make_bench(window)
    assert window.sides.is_seen("Files")
    assert bench(window).problems.bar.scope is Scope.FOLDER


def test_window_has_the_icon_of_the_program(window: Window) -> None:
    set_window_icon()
    assert not window.windowIcon().pixmap(64).isNull()


def test_unreachable_files_are_not_reopened(window: Window, file: Path) -> None:
    window.session.settings.files = [str(file.parent / ("x" * 300) / "a.yaml"), str(file)]
    window.memory.reopen()
    assert [document.path for document in window.session.documents] == [file]


@pytest.mark.parametrize(("width", "height", "maximized"), [(1366, 800, False), (1365, 800, True), (1366, 799, True)])
def test_first_window_lies_inside_the_work_area_with_its_frame(
    qtbot: QtBot,
    session: Session,
    appearance: Appearance,
    monkeypatch: pytest.MonkeyPatch,
    width: int,
    height: int,
    maximized: bool,
) -> None:
    monkeypatch.setattr(QScreen, "availableSize", lambda _screen: QSize(width, height))
    window = Window(session, appearance)
    qtbot.addWidget(window, before_close_func=close_documents)
    assert window.width() <= width - 40
    assert window.height() <= height - 40
    window.memory.show_window()
    assert window.isMaximized() is maximized


def test_breadcrumbs_name_a_key_whose_value_is_empty(qtbot: QtBot, opened: Window) -> None:
    editor = opened.area.editor
    assert editor
    with qtbot.waitSignal(opened.session.analysis_changed):
        editor.replace_text(editor.text().replace("flavor: {get_param: flavor}", "flavor: "))
    editor.go_to_line(editor.text()[: editor.text().index("      flavor: \n")].count("\n"))
    press(opened, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: crumbs_of(editor) == ["resources", "server", "properties", "flavor"])


def test_outcomes_stay_in_the_gutter_while_the_text_has_errors(qtbot: QtBot, real: Window, file: Path) -> None:
    file.write_text(file.read_text("utf-8").replace("name: web-data\n", "name: web-data\n      size: 1\n"), "utf-8")
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    editor = real.area.editor
    assert editor
    changed = editor.text().replace("cidr: {get_param: cidr}", "cidr: 10.20.0.0/24")
    seen = []
    for text in (changed, f"{changed}half", f"{changed}resource: 1\n", changed):
        with qtbot.waitSignal(real.session.plan_changed):
            editor.replace_text(text)
        seen.append((sorted(editor.decorations.changes), editor.decorations.are_changes_old))
    lines = seen[0][0]
    assert changed[: changed.index("  subnet:")].count("\n") in lines
    assert seen == [(lines, False), (lines, True), (lines, True), (lines, False)]
    line = next(one for one in editor.editor.visible_lines() if one.block.blockNumber() >= 0)
    editor.decorations.set_changes({line.block.blockNumber(): next(iter(editor.decorations.changes.values()))})
    editor.decorations.age_changes()
    assert editor.editor.gutter.explain(line).startswith("Preview before the errors: ")
