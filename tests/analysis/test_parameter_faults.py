"""All problems of a parameter are reported at once, each at its key."""

from __future__ import annotations

import pytest

from heatstudio.analysis import Analysis, analyze
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.template import parse_template
from heatstudio.text import Severity, apply_edits

HOT = "heat_template_version: 2018-08-31\nparameters:\n  one:\n"


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def look(text: str, knowledge: Knowledge) -> Analysis:
    return analyze(Source(parse_template(text)), knowledge)


def reported(analysis: Analysis) -> list[tuple[int, str]]:
    text = analysis.template.text
    return [(text.count("\n", 0, one.span.start) - 2, one.message) for one in analysis.diagnostics]


def test_every_fault_of_a_declaration_is_reported_at_its_line(knowledge: Knowledge) -> None:
    text = f"""{HOT}    type: number
    nonsense: 1
    constraints:
      - allowed_values: 3
      - range: {{min: 1}}
      - length: {{min: a}}
      - allowed_pattern: "["
    default: abc
"""
    assert reported(look(text, knowledge)) == [
        (2, "Unknown key `nonsense` in parameter `one`."),
        (4, "The allowed values must be a list."),
        (6, "Expected a number, not `a`."),
        (7, "Invalid pattern: missing `]`."),
        (8, "Invalid default of `one`: expected a number, not `abc`."),
    ]


def test_default_is_validated_next_to_an_unknown_key(knowledge: Knowledge) -> None:
    text = f"{HOT}    type: boolean\n    hiden: true\n    default: maybe\n"
    lines = [line for line, _ in reported(look(text, knowledge))]
    assert lines == [2, 3]


def test_default_is_not_checked_if_the_type_is_unknown(knowledge: Knowledge) -> None:
    text = f"{HOT}    type: numer\n    default: abc\n    constraints: [{{range: 3}}]\n"
    assert reported(look(text, knowledge)) == [
        (1, "Unknown parameter type `numer`. Did you mean `number`?"),
        (3, "The `range` constraint must be a map."),
    ]


@pytest.mark.parametrize(
    ("declaration", "fixed"),
    [
        ("    type: strin\n", "    type: string\n"),
        ("    type: string\n    defualt: a\n", "    type: string\n    default: a\n"),
        ("    Type: string\n", "    type: string\n"),
        (
            "    type: string\n    constraints: [{lenght: {max: 2}}]\n",
            "    type: string\n    constraints: [{length: {max: 2}}]\n",
        ),
    ],
)
def test_misspelled_key_of_a_declaration_has_a_fix(declaration: str, fixed: str, knowledge: Knowledge) -> None:
    analysis = look(HOT + declaration, knowledge)
    (found,) = analysis.diagnostics
    fixes = analysis.fixes(found)
    assert [fix.preferred for fix in fixes] == [True]
    assert apply_edits(analysis.template.text, fixes[0].edits) == HOT + fixed
    assert look(HOT + fixed, knowledge).diagnostics == ()


@pytest.mark.parametrize(
    ("name", "severity", "hint"),
    [
        ("nova.flavor", None, ""),
        ("ip_addr", None, ""),
        ("my.constraint", Severity.INFORMATION, ""),
        ("neutron.netwrok", Severity.WARNING, "Did you mean `neutron.network`?"),
        ("''", Severity.ERROR, ""),
        ("' '", Severity.ERROR, ""),
        ("null", Severity.ERROR, ""),
        ("5", Severity.ERROR, ""),
        ("[nova.flavor]", Severity.ERROR, ""),
    ],
)
def test_unknown_custom_constraint_may_belong_to_a_plugin(
    name: str, severity: Severity | None, hint: str, knowledge: Knowledge
) -> None:
    """Heat rejects all values for an unknown constraint; a plug-in may add constraints, but none without a name."""
    text = f"{HOT}    type: string\n    default: 10.0.0.1\n    constraints:\n      - custom_constraint: {name}\n"
    analysis = look(text, knowledge)
    assert [one.severity for one in analysis.diagnostics] == ([] if severity is None else [severity])
    assert all(one.message.endswith(hint or one.message) for one in analysis.diagnostics)
    assert {line for line, _ in reported(analysis)} == (
        set() if severity is None else {2 if severity is Severity.ERROR else 4}
    )


@pytest.mark.parametrize(
    ("name", "is_known"),
    [("one", True), ("OS::stack_id", True), ("OS::project_id", True), ("OS::stack_name", False), ("two", False)],
)
def test_pseudo_parameters_in_a_parameter_group(name: str, is_known: bool, knowledge: Knowledge) -> None:
    """Heat checks parameter groups without a stack, so that pseudo parameters such as its name do not exist."""
    text = f"{HOT}    {{type: string, default: a}}\nparameter_groups: [{{parameters: ['{name}']}}]\n"
    assert bool(look(text, knowledge).diagnostics) is not is_known


def test_refused_value_has_the_words_of_the_author(knowledge: Knowledge) -> None:
    text = f"""{HOT}    type: string
    constraints: [{{length: {{min: 6, max: 8}}, description: Six to eight characters.}}]
"""
    environment = EnvironmentFile("env.yaml", {"parameters": {"one": "abc"}})
    source = Source(parse_template(text + "resources: {}\n"), (environment,))
    (found,) = analyze(source, knowledge).diagnostics
    assert found.message == "Invalid value of `one`: Six to eight characters."


def test_wrong_items_of_a_list_are_marked(knowledge: Knowledge) -> None:
    text = f"""{HOT}    type: comma_delimited_list
    default: [web, databas, cache]
    constraints: [{{allowed_values: [web, database]}}]
"""
    analysis = look(text, knowledge)
    (found,) = analysis.diagnostics
    assert found.message.startswith("Invalid default of `one`: `databas` is not an allowed value; use `web`")
    assert [text[span.start : span.end] for span in (found.span, *found.also)] == ["databas", "cache"]
    (fix,) = analysis.fixes(found)
    assert apply_edits(text, fix.edits) == text.replace("databas,", "database,")


def test_wrong_default_of_cfn_has_no_suggested_key(knowledge: Knowledge) -> None:
    text = "AWSTemplateFormatVersion: 2010-09-09\nParameters:\n  One: {Type: String, Default: 1, AllowedPattern: a}\n"
    (found,) = look(text, knowledge).diagnostics
    assert text[found.span.start : found.span.end] == "1"
    assert "Did you mean" not in found.message
