"""The highlighted occurrences of the name at the cursor."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from heatstudio.ui.commands.editor_area import WAY_ON
from heatstudio.ui.window.window import Window

TEXT = """heat_template_version: 2021-04-16
parameters:
  net: {type: string, default: net}
resources:
  net: {type: OS::Neutron::Net, properties: {name: {get_param: net}}}
  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}, name: net}}
outputs:
  port: {value: {get_resource: port}}
"""


def test_definition_and_uses_are_highlighted_until_the_cursor_leaves_them(qtbot: QtBot, real: Window) -> None:
    with qtbot.waitSignal(real.session.plan_changed):
        real.session.new(TEXT)
    editor = real.area.editor
    assert editor
    marks = editor.decorations

    def starts() -> list[int]:
        return sorted(start for start, _ in marks.occurrences)

    resource = TEXT.index("  net: {type: OS") + 2
    used = TEXT.index("get_resource: net") + len("get_resource: ")
    editor.editor.select(used + 1, used + 1)
    qtbot.waitUntil(lambda: starts() == [resource, used])
    assert editor.editor.accessibleDescription() == "2 occurrences"
    editor.editor.select(resource, resource)
    assert starts() == [resource, used], "the cursor is at another occurrence"
    editor.editor.select(0, 0)
    assert (starts(), editor.editor.accessibleDescription()) == ([], WAY_ON)
    parameter = TEXT.index("get_param: net") + len("get_param: ")
    editor.editor.select(parameter, parameter)
    qtbot.waitUntil(lambda: starts() == [TEXT.index("net: {type: s"), parameter])
    QTest.keyClick(editor.editor, Qt.Key.Key_X)
    assert starts() == [], "while typing"
