"""Plans as text, as Markdown and as data."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from heatstudio.stack.unknown import NewKey, Unknown, joined
from heatstudio.text import Span
from heatstudio.update.plan.plan_text import headline, plan_data, plan_lines, plan_markdown, totals
from heatstudio.update.plan.property_lines import shown
from heatstudio.update.plan.update_plan import Action, Cause, Reason, Refusal, ResourceChange, UpdatePlan, Verdict

OLD, NEW = Unknown(("reference", "net")), Unknown(NewKey(("reference", "net")))
PLAN = UpdatePlan(
    (
        ResourceChange(
            "server",
            "OS::Nova::Server",
            Action.REPLACED,
            causes=(
                Cause("user_data", "a", joined(["id=", NEW]), Action.REPLACED, "Because."),
                Cause("admin_pass", "old", "new", Action.UPDATED, secret=True),
            ),
            because=(Reason("`net` is replaced"),),
        ),
        ResourceChange("port", "OS::Neutron::Port", Action.UPDATED, certain=False, notes=("Not certain.",)),
        ResourceChange(
            "group",
            "OS::Heat::ResourceGroup",
            Action.UPDATED,
            members=(ResourceChange("0", "OS::Heat::Value", Action.ADDED),),
        ),
        ResourceChange("same", "OS::Heat::Value", Action.UNCHANGED),
    )
)
REFUSED = replace(PLAN, refusals=(Refusal("No."), Refusal("Unknown Property foo.", Span(3, 5), 2)))


def test_totals() -> None:
    assert totals(PLAN) == "1 replaced · 2 updated in place · 1 added inside"


def test_totals_count_nested_changes_but_not_changes_without_effect() -> None:
    idle = ResourceChange("kid", "child.yaml", Action.UPDATED, members=(ResourceChange("v", "V", Action.UNCHANGED),))
    deep = ResourceChange("nest", "nest.yaml", Action.UPDATED, members=(idle, *PLAN.changes))
    found = UpdatePlan((idle, deep, *PLAN.changes))
    assert totals(found) == (
        "1 replaced, 1 more inside · 3 updated in place, 2 more inside · 1 updated without effect · 2 added inside"
    )
    assert "=   kid  updated without effect  child.yaml" in plan_lines(found)
    names = [line.split()[1] for line in list(plan_lines(found))[1:] if not line.startswith(" ")]
    assert names[:4] == ["server", "nest", "group", "port"], "what is replaced comes first, also inside"


def test_changed_output_is_an_effect() -> None:
    still = (ResourceChange("v", "V", Action.UNCHANGED),)
    assert not ResourceChange("kid", "child.yaml", Action.UPDATED, members=still).has_effect
    assert ResourceChange("kid", "child.yaml", Action.UPDATED, members=still, outputs=("o",)).has_effect


def test_lines() -> None:
    assert list(plan_lines(PLAN)) == [
        "Heat would accept this update",
        "+/- server  replaced  OS::Nova::Server",
        "    user_data: a -> id=(new ID of net) (replaces)",
        "        Because.",
        "    admin_pass: ****** changes (in place)",
        "    because `net` is replaced",
        "~   group  updated in place  OS::Heat::ResourceGroup",
        "    +   0  added  OS::Heat::Value",
        "~   port  may be updated in place  OS::Neutron::Port",
        "    Not certain.",
        totals(PLAN),
    ]


def test_rejected_update_changes_nothing() -> None:
    assert list(plan_lines(REFUSED)) == ["Heat would reject this: 2 errors", "! No.", "! Line 2: Unknown Property foo."]
    assert plan_markdown(REFUSED, "T") == (
        "# T\n\n**Heat would reject this: 2 errors**\n\n- ⊘ No.\n- ⊘ Line 2: Unknown Property foo.\n"
    )
    data = plan_data(REFUSED)
    assert (data["verdict"], data["resources"]) == ("refused", [])
    assert data["refusals"] == [{"message": "No.", "line": None}, {"message": "Unknown Property foo.", "line": 2}]
    assert set(REFUSED.summary.values()) == {0}


def failing(name: str, *, certain: bool = True) -> ResourceChange:
    return ResourceChange(name, "T", Action.NOT_SUPPORTED, certain)


def group(*members: ResourceChange) -> ResourceChange:
    return ResourceChange("g", "T", Action.UPDATED, members=members)


@pytest.mark.parametrize(
    ("changes", "verdict", "words"),
    [
        ((), Verdict.CHANGES_NOTHING, "The update would change nothing"),
        ((ResourceChange("a", "T", Action.UNCHANGED),), Verdict.CHANGES_NOTHING, "The update would change nothing"),
        ((ResourceChange("a", "T", Action.ADDED),), Verdict.RUNS, "Heat would create this stack"),
        ((ResourceChange("a", "T", Action.UPDATED),), Verdict.RUNS, "Heat would accept this update"),
        ((ResourceChange("a", "T", Action.ADDED, breaks=True),), Verdict.FAILS, "Creating the stack would fail at `a`"),
        ((failing("a", certain=False),), Verdict.MAY_FAIL, "The update may fail at `a`"),
        ((failing("a", certain=False), failing("b")), Verdict.FAILS, "The update would fail at `b`"),
        ((failing("a"), failing("b")), Verdict.FAILS, "The update would fail at `a` and `b`"),
        (tuple(map(failing, "abcde")), Verdict.FAILS, "The update would fail at `a`, `b`, `c` and 2 more"),
        ((group(failing("0")),), Verdict.FAILS, "The update would fail at `0` in `g`"),
        ((group(failing("0", certain=False)),), Verdict.MAY_FAIL, "The update may fail at `0` in `g`"),
    ],
)
def test_verdict(changes: tuple[ResourceChange, ...], verdict: Verdict, words: str) -> None:
    plan = UpdatePlan(changes)
    assert (plan.verdict, headline(plan)) == (verdict, words)
    assert next(plan_lines(plan)) == words


def test_possible_replacements_are_counted_separately() -> None:
    found = UpdatePlan(
        (ResourceChange("a", "T", Action.REPLACED), ResourceChange("b", "T", Action.REPLACED, certain=False))
    )
    assert totals(found) == "1 replaced · 1 may be replaced"
    assert "+/- b  may be replaced  T" in plan_lines(found)


def test_each_cause_lists_its_reasons() -> None:
    because = (Reason("parameter `p` changed"),)
    causes = tuple(Cause(name, 1, 2, Action.UPDATED, because=because) for name in ("a", "b"))
    found = UpdatePlan((ResourceChange("x", "X", Action.UPDATED, causes=causes, because=because),))
    assert list(plan_lines(found))[2:6] == [
        "    a: 1 -> 2 (in place)",
        "        because parameter `p` changed",
        "    b: 1 -> 2 (in place)",
        "        because parameter `p` changed",
    ]
    assert plan_markdown(found).count("    - because parameter `p` changed\n") == 2
    assert "\n  - because" not in plan_markdown(found)


def test_markdown() -> None:
    text = plan_markdown(PLAN, "Against HEAD")
    assert text.startswith("# Against HEAD\n\n**Heat would accept this update**\n\n1 replaced")
    assert "- `+/-` **server** (OS::Nova::Server): replaced" in text
    assert "  - `+` **0** (OS::Heat::Value): added" in text
    assert "same" not in text


def test_data() -> None:
    data = plan_data(PLAN)
    assert json.loads(json.dumps(data)) == data
    assert (data["verdict"], data["headline"], data["refusals"]) == ("runs", "Heat would accept this update", [])
    assert data["summary"] == {
        "not_supported": 0,
        "replaced": 1,
        "deleted": 0,
        "added": 0,
        "updated": 2,
        "unchanged": 1,
    }
    resources = data["resources"]
    assert isinstance(resources, list)
    assert resources[0] == {
        "name": "server",
        "type": "OS::Nova::Server",
        "action": "replaced",
        "certain": True,
        "has_effect": True,
        "causes": [
            {
                "property": "user_data",
                "before": "a",
                "after": "id=(not known yet)",
                "effect": "replaced",
                "differences": [{"path": ["user_data"], "before": "a", "after": "id=(not known yet)"}],
                "because": [],
            },
            {
                "property": "admin_pass",
                "before": "******",
                "after": "******",
                "effect": "updated",
                "differences": [],
                "because": [],
            },
        ],
        "because": ["`net` is replaced"],
        "hooks": [],
        "members": [],
    }
    assert [member["name"] for member in resources[2]["members"]] == ["0"]
    inside = data["summary_inside"]
    assert isinstance(inside, dict)
    assert {action for action, count in inside.items() if count} == {"added"}


def test_unknown_values_have_placeholders() -> None:
    assert shown({"a": [OLD, 1.5, None]}) == {"a": ["(not known yet)", 1.5, None]}


def test_lines_fit_the_terminal() -> None:
    text, other = "x" * 100 + "one" + "y" * 100, "x" * 100 + "two" + "y" * 100
    note = "A sentence that is longer than the terminal is wide, which is wrapped at its words."
    change = ResourceChange("s", "T", Action.UPDATED, causes=(Cause("u", text, other, Action.UPDATED),), notes=(note,))
    lines = list(plan_lines(UpdatePlan((change,)), 60))
    assert max(map(len, lines)) <= 60
    assert "one" in lines[2]
    assert "two" in lines[2]
    assert " ".join(line.strip() for line in lines[3:-1]) == note
    assert note in " ".join(plan_lines(UpdatePlan((change,))))


def test_equal_resources_share_a_row() -> None:
    cause = Cause("network", "a", "b", Action.REPLACED)
    ports = tuple(ResourceChange(f"p{at}", "OS::Neutron::Port", Action.REPLACED, causes=(cause,)) for at in range(6))
    assert list(plan_lines(UpdatePlan(ports)))[1:-1] == [
        "+/- p0 … p5  6 replaced  OS::Neutron::Port",
        "    network: a -> b (replaces)",
        "    p0, p1, p2, p3, p4, p5",
    ]
    assert "- `+/-` **p0 … p5** (OS::Neutron::Port): 6 replaced\n  - `network`: `a` → `b` (replaces)" in plan_markdown(
        UpdatePlan(ports)
    )
