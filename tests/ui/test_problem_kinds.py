"""Many problems of one kind share a row that can be expanded."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from heatstudio.text import LineIndex, Severity
from heatstudio.ui.problems.pane import ProblemsPane
from heatstudio.ui.problems.table import Grouping, ProblemGroup, ProblemRow, group_rows, problem_rows
from heatstudio.ui.widgets.appearance import Scheme
from heatstudio.ui.widgets.tree_model import Branch
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench
from tests.ui.conftest import SIZE, Shot
from tests.ui.problems_of import problems_of

HEAD = "heat_template_version: 2021-04-16\nresources:\n"
Key = Qt.Key


def alike(count: int = 6) -> str:
    """Return a template with `count` problems of one kind, one before them and one between them of other kinds."""
    many = [f"  r{at}: {{type: OS::Heat::Value, properties: {{value: 1, p{at}: 1}}}}\n" for at in range(count)]
    many[2] = many[2].replace("}\n", ", depend_on: a}\n")
    return f"{HEAD}  own: {{type: OS::Heat::Value, properties: {{valu: 1}}}}\n{''.join(many)}"


def grouped(count: int, grouping: Grouping, query: str = "") -> list[Branch]:
    text = alike(count)
    return group_rows(problem_rows(problems_of(text), LineIndex(text), query), grouping)


def test_more_than_five_of_a_kind_share_a_row_at_the_position_of_the_first() -> None:
    (group,) = grouped(6, Grouping.SEVERITY)
    assert group.value == ProblemGroup("Errors", 8, Severity.ERROR)
    own, kind, other = (branch.value for branch in group.children)
    assert kind == ProblemGroup("Unknown property …", 6, Severity.ERROR, is_kind=True)
    assert isinstance(own, ProblemRow)
    assert isinstance(other, ProblemRow)
    assert [below.value.line for below in group.children[1].children if isinstance(below.value, ProblemRow)] == [
        4,
        5,
        6,
        7,
        8,
        9,
    ]


def test_five_of_a_kind_and_grouped_rows_stay_separate() -> None:
    (group,) = grouped(5, Grouping.SEVERITY)
    assert all(isinstance(branch.value, ProblemRow) for branch in group.children)
    assert all(not isinstance(below.value, ProblemGroup) for one in grouped(6, Grouping.RESOURCE) for below in one[1])
    assert [type(branch.value) for branch in grouped(6, Grouping.NONE)] == [ProblemRow, ProblemGroup, ProblemRow]


def test_common_parts_of_the_messages_are_in_the_title() -> None:
    many = (f"  r{at}: {{type: OS::Heat::Value, properties: {{value: {{get_resource: b{at}}}}}}}\n" for at in range(7))
    text = f"{HEAD}{''.join(many)}"
    (kind,) = group_rows(problem_rows(problems_of(text), LineIndex(text), ""), Grouping.NONE)
    assert kind.value == ProblemGroup("Unknown resource …", 7, Severity.ERROR, is_kind=True)


@pytest.fixture
def opened(qtbot: QtBot, window: Window, tmp_path: Path) -> Window:
    file = tmp_path / "a.yaml"
    file.write_text(alike(), encoding="utf-8")
    window.files.open([str(file)])
    qtbot.waitUntil(lambda: bool(pane_of(window).diagnostics()))
    window.activateWindow()
    return window


def pane_of(window: Window) -> ProblemsPane:
    return bench(window).problems


def kind_of(pane: ProblemsPane) -> QModelIndex:
    return pane.model.last_of(lambda value: isinstance(value, ProblemGroup) and value.is_kind)


def test_code_group_stays_collapsed_until_opened_by_key(qtbot: QtBot, opened: Window) -> None:
    pane = pane_of(opened)
    view = pane.view
    assert view.isExpanded(kind_of(pane).parent())
    assert not view.isExpanded(kind_of(pane))
    assert view.model().data(kind_of(pane), Qt.ItemDataRole.AccessibleTextRole) == ("Unknown property …, 6 problems")
    view.setCurrentIndex(kind_of(pane))
    QTest.keyClick(view, Key.Key_Right)
    assert view.isExpanded(kind_of(pane))
    QTest.keyClick(view, Key.Key_Right)
    assert isinstance(pane.model.value(view.currentIndex()), ProblemRow)
    pane.refresh()
    assert view.isExpanded(kind_of(pane))
    assert isinstance(pane.model.value(view.currentIndex()), ProblemRow)
    view.setCurrentIndex(kind_of(pane))
    QTest.keyClick(view, Key.Key_Left)
    pane.refresh()
    assert not view.isExpanded(kind_of(pane))


def test_filter_and_next_problem_reach_each_problem(qtbot: QtBot, opened: Window) -> None:
    pane, area = pane_of(opened), opened.area
    pane.bar.filter.setText("unknown property")
    qtbot.waitUntil(lambda: not kind_of(pane).isValid())
    assert len(pane._problem_rows()) == 7
    pane.bar.filter.setText("")
    qtbot.waitUntil(lambda: kind_of(pane).isValid())
    assert area.editor is not None
    lines = []
    for _ in range(9):
        area.command("next-problem")
        lines.append(area.editor.caret_place().line)
    assert lines == [2, 3, 4, 5, 5, 6, 7, 8, 2]


@pytest.mark.parametrize("size", [SIZE, (1024, 640)], ids=["usual", "small"])
@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK, Scheme.HIGH_CONTRAST])
def test_pictures(opened: Window, scheme: Scheme, size: tuple[int, int], shot: Shot) -> None:
    opened.appearance.choose(scheme)
    opened.resize(*size)
    shot(opened, f"problem-kinds-{scheme}-{size[0]}")
