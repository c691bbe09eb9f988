"""The form of parameters: groups, origins of values, verdicts, and writing to an environment file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source, define
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.stack.inputs.parameter_schema import ParameterType
from heatstudio.stack.parameter_form import (
    MASK,
    ParameterForm,
    ValueOrigin,
    matching,
    missing_first,
    parameter_form,
    value_of_text,
    value_text,
    values_of_missing,
    with_values,
)
from heatstudio.template import CannotEditError, parse_environment, parse_template

TEXT = """heat_template_version: 2021-04-16
parameter_groups:
  - label: Where it runs
    parameters: [flavor, zone, nobody, flavor]
  - broken
parameters:
  count: {type: number, default: 3, constraints: [{range: {min: 1, max: 10}}]}
  flavor: {type: string, default: m1.small, constraints: [{allowed_values: [m1.small, m1.large]}]}
  zone: {type: string}
  password: {type: string, hidden: true, default: secret}
  public: {type: boolean}
  wrong: {type: strin}
"""
ENVIRONMENT = EnvironmentFile("/e.yaml", {"parameters": {"zone": "west", "nobody": 1}})


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def form_of(knowledge: Knowledge, *environments: EnvironmentFile, text: str = TEXT) -> ParameterForm:
    stack, _ = define(Source(parse_template(text), environments, parameter_values={"count": 99}), knowledge)
    return parameter_form(stack)


def test_groups_precede_ungrouped_parameters(knowledge: Knowledge) -> None:
    form = form_of(knowledge)
    shown = [(group.label, [field.name for field in group.fields]) for group in form.groups]
    assert shown == [
        ("Where it runs", ["flavor", "zone"]),
        ("Other parameters", ["count", "password", "public", "wrong"]),
    ]


def test_parameters_without_a_value_come_first(knowledge: Knowledge) -> None:
    groups = missing_first(form_of(knowledge).groups)
    assert [(group.label, [field.name for field in group.fields]) for group in groups] == [
        ("Without a value", ["zone", "public", "wrong"]),
        ("Where it runs", ["flavor"]),
        ("Other parameters", ["count", "password"]),
    ]
    given = form_of(knowledge, text="heat_template_version: 2021-04-16\nparameters: {a: {type: string, default: b}}")
    assert missing_first(given.groups) == given.groups


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["flavor", "zone", "count", "password", "public", "wrong"]),
        ("ZO", ["zone"]),
        ("e.yaml", ["zone"]),
        ("default o", ["flavor", "count", "password"]),
        ("secret", []),
        ("m1", []),
    ],
)
def test_filter_finds_names_and_origins_but_no_values(knowledge: Knowledge, query: str, names: list[str]) -> None:
    groups = matching(form_of(knowledge, ENVIRONMENT).groups, query)
    assert [field.name for group in groups for field in group.fields] == names


def test_names_that_are_not_text_are_shown_as_text(knowledge: Knowledge) -> None:
    text = "heat_template_version: 2021-04-16\nparameters: {null: {type: string}, 5: {type: number}, true: wrong}\n"
    form = form_of(knowledge, text=text)
    assert [field.title for field in form.groups[0].fields] == ["null", "5", "true"]  # as in the JSON sent to Heat
    assert form.fields.keys() == {"null", "5", "true"}


def test_origins_of_values(knowledge: Knowledge) -> None:
    fields = form_of(knowledge, ENVIRONMENT).fields
    assert fields["zone"].fallback.origin is ValueOrigin.ENVIRONMENT
    assert (fields["zone"].fallback.file, fields["zone"].fallback.path) == ("/e.yaml", ("parameters", "zone"))
    assert fields["count"].fallback.origin is ValueOrigin.DEFAULT
    assert fields["count"].fallback_text == "3"
    assert fields["public"].fallback.origin is ValueOrigin.MISSING
    assert fields["password"].fallback_text == MASK


def test_unknown_keys_are_flagged(knowledge: Knowledge) -> None:
    (unknown,) = form_of(knowledge, ENVIRONMENT).unknown
    assert unknown.message == "Unknown parameter `nobody`."
    assert (unknown.file, unknown.path) == ("/e.yaml", ("parameters", "nobody"))


def test_values_are_validated_as_in_heat(knowledge: Knowledge) -> None:
    fields = form_of(knowledge).fields
    assert fields["count"].verdict(None) is None
    assert fields["count"].verdict(11) == "11 is not between 1 and 10."
    assert fields["count"].heat_verdict(11) == "11 is out of range (min: 1, max: 10)"
    assert fields["flavor"].verdict("huge") == "`huge` is not an allowed value; use `m1.small` or `m1.large`."
    assert fields["public"].verdict(None) == "Parameter `public` has no value."
    assert fields["wrong"].verdict("x") == "Unknown parameter type `strin`."
    assert fields["flavor"].choices == ("m1.small", "m1.large")
    assert fields["public"].choices == (True, False)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("number", "1.5", 1.5),
        ("number", "7", 7),
        ("number", "seven", "seven"),
        ("boolean", "Yes", True),
        ("boolean", "maybe", "maybe"),
        ("comma_delimited_list", "a,b", "a,b"),
        ("comma_delimited_list", '["a", "b,c"]', ["a", "b,c"]),
        ("json", '{"a": [1]}', {"a": [1]}),
        ("json", "{", "{"),
        ("string", "1", "1"),
    ],
)
def test_typed_text_is_converted_if_possible(kind: str, text: str, value: object) -> None:
    assert value_of_text(ParameterType(kind), text) == value


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda one: st.lists(one, max_size=3)))
def test_every_value_has_a_text(value: object) -> None:
    assert isinstance(value_text(value), str)


def test_only_missing_values_apply_to_the_baseline() -> None:
    source = Source(parse_template(TEXT), (ENVIRONMENT,))
    typed = {"count": 5, "zone": "east", "public": True}
    assert values_of_missing(typed, source) == {"public": True}


def test_rest_of_the_environment_is_kept() -> None:
    text = "# mine\nparameters:\n  zone: west  # near\nresource_registry: {}\n"
    after = with_values(text, {"zone": "east", "tags": {"a": [1]}})
    assert "# mine\n" in after
    assert "zone: east  # near\n" in after
    assert parse_environment(after).data["parameters"] == {"zone": "east", "tags": {"a": [1]}}
    assert "resource_registry: {}\n" in after


@pytest.mark.parametrize(
    "text", ["", "# only words", "parameters:\n", "parameters: {}\n", "parameter_defaults: {b: 1}\n"]
)
def test_parameters_are_added_to_an_environment_without_any(text: str) -> None:
    after = with_values(text, {"zone": "east"})
    assert parse_environment(after).data["parameters"] == {"zone": "east"}
    assert after.startswith(text.split("\n", maxsplit=1)[0].split(":", maxsplit=1)[0])


def test_unreadable_files_are_not_changed() -> None:
    with pytest.raises(CannotEditError):
        with_values("parameters: {a: [", {"a": 1})
