"""Reasons and their subjects, also inside a nested stack."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.template import parse_template
from heatstudio.update.plan.update_plan import Reason, Subject, SubjectKind
from heatstudio.update.plan_update import plan_update
from tests.flat_files import FlatFiles

KNOWLEDGE = load_knowledge()
TEXT = """
heat_template_version: 2021-04-16
parameters: {size: {type: number, default: %(size)s}}
conditions: {big: {equals: [{get_param: size}, 9]}}
resources:
  one: {type: OS::Heat::RandomString, properties: {length: {get_param: size}}}
  two: {type: OS::Heat::Value, properties: {value: {if: [big, 9, 8]}}}
  comes: {type: OS::Heat::Value, condition: big}
  goes: {type: OS::Heat::Value, condition: {not: big}}
  three: {type: OS::Heat::Value, properties: {value: {get_resource: one}}}
  text: {type: OS::Heat::Value, properties: {value: {get_file: run.sh}}}
  mine: {type: My::Thing, properties: {}}
  kid: {type: kid.yaml, properties: {id: {get_resource: one}}}
"""
CFN = """
AWSTemplateFormatVersion: 2010-09-09
Mappings: {Zones: {east: {name: %(size)s}}}
Resources:
  four: {Type: "OS::Heat::Value", Properties: {value: {"Fn::FindInMap": [Zones, east, name]}}}
"""
KID = """
heat_template_version: 2021-04-16
parameters: {id: {type: string}}
resources:
  inner: {type: OS::Heat::Value, properties: {value: {get_param: id}}}
  after: {type: OS::Heat::Value, properties: {value: {get_attr: [inner, value]}}}
"""


OLD_NAME = """
heat_template_version: 2021-04-16
resources:
  subnet: {type: OS::Neutron::Subnet, properties: {network: n, cidr: 10.%s.0.0/24}}
  interface: {type: OS::Neutron::RouterInterface, properties: {router: r, subnet_id: {get_resource: subnet}}}
"""


def test_value_under_a_deprecated_name_has_reasons() -> None:
    old, new = (Source(parse_template(OLD_NAME % number)) for number in (10, 20))
    interface = next(one for one in plan_update(old, new, KNOWLEDGE).changes if one.name == "interface")
    assert [reason.subject for reason in interface.because] == [Subject(SubjectKind.RESOURCE, "subnet")]


def reasons(text: str, *names: str) -> dict[str, Subject | None]:
    """Return the reasons of a resource, or of a member of it, with their subjects."""
    sides = []
    for size, target in ((8, "OS::Heat::Value"), (9, "OS::Heat::None")):
        files = FlatFiles({"run.sh": str(size), "kid.yaml": KID})
        environment = EnvironmentFile("environment", {"resource_registry": {"My::Thing": target}})
        sides.append(Source(parse_template(text % {"size": size}), (environment,), files))
    changes = plan_update(sides[0], sides[1], KNOWLEDGE).changes
    found: tuple[Reason, ...] = ()
    for name in names:
        change = next(one for one in changes if one.name == name)
        changes, found = change.members, change.because
    return {str(one): one.subject for one in found}


SIZE = {"parameter `size` changed": Subject(SubjectKind.PARAMETER, "size")}
ONE = {**SIZE, "`one` is replaced": Subject(SubjectKind.RESOURCE, "one")}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("one",), SIZE),
        (("two",), {**SIZE, "condition `big` changed": Subject(SubjectKind.CONDITION, "big")}),
        (("comes",), {**SIZE, "the condition `big` is now true": Subject(SubjectKind.CONDITION, "big")}),
        (("three",), ONE),
        (("text",), {"file `run.sh` changed": Subject(SubjectKind.FILE, "run.sh")}),
        (("kid",), ONE),
        (("kid", "inner"), {**ONE, "parameter `id` changed": Subject(SubjectKind.PARAMETER, "id")}),
    ],
)
def test_reason_contains_its_subject(names: tuple[str, ...], expected: Mapping[str, Subject]) -> None:
    assert reasons(TEXT, *names) == expected


def test_mapping_is_a_subject() -> None:
    assert reasons(CFN, "four") == {"mapping `Zones` changed": Subject(SubjectKind.MAPPING, "Zones")}


def test_reason_may_have_no_subject() -> None:
    assert reasons(TEXT, "mine") == {"the mapping of `My::Thing` in the environment changed": None}
    assert reasons(TEXT, "goes")["the condition is now false"] is None


def test_reasons_of_the_owner_are_in_causal_order() -> None:
    assert list(reasons(TEXT, "kid", "inner")) == [*ONE, "parameter `id` changed"]
