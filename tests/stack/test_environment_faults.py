"""Errors in environments that Heat or its client rejects; each case was run with both."""

from __future__ import annotations

import pytest

from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.inputs.environment import Environment, EnvironmentFile
from heatstudio.stack.problem import ProblemKind
from heatstudio.template import parse_environment

SINKS = load_knowledge().event_sinks


def problems(*texts: str) -> list[str]:
    """Return the paths of all errors, each prefixed with the number of its file."""
    files = [EnvironmentFile(str(number), parse_environment(text).data) for number, text in enumerate(texts)]
    found = Environment(files, event_sinks=SINKS).problems
    return [
        ":".join((str(one.file), ".".join(map(str, one.path)))) for one in found if one.kind is not ProblemKind.IGNORED
    ]


@pytest.mark.parametrize(
    "text", ["", "~", "null", "---", "--- ~", "# nothing", "{}", "event_sinks: []", "parameters: []"]
)
def test_empty_environment_is_an_environment(text: str) -> None:
    assert parse_environment(text).problems == ()
    assert problems(text) == []
    assert problems(text, "parameter_defaults: {a: b}", text) == []


@pytest.mark.parametrize("text", ["[]", "''", "a", "5", "true", "\tparameters: {}"])
def test_environment_must_be_a_map(text: str) -> None:
    assert parse_environment(text).problems


@pytest.mark.parametrize(
    ("sinks", "places"),
    [
        ("[{type: zaqar-queue, target: q}]", []),
        ("[{type: zaqar-queue, target: null, ttl: x}]", []),
        ("''", []),
        ("0", []),
        ("text", [""]),
        ("5", [""]),
        ("{type: zaqar-queue}", [""]),
        ("[text]", [".0"]),
        ("[null]", [".0"]),
        ("[[a]]", [".0"]),
        ("[{}]", [".0"]),
        ("[{type: zaqar-queue, target: q}, {type: other}]", [".1.type"]),
        ("[{type: [zaqar-queue]}]", [".0.type"]),
        ("[{type: null}]", [".0.type"]),
        ("[{type: zaqar-queue}]", [".0"]),
        ("[{type: zaqar-queue, target: q, queue: q}]", [".0.queue"]),
    ],
)
def test_event_sinks_must_be_known(sinks: str, places: list[str]) -> None:
    assert problems(f"event_sinks: {sinks}") == [f"0:event_sinks{place}" for place in places]


@pytest.mark.parametrize(
    ("registry", "places"),
    [
        ("{}", []),
        ("{A: null, resources: {}, base_url: null}", []),
        ("{base_url: '', resources: {a: {base_url: '', A: B}}}", []),
        ("{resources: {a: {hooks: pre-create, A: null}}}", []),
        ("[]", [""]),
        ("''", [""]),
        ("false", [""]),
        ("text", [""]),
        ("{resources: null}", [".resources"]),
        ("{resources: []}", [".resources"]),
        ("{resources: 'A::B'}", [".resources"]),
        ("{resources: {a: text, b: []}}", [".resources.a", ".resources.b"]),
        ("{A: 5, B: [C], D: true, E: ''}", [".A", ".B", ".D", ".E"]),
        ("{resources: {a: {A: 5}}, base_url: 5}", [".resources.a.A", ".base_url"]),
    ],
)
def test_registry_must_map_types_to_names(registry: str, places: list[str]) -> None:
    assert problems(f"resource_registry: {registry}") == [f"0:resource_registry{place}" for place in places]


@pytest.mark.parametrize(
    ("first", "second", "places"),
    [
        (
            "event_sinks: [{type: zaqar-queue, target: q}]",
            "event_sinks: [{type: zaqar-queue, target: q}]",
            ["event_sinks"],
        ),
        ("encrypted_param_names: [a]", "encrypted_param_names: [b]", ["encrypted_param_names"]),
        ("encrypted_param_names: [a]", "encrypted_param_names: []", []),
        ("encrypted_param_names: {a: b}", "encrypted_param_names: {c: d}", []),
        ("parameters: []", "parameters: {a: b}", ["parameters"]),
        ("parameters: []", "parameters: {}", []),
        ("parameters: {a: '{}'}", "parameters: {a: {b: c}}", ["parameters.a"]),
        ("parameters: {a: {b: 1}}", "parameters: {a: {b: {c: 2}}}", ["parameters.a.b"]),
        ("parameters: {a: {b: {c: 1}}}", "parameters: {a: {b: 2}}", []),
        ("parameters: {a: null}", "parameters: {a: {b: c}}", []),
    ],
)
def test_files_that_cannot_be_merged_are_reported(first: str, second: str, places: list[str]) -> None:
    assert problems(first, second) == [f"1:{place}" for place in places]


def test_empty_map_keeps_the_values_of_an_earlier_file() -> None:
    assert problems("parameters: {a: '{'}", "parameters: {a: {}}", "parameters: {a: {b: c}}") == ["2:parameters.a"]


@pytest.mark.parametrize(
    ("strategies", "places"),
    [
        ("{default: [x]}", []),
        ("{default: null}", []),
        ("{a: anything}", []),
        ("[]", ["0:parameters.a"]),
        ("text", ["0:parameters.a"]),
    ],
)
def test_strategies_must_be_a_map(strategies: str, places: list[str]) -> None:
    assert problems(f"parameters: {{a: b}}\nparameter_merge_strategies: {strategies}") == places
    assert problems(f"parameters: {{a: null}}\nparameter_merge_strategies: {strategies}") == []
