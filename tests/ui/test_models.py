"""All models pass QAbstractItemModelTester, with no rows, one row and many."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, SignalInstance
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QTreeView

from heatstudio.analysis import Diagnostic
from heatstudio.analysis.assist.outline import OutlineItem
from heatstudio.analysis.resource_graph import Links
from heatstudio.catalog.load import load_catalog
from heatstudio.catalog.rules.update_rule import PLAIN, load_update_behaviors
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.text import Fix, LineIndex, Span
from heatstudio.ui.browser.pane import TypesModel
from heatstudio.ui.browser.search import TypeIndex
from heatstudio.ui.browser.type_tree import attribute_branches, property_branches, release_branches, rule_branches
from heatstudio.ui.outline.pane import OutlineModel, list_outline
from heatstudio.ui.preview.model import UpdatePlanModel
from heatstudio.ui.problems.fix_chooser import cell_of_row
from heatstudio.ui.problems.pane import COLUMNS, cell_of_problem
from heatstudio.ui.problems.table import Grouping, group_rows, problem_rows
from heatstudio.ui.widgets.picker import cell_of_choice
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import CELL_ROLE, VALUE_ROLE, Branch, Cell, TreeModel
from heatstudio.update.plan.plan_rows import plan_branches
from tests.ui.plans import AFTER, BEFORE
from tests.ui.problems_of import problems_of

PROBLEMS = "heat_template_version: 2021-04-16\nresources:\n" + "".join(
    f"  r{at}: {{type: OS::Neutron::Port, depend_on: a, properties: {{network_id: n, more: x}}}}\n" for at in range(10)
)
FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal


def diagnostics(count: int) -> list[Diagnostic]:
    """Return problems of different resources with different codes and severities."""
    return list(problems_of(PROBLEMS)[:count])


def every_cell(model: TreeModel) -> None:
    """Read all roles of every cell, as views and screen readers do."""
    for index in model.indexes():
        for column in range(model.columnCount()):
            cell = index.siblingAtColumn(column)
            assert isinstance(cell.data(), str)
            for role in (*range(14), *range(VALUE_ROLE, VALUE_ROLE + 8)):
                cell.data(role)


@pytest.mark.parametrize("count", [0, 1, 40])
@pytest.mark.parametrize("grouping", Grouping)
def test_problems(qapp: QApplication, count: int, grouping: Grouping) -> None:
    model = TreeModel(COLUMNS, cell_of_problem)
    tester = QAbstractItemModelTester(model, FATAL)
    rows = problem_rows(diagnostics(count), LineIndex(PROBLEMS), "")
    model.set_branches(group_rows(rows, grouping))
    every_cell(model)
    shown = [model.value(index) for index in model.indexes()]
    assert sum(row in rows for row in shown) == count
    model.set_branches(())
    assert model.rowCount() == 0
    assert tester.model() is model


def test_outline(qapp: QApplication) -> None:
    model = OutlineModel()
    tester = QAbstractItemModelTester(model, FATAL)
    kind = "OS::Nova::Server"
    inner = tuple(OutlineItem(f"r{at}", "resource", kind, Span(at, at + 1), Span(at, at)) for at in range(10, 20))
    items = [
        OutlineItem("resources", "section", "", Span(5, 30), Span(5, 6), inner),
        OutlineItem("odd", "other", "", Span(0, 3), Span(0, 1)),
    ]
    model.renew_branches(list_outline(items, diagnostics(20), "").branches)
    every_cell(model)
    assert model.index_at(15).data() == "r15"
    links = {"r13": Links(("r14",), tuple(f"r{at}" for at in range(15, 25))), "odd": Links(("r13",))}
    model.renew_branches(list_outline(items, (), "r13 nova", links).branches)
    assert [index.data() for index in model.indexes()] == ["resources", "r13"]
    counts = list(model.indexes())[1].siblingAtColumn(1)
    assert counts.data(CELL_ROLE).badge == ("\u219010 \u21921", Color.MUTED)
    words = str(counts.data(Qt.ItemDataRole.ToolTipRole))
    assert words.startswith("Used by 10 resources (`r15`, `r16`")
    assert words.endswith("\u2026).\nDepends on 1 resource (`r14`).")
    assert words in str(counts.siblingAtColumn(0).data(Qt.ItemDataRole.AccessibleTextRole))
    model.renew_branches(list_outline(items, (), "odd", links).branches)
    assert not next(iter(model.indexes())).siblingAtColumn(1).data(CELL_ROLE).badge
    assert tester.model() is model


class Signals:
    """A counter of the emissions of a signal."""

    def __init__(self, signal: SignalInstance) -> None:
        self.count = 0
        signal.connect(self._hear)

    def _hear(self) -> None:
        self.count += 1


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.tuples(st.lists(st.integers(0, 3), max_size=4), st.integers(0, 2)), max_size=6))
def test_tree_of_the_same_shape_keeps_its_rows(qapp: QApplication, trees: list[tuple[list[int], int]]) -> None:
    model = TreeModel(("",))
    tester = QAbstractItemModelTester(model, FATAL)
    shape: list[int] = []
    for children, word in trees:
        before = [QPersistentModelIndex(index) for index in model.indexes()]
        values = [model.value(index) for index in before]
        changes = Signals(model.dataChanged)
        tree = [
            Branch(f"{at} {word}", tuple(Branch(inner) for inner in range(size))) for at, size in enumerate(children)
        ]
        assert model.renew_branches(tree) == (children == shape)
        shown = [model.value(index) for index in model.indexes()]
        assert shown == [value for at, size in enumerate(children) for value in (f"{at} {word}", *range(size))]
        if children == shape:
            assert all(index.isValid() for index in before)
            assert bool(changes.count) == (shown != values)
        shape = children
    assert tester.model() is model


def test_outline_rows_that_only_moved_are_not_repainted(qapp: QApplication) -> None:
    model = OutlineModel()
    changes = Signals(model.dataChanged)
    for start, detail in ((5, ""), (7, ""), (7, "2")):
        item = OutlineItem("resources", "section", detail, Span(start, start + 9), Span(start, start + 9))
        model.renew_branches(list_outline([item], (), "").branches)
        assert model.index_at(start + 9).isValid()
    assert changes.count == 1


def test_update_plan(qapp: QApplication) -> None:
    model = UpdatePlanModel()
    tester = QAbstractItemModelTester(model, FATAL)
    view = QTreeView()
    view.setModel(model)
    engine = Engine()
    plan = engine.plan_update(Snapshot(BEFORE), engine.analyze(Snapshot(AFTER), None))
    model.set_plan(plan_branches(plan), view)
    every_cell(model)
    assert [model.index(row, 0).data() for row in range(4)] == ["data", "network", "old", "server"]
    assert tester.model() is model


def test_types(qapp: QApplication) -> None:
    catalog = load_catalog()
    types = [found for name in catalog.names() if (found := catalog.get(name))]
    model = TypesModel()
    tester = QAbstractItemModelTester(model, FATAL)
    index = TypeIndex(types)
    for query in ("", "interface", "no such thing at all"):
        model.show(index.search(query, frozenset({found.support_status.status for found in types})))
        every_cell(model)
    assert model.rowCount() == 0
    assert tester.model() is model


@pytest.mark.parametrize("name", ["OS::Nova::Server", "OS::Neutron::RouterInterface", "OS::Heat::None"])
def test_facts_of_a_type(qapp: QApplication, name: str) -> None:
    found = load_catalog().get(name)
    assert found
    model = TreeModel(("Fact",))
    tester = QAbstractItemModelTester(model, FATAL)
    for branches in (
        property_branches(found, PLAIN, True),
        attribute_branches(found.attributes, hidden=True),
        rule_branches(()),
        release_branches(name),
    ):
        model.set_branches(branches)
        every_cell(model)
    assert tester.model() is model


def test_nested_properties_show_the_effect_of_their_top_property() -> None:
    catalog, behaviors = load_catalog(), load_update_behaviors()
    for kind in filter(None, map(catalog.get, catalog.names())):
        for branch in property_branches(kind, behaviors.get(kind.name, PLAIN), True):
            details = [cell.detail.partition(" · ")[2] for cell in cells_of(branch)]
            assert len({detail for detail in details if detail}) <= 1
    server = catalog.get("OS::Nova::Server")
    assert server
    rows = [next(cells_of(branch)) for branch in property_branches(server, behaviors[server.name], False)]
    shown = {cell.text: cell.detail for cell in rows}
    assert shown["user_data"] == "String · replaced by default"
    assert shown["flavor"] == "String · in place by default"
    assert shown["networks"] == "List · in place"


def cells_of(branch: Branch) -> Iterator[Cell]:
    if isinstance(branch.value, Cell):
        yield branch.value
    for child in branch.children:
        yield from cells_of(child)


def test_choices_and_fixes(qapp: QApplication) -> None:
    for cell_of in (cell_of_choice, cell_of_row):
        model = TreeModel(("",), cell_of)
        tester = QAbstractItemModelTester(model, FATAL)
        model.set_branches([Branch(Fix("Do it", ()))])
        every_cell(model)
        assert tester.model() is model


def test_invalid_indexes_are_harmless(qapp: QApplication) -> None:
    model = TreeModel(("Fix",), cell_of_row)
    assert not model.index(0, 0).isValid()
    assert model.data(QModelIndex()) is None
    assert model.headerData(0, Qt.Orientation.Vertical) is None
    assert model.headerData(0, Qt.Orientation.Horizontal) == "Fix"
    assert model.headerData(9, Qt.Orientation.Horizontal) is None
