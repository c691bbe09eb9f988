"""Disabled resources and outputs and untaken branches of `if` are checked under their conditions."""

from __future__ import annotations

import pytest

from heatstudio.analysis import Analysis, analyze
from heatstudio.analysis.scope.branches import MOST_BRANCHES, MOST_CASES, Case, suppositions
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.functions.conditions import suppose
from heatstudio.template import parse_template
from heatstudio.text import Severity
from tests.advice import without_advice

KNOWLEDGE = load_knowledge()
START = """heat_template_version: 2021-04-16
parameters:
  env: {type: string, default: dev}
  size: {type: number}
conditions:
  prod: {equals: [{get_param: env}, prod]}
  dev: {equals: [{get_param: env}, dev]}
  large: {equals: [{get_param: size}, 3]}
  both: {and: [prod, large]}
resources:
  always: {type: OS::Neutron::Net}
  net: {type: OS::Neutron::Net, condition: prod}
  dev_net: {type: OS::Neutron::Net, condition: dev}
"""
ERROR, WARNING, INFORMATION = Severity.ERROR, Severity.WARNING, Severity.INFORMATION


def look(text: str) -> Analysis:
    return without_advice(analyze(Source(parse_template(text)), KNOWLEDGE))


def findings(added: str) -> list[tuple[Severity, str]]:
    """Return the severity and the message of each diagnostic, without the suggestion."""
    found = look(f"{START}  {added}\n").diagnostics
    return [(each.severity, each.message.partition(" Did you mean")[0]) for each in found]


@pytest.mark.parametrize(
    ("added", "expected"),
    [
        (
            "x: {type: OS::Neutron::Net, condition: prod, properties: {nam: a}}",
            [(INFORMATION, "When `prod` is true: Unknown property `nam`.")],
        ),
        (
            "x: {type: OS::Neutron::Net, condition: {not: dev}, properties: {nam: a}}",
            [(INFORMATION, "When `dev` is false: Unknown property `nam`.")],
        ),
        (
            "x: {type: OS::Neutron::Net, condition: {equals: [a, {get_param: env}]}, properties: {nam: a}}",
            [(INFORMATION, "When `env` is `a`: Unknown property `nam`.")],
        ),
        (
            "x: {type: OS::Neutron::Net, condition: large, properties: {nam: a}}",
            [(WARNING, "When `large` is true: Unknown property `nam`.")],
        ),
        (
            "x: {type: OS::Neutron::Net, condition: both, properties: {nam: {get_resource: net}}}",
            [(INFORMATION, "When `both` is true: Unknown property `nam`.")],
        ),
        (
            "x: {type: OS::Neutron::Net, condition: false, properties: {nam: a}}",
            [(INFORMATION, "When the condition is true: Unknown property `nam`.")],
        ),
        ("x: {type: OS::Neutron::Port, condition: prod, properties: {network: {get_resource: net}}}", []),
        ("x: {type: OS::Neutron::Port, condition: dev, properties: {network: {get_resource: dev_net}}}", []),
        (
            "x: {type: OS::Neutron::Port, condition: prod, properties: {network: {get_resource: dev_net}}}",
            [(INFORMATION, "When `prod` is true: Resource `dev_net` is disabled: `dev` is false.")],
        ),
        (
            "x: {type: OS::Neutron::Port, properties: {network: {get_resource: dev_net}}}",
            [(INFORMATION, "When `dev` is false: Resource `dev_net` is disabled.")],
        ),
        (
            "x: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}",
            [(ERROR, "Resource `net` is disabled: `prod` is false.")],
        ),
        ("x: {type: OS::Neutron::Port, properties: {network: {if: [prod, {get_resource: net}, a]}}}", []),
        (
            "x: {type: OS::Neutron::Net, properties: {shared: {if: [prod, maybe, true]}}}",
            [(INFORMATION, "When `prod` is true: Expected true or false, not `maybe`.")],
        ),
        (
            "x: {type: OS::Neutron::Net, properties: {shared: {if: [prod, true, {if: [large, true, maybe]}]}}}",
            [(WARNING, "When `large` is false: Expected true or false, not `maybe`.")],
        ),
        (
            "x: {type: OS::Heat::Value, properties: {value: {if: [dev, a, {get_param: [envv, 0]}]}}}",
            [(INFORMATION, "When `dev` is false: Unknown parameter `envv`.")],
        ),
        (
            "x: {type: OS::Neutron::Port, properties: {network: {if: [dev, n]}}}",
            [(INFORMATION, "When `dev` is false: Missing required property `network`.")],
        ),
        (
            "x: {type: OS::Neutron::Net, properties: {value_specs: {if: [prod, {if: [dev, {get_attr: a}, {}]}, {}]}}}",
            [],
        ),
    ],
)
def test_problems_name_the_condition(added: str, expected: list[tuple[Severity, str]]) -> None:
    assert findings(added) == expected


@pytest.mark.parametrize(
    "entry",
    [
        "type: OS::Neutron::Net, metadata: {a: {get_resource: [1]}}",
        "type: OS::Neutron::Net, properties: {name: {get_resource: [1]}}",
        "type: OS::Heat::None, properties: {name: {get_resource: [1]}}",
    ],
)
def test_a_reference_without_a_name_is_an_error(entry: str) -> None:
    ((severity, message),) = findings(f"x: {{{entry}}}")
    assert severity is ERROR
    assert message == "A name must be a string, not a list."


def test_problem_in_a_branch_is_located_in_the_branch() -> None:
    text = f"{START}  x: {{type: OS::Neutron::Net, properties: {{shared: {{if: [prod, maybe, perhaps]}}}}}}\n"
    written = [text[each.span.start : each.span.end] for each in look(text).diagnostics]
    assert written == ["maybe", "perhaps"]


def test_misspelled_condition_does_not_hide_errors() -> None:
    text = """
  x: {type: OS::Neutron::Net, condition: %s, properties: {nam: a}}
  y: {type: OS::Neutron::Net, properties: {shared: {if: [%s, maybe, true]}}}
outputs:
  o: {value: {get_attr: [always, shw]}, condition: %s}
"""
    wrong = {each.code: each.severity for each in look(START + text % (("deev",) * 3)).diagnostics}
    right = {each.code: each.severity for each in look(START + text % (("dev",) * 3)).diagnostics}
    assert right == dict.fromkeys(("unknown-property", "wrong-value-type", "invalid-output"), ERROR)
    assert wrong == right | dict.fromkeys(("invalid-condition", "invalid-function"), ERROR)


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("{value: {get_attr: [net, shw]}, condition: prod}", [INFORMATION]),
        ("{value: {if: [prod, {get_attr: [net, shw]}, 1]}}", [INFORMATION]),
        ("{value: {get_attr: [dev_net, show]}}", [INFORMATION]),
        ("{value: {get_attr: [dev_net, show]}, condition: dev}", []),
        ("{value: {get_param: nope}, condition: prod}", [INFORMATION]),
        ("{value: {get_resource: {}}}", [ERROR]),
    ],
)
def test_outputs_are_checked_under_their_conditions(output: str, expected: list[Severity]) -> None:
    found = look(f"{START}outputs:\n  o: {output}\n").diagnostics
    assert [each.severity for each in found] == expected


def test_an_external_id_that_is_null_may_have_dependencies() -> None:
    assert findings("x: {type: OS::Heat::None, external_id: {get_attr: [always, show]}, depends_on: always}") == []
    ((severity, _),) = findings("x: {type: OS::Heat::None, external_id: an-id, depends_on: always}")
    assert severity is ERROR


@pytest.mark.parametrize(
    ("external_id", "is_id"),
    [("x", True), ("''", False), ("{get_param: [ids, none]}", False), ("{get_param: [ids, one]}", True)],
)
def test_only_a_non_empty_external_id_removes_dependencies(external_id: str, is_id: bool) -> None:
    text = f"""heat_template_version: 2021-04-16
parameters: {{ids: {{type: json, default: {{none: null, one: x}}}}}}
resources:
  a: {{type: OS::Heat::None, external_id: {external_id}, properties: {{b: {{get_resource: b}}}}}}
  b: {{type: OS::Heat::None, depends_on: a}}
"""
    first = look(text)
    assert [each.code for each in first.diagnostics] == ([] if is_id else ["circular-dependency"])
    for value in ("x", "null", "x"):
        edited = Source(parse_template(text.replace("none: null, one: x", f"none: {value}, one: {value}")))
        first = analyze(edited, KNOWLEDGE, previous=first)
        assert first.diagnostics == analyze(edited, KNOWLEDGE).diagnostics


@pytest.mark.parametrize("kind", ["{type: OS::Heat::None%s}", "{type: OS::Heat::None, external_id: x%s}"])
def test_removed_function_in_a_deletion_policy_is_reported_once(kind: str) -> None:
    start = "heat_template_version: 2017-02-24\nparameters: {a: {type: string, default: a}}\n"
    text = f"{start}resources: {{x: {kind % ', deletion_policy: {Ref: a}'}}}\n"
    assert [(each.code, each.severity) for each in look(text).diagnostics] == [("invalid-function", ERROR)]


def test_attribute_in_an_external_id_is_reported_unless_an_output_reads_it() -> None:
    added = """  string: {type: OS::Heat::RandomString}
  x: {type: OS::Neutron::Net, external_id: {get_attr: [string, value]}}
"""
    first = look(START + added)
    assert [each.code for each in first.diagnostics] == ["invalid-function"]
    text = f"{START}{added}outputs:\n  o: {{value: {{get_attr: [string, value]}}}}\n"
    assert without_advice(analyze(Source(parse_template(text)), KNOWLEDGE, previous=first)).diagnostics == ()


def test_inactive_text_has_a_reason() -> None:
    text = (
        START
        + """
  x:
    type: OS::Neutron::Net
    properties: {name: {if: [prod, {if: [large, a, b]}, {if: [dev, c, d]}]}, shared: {if: [dev, true]}}
outputs:
  one: {value: 1, condition: prod}
  two: {value: {if: [large, 1, 2]}}
"""
    )
    found = [(text[span.start : span.end], reason) for span, reason in look(text).inactive]
    assert found == [
        ("one: {value: 1, condition: prod}", "Disabled: `prod` is false."),
        ("net: {type: OS::Neutron::Net, condition: prod}", "Disabled: `prod` is false."),
        ("{if: [large, a, b]}", "Disabled: `prod` is false."),
        ("d", "Disabled: `dev` is true."),
    ]


def test_condition_with_too_many_dependencies_is_not_assumed() -> None:
    assert suppose([("c0", True)], lambda name: f"c{int(name[1:]) + 1}") is None


def test_only_cases_up_to_the_limit_are_generated() -> None:
    left = iter(Case(((f"c{number}", True),)) for number in range(2 * MOST_CASES))
    assert len(list(suppositions(left, look(START).stack))) == MOST_CASES
    assert len(list(left)) == MOST_CASES - 1


def test_fewer_cases_are_tried_if_there_are_more_branches() -> None:
    cases = [Case(((f"c{number}", True),)) for number in range(2 * MOST_CASES)]
    stack = look(START).stack
    assert len(list(suppositions(cases, stack, MOST_BRANCHES // 3))) == 3
    assert len(list(suppositions(cases, stack, 2 * MOST_BRANCHES))) == 1


def test_long_chain_of_conditions_is_analyzed_again_after_an_edit() -> None:
    conditions = "".join(f"  c{number + 1}: {{not: c{number}}}\n" for number in range(900))
    head = "heat_template_version: 2021-04-16\nparameters: {p: {type: boolean}}\n"
    text = f"{head}conditions:\n  c0: {{get_param: p}}\n{conditions}"
    text += "resources:\n"
    text += "".join(f"  r{number}: {{type: OS::Heat::None, condition: c{number}}}\n" for number in range(900))
    before = look(text)
    template = parse_template(f"{text}# edited\n", before.template)
    after = without_advice(analyze(Source(template), KNOWLEDGE, previous=before))
    assert after.diagnostics == before.diagnostics == ()


@pytest.mark.parametrize(
    ("env", "size", "expected"),
    [
        ("prod", 1, ["When `either` is true and `env` is `dev`: Resource `net` is disabled."]),
        ("prod", 3, ["When `env` is `dev` and `either` is true: Resource `net` is disabled."]),
        ("test", 1, ["When `env` is `dev` and `either` is true: Resource `net` is disabled."]),
        ("dev", 1, []),
        ("dev", 3, ["Resource `net` is disabled: `env` is `dev`."]),
    ],
)
def test_own_condition_is_named_if_the_other_one_does_not_keep_it(env: str, size: int, expected: list[str]) -> None:
    text = """heat_template_version: 2021-04-16
parameters:
  env: {type: string}
  size: {type: number}
conditions:
  either: {or: [{equals: [{get_param: size}, 3]}, {equals: [{get_param: env}, test]}]}
resources:
  net: {type: OS::Neutron::Net, condition: {not: {equals: [{get_param: env}, dev]}}}
  subnet: {type: OS::Neutron::Subnet, condition: either, properties: {network: {get_resource: net}, cidr: 10.0.0.0/8}}
"""
    source = Source(parse_template(text), parameter_values={"env": env, "size": size})
    assert [one.message for one in without_advice(analyze(source, KNOWLEDGE)).diagnostics] == expected
