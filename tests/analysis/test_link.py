"""References from properties to a resource, as the graph offers them."""

from __future__ import annotations

import pytest

from heatstudio.analysis.assist.link import LinkChoices, links_to
from heatstudio.template import parse_template, render
from heatstudio.text import apply_edits
from tests.analysis.semantic_models import model_of

TEXT = """heat_template_version: 2021-04-16
parameters:
  nets: {type: json}
resources:
  net: {type: OS::Neutron::Net}
  group: {type: OS::Neutron::SecurityGroup}
  subnet:
    type: OS::Neutron::Subnet
    properties:
      network: {get_resource: net}
      cidr: 10.0.0.0/24
  port:
    type: OS::Neutron::Port
    properties:
      network: other
  server:
    type: OS::Nova::Server
    properties:
      networks:
        - port: {get_resource: port}
  empty:
    type: OS::Neutron::Port
  called:
    type: OS::Nova::Server
    properties:
      networks: {get_param: nets}
  copy:
    type: OS::Heat::Value
"""


def places(links: LinkChoices) -> dict[str, str]:
    return {one.place: one.old for one in links.found}


def after(place: str, links: LinkChoices, text: str = TEXT) -> object:
    """Return a resource after the change that makes a property refer."""
    template = parse_template(text)
    link = next(one for one in links.found if one.place == place)
    changed = parse_template(apply_edits(text, render(template, (link.change,))))
    return changed.section(template.dialect.resources)[place.partition(".")[0]]


def test_every_property_that_fits_is_offered_unset_ones_first() -> None:
    found = places(links_to(model_of(TEXT), "net"))
    assert list(found) == [
        *("server.networks[0].network", "server.networks[1].network", "empty.network", "port.network")
    ]
    assert found["port.network"] == "other"
    assert set(found.values()) == {"", "other"}


@pytest.mark.parametrize(
    ("target", "place", "properties"),
    [
        ("net", "empty.network", {"network": {"get_resource": "net"}}),
        ("net", "port.network", {"network": {"get_resource": "net"}}),
        (
            *("net", "server.networks[1].network"),
            {"networks": [{"port": {"get_resource": "port"}}, {"network": {"get_resource": "net"}}]},
        ),
        ("group", "empty.security_groups[0]", {"security_groups": [{"get_resource": "group"}]}),
    ],
)
def test_a_reference_is_added_or_replaces_a_value(target: str, place: str, properties: object) -> None:
    found = after(place, links_to(model_of(TEXT), target, place.partition(".")[0]))
    assert isinstance(found, dict)
    assert found["properties"] == properties


def test_an_attribute_fits_by_its_type() -> None:
    model = model_of(TEXT)
    assert "mac_address" in links_to(model, "port", "copy").attributes
    found = links_to(model, "port", "copy", "mac_address")
    assert after("copy.value", found) == {
        "type": "OS::Heat::Value",
        "properties": {"value": {"get_attr": ["port", "mac_address"]}},
    }
    texts = places(links_to(model, "server", "", "accessIPv4"))
    assert "group.name" in texts
    assert "called.flavor_update_policy" not in places(links_to(model, "net", "called", "name")), "of fixed values"
    assert next(iter(places(links_to(model, "net", "called", "name")))) == "called.name"
    assert not {"group.rules", "subnet.name"} & set(texts), "of another type, and a cycle by an implied dependency"


def test_a_cycle_and_an_unknown_type_are_refused() -> None:
    model = model_of(TEXT)
    assert links_to(model, "server", "port").refusal == (
        "`server` depends on `port`; a reference back would be a cycle."
    )
    assert not any(place.startswith("port.") for place in places(links_to(model, "server")))
    assert links_to(model, "nobody").refusal == "The type of `nobody` is unknown."


def test_cfn_uses_its_own_functions() -> None:
    text = """AWSTemplateFormatVersion: 2010-09-09
Resources:
  Group: {Type: AWS::EC2::SecurityGroup, Properties: {GroupDescription: all}}
  Disk: {Type: AWS::EC2::Volume, Properties: {AvailabilityZone: nova, Size: 1}}
  Server: {Type: AWS::EC2::Instance, Properties: {ImageId: a}}
  Attachment: {Type: AWS::EC2::VolumeAttachment}
"""
    assert after("Attachment.VolumeId", links_to(model_of(text), "Disk"), text) == {
        "Type": "AWS::EC2::VolumeAttachment",
        "Properties": {"VolumeId": {"Ref": "Disk"}},
    }
