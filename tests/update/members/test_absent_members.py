"""Updates after which a group lacks a member that a resource reads. A running Heat confirmed the certain outcomes.

It fails with "Member '1' not found in group resource 'it'."
"""

from __future__ import annotations

import pytest

from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.update.plan.update_plan import Verdict
from heatstudio.update.plan_update import plan_update
from heatstudio.update.running_stack import RunningResource, RunningStack
from tests.update.test_update_plan import change, plan, source

KNOWLEDGE = load_knowledge()
FAILS, RUNS = Verdict.FAILS, Verdict.RUNS
MEMBER = "OS::Heat::RandomString"
GROUP = f"{{type: OS::Heat::ResourceGroup, properties: {{count: %s, resource_def: {{type: {MEMBER}}}}}}}"
REMOVING = GROUP.replace("count: %s", "count: %s, removal_policies: [{resource_list: ['%s']}]")
SCALED = (
    "{type: OS::Heat::AutoScalingGroup, properties: {min_size: 0, max_size: 4, desired_capacity: %s, "
    f"resource: {{type: {MEMBER}}}}}}}"
)
CHAIN = "{type: OS::Heat::ResourceChain, properties: {resources: [%s]}}"
READER = "{type: OS::Heat::Value, properties: {value: [{get_attr: [it, resource.1.value]}]}}"
PLAIN = "{type: OS::Heat::Value, properties: {value: a}}"


def resources(it: str, reader: str) -> str:
    """Return a template with a group and a resource that reads it."""
    return (
        "parameters: {any: {type: string}}\n"
        "conditions: {never: {equals: [a, b]}, perhaps: {equals: [{get_param: any}, a]}}\n"
        f"resources:\n  it: {it}\n  reader: {reader}\n"
    )


@pytest.mark.parametrize(
    ("before", "after", "path", "expected"),
    [
        (GROUP % 2, GROUP % 1, "resource.1", FAILS),
        (GROUP % 2, GROUP % 1, "resource.1.value", FAILS),
        (GROUP % 2, GROUP % 1, "resource.1, value", FAILS),
        (GROUP % 2, GROUP % 1, "resource.0", RUNS),
        (GROUP % 2, GROUP % 0, "resource.1", FAILS),
        (GROUP % 2, GROUP % 0, "resource.1.value", RUNS),
        (GROUP % 2, GROUP % "{get_param: any}", "resource.1", RUNS),
        (GROUP % 90, GROUP % 45, "resource.44", RUNS),
        (GROUP % 90, GROUP % 45, "resource.45", FAILS),
        (GROUP % 2, REMOVING % (2, 1), "resource.1", FAILS),
        (GROUP % 2, REMOVING % (1, 0), "resource.1", RUNS),
        (GROUP % 2, REMOVING % (1, "4f9a-12"), "resource.1", RUNS),
        (REMOVING % (2, 0), GROUP % 2, "resource.2", RUNS),
        (REMOVING % (2, 0), GROUP % 2, "resource.0", FAILS),
        (SCALED % 2, SCALED % 1, "resource.1", FAILS),
        (SCALED % 2, SCALED % 1, "resource.1.value", FAILS),
        (SCALED % 2, SCALED % 3, "resource.2", RUNS),
        (SCALED % 3, SCALED % 2, "resource.-1.value", RUNS),
        (CHAIN % f"{MEMBER}, {MEMBER}", CHAIN % MEMBER, "resource.1", FAILS),
        (CHAIN % f"{MEMBER}, {MEMBER}", CHAIN % MEMBER, "resource.1.value", FAILS),
        (PLAIN, GROUP % 1, "resource.1", FAILS),
    ],
)
def test_update_fails_at_reader_of_absent_member(before: str, after: str, path: str, expected: Verdict) -> None:
    reader = READER.replace("resource.1.value", path)
    found = plan(resources(before, PLAIN if before == PLAIN else reader), resources(after, reader))
    assert found.verdict is expected
    assert [(one.names, one.certain) for one in found.failures] == [(("reader",), True)] * (expected is FAILS)


@pytest.mark.parametrize(
    ("reader", "expected"),
    [
        (READER, FAILS),
        (PLAIN.replace("}}", "}, metadata: {m: {get_attr: [it, resource.1]}}}"), FAILS),
        ("{type: OS::Heat::None, properties: {v: {get_attr: [it, resource.1.value]}}}", FAILS),
        (READER.replace("}}", "}, condition: never}"), RUNS),
        (READER.replace("properties", "condition: perhaps, properties"), Verdict.MAY_FAIL),
        (PLAIN.replace("a}}", "{if: [never, {get_attr: [it, resource.1]}, a]}}}"), RUNS),
        (PLAIN + "\noutputs: {o: {value: {get_attr: [it, resource.1]}}}", RUNS),
    ],
)
def test_only_reads_during_the_update_fail(reader: str, expected: Verdict) -> None:
    assert plan(resources(GROUP % 2, PLAIN), resources(GROUP % 1, reader)).verdict is expected


def test_note_names_the_absent_member() -> None:
    found = plan(resources(GROUP % 2, READER), resources(GROUP % 1, READER))
    assert change(found, "reader").notes == ("After the update, `it` has no member `1`; reading it fails.",)


def test_running_members_may_have_other_names() -> None:
    """Names removed by an earlier update stay removed, although the template does not list them."""
    text = source(resources(GROUP % 2, READER.replace("resource.1", "resource.2")))
    for names, expected in (("12", Verdict.CHANGES_NOTHING), ("01", FAILS)):
        inside = RunningStack("", resources={name: RunningResource(name) for name in names})
        running = {"it": RunningResource("it", nested=inside)}
        assert plan_update(text, text, KNOWLEDGE, running).verdict is expected


def test_absent_member_in_cfn_template() -> None:
    text = """
AWSTemplateFormatVersion: 2010-09-09
Resources:
  it: {Type: "OS::Heat::ResourceGroup", Properties: {count: %d, resource_def: {type: OS::Heat::RandomString}}}
  one: {Type: "OS::Heat::RandomString", Properties: {salt: {"Fn::GetAtt": [it, resource.1]}}}
"""
    before, after = (Source(parse_template(text % count)) for count in (2, 1))
    assert [one.names for one in plan_update(before, after, KNOWLEDGE).failures] == [("one",)]
