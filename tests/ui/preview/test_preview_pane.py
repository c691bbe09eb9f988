"""The update preview pane: totals of the outcomes, filters, and rows that are grouped by cause."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from heatstudio.text import Span
from heatstudio.ui.documents.document import Document
from heatstudio.ui.preview.pane import PreviewPane
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.row_actions import RowActions
from heatstudio.ui.widgets.tree_model import CELL_ROLE
from heatstudio.ui.workspace.session import Session
from heatstudio.update.plan.demand import Unit
from heatstudio.update.plan.outcome import Outcome
from heatstudio.update.plan.plan_rows import ChangeRow, EachRow, EqualRows, PlanBranch, ReasonRow, plan_branches
from heatstudio.update.plan.update_plan import (
    Action,
    Cause,
    Reason,
    Refusal,
    ResourceChange,
    Subject,
    SubjectKind,
    UpdatePlan,
)

Show = Callable[..., None]
ShowPlan = Callable[..., None]


@pytest.fixture
def pane(qtbot: QtBot, session: Session, appearance: Appearance) -> PreviewPane:
    pane = PreviewPane(session, appearance)
    qtbot.addWidget(pane)
    pane.resize(330, 500)
    pane.show()
    return pane


@pytest.fixture
def document(qtbot: QtBot, session: Session) -> Document:
    """Return a document whose update has been planned."""
    session.start()
    with qtbot.waitSignal(session.plan_changed):
        return session.new("heat_template_version: 2021-04-16\n")


@pytest.fixture
def show(show_plan: ShowPlan) -> Show:
    def show(*actions: Action) -> None:
        show_plan(*(ResourceChange(f"r{at}", "OS::Heat::Value", action) for at, action in enumerate(actions)))

    return show


@pytest.fixture
def show_plan(document: Document, pane: PreviewPane, session: Session) -> ShowPlan:
    """Return a function that shows changes as those of the document."""

    def show(*changes: ResourceChange, refusals: tuple[Refusal, ...] = ()) -> None:
        assert document.state is not None
        session._take(document, document.state._replace(plan=UpdatePlan(changes, refusals=refusals)), True)
        pane.refresh()

    return show


def chips(pane: PreviewPane) -> list[str]:
    """Return the visible texts of the totals, in the order on the screen."""
    shown = [chip for chip in pane._filters.findChildren(QToolButton) if chip.isVisible()]
    return [chip.text() for chip in sorted(shown, key=lambda chip: (chip.y(), chip.x()))]


def test_totals_are_shown_once_with_each_outcome_separately(pane: PreviewPane, show: Show) -> None:
    show(Action.UPDATED, Action.REPLACED, Action.REPLACED, Action.ADDED, Action.UNCHANGED)
    assert chips(pane) == ["2 replaced", "1 updated in place", "1 added", "1 unchanged"]
    labels = [label.text() for label in pane.findChildren(QLabel) if label.isVisible()]
    assert labels == ["", '<div dir="ltr"><b>Heat would accept this update</b></div>', "Baseline"]
    assert pane._filters.accessibleDescription() == pane.totals
    assert pane.totals == "2 replaced · 1 updated in place · 1 added"


def test_changes_inside_nested_stacks_are_counted(pane: PreviewPane, show_plan: ShowPlan) -> None:
    members = [ResourceChange(str(at), "OS::Nova::Server", Action.REPLACED) for at in range(3)]
    group = ResourceChange("group", "OS::Heat::ResourceGroup", Action.UPDATED, members=tuple(members))
    show_plan(group)
    assert chips(pane) == ["3 replaced inside", "1 updated in place"]
    assert pane.totals == "3 replaced inside · 1 updated in place"
    pane._outcomes[Outcome.UPDATED].click()
    assert pane.model.index(0, 0).data() == "group", "the group stays as long as something in it is shown"
    pane._outcomes[Outcome.REPLACED].click()
    assert pane.model.rowCount() == 0
    show_plan(group, members[0])
    assert chips(pane)[0] == "1 replaced, 3 more inside"


def test_unchanged_nested_template_is_not_counted_as_updated_in_place(pane: PreviewPane, show_plan: ShowPlan) -> None:
    show_plan(
        ResourceChange("kid", "child.yaml", Action.UPDATED, members=(ResourceChange("v", "V", Action.UNCHANGED),))
    )
    assert chips(pane) == ["1 updated without effect"]
    assert pane.totals == "1 updated without effect"


def test_each_property_shows_its_reasons(pane: PreviewPane, show_plan: ShowPlan) -> None:
    because = (Reason("parameter `p` changed"), Reason("condition `c` changed"))
    causes = tuple(Cause(name, 1, 2, Action.UPDATED, because=because[:1]) for name in ("image", "user_data"))
    show_plan(ResourceChange("server", "OS::Nova::Server", Action.UPDATED, causes=causes, because=because))
    assert [index.data() for index in pane.model.indexes()] == [
        "server",
        "image",
        "Parameter `p` changed",
        "user_data",
        "Parameter `p` changed",
        "Condition `c` changed",
    ]
    image = pane.model.index(0, 0, pane.model.index(0, 0))
    assert image.data(CELL_ROLE).change == ("1", "2", "")
    assert image.data(CELL_ROLE).badge[0] == "in place"
    assert image.data(Qt.ItemDataRole.AccessibleTextRole) == "image: 1 → 2, in place"
    assert not pane.view.isExpanded(image), "explanations are shown on demand"


def test_total_filters_its_rows(pane: PreviewPane, show: Show) -> None:
    show(Action.UPDATED, Action.REPLACED, Action.UNCHANGED)
    assert pane.model.rowCount() == 2
    chip = pane._outcomes[Outcome.REPLACED]
    chip.setFocus()
    QTest.keyClick(chip, Qt.Key.Key_Space)
    assert [pane.model.index(row, 0).data() for row in range(pane.model.rowCount())] == ["r0"]
    assert chip.accessibleName() == "1 replaced; show or hide them"
    pane._outcomes[Outcome.UNCHANGED].click()
    assert [pane.model.index(row, 0).data() for row in range(pane.model.rowCount())] == ["r0", "r2"]


def test_totals_are_shortened_to_numbers_if_they_need_more_than_a_line(pane: PreviewPane, show: Show) -> None:
    show(*(action for action in Action if action is not Action.UNCHANGED))
    assert chips(pane) == ["1"] * 5
    pane.resize(900, 500)
    words = chips(pane)
    assert "1 update not supported" in words
    pane.resize(330, 500)
    assert chips(pane) == ["1"] * 5


def test_narrow_pane_shows_the_baseline_and_whole_totals(pane: PreviewPane, show: Show) -> None:
    show(Action.UPDATED)
    assert chips(pane) == ["1 updated in place"]
    assert pane._baseline_label.isVisible()
    pane.setFixedWidth(120)
    assert chips(pane) == ["1"]
    assert not pane._baseline_label.isVisible()


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("web", ["web"]),
        ("neutron", ["net", "port"]),
        ("PORT updated", ["port"]),
        ("replaced", ["web", "net"]),
        ("nothing", []),
    ],
)
def test_search_field_filters_by_name_type_and_outcome(
    qtbot: QtBot, pane: PreviewPane, show_plan: ShowPlan, typed: str, names: list[str]
) -> None:
    show_plan(
        ResourceChange("net", "OS::Neutron::Net", Action.REPLACED),
        ResourceChange("port", "OS::Neutron::Port", Action.UPDATED),
        ResourceChange("web", "OS::Nova::Server", Action.REPLACED),
    )
    button = next(one for one in pane.findChildren(QToolButton) if one.accessibleName() == "Filter changes")
    assert not pane.search.isVisible()
    button.click()
    with qtbot.waitSignal(pane.search.searched):
        pane.search.setText(typed)
    assert sorted(index.data() for index in pane.model.indexes()) == sorted(names)
    with qtbot.waitSignal(pane.search.searched):
        button.click()
    assert pane.model.rowCount() == 3


def test_row_under_the_mouse_has_actions(qtbot: QtBot, pane: PreviewPane, show_plan: ShowPlan) -> None:
    cause = Cause("a", 1, {"b": 2}, Action.UPDATED)
    member = ResourceChange("0", "T", Action.UPDATED, causes=(cause,))
    show_plan(ResourceChange("x", "T", Action.UPDATED, causes=(cause,), members=(member,)))
    actions = pane.view.viewport().findChild(RowActions)
    assert isinstance(actions, RowActions)
    top = pane.model.index(0, 0)
    line = pane.model.index(0, 0, top)
    pane.view.entered.emit(line)
    before, revert = actions.findChildren(QToolButton)
    assert (before.isVisible(), revert.isVisible()) == (True, True)
    assert pane.view.visualRect(line).intersects(actions.geometry())
    with qtbot.waitSignal(pane.revert_requested) as asked:
        revert.click()
    assert asked.args == [pane.plan.changes[0] if pane.plan else None, cause]
    assert pane.view.currentIndex() == line
    pane.view.entered.emit(pane.model.index(1, 0, top))
    assert (before.isVisible(), revert.isVisible()) == (True, False), "members are not in the template itself"


@pytest.mark.parametrize("width", [260, 330, 900])
def test_every_total_fits(qtbot: QtBot, pane: PreviewPane, show: Show, width: int) -> None:
    show(*Action, *[Action.ADDED] * 1200)
    pane.resize(width, 700)
    filters = pane._filters
    qtbot.waitUntil(lambda: filters.height() == filters.heightForWidth(filters.width()) > 20)
    buttons = [chip for chip in pane._filters.findChildren(QToolButton) if chip.isVisible()]
    assert len(buttons) == len(Action)
    for at, button in enumerate(buttons):
        assert button.size() == button.sizeHint()
        assert filters.rect().contains(button.geometry())
        assert not any(button.geometry().intersects(other.geometry()) for other in buttons[at + 1 :])


def test_verdict_is_above_the_changes(pane: PreviewPane, show: Show) -> None:
    show(Action.REPLACED, Action.NOT_SUPPORTED)
    assert pane.verdict.sentence == "The update would fail at r1"
    assert pane.verdict.isVisible()
    assert pane.verdict.y() < pane._baseline_box.y()
    show(Action.UNCHANGED)
    assert not pane.verdict.isVisible()
    assert pane.empty.accessibleName() == "No changes"


def test_lines_above_the_changes_are_whole_in_a_low_pane(qtbot: QtBot, pane: PreviewPane, show: Show) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    host.show()
    pane.setParent(host)
    pane.setGeometry(0, 0, 160, 170)
    pane.show()
    show(Action.REPLACED, Action.ADDED)
    words = pane.verdict.findChildren(QLabel)[-1]
    qtbot.waitUntil(lambda: words.height() >= words.heightForWidth(words.width()) > 1.5 * words.fontMetrics().height())
    assert pane._filters.height() >= pane._filters.heightForWidth(160) > 40
    assert pane._baseline_label.isHidden()
    assert pane._baseline_box.width() > pane._baseline_box.fontMetrics().horizontalAdvance("as opened")
    pane.setParent(None)


def test_rejected_update_shows_its_errors_and_no_changes(qtbot: QtBot, pane: PreviewPane, show_plan: ShowPlan) -> None:
    change = ResourceChange("a", "OS::Heat::Value", Action.REPLACED)
    refusal = Refusal("Unknown Property foo.", Span(3, 6), 7)
    show_plan(change, refusals=(refusal,))
    assert pane.verdict.sentence == "Heat would reject this: 1 error"
    assert chips(pane) == []
    error, otherwise = (pane.model.index(row, 0) for row in range(pane.model.rowCount()))
    assert (error.data(), otherwise.data()) == ("Line 7: Unknown Property foo.", "Changes once all errors are fixed")
    assert [pane.model.index(row, 0, otherwise).data() for row in range(pane.model.rowCount(otherwise))] == ["a"]
    with qtbot.waitSignal(pane.error_requested) as asked:
        pane.view.activated.emit(error)
    assert asked.args == [Span(3, 6)]


def test_possible_replacement_is_its_own_outcome(pane: PreviewPane, show_plan: ShowPlan) -> None:
    show_plan(ResourceChange("a", "T", Action.REPLACED, certain=False), ResourceChange("b", "T", Action.REPLACED))
    assert chips(pane) == ["1 replaced", "1 may be replaced"]
    assert pane.model.index(1, 0).data(CELL_ROLE).badge[0] == "May be replaced"


def test_outcome_of_a_resource_with_an_error_is_not_shown() -> None:
    because = (Reason("`b` is replaced", Subject(SubjectKind.RESOURCE, "b")),)
    changes = (
        ResourceChange("a", "T", Action.REPLACED, because=because),
        ResourceChange("b", "T", Action.REPLACED),
        ResourceChange("c", "T", Action.ADDED),
    )
    plan = UpdatePlan(changes, refusals=(Refusal("Unknown type.", Span(3, 6), 7, "b"),))
    _, otherwise = plan_branches(plan)
    assert [row.row.change.name for row in otherwise.below if isinstance(row.row, ChangeRow)] == ["c"]


def ports(*numbers: int, sentence: str = "") -> UpdatePlan:
    """Return a plan with ports that are replaced for the same reason."""
    cause = Cause("network", "a", "b", Action.REPLACED, sentence, because=(Reason("`net` changes"),))
    return UpdatePlan(
        tuple(ResourceChange(f"port_{at}", "OS::Neutron::Port", Action.REPLACED, causes=(cause,)) for at in numbers)
    )


def test_names_are_in_natural_order() -> None:
    rows = [branch.row for branch in plan_branches(ports(10, 2, 1))]
    assert [row.change.name for row in rows if isinstance(row, ChangeRow)] == ["port_1", "port_2", "port_10"]


def test_many_resources_with_the_same_outcome_and_reasons_share_a_row() -> None:
    other = ports(7, sentence="another reason").changes
    plan = UpdatePlan((*ports(*range(20, 270)).changes, *other))
    odd, shared = plan_branches(plan)
    assert isinstance(odd.row, ChangeRow)
    assert isinstance(shared.row, EqualRows)
    assert (shared.row.names, len(shared.row.rows)) == ("port_20 … port_269", 250)
    *reasons, each = shared.below
    texts = [reason.row.text for reason in reasons if isinstance(reason.row, ReasonRow)]
    assert texts == ["network: a → b"]
    assert [below.row.text for below in reasons[0].below if isinstance(below.row, ReasonRow)] == ["`net` changes"]
    assert isinstance(each.row, EachRow)
    assert len(each.below) == 250


Names = dict[str, "Names"]


def names_of(branches: Iterable[PlanBranch]) -> Names:
    """Return the names of the resources in a tree of rows."""
    rows = ((branch.row, branch.below) for branch in branches)
    return {row.change.name: names_of(below) for row, below in rows if isinstance(row, ChangeRow)}


def subnets(count: int) -> UpdatePlan:
    """Return a plan with subnets whose ranges change, and a port on each subnet."""
    changes = []
    for at in range(count):
        cause = Cause("cidr", f"10.1.{at}.0/24", f"10.2.{at}.0/24", Action.REPLACED, "Updates cause replacement.")
        changes.append(ResourceChange(f"subnet_{at}", "OS::Neutron::Subnet", Action.REPLACED, causes=(cause,)))
        because = (Reason(f"`subnet_{at}` is replaced", Subject(SubjectKind.RESOURCE, f"subnet_{at}")),)
        changes.append(ResourceChange(f"port_{at}", "OS::Neutron::Port", Action.UPDATED, because=because))
    return UpdatePlan(tuple(changes))


def test_many_similar_changes_share_a_row() -> None:
    (shared,) = plan_branches(subnets(12))
    assert isinstance(shared.row, EqualRows)
    *reasons, each = shared.below
    texts = [reason.row.text for reason in reasons if isinstance(reason.row, ReasonRow)]
    assert texts == ["cidr: different values"]
    assert isinstance(each.row, EachRow)
    assert each.row.text == "Each of the 12 resources (total in their nested stacks: 12 updated in place)"
    first = each.below[0]
    assert [row.row.text for row in first.below if isinstance(row.row, ReasonRow)] == [
        "cidr: 10.1.0.0/24 → 10.2.0.0/24"
    ]
    assert names_of([first]) == {"subnet_0": {"port_0": {}}}


def test_few_similar_changes_are_listed_with_their_values() -> None:
    rows = [branch.row for branch in plan_branches(subnets(6))]
    assert [type(row) for row in rows] == [ChangeRow] * 6


def test_similar_groups_of_rows_share_a_row() -> None:
    changes = []
    for at in range(60):
        subject = Subject(SubjectKind.RESOURCE, f"subnet_{at // 6}")
        because = (Reason(f"`{subject.name}` is replaced", subject),)
        changes.append(ResourceChange(f"port_{at}", "OS::Neutron::Port", Action.UPDATED, because=because))
    (shared,) = plan_branches(UpdatePlan(tuple(changes)))
    assert isinstance(shared.row, EqualRows)
    assert len(shared.row.rows) == 60
    (each,) = shared.below
    assert [len(row.row.rows) for row in each.below if isinstance(row.row, EqualRows)] == [6] * 10
    reason, _ports = each.below[0].below
    assert isinstance(reason.row, ReasonRow)
    assert reason.row.text == "`subnet_0` is replaced"


def test_consequences_are_nested_below_their_nearest_cause() -> None:
    chain = tuple(Reason(f"`{name}` is replaced", Subject(SubjectKind.RESOURCE, name)) for name in ("c", "b"))
    kinds = [("a", chain), ("b", chain[:1]), ("c", ())]
    changes = tuple(ResourceChange(name, "T", Action.REPLACED, because=because) for name, because in kinds)
    assert names_of(plan_branches(UpdatePlan(changes))) == {"c": {"b": {}, "a": {}}}


def test_consequence_that_only_follows_its_cause_is_collapsed(pane: PreviewPane, show_plan: ShowPlan) -> None:
    because = (Reason("`net` is replaced", Subject(SubjectKind.RESOURCE, "net")),)
    follows = Cause("network", 1, 2, Action.UPDATED, because=because)
    own = Cause("name", 1, 2, Action.UPDATED)
    show_plan(
        ResourceChange("net", "T", Action.REPLACED),
        ResourceChange("both", "T", Action.UPDATED, causes=(follows, own), because=because),
        ResourceChange("only", "T", Action.UPDATED, causes=(follows,), because=because),
        ResourceChange("noted", "T", Action.UPDATED, causes=(follows,), because=because, notes=("Look.",)),
    )
    expanded = {index.data(): pane.view.isExpanded(index) for index in pane.model.indexes()}
    assert [expanded[name] for name in ("net", "both", "only", "noted")] == [True, True, False, True]


def test_unchanged_resource_at_which_the_update_waits_is_shown(pane: PreviewPane, show_plan: ShowPlan) -> None:
    show_plan(
        ResourceChange("a", "T", Action.UNCHANGED), ResourceChange("b", "T", Action.UNCHANGED, hooks=("pre-update",))
    )
    assert [index.data() for index in pane.model.indexes()] == [
        "b",
        "The update waits at the hook `pre-update` until the hook is cleared.",
    ]
    assert pane.view.isVisible()


def test_equal_members_share_a_collapsed_row(pane: PreviewPane, show_plan: ShowPlan) -> None:
    members = tuple(ResourceChange(str(at), "T", Action.DELETED) for at in range(3))
    show_plan(ResourceChange("group", "G", Action.UPDATED, members=members))
    (row,) = (pane.model.index(at, 0, pane.model.index(0, 0)) for at in range(1))
    assert (row.data(), row.data(CELL_ROLE).badge[0]) == ("0 … 2", "3 deleted")
    assert not pane.view.isExpanded(row)


def test_many_differences_of_a_property_are_on_demand(pane: PreviewPane, show_plan: ShowPlan) -> None:
    before, after = ({f"k{at}": at + more for at in range(30)} for more in (0, 1))
    show_plan(ResourceChange("x", "T", Action.UPDATED, causes=(Cause("metadata", before, after, Action.UPDATED),)))
    row = pane.model.index(0, 0, pane.model.index(0, 0))
    assert row.data() == "metadata: 30 differences"
    assert pane.model.rowCount(row) == 30
    assert not pane.view.isExpanded(row)


def test_texts_that_differ_beyond_the_shown_part_share_no_row() -> None:
    start = "".join(f"line {at}\n" for at in range(200))
    changes = tuple(
        ResourceChange(
            f"s{at}", "T", Action.UPDATED, causes=(Cause("u", "a\n" + start, f"b\n{start}{at}", Action.UPDATED),)
        )
        for at in range(6)
    )
    assert not any(isinstance(branch.row, EqualRows) for branch in plan_branches(UpdatePlan(changes)))


def test_comparison_of_several_lines_is_below_the_property(pane: PreviewPane, show_plan: ShowPlan) -> None:
    show_plan(
        ResourceChange("x", "T", Action.UPDATED, causes=(Cause("user_data", "a\nb\n", "a\nc\n", Action.UPDATED),))
    )
    line = pane.model.index(0, 0, pane.model.index(0, 0))
    assert pane.model.index(0, 0, line).data(CELL_ROLE).lines == ("  a", "- b", "+ c", "  ")


def test_consequence_is_listed_below_its_cause() -> None:
    because = Reason("resource `z` is replaced", Subject(SubjectKind.RESOURCE, "z"))
    effect = ResourceChange("a", "OS::Heat::Value", Action.REPLACED, because=(because,))
    cause = ResourceChange("z", "OS::Heat::Value", Action.REPLACED)
    assert names_of(plan_branches(UpdatePlan((effect, cause)))) == {"z": {"a": {}}}
    assert names_of(plan_branches(UpdatePlan((effect,)))) == {"a": {}}


def test_consequence_of_a_grouped_cause_is_listed_next_to_the_group() -> None:
    causes = [ResourceChange(f"c{number}", "T", Action.REPLACED) for number in range(5)]
    reason = Reason("`c1` is replaced", Subject(SubjectKind.RESOURCE, "c1"))
    effect = ResourceChange("effect", "T", Action.REPLACED, because=(reason,))
    rows = [branch.row for branch in plan_branches(UpdatePlan((effect, *causes)))]
    assert [type(row) for row in rows] == [EqualRows, ChangeRow]


def test_cause_of_a_graver_outcome_comes_first() -> None:
    reason = Reason("`z` is updated", Subject(SubjectKind.RESOURCE, "z"))
    effect = ResourceChange("b", "T", Action.REPLACED, because=(reason,))
    changes = (ResourceChange("a", "T", Action.UPDATED), ResourceChange("z", "T", Action.UPDATED), effect)
    assert list(names_of(plan_branches(UpdatePlan(changes)))) == ["z", "a"]


def test_reasons_of_grouped_rows_cannot_be_reverted(pane: PreviewPane, show_plan: ShowPlan) -> None:
    show_plan(*ports(*range(9)).changes)
    top = pane.model.index(0, 0)
    revert = pane._revert
    for index, allowed in ((top, False), (pane.model.index(0, 0, top), False)):
        pane.view.setCurrentIndex(index)
        assert revert.isEnabled() is allowed
    each = pane.model.index(pane.model.rowCount(top) - 1, 0, top)
    assert not pane.view.isExpanded(each)
    pane.view.setCurrentIndex(pane.model.index(3, 0, each))
    assert revert.isEnabled()


def test_outdated_preview_says_so(
    qtbot: QtBot, pane: PreviewPane, show: Show, session: Session, document: Document
) -> None:
    show(Action.REPLACED)
    with session.workspace._analyzing:  # so that the next plan waits
        document.change(document.text + "# more\n")
        qtbot.waitUntil(lambda: not pane._cover.isHidden())
    qtbot.waitUntil(pane._cover.isHidden)


def test_quota_of_an_earlier_plan_is_hidden_without_changes(pane: PreviewPane, show_plan: ShowPlan) -> None:
    show_plan(ResourceChange("s", "OS::Nova::Server", Action.ADDED, takes=((Unit("servers"), 1),)))
    assert pane.demand.isVisible()
    show_plan()
    assert pane.demand.isHidden()  # also where the head stays visible for the baseline
