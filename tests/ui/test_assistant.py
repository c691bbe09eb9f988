"""The real engine helps to write, by real keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from heatstudio.ui.editor import EditorPane
from heatstudio.ui.rename_dialog import RenameDialog
from heatstudio.ui.window import Window

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def opened(qtbot: QtBot, real: Window, file: Path) -> Window:
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    real.activateWindow()
    return real


def editor_at(window: Window, mark: str, past: int = 0) -> EditorPane:
    editor = window.area.editor
    assert editor
    at = editor.text().index(mark) + past
    editor.editor.select(at, at)
    editor.setFocus()
    return editor


def test_properties_are_completed_while_the_text_is_broken(qtbot: QtBot, opened: Window) -> None:
    mark = "type: OS::Neutron::Subnet\n    properties:\n"
    editor = editor_at(opened, mark, len(mark))
    QTest.keyClicks(editor.editor, "      ga")
    popup = editor.completion.popup
    qtbot.waitUntil(popup.isVisible)
    current = popup.current()
    assert current
    assert current.completion.label == "gateway_ip"
    assert "replacement" in current.completion.documentation
    QTest.keyClick(editor.editor, Qt.Key.Key_Return)
    assert "      gateway_ip: " in editor.text()


def test_hover_says_what_a_property_is(opened: Window) -> None:
    editor = editor_at(opened, "network_id:", 3)
    editor.hover.show_at_caret()
    assert "network_id" in editor.hover.popup.text()
    assert "Updates cause replacement" in editor.hover.popup.text()


def test_definition_and_uses_of_a_name(opened: Window) -> None:
    editor = editor_at(opened, "{get_param: cidr}", 13)
    QTest.keyClick(editor.editor, Qt.Key.Key_F12)
    assert editor.text()[editor.caret_offset() :].startswith("cidr:\n")
    QTest.keyClick(editor.editor, Qt.Key.Key_F12, SHIFT)
    assert opened.picker.isVisible()
    assert len(list(opened.picker.model.indexes())) >= 2
    QTest.keyClick(opened.picker, Qt.Key.Key_Escape)
    QTest.keyClick(editor.editor, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)


def test_name_is_changed_everywhere_in_one_step(opened: Window) -> None:
    editor = editor_at(opened, "  cidr:", 3)
    before = editor.text()
    QTest.keyClick(editor.editor, Qt.Key.Key_F2)
    dialog = next(one for one in opened.findChildren(RenameDialog) if one.isVisible())
    QTest.keyClicks(dialog.field, "flavor")
    assert not dialog.accept_button.isEnabled()
    assert "already" in dialog.consequences.text()
    dialog.field.clear()
    QTest.keyClicks(dialog.field, "address_range")
    assert "2 places" in dialog.consequences.text()
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    assert "{get_param: address_range}" in editor.text()
    assert "cidr: {get_param: cidr}" not in editor.text()
    QTest.keyClick(editor.editor, Qt.Key.Key_Z, CONTROL)
    assert editor.text() == before


def test_value_becomes_a_parameter(opened: Window) -> None:
    editor = editor_at(opened, "description: Web and SSH", 15)
    before = editor.text()
    QTest.keyClick(editor.editor, Qt.Key.Key_X, CONTROL | Qt.KeyboardModifier.AltModifier)
    assert "description: {get_param: " in editor.text()
    assert "Make `" in opened.statusBar().currentMessage()
    QTest.keyClick(editor.editor, Qt.Key.Key_Z, CONTROL)
    assert editor.text() == before


def test_where_nothing_can_be_done_a_sentence_says_so(opened: Window) -> None:
    editor = editor_at(opened, "heat_template_version", 3)
    for key, words in ((Qt.Key.Key_F12, "Nothing here is defined"), (Qt.Key.Key_F2, "Nothing here has a name")):
        QTest.keyClick(editor.editor, key)
        assert words in opened.statusBar().currentMessage()
