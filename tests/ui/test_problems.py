"""The problems pane: listing, filtering and fixing."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heatstudio.text import Applicability, CheckFamily, Fix, LineIndex, Severity, Span, TextEdit, apply_edits
from heatstudio.ui.problems.diff_view import DiffView
from heatstudio.ui.problems.fix_chooser import ordered_fixes
from heatstudio.ui.problems.mini_diff import DiffLine, LineKind, mini_diff
from heatstudio.ui.problems.table import Grouping, ProblemGroup, ProblemRow, group_rows, problem_rows
from heatstudio.ui.widgets.appearance import Appearance, Scheme
from heatstudio.ui.widgets.row_delegate import row_height
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.session import Session
from tests.ui.bench import bench, rows_of
from tests.ui.fresh_paint import find_difference
from tests.ui.problems_of import problems_of
from tests.work import count_calls

TEXT = "one\ntwo\nthree\nfour\nfive\n"
FAULTY = """heat_template_version: 2021-04-16
parameters:
  unused: {type: string}
resources:
  server:
    type: OS::Heat::Value
    properties: {value: 1, flavour: 2}
    depend_on: a
"""
ANCHOR = QRect(100, 100, 1, 16)


def test_groups_are_ordered_by_severity_and_count_their_rows() -> None:
    rows = problem_rows(problems_of(FAULTY)[::-1], LineIndex(FAULTY), "")
    branches = group_rows(rows, Grouping.SEVERITY)
    assert [branch.value for branch in branches] == [
        ProblemGroup("Errors", 2, Severity.ERROR),
        ProblemGroup("Information", 1, Severity.INFORMATION),
    ]
    messages = [child.value.diagnostic.message for child in branches[0].children if isinstance(child.value, ProblemRow)]
    assert messages == ["Unknown property `flavour`.", "Unknown key `depend_on` in a resource."]
    assert [
        branch.value.title for branch in group_rows(rows, Grouping.RESOURCE) if isinstance(branch.value, ProblemGroup)
    ] == ["Template", "server"]


def test_filter_matches_message_code_and_position() -> None:
    found, lines = [one for one in problems_of(FAULTY) if one.code == "unknown-property"], LineIndex(FAULTY)
    assert problem_rows(found, lines, "SERVER unknown flavour")
    assert not problem_rows(found, lines, "volume")
    assert not problem_rows(found, lines, "", {Severity.ERROR})
    assert not problem_rows(found, lines, "", {CheckFamily.PROBLEM})


def test_lines_of_a_fix_are_highlighted_after_their_numbers(qtbot: QtBot, appearance: Appearance) -> None:
    view = DiffView(appearance, "Fix preview")
    qtbot.addWidget(view)

    def colored() -> list[list[tuple[str, str]]]:
        found, block = [], view.document().begin()
        while block.isValid():
            pieces = [(one.start, one.length, one.format.foreground().color()) for one in block.layout().formats()]
            found.append([(block.text()[at : at + length], color.name().upper()) for at, length, color in pieces])
            block = block.next()
        return found

    for scheme in (Scheme.LIGHT, Scheme.DARK):
        appearance.choose(scheme)
        key, text = appearance.theme.value(Color.KEY), appearance.theme.value(Color.STRING)
        view.clear()
        view.add_heading("heading: none.yaml")
        view.add_lines([DiffLine(LineKind.REMOVED, 7, "  né: 'a'"), DiffLine(LineKind.ADDED, 12345, "  b: 'c'")])
        qtbot.waitUntil(lambda: len(colored()[1]) > 0)
        heading, removed, added = colored()
        assert heading == []
        assert {("né", key), ("'a'", text)} <= set(removed)
        assert {("b", key), ("'c'", text)} <= set(added)
        assert view.toPlainText().splitlines()[2] == "+ 12345    b: 'c'"


def test_lines_of_a_fix_have_the_same_colors_as_in_their_text(qtbot: QtBot, appearance: Appearance) -> None:
    text = "a:\n  script: |\n    one: 1\n    two: 2\n    three: 3\nb: {\n  c: [\n    de, fg\n  ]}\n"
    edits = [TextEdit(Span(at, at + 3), "new") for at in (text.index("two"), text.index("de,"))]
    view = DiffView(appearance, "Fix preview")
    qtbot.addWidget(view)
    key, words, muted = (appearance.theme.color(one) for one in (Color.KEY, Color.STRING, Color.MUTED))

    def colors() -> list[dict[str, QColor]]:
        """Return the colors of the text after each line number."""
        found, block = [], view.document().begin()
        while block.isValid():
            runs = [(one.start, one.length, one.format.foreground().color()) for one in block.layout().formats()]
            found.append({block.text()[at : at + length]: color for at, length, color in runs})
            block = block.next()
        return found

    view.clear()
    view.add_lines(mini_diff(text, Fix("Change", tuple(edits))))
    one, removed, added, three, gap, opened, *_ = colors()
    assert [one, removed, added, three] == [{name: words} for name in ("one: 1", "two: 2", "new: 2", "three: 3")]
    assert gap == {}
    assert opened == {"c": key, ":": muted, "[": muted}
    header = text.index(" |")
    view.clear()
    view.add_lines(mini_diff(text, Fix("Change", (TextEdit(Span(header, header + 2), ""),))))
    assert colors()[-1] == {"one": key, ":": muted, "1": appearance.theme.color(Color.NUMBER)}


def test_many_lines_of_a_fix_are_highlighted_eventually(qtbot: QtBot, appearance: Appearance) -> None:
    view = DiffView(appearance, "Changes")
    qtbot.addWidget(view)
    view.clear()
    view.add_lines([DiffLine(LineKind.KEPT, at, "  a: b") for at in range(500)])
    last = view.document().lastBlock()
    assert not last.layout().formats()
    qtbot.waitUntil(lambda: bool(last.layout().formats()))


@pytest.mark.parametrize("width", [3, 200])
def test_lines_of_a_fix_are_painted_again_when_they_are_highlighted(
    qtbot: QtBot, appearance: Appearance, width: int
) -> None:
    view = DiffView(appearance, "Changes")
    view.resize(400, 1200)
    qtbot.addWidget(view)
    with qtbot.waitExposed(view):
        view.show()
    view.clear()
    view.add_lines([DiffLine(LineKind.ADDED, at, f"a: {'b' * width * (at > 50)}") for at in range(60)])
    last = view.document().lastBlock()
    assert find_difference() is None
    assert not last.layout().formats()
    qtbot.waitUntil(lambda: bool(last.layout().formats()))
    assert find_difference() is None


def test_mini_diff_shows_the_changed_line_between_its_neighbors() -> None:
    fix = Fix("Replace", (TextEdit(Span(4, 7), "2"),))
    lines = [(line.kind, line.number, line.text) for line in mini_diff(TEXT, fix)]
    assert lines == [
        (LineKind.KEPT, 1, "one"),
        (LineKind.REMOVED, 2, "two"),
        (LineKind.ADDED, 2, "2"),
        (LineKind.KEPT, 3, "three"),
    ]


def test_mini_diff_equals_the_applied_edit() -> None:
    fix = Fix("Insert", (TextEdit(Span(8, 8), "new\nlines\n"), TextEdit(Span(19, 24), "")))
    shown = mini_diff(TEXT, fix, context=9)
    after = "\n".join(line.text for line in shown if line.kind is not LineKind.REMOVED)
    before = "\n".join(line.text for line in shown if line.kind is not LineKind.ADDED)
    assert (before, after) == (TEXT, apply_edits(TEXT, fix.edits))
    numbers = [line.number for line in shown if line.kind is LineKind.ADDED]
    assert numbers == [3, 4]


def test_enter_goes_to_the_problem_and_alt_enter_fixes_it(
    qtbot: QtBot, window: Window, session: Session, file: Path
) -> None:
    with qtbot.waitSignal(session.analysis_changed):
        window.files.open([str(file)])
    view, model = bench(window).problems.view, bench(window).problems.model
    index = next(index for index in model.indexes() if "network_id" in index.data())
    view.setCurrentIndex(index)
    QTest.keyClick(view, Qt.Key.Key_Return)
    editor = window.area.editor
    assert editor
    assert file.read_text()[editor.selection().start : editor.selection().end] == "network_id"
    bench(window).problems.fix_selected()
    chooser = bench(window).fix_controller.chooser
    qtbot.waitUntil(chooser.isVisible)
    assert [row.title for row in rows_of(chooser) if isinstance(row, Fix)] == ["Replace `network_id` with `network`"]
    with qtbot.waitSignal(session.analysis_changed):
        QTest.keyClick(chooser, Qt.Key.Key_Return)
    assert editor.text() == file.read_text().replace(" network_id:", " network:", 1)
    assert session.current
    assert session.current.modified
    editor.editor.undo()
    assert editor.text() == file.read_text()
    assert not session.current.modified


def test_buttons_hide_a_family_and_advice_is_no_counted_problem(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    file = tmp_path / "advice.yaml"
    text = "parameters:\n  unused: {type: number}\nresources:\n  a: {type: OS::Heat::None}\n"
    file.write_text(f"heat_template_version: 2018-08-31\n{text}", encoding="utf-8")
    with qtbot.waitSignal(real.session.analysis_changed):
        real.files.open([str(file)])
    pane, editor = bench(real).problems, real.area.editor
    qtbot.waitUntil(lambda: len(pane.diagnostics()) == 1)
    shown = {kind: one.isVisibleTo(pane.bar) for kind, one in pane.bar.toggles.items()}
    assert shown[CheckFamily.ADVICE]
    assert not shown[CheckFamily.SUSPICIOUS]
    assert pane.model.rowCount() == 1
    assert real.status.counts.text() == "0 errors, 0 warnings"
    assert editor is not None
    assert [mark.mark.is_advice for mark in editor.decorations.marks.all()] == [True]
    assert not editor.decorations.shown["advice-messages"]
    real.actions_by_name["advice-messages"].trigger()
    assert editor.decorations.shown["advice-messages"]
    button = pane.bar.toggles[CheckFamily.ADVICE]
    button.click()
    assert pane.model.rowCount() == 0
    assert real.session.settings.hidden_families == ["advice"]
    button.click()
    assert pane.model.rowCount() == 1


def test_preferred_fix_comes_first_and_unsafe_ones_say_so(qtbot: QtBot, window: Window) -> None:
    chooser = bench(window).fix_controller.chooser
    fixes = [
        Fix("Choose", (), Applicability.DECISION),
        Fix("Mend", (TextEdit(Span(0, 3), "1"),), preferred=True),
        Fix("Perhaps", (), Applicability.UNSAFE),
    ]
    chooser.choose(ordered_fixes(fixes), {fix: mini_diff(TEXT, fix) for fix in fixes}, ANCHOR)
    assert [fix.title for fix in [row for row in rows_of(chooser) if isinstance(row, Fix)]] == [
        "Mend",
        "Perhaps",
        "Choose",
    ]
    assert "- " in chooser._diff.toPlainText()
    chooser.hide()


def test_reason_of_a_fix_is_below_the_change_and_never_cut(window: Window) -> None:
    chooser = bench(window).fix_controller.chooser
    reason = "Heat creates a new resource and deletes the old one; the new type requires `vip_subnet`, `listeners`"
    title = "Replace the type with `OS::Octavia::LoadBalancer`"
    fix = Fix(f"{title} ({reason})", (TextEdit(Span(0, 3), "1"),), Applicability.DECISION)
    chooser.choose([fix], {fix: mini_diff(TEXT, fix)}, ANCHOR)
    assert chooser._list.currentIndex().data() == title
    assert chooser._hint.text() == f"Needs your decision. {reason.replace('`', '')}."
    assert chooser._hint.height() >= chooser._hint.heightForWidth(chooser._hint.width()) > row_height()
    fix = Fix("Create resource `a` (OS::Neutron::Net)", fix.edits)
    chooser.choose([fix], {fix: mini_diff(TEXT, fix)}, ANCHOR)
    assert chooser._list.currentIndex().data() == fix.title, "a type is no reason"
    chooser.hide()


def test_list_of_fixes_has_the_size_of_its_rows_and_of_the_selected_change(window: Window) -> None:
    chooser = bench(window).fix_controller.chooser
    text = "".join(f"key_{number}: 1\n" for number in range(20))
    long = Fix("Delete", (TextEdit(Span(0, len(text)), ""),), preferred=True)
    short = Fix("Mend", (TextEdit(Span(0, 3), "1"),))
    chooser.choose([short], {short: mini_diff(text, short)}, ANCHOR)
    size = chooser.size()
    chooser.choose([long, short], {fix: mini_diff(text, fix) for fix in (long, short)}, ANCHOR)
    assert chooser.height() > size.height() + row_height()
    QTest.keyClick(chooser._list, Qt.Key.Key_Down)
    QApplication.processEvents()
    assert chooser.height() == size.height() + row_height()
    chooser.hide()


def test_5000_problems_are_filtered_and_only_visible_ones_are_painted(
    qtbot: QtBot, window: Window, session: Session
) -> None:
    head, resources = "heat_template_version: 2021-04-16\n", range(400)
    faulty = (f"  r{at}: {{type: OS::Heat::Value, properties: {{value: 1, odd: 1}}}}\n" for at in resources)
    outputs = (f"  o{at}: {{value: {{get_resource: missing_{at}}}}}\n" for at in range(4600))
    session.new(f"{head}resources:\n{''.join(faulty)}outputs:\n{''.join(outputs)}")
    qtbot.waitUntil(lambda: len(bench(window).problems.diagnostics()) == 5001)
    assert window.status.counts.text() == "400 errors, 4,601 warnings"
    bench(window).problems.refresh()
    bench(window).problems.view.expandAll()
    bench(window).problems.view.scrollToBottom()
    bench(window).problems.view.grab()
    assert count_calls(bench(window).problems.view.grab) < 5000
    bench(window).problems.bar.filter.setText("missing_4599")
    qtbot.waitUntil(
        lambda: (
            sum(
                isinstance(bench(window).problems.model.value(index), ProblemRow)
                for index in bench(window).problems.model.indexes()
            )
            == 1
        )
    )


def test_absence_of_problems_is_shown(qtbot: QtBot, window: Window, session: Session) -> None:
    with qtbot.waitSignal(session.analysis_changed):
        session.new("heat_template_version: 2021-04-16\n")
    assert bench(window).problems.empty.isVisible()
    assert bench(window).problems.empty.accessibleName() == "No problems"
