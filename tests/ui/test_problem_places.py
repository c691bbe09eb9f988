"""Problems that are marked at several places: each of them is as good as the first."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from heatstudio.ui.fixing import NOTHING_HERE, NOTHING_READY
from heatstudio.ui.marks import marks_of
from heatstudio.ui.session import Session
from heatstudio.ui.window import Window
from tests.ui.screens import editor_of, go

BOTH = """\
heat_template_version: 2021-04-16
resources:
  interface:
    type: OS::Neutron::RouterInterface
    properties:
      router: a
      subnet: b
      port: c
"""
CIRCLE = """\
heat_template_version: 2021-04-16
resources:
  a:
    type: OS::Heat::Value
    properties:
      value: {get_resource: b}
  b:
    type: OS::Heat::Value
    properties:
      value: {get_resource: a}
"""


def opened(qtbot: QtBot, window: Window, text: str) -> None:
    with qtbot.waitSignal(window.session.analysis_changed):
        window.session.new(text)


def test_a_group_broken_by_two_keys_is_told_and_mended_at_the_second_too(qtbot: QtBot, real: Window) -> None:
    opened(qtbot, real, BOTH)
    go(real, "port: c")
    qtbot.waitUntil(lambda: "port" in real.status.problem.words)
    found = real.navigation.problem_at_caret()
    assert found is not None
    assert found.code == "property-group"
    real.actions_by_name["fix"].trigger()
    assert real.problems._chooser.isVisible()
    real.problems._chooser.hide()
    editor = editor_of(real)
    editor.editor.gutter.problem_clicked.emit(BOTH[: BOTH.index("port: c")].count("\n"))
    assert real.problems._chooser.isVisible()
    real.problems._chooser.hide()
    real.actions_by_name["explain"].trigger()
    assert real.stack_panes.explain.code == found.code


def test_where_a_circle_is_written_it_is_told_and_a_key_goes_only_to_problems(qtbot: QtBot, real: Window) -> None:
    opened(qtbot, real, CIRCLE)
    editor = go(real, "{get_resource: a}")
    qtbot.waitUntil(lambda: "Circular" in real.status.problem.words)
    assert any(mark.related and "`b` refers to `a`" in mark.message for mark in marks_of(real.session.documents[0]))
    editor.hover.show_at_caret()
    assert "Related" in editor.hover.popup.text()
    assert "`b` refers to `a`" in editor.hover.popup.text()
    editor.hover.hide()
    seen = set()
    for _ in range(4):
        real.actions_by_name["next-problem"].trigger()
        seen.add(editor.text()[editor.selection().start : editor.selection().end])
    assert seen == {"a", "b"}


def test_a_problem_without_a_ready_way_out_is_not_said_to_be_none(
    qtbot: QtBot, window: Window, session: Session, file: Path
) -> None:
    told: list[str] = []
    window.fixing.told.connect(told.append)
    with qtbot.waitSignal(session.analysis_changed):
        window.files.open([str(file)])
    go(window, "resources:")
    window.fixing.show_fixes_at_caret()
    go(window, "  volume:\n")
    window.fixing.show_fixes_at_caret()
    window.fixing.apply_preferred()
    assert told == [NOTHING_HERE, NOTHING_READY, NOTHING_READY]
