"""Unknown names in resources and outputs are reported once, at the name, with similar names."""

from __future__ import annotations

from textwrap import dedent

import pytest

from heatstudio.analysis import Analysis, Diagnostic, analyze
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.text import Severity, apply_edits
from tests.advice import without_advice

START = """\
heat_template_version: 2018-08-31
parameters: {kind: {type: string, default: test}}
conditions:
  is_prod: {equals: [{get_param: kind}, prod]}
resources:
  server: {type: OS::Heat::RandomString, condition: is_prod}
  value: {type: OS::Heat::RandomString}
"""


NAMED = """heat_template_version: 2018-08-31
parameters: {size: {type: number}}
resources:
  net: {type: OS::Neutron::Net, properties: {name: %s}}
  text: {type: OS::Heat::RandomString, properties: {length: %s}}
outputs: {o: {value: %s}}
"""


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def look(text: str, knowledge: Knowledge) -> Analysis:
    return without_advice(analyze(Source(parse_template(text)), knowledge))


def only(analysis: Analysis) -> Diagnostic:
    (finding,) = analysis.diagnostics
    return finding


def written(analysis: Analysis, found: Diagnostic) -> str:
    return analysis.template.text[found.span.start : found.span.end]


@pytest.mark.parametrize(
    ("output", "name", "severity"),
    [
        ("{value: {get_resource: valu}}", "valu", Severity.WARNING),
        ("{value: {list_join: [',', [{get_resource: valu}]]}}", "valu", Severity.WARNING),
        ("{value: {get_attr: [valu, value]}}", "valu", Severity.ERROR),
        ("{value: {get_attr: [value, valu]}}", "valu", Severity.ERROR),
        ("{value: {if: [is_pro, 1, 2]}}", "is_pro", Severity.ERROR),
        ("{value: 1, condition: is_pro}", "is_pro", Severity.ERROR),
        ("{value: {if: [is_prod, {get_attr: [valu, value]}, 2]}}", "valu", Severity.INFORMATION),
    ],
)
def test_misspelled_name_in_an_output_is_reported_once_and_can_be_fixed(
    output: str, name: str, severity: Severity, knowledge: Knowledge
) -> None:
    analysis = look(f"{START}outputs:\n  one: {output}\n", knowledge)
    finding = only(analysis)
    assert (written(analysis, finding), finding.severity) == (name, severity)
    assert "Did you mean" in finding.message
    first = analysis.fixes(finding)[0]
    assert first.preferred
    assert look(apply_edits(analysis.template.text, first.edits), knowledge).diagnostics == ()


@pytest.mark.parametrize(
    ("value", "name"),
    [("{get_attr: [valu, value]}", "valu"), ("{get_attr: [value, valu]}", "valu"), ("{if: [is_pro, 1, 2]}", "is_pro")],
)
def test_a_misspelled_name_in_a_resource_is_reported_once(value: str, name: str, knowledge: Knowledge) -> None:
    analysis = look(f"{START}  reader: {{type: OS::Heat::Value, properties: {{value: {value}}}}}\n", knowledge)
    finding = only(analysis)
    assert written(analysis, finding) == name
    assert look(apply_edits(analysis.template.text, analysis.fixes(finding)[0].edits), knowledge).diagnostics == ()


def test_other_element_of_a_series_is_not_meant(knowledge: Knowledge) -> None:
    text = f"{START}  port_1: {{type: OS::Heat::None}}\noutputs:\n  one: {{value: {{get_resource: port_2}}}}\n"
    analysis = look(text, knowledge)
    finding = only(analysis)
    assert "Did you mean" not in finding.message
    assert [fix.title for fix in analysis.fixes(finding)] == ["Create resource `port_2` (OS::Heat::None)"]


def test_unknown_name_without_similar_names_can_be_declared(knowledge: Knowledge) -> None:
    text = f"{START}  reader: {{type: OS::Heat::Value, condition: never, properties: {{value: 1}}}}\n"
    analysis = look(f"{text}outputs:\n  one: {{value: {{get_attr: [elsewhere, any]}}}}\n", knowledge)
    made = {fix.title: fix for found in analysis.diagnostics for fix in analysis.fixes(found)}
    assert set(made) == {"Declare condition `never`", "Create resource `elsewhere` (OS::Heat::None)"}
    text = apply_edits(analysis.template.text, made["Declare condition `never`"].edits)
    assert [found.code for found in look(text, knowledge).diagnostics] == ["unknown-resource"]
    assert parse_template(text).data["conditions"] == {"is_prod": parse_conditions(START), "never": True}


def parse_conditions(text: str) -> object:
    conditions = parse_template(text).data["conditions"]
    assert isinstance(conditions, dict)
    return conditions["is_prod"]


def test_output_of_a_disabled_resource_can_use_the_same_condition(knowledge: Knowledge) -> None:
    analysis = look(f"{START}outputs:\n  one: {{value: {{get_attr: [server, value]}}}}\n", knowledge)
    finding = only(analysis)
    assert "Resource `server` is disabled: `is_prod` is false." in finding.message
    (fix,) = analysis.fixes(finding)
    text = apply_edits(analysis.template.text, fix.edits)
    assert "condition: is_prod}" in text.splitlines()[-1]
    assert look(text, knowledge).diagnostics == ()


def test_misspelled_condition_is_checked_again_after_conditions_change(knowledge: Knowledge) -> None:
    text = f"{START}  reader: {{type: OS::Heat::Value, condition: never, properties: {{value: 1}}}}\n"
    before = look(text, knowledge)
    changed = text.replace("conditions:\n", "conditions:\n  neverr: false\n")
    template = parse_template(changed, before.template)
    after = without_advice(analyze(Source(template), knowledge, previous=before))
    assert "`neverr`" in only(after).message


@pytest.mark.parametrize("entry", ["{tpye: OS::Heat::RandomString}", "{Type: OS::Heat::RandomString}"])
def test_misspelled_type_key_is_reported_once(entry: str, knowledge: Knowledge) -> None:
    analysis = look(f"heat_template_version: 2018-08-31\nresources:\n  one: {entry}\n", knowledge)
    (fix,) = analysis.fixes(only(analysis))
    assert look(apply_edits(analysis.template.text, fix.edits), knowledge).diagnostics == ()


def test_misspelled_type_key_in_cfn_is_reported_once(knowledge: Knowledge) -> None:
    text = 'AWSTemplateFormatVersion: "2010-09-09"\nResources:\n  one: {type: OS::Heat::RandomString}\n'
    analysis = look(text, knowledge)
    (fix,) = analysis.fixes(only(analysis))
    assert look(apply_edits(text, fix.edits), knowledge).diagnostics == ()


def test_type_without_a_value_is_reported_once(knowledge: Knowledge) -> None:
    text = dedent("""\
        heat_template_version: 2018-08-31
        resources:
          one: {type: , properties: {value: 1}}
    """)
    found = only(look(text, knowledge))
    assert found.message == "The resource has no type."
    assert found.heat == "Each Resource must contain a Type key."


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (
            """
            heat_template_version: 2018-08-31
            parameters: {which: {type: string, default: ''}}
            resources:
              value: {type: OS::Heat::Value, properties: {value: {get_resource: {get_param: which}}}}
            """,
            "unknown-resource",
        ),
        (
            """
            heat_template_version: 2018-08-31
            resources:
              value: {type: OS::Heat::Value, properties: {value: {get_resource: ''}}}
            """,
            "unknown-resource",
        ),
        (
            """
            HeatTemplateFormatVersion: '2012-12-12'
            Resources:
              value: {Type: OS::Heat::Value, Properties: {value: {Ref: 0}}}
            """,
            "unresolvable-value",
        ),
    ],
)
def test_empty_or_non_string_name_refers_to_nothing(text: str, code: str, knowledge: Knowledge) -> None:
    analysis = look(dedent(text).strip() + "\n", knowledge)
    finding = only(analysis)
    assert (finding.code, finding.severity) == (code, Severity.ERROR)
    assert analysis.fixes(finding) == ()


@pytest.mark.parametrize(
    ("name", "severity", "meant"),
    [
        ("Vendor::X", Severity.INFORMATION, ""),
        ("OS::Vendor::X", Severity.INFORMATION, ""),
        ("OS::TripleO::Controller", Severity.INFORMATION, ""),
        ("OS::Nova::Thing", Severity.ERROR, ""),
        ("AWS::Vendor::X", Severity.ERROR, ""),
        ("O::Nova::Server", Severity.ERROR, "OS::Nova::Server"),
        ("OS::Nvoa::Server", Severity.ERROR, "OS::Nova::Server"),
        ("Thing", Severity.ERROR, ""),
    ],
)
def test_type_of_a_possible_plugin_is_no_error_unless_it_resembles_a_type_of_heat(
    name: str, severity: Severity, meant: str
) -> None:
    text = f"heat_template_version: 2021-04-16\nresources: {{a: {{type: '{name}'}}}}\n"
    (found,) = analyze(Source(parse_template(text)), load_knowledge()).diagnostics
    assert (found.severity, meant in found.message) == (severity, True)
    assert ("Did you mean" in found.message) is bool(meant)


def test_parameters_and_resources_are_not_confused(knowledge: Knowledge) -> None:
    right = NAMED % ("{get_resource: text}", "{get_param: size}", "{get_resource: net}")
    text = NAMED % ("{get_param: text}", "{get_resource: size}", "{get_param: net}")
    analysis = look(text, knowledge)
    assert [one.message for one in analysis.diagnostics] == [
        "Unknown parameter `text`: this is a resource; use `get_resource`.",
        "Unknown resource `size`: this is a parameter; use `get_param`.",
        "Unknown parameter `net`: this is a resource; use `get_resource`.",
    ]
    edits = [edit for one in analysis.diagnostics for edit in analysis.fixes(one)[0].edits]
    assert apply_edits(text, edits) == right
