"""Completion, hover and checks of each element in the path of `get_attr`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from heatstudio.analysis import analyze
from heatstudio.analysis.assist.hover import hover
from heatstudio.assets import resource_path
from heatstudio.catalog.attribute_shape import AttributeKind, load_attribute_shapes
from heatstudio.catalog.schema import ANY_ELEMENT
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.text import Severity
from tests.analysis.semantic_models import FileTexts, completions, knowledge, model_at

CHILD = """heat_template_version: 2018-08-31
resources:
  port: {type: OS::Neutron::Port, properties: {network: n}}
outputs:
  ips: {description: All addresses., value: {get_attr: [port, fixed_ips]}}
  data: {value: {first: {get_resource: port}, second: [1]}}
"""
ENDLESS = """heat_template_version: 2018-08-31
resources:
  stack: {type: OS::Heat::Stack, properties: {template: {get_file: endless.yaml}}}
outputs:
  o: {value: {get_attr: [stack, outputs, o]}}
  all: {value: {get_attr: [stack, outputs]}}
"""
FILES = {"child.yaml": CHILD, "endless.yaml": ENDLESS}
START = """heat_template_version: %s
parameters:
  map: {type: json, default: {a: 0}}
resources:
  net: {type: OS::Neutron::Net, properties: {name: private}}
  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}
  server:
    type: OS::Nova::Server
    properties: {flavor: f, image: i, networks: [{network: {get_resource: net}}, {network: public}]}
  group:
    type: OS::Heat::ResourceGroup
    properties: {count: 1, resource_def: {type: OS::Neutron::Port, properties: {network: n}}}
  scaled:
    type: OS::Heat::AutoScalingGroup
    properties: {min_size: 1, max_size: 1, resource: {type: OS::Nova::Server, properties: {flavor: f, image: i}}}
  child: {type: child.yaml}
  stack: {type: OS::Heat::Stack, properties: {template: {get_file: child.yaml}}}
  endless: {type: OS::Heat::Stack, properties: {template: {get_file: endless.yaml}}}
  any: {type: OS::Heat::Stack, properties: {template: {get_param: map}}}
  stacks:
    type: OS::Heat::ResourceGroup
    properties: {resource_def: {type: OS::Heat::Stack, properties: {template: {get_file: child.yaml}}}}
  chain: {type: OS::Heat::ResourceChain, properties: {resources: [child.yaml, OS::Neutron::Port]}}
  literal:
    type: OS::Heat::Value
    properties: {value: {of: {a: 1}, list: [1, {b: c}], p: {get_param: map}, ips: {get_attr: [port, fixed_ips]}}}
  copy: {type: OS::Heat::Value, properties: {value: {get_attr: [literal, value, of]}}}
  itself: {type: OS::Heat::Value, properties: {value: {get_attr: [itself, value]}}}
  config: {type: OS::Heat::SoftwareConfig, properties: {outputs: [{name: result}, {name: code}]}}
  deployed: {type: OS::Heat::SoftwareDeployment, properties: {server: s, config: {get_resource: config}}}
  elsewhere: {type: OS::Heat::SoftwareDeployment, properties: {server: s, config: some-id}}
outputs:
  o: {value: {get_attr: [%s]}}
"""
ERROR, WARNING, INFORMATION = Severity.ERROR, Severity.WARNING, Severity.INFORMATION


def found(path: str, version: str = "2018-08-31") -> list[tuple[Severity, str]]:
    """Return the severity and message of the diagnostics of paths."""
    source = Source(parse_template(START % (version, path)), files=FileTexts(FILES))
    diagnostics = analyze(source, load_knowledge()).diagnostics
    return [(each.severity, each.message) for each in diagnostics if each.code == "attribute-path"]


@pytest.mark.parametrize(
    "path",
    [
        "port, fixed_ips, 0, ip_address",
        "port, fixed_ips, -1, subnet_id",
        "port, fixed_ips, {get_param: [map, a]}, subnet_id",
        "port, device_id, anything",
        "port, subnets, 0, anything",
        "literal, value, list, -1, b",
        "literal, value, list, {get_param: [map, a]}",
        "literal, value, p, anything",
        "literal, value, ips, 0, ip_address",
        "copy, value, a",
        "itself, value, anything",
        "deployed, result, anything",
        "port, show, anything, 0",
        "server, networks, private, 0",
        "server, addresses, private, 0, addr",
        "group, fixed_ips, 0, ip_address",
        "group, attributes, fixed_ips, 0, ip_address",
        "group, resource.0.fixed_ips, 0, ip_address",
        "group, resource.0",
        "group, refs, 0",
        "scaled, outputs, networks, private, 0",
        "scaled, outputs_list, addresses, private, 0, port",
        "child, ips, 0, ip_address",
        "child, data, second, 0",
        "child, resource.port.fixed_ips, 0, ip_address",
        "stack, outputs, ips, 0, ip_address",
        "stack, outputs, data, second, 0",
        "stack, show, outputs, anything",
        "endless, outputs, o, anything",
        "endless, outputs, all, all, all, o, anything",
        "any, outputs, anything, 0",
        "stacks, outputs, ips, 0, ip_address",
        "stacks, resource.0.outputs, ips, 0, ip_address",
        "chain, resource.0.ips, 0, ip_address",
        "chain, resource.1.fixed_ips, 0, ip_address",
    ],
)
def test_valid_paths_have_no_diagnostics(path: str) -> None:
    assert found(path) == []


@pytest.mark.parametrize(
    ("path", "severity", "message"),
    [
        (
            "port, fixed_ips, 0, ip_adress",
            WARNING,
            "`fixed_ips[0]` has no key `ip_adress`; the value is null. Did you mean `ip_address`?",
        ),
        ("port, subnets, 0, cidrr", WARNING, "`subnets[0]` probably has no key `cidrr`; the value is null."),
        ("port, network_id, 0", WARNING, "`network_id` is a string; `0` returns one character of it."),
        ("literal, value, oof", WARNING, "`value` has no key `oof`; the value is null. Did you mean `of`?"),
        ("literal, value, list, 2", WARNING, "`value.list` has 2 items; index 2 returns null."),
        ("literal, value, list, 1, c", WARNING, "`value.list[1]` has no key `c`; the value is null."),
        ("literal, value, ips, 0, ip", WARNING, "`value.ips[0]` has no key `ip`; the value is null."),
        ("copy, value, b", WARNING, "`value` has no key `b`; the value is null."),
        ("port, fixed_ips, '0'", WARNING, "`fixed_ips` is a list and needs an index; `0` returns null."),
        ("port, fixed_ips, 0, ip_address, x", WARNING, "`fixed_ips[0].ip_address` is a string; `x` returns null"),
        ("server, networks, 0", WARNING, "`networks` is a map and needs a key; the value is null."),
        ("server, console_urls, vnc", WARNING, "`console_urls` has no key `vnc`; the value is null."),
        ("group, fixed_ips, 0, subnet", WARNING, "`fixed_ips[0]` has no key `subnet`"),
        ("group, attributes, fixed_ips, first", WARNING, "`attributes.fixed_ips` is a list"),
        ("group, resource.0.fixed_ips, first", WARNING, "`resource.0.fixed_ips` is a list"),
        ("scaled, outputs, addresses, a, 0, add", WARNING, "`outputs.addresses.a[0]` has no key `add`"),
        ("child, ips, 0, ip", INFORMATION, "`ips[0]` has no key `ip`"),
        ("child, data, third", INFORMATION, "`data` has no key `third`"),
        ("stack, outputs, dta", WARNING, "`outputs` has no key `dta`; the value is null. Did you mean `data`?"),
        ("stack, outputs, ips, 0, ip", INFORMATION, "`outputs.ips[0]` has no key `ip`"),
        ("stack, outputs, data, third", INFORMATION, "`outputs.data` has no key `third`"),
        ("endless, outputs, p", WARNING, "`outputs` has no key `p`"),
        ("stacks, resource.0.outputs, ipz", WARNING, "`resource.0.outputs` has no key `ipz`"),
        ("chain, resource.1.fixed_ips, first", WARNING, "`resource.1.fixed_ips` is a list"),
        ("port, fixed_ips, {get_param: map}", ERROR, "Each path element must be a key or an index"),
        ("group, 1", ERROR, "The attribute name must be a string."),
    ],
)
def test_path_elements_without_a_value_are_reported(path: str, severity: Severity, message: str) -> None:
    ((reported, text),) = found(path)
    assert reported is severity
    assert text.startswith(message)


def test_an_attribute_without_a_name_is_an_error() -> None:
    assert found("scaled, null", "2015-04-30") == [(ERROR, "The attribute name must be a string.")]
    assert found("scaled, null") == []


@pytest.mark.parametrize("version", ["2013-05-23", "2014-10-16", "2018-08-31"])
@pytest.mark.parametrize("attribute", ["[[a, 1]]", "{a: 1}", "[]", "{}"])
def test_an_attribute_that_heat_cannot_hash_is_an_error(version: str, attribute: str) -> None:
    assert [severity for severity, _ in found(f"port, {attribute}", version)] == [ERROR]


def test_oldest_get_attr_checks_paths_of_groups_and_resources() -> None:
    assert found("group, fixed_ips, 0, 0, ip_address", "2013-05-23") == []
    assert len(found("port, fixed_ips, 0, ip_adress", "2013-05-23")) == 1


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("port, fixed_ips, ‸", ["0"]),
        ("port, fixed_ips, 0, ‸", ["ip_address", "subnet_id"]),
        ("server, networks, ‸", ["private", "public"]),
        ("server, networks, private, ‸", ["0"]),
        ("literal, value, ‸", ["of", "list", "p"]),
        ("literal, value, list, ‸", ["0", "1"]),
        ("copy, value, ‸", ["a"]),
        ("deployed, ‸", ["result", "code", "deploy_stdout"]),
        ("server, addresses, ‸", ["private", "public"]),
        ("server, addresses, private, 0, ‸", ["addr", "network", "port", "subnets"]),
        ("group, ‸", ["attributes", "fixed_ips", "mac_address", "refs", "resource.0"]),
        ("group, resource.0.‸", ["resource.0.fixed_ips", "resource.0.mac_address"]),
        ("group, resource.0, ‸", ["fixed_ips", "mac_address"]),
        ("group, attributes, ‸", ["fixed_ips", "mac_address"]),
        ("scaled, outputs, ‸", ["addresses", "networks"]),
        ("scaled, outputs, addresses, x, 0, ‸", ["addr"]),
        ("child, ‸", ["ips", "data", "resource.port"]),
        ("child, ips, 0, ‸", ["ip_address", "subnet_id"]),
        ("child, data, ‸", ["first", "second"]),
        ("stack, outputs, ‸", ["data", "ips"]),
        ("stack, outputs, ips, 0, ‸", ["ip_address", "subnet_id"]),
        ("stacks, outputs, ‸", ["data", "ips"]),
        ("stacks, resource.0.outputs, ‸", ["data", "ips"]),
        ("endless, outputs, ‸", ["o", "all"]),
        ("child, resource.port.‸", ["resource.port.fixed_ips"]),
    ],
)
def test_path_elements_are_completed(path: str, expected: list[str]) -> None:
    labels = {one.label for one in completions(START % ("2018-08-31", path), FILES)}
    assert labels >= set(expected)


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("port, fixed‸_ips, 0, ip_address", "fixed_ips · List · attribute of OS::Neutron::Port"),
        ("port, fixed_ips, ‸0, ip_address", "fixed_ips[0] · map"),
        ("port, fixed_ips, 0, ip‸_address", "fixed_ips[0].ip_address · text"),
        ("group, fixed‸_ips", "fixed_ips · List · attribute of OS::Neutron::Port"),
        ("group, resource‸.0", "resource.0 · OS::Neutron::Port"),
        ("group, resource.0.fixed‸_ips", "fixed_ips · List · attribute of OS::Neutron::Port"),
        ("scaled, outputs, net‸works, private", "networks · Map · attribute of OS::Nova::Server"),
        ("child, ip‸s", "ips · Any · attribute of child.yaml"),
    ],
)
def test_path_elements_are_explained(path: str, title: str) -> None:
    model, offset = model_at(START % ("2018-08-31", path), FILES)
    said = hover(model, offset)
    assert said is not None
    assert said.title == title


DECLARED = {
    AttributeKind.TEXT: ("string",),
    AttributeKind.NUMBER: ("number", "integer", "string"),
    AttributeKind.BOOLEAN: ("boolean", "string"),
}
"""The declared types of attributes by shape; Heat declares most attributes as strings."""


def test_shapes_match_the_attribute_types_of_the_catalog() -> None:
    for name, shapes in load_attribute_shapes().items():
        kind = knowledge().catalog.get(name)
        assert kind is not None, name
        for attribute, shape in shapes.items():
            if attribute == ANY_ELEMENT:
                continue
            declared = DECLARED.get(shape.kind, (shape.kind.value,))
            assert str(kind.attributes[attribute].type).lower() in declared, (name, attribute)


def test_keys_come_from_properties_of_the_type() -> None:
    for name, shapes in load_attribute_shapes().items():
        kind = knowledge().catalog.get(name)
        for attribute, shape in shapes.items():
            if shape.names and kind is not None:
                assert shape.kind is AttributeKind.MAP or attribute == ANY_ELEMENT
                assert shape.names[0] in kind.properties


def test_a_misspelled_shape_is_an_error(tmp_path: Path) -> None:
    raw: Mapping[str, object] = json.loads(resource_path("attributes", "shapes.json").read_text("utf-8"))
    damaged = tmp_path / "shapes.json"
    damaged.write_text(json.dumps({**raw, "types": {"OS::Neutron::Port": {"fixed_ips": ["fixed-ip"]}}}))
    with pytest.raises(ValueError, match="fixed-ip"):
        load_attribute_shapes(damaged)


def test_map_as_the_name_of_an_attribute_is_reported_in_a_parameter_of_a_nested_template() -> None:
    inner = "heat_template_version: 2018-08-31\nparameters: {ips: {type: json}}\n"
    read = "{type: inner.yaml, properties: {ips: {get_attr: [plugin, {a: b}]}}}"
    text = f"heat_template_version: 2018-08-31\nresources:\n  plugin: {{type: My::Type}}\n  child: {read}\n"
    found = analyze(Source(parse_template(text), files=FileTexts({"inner.yaml": inner})), knowledge())
    assert [one.code for one in found.diagnostics] == ["unknown-type", "attribute-path"]
