from __future__ import annotations

from collections.abc import Mapping

import pytest

from heatstudio.analysis.assist.hover import MASK, Hover, hover
from heatstudio.stack.definition.files import sent_text
from heatstudio.text.markup import Html
from tests.analysis.semantic_models import HOT, model_at


def said(text: str, files: Mapping[str, str] | None = None, environments: Mapping[str, str] | None = None) -> Hover:
    model, offset = model_at(text, files, environments)
    found = hover(model, offset)
    assert found is not None
    return found


LINK = HOT + "resources:\n  link:\n    type: OS::Neutron::RouterInterface\n    properties:\n      "


def test_hidden_property_shows_its_life_cycle_and_replacement() -> None:
    found = said(LINK + "rout‸er_id: x\n")
    assert found.title == "router_id · String"
    assert "Updates cause replacement." in found.lines
    life = next(line for line in found.lines if line.startswith("HIDDEN since 6.0.0 (Mitaka) — use `router`"))
    assert "DEPRECATED since 2015.1" in life


def test_required_property_and_group_in_words() -> None:
    assert said(LINK + "rou‸ter: x\n").title == "router · String · required"
    assert "Exactly one of `subnet` or `port` is required." in said(LINK + "sub‸net: x\n").lines


def test_update_sentences_are_those_of_heat() -> None:
    text = HOT + "resources:\n  v:\n    type: AWS::EC2::Volume\n    properties:\n      Si‸ze: 1\n"
    sentence = "Updates are not supported. Resource update will fail on any attempt to update this property."
    assert sentence in said(text).lines


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("OS::Nova::Server {networks: [{net‸work: x}]}", "Can be updated without replacement."),
        ("OS::Neutron::Port {fixed_ips: [{sub‸net: x}]}", "Can be updated without replacement."),
        ("OS::Nova::Server {block_device_mapping: [{device_na‸me: x}]}", "Updates cause replacement."),
        (
            "OS::Nova::Server {user_‸data: x}",
            "Updates cause replacement, because `user_data_update_policy` is REPLACE, which is its default.",
        ),
        (
            "OS::Nova::Server {user_‸data: x, user_data_update_policy: IGNORE}",
            "Can be updated without replacement, unless `user_data_update_policy` is REPLACE, which is its default.",
        ),
    ],
)
def test_property_says_what_a_change_does(written: str, sentence: str) -> None:
    name, _, properties = written.partition(" ")
    lines = said(HOT + f"resources:\n  a:\n    type: {name}\n    properties: {properties}\n").lines
    assert [line for line in lines if "updated without" in line or "Updates" in line] == [sentence]


def test_nested_property_and_its_value() -> None:
    text = HOT + "resources:\n  s:\n    type: OS::Nova::Server\n    properties:\n      networks: [{po‸rt: x}]\n"
    assert said(text).title == "port · String"
    assert said(text.replace("po‸rt: x", "port: ‸x")).title == "port · String"


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("OS::Neutron::Port {net‸work: x}", "neutron network"),
        ("OS::Nova::Server {fla‸vor: x}", "nova flavor"),
        ("OS::Nova::Server {networks: [{net‸work: x}]}", "neutron network"),
        ("OS::Cinder::QoSAssociation {volume_‸types: [x]}", "cinder volume type"),
        ("OS::Neutron::RBACPolicy {object‸_id: x}", "neutron object of the type in `object_type`"),
        ("OS::Neutron::Port {na‸me: x}", ""),
    ],
)
def test_property_that_heat_looks_up_in_the_cloud_says_so(written: str, kind: str) -> None:
    name, _, properties = written.partition(" ")
    lines = said(HOT + f"resources:\n  a:\n    type: {name}\n    properties: {properties}\n").lines
    line = (
        f"Heat looks up this name in your cloud ({kind}) when the stack is created or updated; you can also use an ID."
    )
    assert [found for found in lines if "Heat looks up" in found] == ([line] if kind else [])


def test_unknown_type() -> None:
    assert "no such type" in said(HOT + "resources:\n  a:\n    type: OS::No‸pe\n").lines[0]
    assert "plug-in" in said(HOT + "resources:\n  a:\n    type: Vendor::No‸pe\n").lines[0]


def test_users_template_shows_its_description() -> None:
    child = HOT + "description: A thing\nparameters:\n  size: {type: number}\n"
    found = said(HOT + "resources:\n  a:\n    type: ch‸ild.yaml\n", {"child.yaml": child})
    assert found.lines[0] == "A thing"
    assert "Required: `size`." in found.lines


def test_parameter_hover_shows_value_and_origin() -> None:
    text = HOT + "parameters:\n  size: {type: number, default: 3}\noutputs:\n  o:\n    value: {get_param: si‸ze}\n"
    assert "Value `3`, from its default." in said(text).lines
    environment = "parameters:\n  size: 5\n"
    assert "Value `5`, from `parameters` of `e.yaml`." in said(text, environments={"e.yaml": environment}).lines


def test_hidden_parameter_is_masked() -> None:
    text = HOT + "parameters:\n  word: {type: string, hidden: true, default: secret}\n"
    text += "outputs:\n  o: {value: {get_param: wo‸rd}}\n"
    found = said(text)
    assert "secret" not in str(found)
    assert MASK in str(found)


def test_resource_attribute_function_condition_and_file() -> None:
    text = (
        HOT + "conditions:\n  c: true\nresources:\n  p:\n    type: OS::Neutron::Port\n    condition: c\n"
        "outputs:\n  o: {value: {get_attr: [p, fixed_ips]}}\n  f: {value: {get_file: x.sh}}\n"
    )
    assert said(text.replace("[p,", "[‸p,")).title == "p · OS::Neutron::Port"
    assert said(text.replace("[p,", "[‸p,")).lines == ("Resource on line 5.",)
    assert said(text.replace("fixed_ips", "fixed‸_ips")).title == "fixed_ips · List · attribute of OS::Neutron::Port"
    assert said(text.replace("get_attr", "get‸_attr")).title == "get_attr · function"
    assert said(text.replace("condition: c", "condition: ‸c")).lines == ("Now `true`.",)
    assert said(text.replace("x.sh", "x‸.sh"), {"x.sh": "ä\n"}).lines == ("3 bytes, 1 line.",)
    binary = sent_text(b"\xff")
    assert said(text.replace("x.sh", "x‸.sh"), {"x.sh": binary}).lines == (
        "Not UTF-8: the file is sent to Heat as base64.",
    )
    assert said(text.replace("x.sh", "x‸.sh"), {}).lines == ("File not found.",)


def test_resource_whose_condition_is_false_says_so() -> None:
    text = HOT + (
        "parameters:\n  p: {type: string, default: a}\nconditions:\n  is_a: {equals: [{get_param: p}, a]}\n"
        "  is_b: {not: is_a}\nresources:\n  a: {type: OS::Heat::Value, condition: is_a}\n"
        "  b: {type: OS::Heat::Value, condition: is_b}\n  c: {type: OS::Heat::Value, condition: {not: is_a}}\n"
        "  d: {type: OS::Heat::Value, condition: none}\n  e: {type: OS::Heat::Value, depends_on: b}\n"
    )

    def absent(name: str) -> str:
        lines = said(text.replace(f"  {name}: {{type", f"  ‸{name}: {{type")).lines
        return "".join(line for line in lines if "Disabled" in line)

    assert absent("b") == "Disabled: `is_b` is false."
    assert absent("c") == "Disabled: `is_a` is true."
    assert [absent(name) for name in "ade"] == ["", "", ""]
    assert "`is_b`" in said(text.replace("depends_on: b", "depends_on: ‸b")).lines[1]
    for old, new in (("condition: is_b", "condition: ‸is_b"), ("  is_b:", "  ‸is_b:")):
        assert said(text.replace(old, new)).lines == ("Now `false`.",)


def test_function_of_another_version_says_so() -> None:
    found = said(HOT + "outputs:\n  o: {value: {Fn::Get‸Att: [a, b]}}\n")
    assert "Not a function in" in found.lines[0]


def test_html_is_escaped() -> None:
    text = HOT + "parameters:\n  p: {type: string, description: <b>x</b>}\noutputs:\n  o: {value: {get_param: ‸p}}\n"
    found = said(text)
    assert "&lt;b&gt;x" in Html.popup(found.title, found.lines)


def test_no_hover_in_blank_lines() -> None:
    model, offset = model_at(HOT + "\n‸\nresources: {}\n")
    assert hover(model, offset) is None


def test_keywords_and_members_of_groups() -> None:
    text = HOT + (
        "resources:\n  g:\n    type: OS::Heat::AutoScalingGroup\n    depends_on: []\n    properties:\n"
        "      resource:\n        type: OS::Neutron::RouterInterface\n        properties: {router_id: x}\n"
    )
    assert "created before this one" in said(text.replace("depends_on", "depends‸_on")).lines[0]
    assert said(text.replace("router_id", "router‸_id")).title == "router_id · String"
    assert said(text.replace("OS::Neutron", "OS::‸Neutron")).title == "OS::Neutron::RouterInterface"


def test_groups_and_states_are_reported_in_whole_sentences() -> None:
    server = HOT + "resources:\n  a:\n    type: OS::Nova::Server\n"
    networks = said(server + "    properties:\n      netw‸orks: []\n").lines
    assert "With `allocate_network`, no other property may be set." in networks
    assert "With `networks[*].allocate_network`, `networks` must have exactly 1 item." in networks
    addresses = said(server + "outputs:\n  x: {value: {get_attr: [a, addre‸sses]}}\n").lines
    assert "SUPPORTED since 11.0.0 (Rocky)" in addresses


def test_types_that_heat_implements_with_a_template() -> None:
    text = HOT + "resources:\n  d:\n    type: AWS::RDS::DBIns‸tance\n    properties: {Engine: MySQL}\n"
    assert "A template that comes with Heat." in said(text).lines
    assert said(text.replace("‸", "").replace("Eng", "En‸g")).title == "Engine · String · required"


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("52:54:00:1‸2:34:56", "Heat gets the number `41135085296`."),
        ("06‸44", "Heat gets the number `420`."),
        ("1.‸10", "Heat gets the number `1.1`."),
    ],
)
def test_hover_shows_the_number_that_yaml_reads(written: str, line: str) -> None:
    random = HOT + "resources:\n  a: {type: OS::Heat::RandomString, properties: {%s}}\n"
    assert line in said(random % f"salt: {written}").lines
    assert line in said(random % f"x: [{written}]").lines
    assert line not in said(random % f"salt: '{written}'").lines
