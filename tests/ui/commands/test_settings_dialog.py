"""The settings dialog: search, changes by keyboard, and consistency with the commands."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontInfo, QKeySequence, QTextCursor, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QPlainTextEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from heatstudio.text import Span, TextEdit
from heatstudio.ui.commands.actions import COMMANDS, REMEMBERED, TEXT_KEYS
from heatstudio.ui.commands.settings_dialog import KeyDialog, SettingsDialog, fixed_use
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.editor.text.code_page import TEXT_SIZE, text_families
from heatstudio.ui.widgets.appearance import Appearance, Scheme, code_font, icon_size
from heatstudio.ui.widgets.panel import tool_button
from heatstudio.ui.widgets.row_delegate import row_height
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.session import Session
from tests.ui.bench import bench
from tests.ui.conftest import close_documents

TEXT = b"heat_template_version: 2021-04-16\r\n# caf\xc3\xa9\r\n"


@pytest.fixture
def files(window: Window, tmp_path: Path) -> list[Path]:
    files = [tmp_path / f"{name}.yaml" for name in "ab"]
    for file in files:
        file.write_bytes(TEXT)
    window.files.open(map(str, files))
    return files


@pytest.fixture
def dialog(qtbot: QtBot, window: Window, files: list[Path]) -> SettingsDialog:
    with qtbot.waitActive(window):
        window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    dialog = bench(window).settings_controller.dialog
    assert dialog
    qtbot.waitUntil(dialog.search.hasFocus)
    return dialog


def search(qtbot: QtBot, dialog: SettingsDialog, words: str) -> None:
    dialog.search.setFocus()
    dialog.search.selectAll()
    with qtbot.waitSignal(dialog.search.searched):
        QTest.keyClicks(dialog.search, words)


def shown(dialog: SettingsDialog) -> list[str]:
    boxes: list[QWidget] = [*dialog.findChildren(QComboBox), *dialog.findChildren(QCheckBox)]
    return [box.accessibleName() for box in boxes if box.isVisible()]


def box_named(dialog: SettingsDialog, name: str) -> QComboBox:
    return next(box for box in dialog.findChildren(QComboBox) if box.accessibleName() == name)


def change(window: Window, *files: Path) -> None:
    for file in files:
        document = window.session.document_at(file)
        assert document
        window.area.editor_of(document).apply_edits([TextEdit(Span(0, 0), "# mine\n")])


def test_search_shows_matching_settings_and_commands(qtbot: QtBot, dialog: SettingsDialog) -> None:
    assert len(shown(dialog)) == 4 + len(REMEMBERED)
    assert dialog.keys.model().rowCount() == len(COMMANDS) + len(TEXT_KEYS)
    search(qtbot, dialog, "dark theme")
    assert shown(dialog) == ["Theme"]
    assert dialog.keys.model().index(0, 0).data() == "Dark Theme"
    assert dialog.found.text() == "1 setting, 1 command"
    search(qtbot, dialog, "duplicate")
    assert shown(dialog) == []
    spoken = dialog.keys.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Duplicate Line Edit menu Ctrl+Shift+D"
    QTest.keyClick(dialog.search, Qt.Key.Key_Return)
    assert dialog.isVisible()
    QTest.keyClick(dialog.search, Qt.Key.Key_Escape)
    QTest.keyClick(dialog.search, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    dialog.open_for_search()
    qtbot.waitUntil(lambda: len(shown(dialog)) == 4 + len(REMEMBERED))


def test_check_box_has_the_state_of_its_command(qtbot: QtBot, window: Window, dialog: SettingsDialog) -> None:
    search(qtbot, dialog, "wrap")
    QTest.keyClick(dialog.search, Qt.Key.Key_Down)
    box = dialog.focusWidget()
    assert isinstance(box, QCheckBox)
    QTest.keyClick(box, Qt.Key.Key_Space)
    assert window.actions_by_name["wrap"].isChecked()
    assert window.area.editor
    assert window.area.editor.editor.lineWrapMode() is QPlainTextEdit.LineWrapMode.WidgetWidth
    window.actions_by_name["wrap"].trigger()
    assert not box.isChecked()


def test_choices_take_effect_at_once_and_follow_the_commands(
    window: Window, dialog: SettingsDialog, appearance: Appearance, settings: Settings
) -> None:
    size, theme = box_named(dialog, "Text size"), box_named(dialog, "Theme")
    assert (size.currentText(), theme.currentText()) == (f"{TEXT_SIZE} px", "Light")
    assert window.area.editor
    size.setFocus()
    QTest.keyClick(size, Qt.Key.Key_Down)
    assert window.area.editor.editor.text_size == TEXT_SIZE + 1
    window.actions_by_name["zoom-in"].trigger()
    assert size.currentText() == f"{TEXT_SIZE + 2} px"
    theme.setFocus()
    QTest.keyClick(theme, Qt.Key.Key_Down)
    assert appearance.scheme is Scheme.DARK
    assert settings.scheme == "dark"
    assert window.actions_by_name["theme-dark"].isChecked()
    window.actions_by_name["theme-high-contrast"].trigger()
    assert theme.currentText() == "High Contrast"


def test_all_texts_are_enlarged_at_once_and_again_at_the_next_start(
    window: Window, dialog: SettingsDialog, settings: Settings, appearance: Appearance
) -> None:
    assert window.area.editor
    bar, tree = window.menuBar(), bench(window).problems.view
    parts = (window.area.editor.editor, tree, bar, dialog, window.status.counts, window.area.editor.breadcrumbs)
    assert {part.font().pixelSize() for part in parts} == {13}
    row, tab = row_height(), window.area.tabs.tabRect(0).height()
    buttons = window.area.tabs.findChildren(QToolButton)
    for _ in range(5):
        window.actions_by_name["scale-up"].trigger()
    assert {part.font().pixelSize() for part in parts} == {20}
    assert row_height() > row
    assert window.area.tabs.tabRect(0).height() > tab
    assert window.area.tabs.iconSize() == icon_size() == QSize(25, 25)
    assert {button.iconSize() for button in buttons} == {icon_size()}
    assert box_named(dialog, "Window text size").currentText() == "150 %"
    assert settings.scale == 150
    for _ in range(9):
        window.actions_by_name["scale-up"].trigger()
    assert appearance.percent == 200
    window.area.use_font(TEXT_SIZE + 1)
    assert parts[0].font().pixelSize() == 28, "the size of the text, enlarged"
    assert window.area.text_size == TEXT_SIZE + 1
    for _ in range(20):
        window.actions_by_name["scale-down"].trigger()
    assert appearance.percent == settings.scale == 80
    window.actions_by_name["scale-reset"].trigger()
    assert {part.font().pixelSize() for part in parts[1:]} == {13}


def test_font_is_chosen_in_the_dialog_or_the_palette_and_remembered(
    qtbot: QtBot, window: Window, dialog: SettingsDialog, session: Session, appearance: Appearance
) -> None:
    usual = QFontInfo(code_font()).family()
    real = [family for family in text_families() if QFontInfo(QFont(family)).family() == family]
    name = next(family for family in real if family != usual)
    window.actions_by_name["compare-text"].trigger()
    box = box_named(dialog, "Font")
    box.setFocus()
    box.setCurrentIndex(box.findData(name) - 1)
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert window.area.editor
    assert QFontInfo(window.area.editor.editor.font()).family() == name
    assert QFontInfo(bench(window).stack_panes.compare.old.font()).family() == name
    window.memory.keep()
    again = Window(session, appearance)
    qtbot.addWidget(again, before_close_func=close_documents)
    assert again.area.editor
    assert QFontInfo(again.area.editor.editor.font()).family() == name
    window.actions_by_name["text-font"].trigger()
    QTest.keyClicks(bench(window).picker.search, "default")
    QTest.keyClick(bench(window).picker.search, Qt.Key.Key_Return)
    assert window.area.editor.editor.font().families() == code_font().families()
    assert box.currentText() == "Default"


def test_missing_font_is_shown_and_kept(window: Window, dialog: SettingsDialog) -> None:
    window.area.use_font(family="No Such Face")
    assert box_named(dialog, "Font").currentText() == "No Such Face"
    assert window.area.editor
    assert QFontInfo(window.area.editor.editor.font()).family() == QFontInfo(code_font()).family()


def test_every_label_has_its_field_and_a_unique_mnemonic(dialog: SettingsDialog) -> None:
    labels = [label for label in dialog.findChildren(QLabel) if "&" in label.text()]
    assert {label.buddy().accessibleName() for label in labels} == {
        *("Font", "Text size", "Window text size", "Theme", "Keyboard shortcuts")
    }
    marked = [*(label.text() for label in labels), *(box.text() for box in dialog.findChildren(QCheckBox))]
    keys = [text[text.index("&") + 1].casefold() for text in marked]
    assert len(set(keys)) == len(keys) == 5 + len(REMEMBERED)


def test_every_setting_has_a_sentence_with_its_default(qtbot: QtBot, dialog: SettingsDialog) -> None:
    boxes: list[QWidget] = [*dialog.findChildren(QComboBox), *dialog.findChildren(QCheckBox)]
    assert [box.accessibleName() for box in boxes if "Default: " not in box.accessibleDescription()] == []
    search(qtbot, dialog, "besides the mark")
    assert shown(dialog) == ["Inline Problem Messages"]


# Keys


def change_key(qtbot: QtBot, dialog: SettingsDialog, command: str, key: str) -> KeyDialog:
    """Open the dialog for the key of a command, and press a key in it."""
    search(qtbot, dialog, command)
    dialog.keys.setFocus()
    dialog.keys.setCurrentIndex(dialog.keys.model().index(0, 0))
    QTest.keyClick(dialog.keys, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), KeyDialog))
    asked = QApplication.activeModalWidget()
    assert isinstance(asked, KeyDialog)
    asked.edit.setKeySequence(QKeySequence(key))
    return asked


def test_key_is_changed_shown_kept_and_pressed(
    qtbot: QtBot, window: Window, dialog: SettingsDialog, session: Session, appearance: Appearance, settings: Settings
) -> None:
    asked = change_key(qtbot, dialog, "save", "Ctrl+Alt+9")
    assert asked.said.text() == "This key is free."
    QTest.keyClick(asked.edit, Qt.Key.Key_Return)
    assert settings.keys == {"save": ["Ctrl+Alt+9"]}
    assert dialog.keys.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole) == "Save File menu Ctrl+Alt+9"
    assert dialog.focusWidget() is dialog.keys
    assert window.actions_by_name["save"].toolTip() == "Save (Ctrl+Alt+9)"
    ran: list[str] = []
    window.actions_by_name.connect_handlers({"save": lambda: ran.append("save")})
    with qtbot.waitActive(window):
        window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert ran == []
    QTest.keyClick(window, Qt.Key.Key_9, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    assert ran == ["save"]
    again = Window(session, appearance)
    qtbot.addWidget(again, before_close_func=close_documents)
    assert again.actions_by_name["save"].shortcut().toString() == "Ctrl+Alt+9"


def test_sentences_and_tool_tips_name_the_keys_of_the_user(
    qtbot: QtBot, window: Window, appearance: Appearance
) -> None:
    actions, bar = window.actions_by_name, bench(window).problems.empty
    bar.say("Problems appear here", "F8 goes to the next one, Alt+Enter shows the fixes.")
    button = tool_button(appearance, "chevron-down", "Next change (F7)")
    qtbot.addWidget(button)
    actions.set_keys("next-problem", ["F7"])
    actions.set_keys("fix", [])
    assert bar.accessibleDescription() == "F7 goes to the next one, “Show Fixes and Refactorings” shows the fixes."
    assert button.toolTip() == "Next change (“Next Change”)"
    window.status.showMessage("F8 goes there.")
    assert window.status.currentMessage() == "F7 goes there."
    assert actions["next-problem"].toolTip().endswith("(F7)")
    actions.reset_keys()
    assert bar.accessibleDescription() == "F8 goes to the next one, Alt+Enter shows the fixes."
    assert button.toolTip() == "Next change (F7)"


def test_key_of_another_command_is_named_and_taken(qtbot: QtBot, window: Window, dialog: SettingsDialog) -> None:
    actions = window.actions_by_name
    asked = change_key(qtbot, dialog, "save as", "Ctrl+Y")
    assert asked.said.text() == "Ctrl+Y belongs to Redo. Assign removes it there."
    asked.assign.click()
    assert actions["save-as"].shortcut().toString() == "Ctrl+Y"
    assert [key.toString() for key in actions["redo"].shortcuts()] == ["Ctrl+Shift+Z"]
    asked = change_key(qtbot, dialog, "redo", "")
    assert not asked.assign.isEnabled()
    asked.reset.click()
    assert [key.toString() for key in actions["redo"].shortcuts()] == ["Ctrl+Shift+Z", "Ctrl+Y"]
    assert actions["save-as"].shortcuts() == []
    dialog.reset.click()
    assert actions["save-as"].shortcut().toString() == "Ctrl+Shift+S"
    assert not dialog.reset.isEnabled()


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("A", "The text uses this key."),
        ("Shift+Home", "fixed key of the text"),
        ("Ctrl+Shift+Left", "fixed key of the text: Go to Previous Word"),
        ("F7", ""),
        ("Shift+F7", ""),
        ("Ctrl+9", ""),
        ("", ""),
    ],
)
def test_keys_of_the_text_are_fixed(key: str, why: str) -> None:
    assert why in fixed_use(key)
    assert bool(why) is bool(fixed_use(key))


def test_every_default_key_can_be_assigned() -> None:
    fixed = {name: command.shortcuts for name, command in COMMANDS.items() if any(map(fixed_use, command.shortcuts))}
    assert fixed == {}


def test_removed_key_is_kept_and_fixed_keys_cannot_be_changed(
    qtbot: QtBot, window: Window, dialog: SettingsDialog, settings: Settings
) -> None:
    change_key(qtbot, dialog, "save as", "").remove.click()
    assert window.actions_by_name["save-as"].shortcuts() == []
    assert settings.keys == {"save-as": []}
    search(qtbot, dialog, "Delete to Start of Word")
    dialog.keys.setCurrentIndex(dialog.keys.model().index(0, 0))
    assert not dialog.change.isEnabled()


# Auto Save


@pytest.fixture
def other(qtbot: QtBot) -> Iterator[QWindow]:
    """Show a window that does not belong to the program's main window, as one of another program."""
    window = QWindow()
    window.show()
    yield window
    window.close()


def leave(qtbot: QtBot, window: Window, other: QWindow) -> None:
    with qtbot.waitActive(window):
        window.activateWindow()
    other.requestActivate()
    qtbot.waitUntil(lambda: not window.isActiveWindow())


def test_auto_save_is_off_by_default(qtbot: QtBot, window: Window, files: list[Path], other: QWindow) -> None:
    change(window, files[0])
    leave(qtbot, window, other)
    assert files[0].read_bytes() == TEXT


def test_changed_files_are_saved_when_the_window_loses_the_focus(
    qtbot: QtBot, window: Window, files: list[Path], other: QWindow
) -> None:
    window.actions_by_name["autosave"].trigger()
    window.files.new()
    change(window, *files)
    leave(qtbot, window, other)
    assert [file.read_bytes() for file in files] == [b"# mine\r\n" + TEXT] * 2
    assert window.status.currentMessage() == "2 files saved automatically."
    assert [document.path is None for document in window.session.documents] == [False, False, True]


@pytest.mark.parametrize(
    ("before", "after", "enabled", "saved"),
    [
        ("", "a: 1", True, "a: 1\n"),
        ("a: 1\n", "a: 12", True, "a: 12\n"),
        ("a: 1", "a: 12", True, "a: 12"),
        ("a: 1\n", "", True, ""),
        ("a: 1\n", "a: 12", False, "a: 12"),
    ],
)
def test_last_line_is_ended_when_saving_unless_that_of_the_file_had_no_end(
    window: Window, tmp_path: Path, before: str, after: str, *, enabled: bool, saved: str
) -> None:
    file = tmp_path / "last.yaml"
    file.write_text(before, encoding="utf-8")
    window.files.open([str(file)])
    editor = window.area.editor
    assert editor
    editor.replace_text(after)
    editor.editor.moveCursor(QTextCursor.MoveOperation.End)
    if not enabled:
        window.actions_by_name["final-newline"].trigger()
    window.actions_by_name["save"].trigger()
    assert file.read_text("utf-8") == editor.text() == saved
    assert editor.caret_offset() == len(after), "the cursor stays"


def test_dialogs_of_the_program_do_not_trigger_auto_save(qtbot: QtBot, window: Window, dialog: SettingsDialog) -> None:
    file = window.session.documents[0].path
    assert file
    window.actions_by_name["autosave"].trigger()
    change(window, file)
    with qtbot.waitActive(window):
        window.activateWindow()
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    assert file.read_bytes() == TEXT


def test_auto_save_skips_externally_changed_and_read_only_files(window: Window, files: list[Path]) -> None:
    theirs, read_only = files
    change(window, *files)
    theirs.write_bytes(b"# theirs\n")
    read_only.chmod(0o444)
    window.files.autosave()
    assert theirs.read_bytes() == b"# theirs\n"
    if os.geteuid():
        assert read_only.read_bytes() == TEXT
    assert window.area.banner.sentence == ""
    theirs.unlink()
    window.session.check_disk()
    window.files.autosave()
    assert not theirs.exists()


def test_other_errors_of_auto_save_are_reported(window: Window, files: list[Path]) -> None:
    document = window.session.document_at(files[0])
    assert document
    document.change("# \ud800")
    window.files.autosave()
    assert "an unpaired surrogate" in window.area.banner.sentence
    assert files[0].read_bytes() == TEXT


def test_enter_presses_the_button_that_has_the_focus(qtbot: QtBot, dialog: SettingsDialog) -> None:
    search(qtbot, dialog, "Zen Mode")
    QTest.keyClick(dialog.search, Qt.Key.Key_Return)
    assert not dialog.findChildren(KeyDialog)
    dialog.keys.setCurrentIndex(dialog.keys.model().index(0, 0))
    QTest.keyClick(dialog.change, Qt.Key.Key_Return)
    (asked,) = dialog.findChildren(KeyDialog)
    QTest.keyClick(asked.remove, Qt.Key.Key_Enter)
    assert not dialog._actions.keys_of("only-text")
