"""The consequences of changing each property: the same outcomes and words as in the preview."""

from __future__ import annotations

import pytest

from heatstudio.analysis import analyze
from heatstudio.analysis.assist.inline_hints import consequences
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.update.plan.outcome import outcome_of
from heatstudio.update.plan_update import plan_update

TEXT = """heat_template_version: 2021-04-16
resources:
  net: {type: OS::Neutron::Net, properties: {value_specs: {a: b}}}
  port:
    type: OS::Neutron::Port
    properties:
      network: {get_resource: net}
      admin_state_up: true
      nonsense: 1
  server:
    type: OS::Nova::Server
    properties:
      flavor: m1.small
      image: debian
      user_data: a
      config_drive: true
      networks: [{port: {get_resource: port}}]
  volume: {type: "AWS::EC2::Volume", properties: {AvailabilityZone: nova, Size: 10}}
  nothing: {type: OS::Heat::None, properties: {anything: 1}}
  unknown: {type: OS::Nova::Typ, properties: {a: 1}}
  broken: {type: OS::Neutron::Port, properties: 3}
"""


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def found(knowledge: Knowledge, text: str) -> dict[str, str]:
    """Return the words of the hint after each property, by its name."""
    analysis = analyze(Source(parse_template(text)), knowledge)
    return {text[:offset].rsplit(maxsplit=1)[-1].lstrip("{"): words for offset, words in consequences(analysis)}


def test_each_property_shows_its_gravest_outcome(knowledge: Knowledge) -> None:
    words = found(knowledge, TEXT)
    assert words["network"] == "if changed: replaced, 1 dependent"
    assert words["admin_state_up"] == "if changed: updated in place"
    assert words["flavor"] == "if changed: updated in place"
    assert words["user_data"] == "if changed: replaced"
    asked = found(knowledge, TEXT.replace("      flavor:", "      flavor_update_policy: {get_param: p}\n      flavor:"))
    assert asked["flavor"] == "if changed: may be replaced"
    assert words["Size"] == "if changed: update not supported"
    assert not {"nonsense", "anything", "a"} & words.keys()


@pytest.mark.parametrize("text", ["", "a: [", "resources: 1", "resources: {a: 1, 5: {type: OS::Neutron::Port}}"])
def test_nothing_raises(knowledge: Knowledge, text: str) -> None:
    assert found(knowledge, text) == {}


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("admin_state_up", "admin_state_up: true", "admin_state_up: false"),
        ("flavor", "flavor: m1.small", "flavor: m1.large"),
        ("user_data", "user_data: a", "user_data: b"),
        ("config_drive", "config_drive: true", "config_drive: false"),
        ("Size", "Size: 10", "Size: 20"),
    ],
)
def test_preview_of_a_change_shows_the_same_outcome(knowledge: Knowledge, name: str, old: str, new: str) -> None:
    text = TEXT.replace("      nonsense: 1\n", "").replace("  unknown: {type: OS::Nova::Typ, properties: {a: 1}}\n", "")
    text = text.replace("  broken: {type: OS::Neutron::Port, properties: 3}\n", "")
    before, after = (Source(parse_template(one)) for one in (text, text.replace(old, new)))
    plan = plan_update(before, after, knowledge)
    (change,) = (one for one in plan.changes if any(cause.property == name for cause in one.causes))
    assert found(knowledge, text)[name].removeprefix("if changed: ").partition(",")[0] == outcome_of(change).word


@pytest.mark.parametrize("group", ["OS::Heat::ResourceGroup/resource_def", "OS::Heat::AutoScalingGroup/resource"])
def test_properties_of_members_show_their_outcome(group: str, knowledge: Knowledge) -> None:
    kind, definition = group.split("/")
    member = "{type: OS::Neutron::Port, properties: {network: n, admin_state_up: true}}"
    text = "heat_template_version: 2021-04-16\nresources: {g: {type: KIND, properties: {DEFINITION: MEMBER}}}\n"
    text = text.replace("KIND", kind).replace("DEFINITION", definition).replace("MEMBER", member)
    words = found(knowledge, text)
    assert words["network"] == "if changed: replaced"
    assert words["admin_state_up"] == "if changed: updated in place"
