"""Suppressing of problems in the problems pane."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog
from pytestqt.qtbot import QtBot

from heatstudio.ui.commands.fix_controller import NOT_MUTED
from heatstudio.ui.commands.text_controller import CHANGED_MEANWHILE
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench

TEXT = """\
heat_template_version: 2021-04-16
resources:
  port:
    type: OS::Neutron::Port
    properties:
      network_id: a
      device_id: server
  subnet:
    type: OS::Neutron::Subnet
    properties:
      network_id: a
      cidr: 192.0.2.0/24
"""
COMMENT = "      # heatstudio: ignore[property-support]"
MUTED = TEXT.replace("      network_id: a\n", f"{COMMENT}\n      network_id: a\n", 1)


def opened(qtbot: QtBot, window: Window, text: str) -> None:
    with qtbot.waitSignal(window.session.analysis_changed):
        window.session.new(text)


def select(window: Window, place: str) -> None:
    problems = bench(window).problems
    rows = problems._problem_rows()
    problems.view.setCurrentIndex(next(row for row in rows if place in str(problems.model.value(row))))


def text_of(window: Window) -> str:
    assert window.area.editor is not None
    return window.area.editor.text()


def test_delete_suppresses_and_goes_to_the_next_problem(qtbot: QtBot, real: Window) -> None:
    opened(qtbot, real, TEXT)
    assert len(bench(real).problems.diagnostics()) == 2
    select(real, "port")
    bench(real).problems.view.setFocus()
    with qtbot.waitSignal(real.session.analysis_changed):
        QTest.keyClick(bench(real).problems.view, Qt.Key.Key_Delete)
    assert text_of(real) == MUTED
    assert [one.resource for one in bench(real).problems.diagnostics()] == ["subnet"]
    row = bench(real).problems._selected()
    assert row is not None
    assert row.diagnostic.resource == "subnet"
    assert real.area.editor is not None
    with qtbot.waitSignal(real.session.analysis_changed):
        real.area.editor.editor.undo()
    assert text_of(real) == TEXT
    assert len(bench(real).problems.diagnostics()) == 2


def test_menu_command_asks_for_a_reason(qtbot: QtBot, real: Window) -> None:
    opened(qtbot, real, TEXT)
    select(real, "port")
    actions = bench(real).problems.view.actions()
    suppression = next(one for one in actions if one.text().startswith("Suppress with Reason"))
    suppression.trigger()
    (dialog,) = bench(real).problems.findChildren(QInputDialog)
    dialog.setTextValue("our cloud\nis old")
    with qtbot.waitSignal(real.session.analysis_changed):
        dialog.accept()
    assert text_of(real) == MUTED.replace(COMMENT, f"{COMMENT} our cloud is old")


@pytest.mark.parametrize("is_late", [False, True])
def test_suppression_is_not_offered_where_comments_are_impossible(qtbot: QtBot, real: Window, is_late: bool) -> None:
    json = '{"heat_template_version": "2021-04-16", "resources": {"a": {"type": "OS::Nope"}}}'
    opened(qtbot, real, json)
    document = real.session.current
    assert document is not None
    if is_late:
        document.outdate()
    bench(real).problems.view.setCurrentIndex(bench(real).problems._problem_rows()[0])
    with qtbot.waitSignal(real.session.message_requested) as reported:
        bench(real).problems.mute_selected()
    assert reported.args == [CHANGED_MEANWHILE if is_late else NOT_MUTED]
    assert text_of(real) == json
