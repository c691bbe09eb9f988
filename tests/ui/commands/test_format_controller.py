"""Format Document, Format Selection, and formatting before a save."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from heatstudio.text import Span
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.window.window import Window

OLD = """heat_template_version: 2021-04-16
resources:
    one:
        type:   OS::Heat::None
    two:  {type: OS::Heat::None}
"""
NEW = OLD.replace("type:   ", "type: ").replace("two:  ", "two: ").replace("\nres", "\n\nres")


@pytest.fixture
def opened(qtbot: QtBot, real: Window, tmp_path: Path) -> Window:
    file = tmp_path / "a.yaml"
    file.write_text(OLD, encoding="utf-8")
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    return real


def pane_of(window: Window) -> EditorPane:
    assert window.area.editor is not None
    return window.area.editor


def test_document_is_formatted_in_one_undo_step(qtbot: QtBot, opened: Window) -> None:
    pane = pane_of(opened)
    modifiers = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier
    QTest.keyClick(pane.editor, Qt.Key.Key_F, modifiers)
    qtbot.waitUntil(lambda: pane.text() == NEW)
    assert opened.status.currentMessage() == "Formatted."
    pane.editor.undo()
    assert pane.text() == OLD


def test_only_the_selected_lines_are_formatted(qtbot: QtBot, opened: Window) -> None:
    pane = pane_of(opened)
    at = OLD.index("two")
    pane.go_to(Span(at, at))
    opened.actions_by_name["format-selection"].trigger()
    qtbot.waitUntil(lambda: pane.text() == OLD.replace("two:  ", "two: "))


def test_reason_is_told_if_the_text_cannot_be_formatted(qtbot: QtBot, opened: Window) -> None:
    pane = pane_of(opened)
    pane.replace_text("a: [\n")
    opened.actions_by_name["format"].trigger()
    qtbot.waitUntil(lambda: opened.status.currentMessage() == "Not formatted: Line 2 has a syntax error.")
    assert pane.text() == "a: [\n"


def test_text_is_formatted_before_a_save_if_that_is_enabled(qtbot: QtBot, opened: Window) -> None:
    pane, document = pane_of(opened), opened.session.current
    assert document is not None
    assert document.path is not None
    pane.editor.insertPlainText(" ")
    pane.editor.undo()
    opened.actions_by_name["save"].trigger()
    assert pane.text() == OLD
    opened.actions_by_name["format-on-save"].trigger()
    opened.actions_by_name["save"].trigger()
    path = document.path
    qtbot.waitUntil(lambda: path.read_text("utf-8") == NEW)
    pane.replace_text("a: [\n")
    opened.actions_by_name["save"].trigger()
    qtbot.waitUntil(lambda: path.read_text("utf-8") == "a: [\n")
