"""The problems of a new template as the verdict on an update."""

from __future__ import annotations

import pytest

from heatstudio.analysis import analyze
from heatstudio.analysis.changes.refusals import with_errors
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.update.plan.plan_text import headline
from heatstudio.update.plan.update_plan import UpdatePlan, Verdict
from heatstudio.update.plan_update import plan_update

GROUP = "type: OS::Heat::ResourceGroup, properties: {count: COUNT, resource_def: {MEMBER}}"
TEXT = "heat_template_version: 2018-08-31\nresources:\n  group: {GROUP}\n  first: {type: OS::Heat::TestResource}\n"
FINE = "type: OS::Neutron::Net, properties: {shared: true}"
FAILS = "type: OS::Neutron::Net, properties: {shared: maybe}"
REFUSED = "type: OS::Neutron::Net, properties: {sharde: true}"


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def plan(knowledge: Knowledge, old: str, new: str, count: str = "1") -> UpdatePlan:
    texts = [
        TEXT.replace("GROUP", GROUP.replace("COUNT", count if one is new else "1").replace("MEMBER", one))
        for one in (old, new)
    ]
    before, after = (Source(parse_template(text)) for text in texts)
    return with_errors(plan_update(before, after, knowledge), texts[1], analyze(after, knowledge).diagnostics)


@pytest.mark.parametrize(
    ("old", "new", "count", "verdict"),
    [
        (FINE, FAILS, "1", Verdict.FAILS),
        (FINE, REFUSED, "1", Verdict.REFUSED),
        (FAILS, FAILS, "1", Verdict.CHANGES_NOTHING),
        (FAILS, FINE, "1", Verdict.RUNS),
        (FINE, FAILS, "0", Verdict.RUNS),
    ],
)
def test_update_fails_for_what_heat_finds_late(
    old: str, new: str, count: str, verdict: Verdict, knowledge: Knowledge
) -> None:
    found = plan(knowledge, old, new, count)
    assert found.verdict is verdict
    if verdict is Verdict.FAILS:
        assert headline(found) == "The update would fail at `group`"
        change = found.get("group")
        assert change is not None
        assert any("Would fail when Heat creates it." in note for note in change.notes)
