"""Values that Heat reads before it creates a resource: servers of deployments, types of orders, existing resources.

The verdicts are those of the engine.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from heatstudio.analysis import analyze
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.text import Severity
from tests.load import load_source

HOT = "heat_template_version: 2021-04-16\n"
AROUND = """
parameters:
  list: {type: comma_delimited_list, default: 'a,b'}
  map: {type: json, default: {a: b}}
  number: {type: number, default: 5}
resources:
  random: {type: OS::Heat::RandomString}
  key: {type: OS::Heat::RandomString}
"""


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def errors(text: str, knowledge: Knowledge) -> list[tuple[str, str]]:
    """Return the text and the code of each error."""
    found = analyze(Source(parse_template(text)), knowledge).diagnostics
    return [(text[one.span.start : one.span.end], one.code) for one in found if one.severity is Severity.ERROR]


@pytest.mark.parametrize("kind", ["SoftwareDeploymentGroup", "StructuredDeployments"])
@pytest.mark.parametrize(
    ("servers", "wrong"),
    [
        ("{a: b, c: 5, d: true, e: null, f: ''}", []),
        ("{a: {get_resource: random}, b: {get_attr: [random, value]}, c: {get_param: number}}", []),
        ("{get_param: map}", []),
        ("{c: [x], a: b}", ["c"]),
        ("{a: b, c: [x]}", []),  # Heat validates the first deployment only
        ("{a: {b: c}}", ["a"]),
        ("{a: 1.5}", ["a"]),
        ("{a: {get_param: list}}", ["a"]),
        ("{a: {get_param: map}}", ["a"]),
    ],
)
def test_servers_of_a_deployment_must_be_strings(
    kind: str, servers: str, wrong: list[str], knowledge: Knowledge
) -> None:
    deployment = f"  all: {{type: OS::Heat::{kind}, properties: {{config: c, servers: {servers}}}}}\n"
    assert errors(HOT + AROUND + deployment, knowledge) == [(text, "wrong-value-type") for text in wrong]


@pytest.mark.parametrize(
    ("kind", "is_refused"),
    [
        ("key", False),
        ("{get_param: number}", True),
        ("{get_resource: key}", False),
        ("{get_resource: random}", True),
        ("{get_attr: [random, value]}", True),
        ("{str_replace: {template: $a, params: {$a: {get_attr: [random, value]}}}}", True),
    ],
)
def test_order_type_must_be_known_before_creation(kind: str, is_refused: bool, knowledge: Knowledge) -> None:
    properties = f"{{type: {kind}, algorithm: aes, bit_length: 256}}"
    found = errors(f"{HOT}{AROUND}  order: {{type: OS::Barbican::Order, properties: {properties}}}\n", knowledge)
    assert [code for _, code in found] == (["refused-value"] if is_refused else [])


@pytest.mark.parametrize(
    ("template", "reported"),
    [
        ("parameters: {p: {type: number, default: text}}\nresources: {a: {type: OS::Nothing}}\nsection: {}\n", None),
        ("outputs: {a: {value: {get_attr: [nothing, here]}}}\n", None),
        ("parameters: {p: {type: nothing}}\n", "inner.yaml: Invalid type (nothing)"),
        ("parameters: {p: null}\n", "inner.yaml: Invalid parameter (p), expected a mapping"),
        (
            "outputs: {a: {}}\n",
            "inner.yaml: Output validation error: outputs.a: Each output definition must contain a value key.",
        ),
    ],
)
def test_nested_template_with_an_external_id_is_only_checked_in_outline(
    template: str, reported: str | None, tmp_path: Path, knowledge: Knowledge
) -> None:
    path = tmp_path / "main.yaml"
    path.write_text(f"{HOT}resources: {{a: {{type: inner.yaml, external_id: it}}}}\n")
    (tmp_path / "inner.yaml").write_text(HOT + template)
    found = analyze(load_source(path), knowledge).diagnostics
    assert [(one.message, one.severity) for one in found] == ([(reported, Severity.ERROR)] if reported else [])


def test_unreadable_template_is_not_an_error_for_an_existing_resource(tmp_path: Path, knowledge: Knowledge) -> None:
    path = tmp_path / "main.yaml"
    (tmp_path / "inner.yaml").write_text("a: [")
    for external, severity in {"": Severity.ERROR, ", external_id: it": Severity.WARNING}.items():
        path.write_text(f"{HOT}resources: {{a: {{type: inner.yaml{external}}}}}\n")
        assert [one.severity for one in analyze(load_source(path), knowledge).diagnostics] == [severity]


def test_resource_with_the_name_of_a_pseudo_parameter_is_reported(knowledge: Knowledge) -> None:
    text = f"{HOT}resources: {{'OS::stack_name': {{type: OS::Heat::None}}, stack_name: {{type: OS::Heat::None}}}}\n"
    assert errors(text, knowledge) == [("'OS::stack_name'", "duplicate-name")]


@pytest.mark.parametrize(
    ("kind", "policy", "code"),
    [
        ("OS::Heat::RandomString", "{get_param: [map, a]}", "invalid-resource"),
        ("OS::Heat::RandomString", "{list_join: ['', [Del, ete]]}", ""),
        ("OS::Heat::RandomString", "{get_attr: [random, value]}", "invalid-resource"),
        ("OS::Heat::RandomString", "{if: [nothing, Delete, Retain]}", "invalid-function"),
        ("OS::Heat::RandomString", "{Ref: number}", "invalid-function"),
        ("OS::Heat::None", "{Ref: number}", "invalid-function"),
        ("OS::Heat::RandomString, external_id: it", "{Ref: number}", "invalid-function"),
    ],
)
def test_deletion_policy_is_known_before_creation(kind: str, policy: str, code: str, knowledge: Knowledge) -> None:
    found = errors(f"{HOT}{AROUND}  a: {{type: {kind}, deletion_policy: {policy}}}\n", knowledge)
    assert [one for _, one in found] == ([code] if code else [])


@pytest.mark.parametrize(
    ("identity", "is_refused"),
    [
        ("it", False),
        ("{get_param: number}", False),
        ("{get_resource: random}", False),
        ("{get_resource: nothing}", True),
        ("{get_attr: [nothing, value]}", True),
        ("{digest: [nothing, x]}", True),
        ("{str_replace_strict: {template: x, params: {y: z}}}", True),
    ],
)
def test_external_id_is_resolved_before_creation(identity: str, is_refused: bool, knowledge: Knowledge) -> None:
    for condition in ("true", "false"):
        kind = f"type: OS::Heat::RandomString, external_id: {identity}, condition: {condition}"
        found = errors(f"{HOT}{AROUND}  a: {{{kind}}}\n", knowledge)
        assert bool(found) is (is_refused and condition == "true"), found


@pytest.mark.parametrize("call", ["{Fn::GetAtt: [random, value]}", "{nothing: [5]}", "{a: b, c: d}"])
@pytest.mark.parametrize(
    "group",
    [
        "ResourceGroup, properties: {count: 1, resource_def: {type: OS::Heat::RandomString, properties: CALL}}",
        "ResourceChain, properties: {resources: [OS::Heat::RandomString], resource_properties: CALL}",
    ],
)
def test_function_of_another_version_is_rejected_in_a_group_member(call: str, group: str, knowledge: Knowledge) -> None:
    text = f"{HOT}{AROUND}  all: {{type: OS::Heat::{group.replace('CALL', f'{{length: {call}}}')}}}\n"
    assert [code for _, code in errors(text, knowledge)] == ["wrong-value-type"]


def test_get_azs_is_a_list_of_unknown_zones(knowledge: Knowledge) -> None:
    zones = "{'Fn::GetAZs': ''}"
    volume = f"Size: SIZE, AvailabilityZone: {{'Fn::Select': [0, {zones}]}}"
    resource = f"{{Type: AWS::EC2::Volume, Properties: {{{volume}}}}}"
    text = f"HeatTemplateFormatVersion: '2012-12-12'\nResources: {{a: {resource}}}\n"
    assert errors(text.replace("SIZE", "1"), knowledge) == []
    assert [code for _, code in errors(text.replace("SIZE", zones), knowledge)] == ["wrong-value-type"]
