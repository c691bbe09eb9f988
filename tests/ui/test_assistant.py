"""The real engine helps to write, by real keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heatstudio.ui.appearance import Appearance
from heatstudio.ui.editor import EditorPane
from heatstudio.ui.heat_engine import HeatEngine
from heatstudio.ui.rename_dialog import RenameDialog
from heatstudio.ui.session import Session
from heatstudio.ui.settings import Settings
from heatstudio.ui.window import Window

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture(scope="module")
def heat() -> HeatEngine:
    return HeatEngine()


@pytest.fixture
def real(
    qapp: QApplication, qtbot: QtBot, settings: Settings, appearance: Appearance, heat: HeatEngine, file: Path
) -> Iterator[Window]:
    session = Session(settings, lambda: heat)
    window = Window(session, appearance)
    qtbot.addWidget(window, before_close_func=lambda _window: [session.close(one) for one in session.documents])
    window.furnish()
    window.show()
    session.start()
    with qtbot.waitSignal(session.plan_changed):
        window.files.open([str(file)])
    window.activateWindow()
    yield window
    session.stop()


def editor_at(window: Window, mark: str, past: int = 0) -> EditorPane:
    editor = window.area.editor
    assert editor
    at = editor.text().index(mark) + past
    editor.editor.select(at, at)
    editor.setFocus()
    return editor


def test_properties_are_completed_while_the_text_is_broken(qtbot: QtBot, real: Window) -> None:
    mark = "type: OS::Neutron::Subnet\n    properties:\n"
    editor = editor_at(real, mark, len(mark))
    QTest.keyClicks(editor.editor, "      ga")
    popup = editor.completion.popup
    qtbot.waitUntil(popup.isVisible)
    current = popup.current()
    assert current
    assert current.completion.label == "gateway_ip"
    assert "replacement" in current.completion.documentation
    QTest.keyClick(editor.editor, Qt.Key.Key_Return)
    assert "      gateway_ip: " in editor.text()


def test_hover_says_what_a_property_is(real: Window) -> None:
    editor = editor_at(real, "network_id:", 3)
    editor.hover.show_at_caret()
    assert "network_id" in editor.hover.popup.text()
    assert "Updates cause replacement" in editor.hover.popup.text()


def test_definition_and_uses_of_a_name(real: Window) -> None:
    editor = editor_at(real, "{get_param: cidr}", 13)
    QTest.keyClick(editor.editor, Qt.Key.Key_F12)
    assert editor.text()[editor.caret_offset() :].startswith("cidr:\n")
    QTest.keyClick(editor.editor, Qt.Key.Key_F12, SHIFT)
    assert real.picker.isVisible()
    assert len(list(real.picker.model.indexes())) >= 2
    QTest.keyClick(real.picker, Qt.Key.Key_Escape)
    QTest.keyClick(editor.editor, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)


def test_name_is_changed_everywhere_in_one_step(real: Window) -> None:
    editor = editor_at(real, "  cidr:", 3)
    before = editor.text()
    QTest.keyClick(editor.editor, Qt.Key.Key_F2)
    dialog = next(one for one in real.findChildren(RenameDialog) if one.isVisible())
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


def test_value_becomes_a_parameter(real: Window) -> None:
    editor = editor_at(real, "description: Web and SSH", 15)
    before = editor.text()
    QTest.keyClick(editor.editor, Qt.Key.Key_X, CONTROL | Qt.KeyboardModifier.AltModifier)
    assert "description: {get_param: " in editor.text()
    assert "Make `" in real.statusBar().currentMessage()
    QTest.keyClick(editor.editor, Qt.Key.Key_Z, CONTROL)
    assert editor.text() == before


def test_where_nothing_can_be_done_a_sentence_says_so(real: Window) -> None:
    editor = editor_at(real, "heat_template_version", 3)
    for key, words in ((Qt.Key.Key_F12, "Nothing here is defined"), (Qt.Key.Key_F2, "Nothing here has a name")):
        QTest.keyClick(editor.editor, key)
        assert words in real.statusBar().currentMessage()
