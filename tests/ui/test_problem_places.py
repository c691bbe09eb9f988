"""Problems with several positions can be reached and fixed at each of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from heatstudio.text import Fix
from heatstudio.ui.commands.editor_area import in_short, marks_of
from heatstudio.ui.commands.fix_controller import NOTHING_HERE, NOTHING_READY
from heatstudio.ui.documents.document import Document
from heatstudio.ui.problems.fix_chooser import MenuCommand
from heatstudio.ui.problems.table import Grouping, ProblemRow, Scope
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench, rows_of
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
PLACEHOLDER = """\
heat_template_version: 2021-04-16
resources:
  network:
    type: OS::Neutron::Net
    properties:
      name: <name>
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


def test_group_violated_by_two_keys_can_be_fixed_at_the_second(qtbot: QtBot, real: Window) -> None:
    opened(qtbot, real, BOTH)
    go(real, "port: c")
    qtbot.waitUntil(lambda: "port" in editor_of(real).editor.accessibleDescription())
    found = bench(real).navigation.problem_at_caret()
    assert found is not None
    assert found.code == "property-group"
    real.actions_by_name["fix"].trigger()
    qtbot.waitUntil(bench(real).fix_controller.chooser.isVisible)
    bench(real).fix_controller.chooser.hide()
    editor = editor_of(real)
    row = next(one for one in editor.editor.visible_lines() if one.block.text().strip() == "port: c")
    place = QPoint(26, int(row.rect.center().y()))
    QTest.mouseClick(editor.editor.gutter, Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(bench(real).fix_controller.chooser.isVisible)
    bench(real).fix_controller.chooser.hide()
    real.actions_by_name["explain"].trigger()
    assert bench(real).stack_panes.explain.code == found.code


def test_references_of_a_cycle_are_marked_but_skipped_by_next_problem(qtbot: QtBot, real: Window) -> None:
    opened(qtbot, real, CIRCLE)
    editor = go(real, "{get_resource: a}")
    qtbot.waitUntil(lambda: "Circular" in editor.editor.accessibleDescription())
    assert any(mark.related and "`b` refers to `a`" in mark.message for mark in marks_of(real.session.documents[0]))
    editor.help.hover.show_at_caret()
    qtbot.waitUntil(editor.help.hover.popup.isVisible)
    assert "Related" in editor.help.hover.popup.label.text()
    assert "<code>b</code> refers to <code>a</code>" in editor.help.hover.popup.label.text()
    editor.help.hover.hide()
    seen = set()
    for _ in range(4):
        real.actions_by_name["next-problem"].trigger()
        seen.add(editor.text()[editor.selection().start : editor.selection().end])
    assert seen == {"a", "b"}


def test_problem_without_an_automatic_fix_is_not_reported_as_fixed(qtbot: QtBot, window: Window) -> None:
    reported: list[str] = []
    window.session.message_requested.connect(reported.append)
    opened(qtbot, window, PLACEHOLDER)
    go(window, "resources:")
    bench(window).fix_controller.show_fixes_at_caret()
    qtbot.waitUntil(lambda: bool(reported))
    go(window, "<name>")
    bench(window).fix_controller.apply_preferred()
    assert reported == [NOTHING_HERE, NOTHING_READY]
    bench(window).fix_controller.show_fixes_at_caret()
    chooser = bench(window).fix_controller.chooser
    qtbot.waitUntil(chooser.isVisible)
    assert not [row for row in rows_of(chooser) if isinstance(row, Fix)]
    assert MenuCommand("Explain placeholder-value", "explain") in rows_of(chooser)
    chooser.hide()


def test_related_positions_are_rows_below_a_problem(qtbot: QtBot, real: Window) -> None:
    opened(qtbot, real, CIRCLE)
    problems, editor = bench(real).problems, editor_of(real)
    model, view = problems.model, problems.view
    index = next(index for index in model.indexes() if "`b` refers to `a`" in index.data())
    assert "Circular" in index.parent().data()
    assert [index.siblingAtColumn(column).data() for column in range(3)][2] == "10"
    view.setCurrentIndex(index)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert editor.text()[: editor.selection().start].endswith("value: ")
    view.setFocus()
    view.setCurrentIndex(index)
    with qtbot.waitSignal(problems.explain_requested) as asked:
        problems.explain_selected()
    assert [problem.code for problem in asked.args or ()] == ["circular-dependency"]
    with qtbot.waitSignal(real.session.analysis_changed):
        problems.mute_selected()
    assert not problems.diagnostics()


def two_files(qtbot: QtBot, window: Window, file: Path) -> tuple[Document, Document]:
    """Open two files with the same problems, and return the background and the current document."""
    other = file.parent / "inner" / file.name
    other.parent.mkdir()
    other.write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    for path in (file, other):
        with qtbot.waitSignal(window.session.analysis_changed):
            window.files.open([str(path)])
    first, second = window.session.documents
    return first, second


def test_problems_of_all_open_files_are_listed_and_link_to_their_tab(qtbot: QtBot, window: Window, file: Path) -> None:
    behind, front = two_files(qtbot, window, file)
    problems = bench(window).problems
    alone = len(problems.diagnostics())
    in_status = window.status.counts.text()
    assert alone
    problems.bar.scopes.setCurrentText(Scope.OPEN)
    problems.bar.groupings.setCurrentText(Grouping.FILE)
    assert len(problems.diagnostics()) == 2 * alone
    assert window.status.counts.text() == in_status
    tops = [problems.model.index(row, 0) for row in range(problems.model.rowCount())]
    assert [top.data() for top in tops] == [f"{file.name} \u2014 inner", f"{file.name} \u2014 {file.parent.name}"]
    index = next(index for index in problems.model.indexes() if index.parent() == tops[1])
    row = problems.model.value(index)
    assert isinstance(row, ProblemRow)
    problems.view.setCurrentIndex(index)
    QTest.keyClick(problems.view, Qt.Key.Key_Return)
    assert window.session.current is behind
    assert editor_of(window).selection() == row.diagnostic.span
    assert problems.model.index(0, 0).data().endswith(file.parent.name)
    window.session.close(front)
    assert len(problems.diagnostics()) == alone


def test_a_problem_of_another_file_is_fixed_there(qtbot: QtBot, window: Window, file: Path) -> None:
    behind, front = two_files(qtbot, window, file)
    problems = bench(window).problems
    problems.bar.scopes.setCurrentText(Scope.OPEN)
    index = next(
        index
        for index in problems.model.indexes()
        if "network_id" in index.data() and file.parent.name in index.siblingAtColumn(1).data()
    )
    problems.view.setFocus()
    problems.view.setCurrentIndex(index)
    problems.fix_selected()
    assert window.session.current is behind
    qtbot.waitUntil(bench(window).fix_controller.chooser.isVisible)
    with qtbot.waitSignal(window.session.analysis_changed):
        QTest.keyClick(bench(window).fix_controller.chooser, Qt.Key.Key_Return)
    assert behind.modified
    assert not front.modified


def test_width_of_the_position_column_follows_its_content(qtbot: QtBot, window: Window) -> None:
    opened(qtbot, window, "a: 1\n")
    header = bench(window).problems.view.header()
    narrow = header.sectionSize(1)
    assert narrow < 100
    head, _ = BOTH.split("  interface:")
    long = "a_server_with_a_name: {type: OS::Nova::Server, properties: {block_device_mapping: 1}}"
    opened(qtbot, window, f"{head}  {long}\n")
    assert narrow < header.sectionSize(1) <= 240


@pytest.mark.parametrize(
    ("message", "marked", "short"),
    [
        (
            "Property `network_id` has been hidden since 5.0.0; use `network`.",
            "network_id",
            "Hidden since 5.0.0; use `network`",
        ),
        ("Section `outputz` is not known.", '"outputz"', "Not known"),
        ("Property `b` must be a number.", "b", "Must be a number"),
        ("Property `b` must be a number.", "4x", "Property `b` must be a number."),
        ("Circular dependency.", "a", "Circular dependency."),
        ("Unknown key `state` in a resource.", "state", "Unknown key `state` in a resource."),
        ("Heat treats `if` beside other keys as data.", "if", "Heat treats `if` beside other keys as data."),
    ],
)
def test_message_at_the_line_end_omits_the_marked_text(message: str, marked: str, short: str) -> None:
    assert in_short(message, marked) == short


def click_on_fix(window: Window, message: str) -> None:
    view, model = bench(window).problems.view, bench(window).problems.model
    index = next(index for index in model.indexes() if message in str(index.data()))
    view.scrollTo(index)
    place = view.visualRect(index)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place.right() - 12, place.center().y()))


def test_click_applies_a_fix_or_shows_the_choices_of_a_decision_and_selects_its_value(
    qtbot: QtBot, real: Window, file: Path
) -> None:
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    editor = editor_of(real)
    click_on_fix(real, "`network_id` has been hidden")
    qtbot.waitUntil(lambda: "      network: {" in editor.text())
    qtbot.waitUntil(lambda: real.session.current is not None and real.session.current.current_analysis is not None)
    before = editor.text()
    click_on_fix(real, "Missing `size`")
    chooser = bench(real).fix_controller.chooser
    qtbot.waitUntil(chooser.isVisible)
    assert editor.text() == before
    QTest.keyClick(chooser, Qt.Key.Key_Return)
    assert "      size: 1\n" in editor.text()
    chosen = editor.selection()
    assert editor.text()[chosen.start - 6 : chosen.end] == "size: 1"
    assert bench(real).problems.view.hasFocus()
