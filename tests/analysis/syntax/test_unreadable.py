"""A syntax error is reported once; problems are still reported in all text that it does not make unreadable."""

from __future__ import annotations

import pytest

from heatstudio.analysis import analyze
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from tests.advice import without_advice

HOT = "heat_template_version: 2018-08-31\n"
OTHER = "  other:\n    type: OS::Heat::RandomString\n    propertie: 3\n"

SLIPS = {
    "a quote that is not closed": 'resources:\n  a:\n    type: "OS::Nova\n    properties: {flavor: x}\n',
    "a tab": "resources:\n  a:\n\ttype: OS::Heat::RandomString\n",
    "a map that is not closed": "resources:\n  a:\n    type: OS::Heat::Value\n    properties: {value: {get_param:\n",
    "a list that is not closed": "resources:\n  a:\n    type: OS::Neutron::Port\n    properties:\n      network: [x\n",
    "too little indentation": "resources:\n  a:\n    type: OS::Neutron::Port\n   properties:\n      network: x\n",
    "a colon that is missing": (
        "resources:\n  a:\n    type: OS::Neutron::Port\n    properties:\n      network x\n      name: b\n"
    ),
    "a name without a colon": (
        "outputs:\n  o: {value: {get_attr: [server, value]}}\nresources:\n"
        "  server\n    type: OS::Heat::RandomString\n"
        "  v:\n    type: OS::Heat::Value\n    properties: {value: {get_resource: server}}\n"
    ),
    "a section without a colon": (
        "resources:\n  v:\n    type: OS::Heat::Value\n    properties: {value: {get_param: key}}\n"
        "parameters\n  key: {type: string, default: a}\n"
    ),
}


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def codes(text: str, knowledge: Knowledge) -> list[str]:
    return [found.code for found in analyze(Source(parse_template(text)), knowledge).diagnostics]


@pytest.mark.parametrize("slip", SLIPS.values(), ids=SLIPS)
def test_syntax_error_is_reported_once(slip: str, knowledge: Knowledge) -> None:
    assert codes(HOT + slip, knowledge) == ["yaml-syntax"]


def test_problems_elsewhere_are_still_reported(knowledge: Knowledge) -> None:
    text = HOT + "resources:\n  a:\n    type: OS::Neutron::Port\n   properties:\n      network: x\n" + OTHER
    assert codes(text, knowledge) == ["yaml-syntax", "invalid-resource"]


def test_problems_before_the_error_in_the_same_resource_are_still_reported(knowledge: Knowledge) -> None:
    text = HOT + "resources:\n  a:\n    propertie: 3\n    type: OS::Heat::RandomString\n    metadata: [1\n"
    assert codes(text, knowledge) == ["invalid-resource", "yaml-syntax"]


def test_unknown_name_is_still_reported(knowledge: Knowledge) -> None:
    text = HOT + "outputs:\n  o: {value: {get_attr: [nobody, value]}}\nresources:\n  a:\n    type: [\n"
    assert codes(text, knowledge) == ["unknown-resource", "yaml-syntax"]


def test_jinja_template_is_only_reported_as_such(knowledge: Knowledge) -> None:
    text = HOT + (
        "resources:\n{% for i in range(3) %}\n  a{{ i }}:\n    type: OS::Heat::RandomString\n{% endfor %}\n"
        "outputs:\n  o: {value: {get_attr: [a1, value]}}\n"
    )
    assert codes(text, knowledge) == ["jinja-template"]


def test_quoted_jinja_expressions_are_reported_once(knowledge: Knowledge) -> None:
    text = f"""{HOT}parameters:
  ram: {{type: number, default: "{{{{ ram }}}}"}}
  cidr: {{type: string, default: "{{{{ cidr }}}}"}}
  name: {{type: string, default: "{{{{ name }}}}"}}
resources:
  a: {{type: OS::Neutron::Subnet, properties: {{network: n, ip_version: "{{{{ ip }}}}", cidr: {{get_param: cidr}}}}}}
  b: {{type: OS::Neutron::Net, properties: {{nam: {{get_param: name}}}}}}
"""
    jinja, unknown = without_advice(analyze(Source(parse_template(text)), knowledge)).diagnostics
    assert jinja.message == "This looks like a Jinja source: `{{ ram }}`, `{{ ip }}` and 1 more are not rendered."
    assert [text[span.start : span.end] for span in jinja.also] == ['"{{ ip }}"', "{get_param: cidr}"]
    assert unknown.code == "unknown-property"


def test_jinja_expression_is_reported_next_to_other_problems(knowledge: Knowledge) -> None:
    resources = """resources:
  a: {type: OS::Heat::Nonee}
  b: {{ x }}
  c: {type: OS::Heat::RandomString, properties: {length: {{ y }}, lenght: 1}}
"""
    expected = ["unknown-type", "jinja-template", "jinja-template", "unknown-property"]
    assert codes(HOT + resources, knowledge) == expected


def test_names_are_converted_as_in_json(knowledge: Knowledge) -> None:
    resources = """resources:
  5: {type: OS::Heat::None}
  on: {type: OS::Heat::Nonee}
  b: {type: OS::Heat::None, depends_on: ['5', 'true']}
  c: {type: OS::Heat::None, properties: {x: {get_resource: 5}}}
"""
    assert codes(HOT + resources, knowledge) == ["unknown-type", "unknown-resource"]
