from __future__ import annotations

import pytest

from heatstudio.stack.inputs.environment import Environment, EnvironmentFile, EnvironmentOrigin
from heatstudio.stack.inputs.parameter_schema import ParameterType
from heatstudio.stack.problem import ProblemKind


def merged(*contents: object, **options: ParameterType) -> Environment:
    files = [EnvironmentFile(f"e{number}.yaml", content) for number, content in enumerate(contents, 1)]
    return Environment(files, parameter_types=options or None, known_types={"OS::A", "OS::B", "OS::Heat::None"})


def test_later_file_takes_precedence_with_its_origin() -> None:
    environment = merged({"parameters": {"a": 1, "b": 2}}, {"parameters": {"a": 3}})
    assert environment.parameters == {"a": 3, "b": 2}
    assert environment.origin("parameters", "a") == EnvironmentOrigin("e2.yaml", ("parameters", "a"))
    assert environment.origin("parameters", "b") == EnvironmentOrigin("e1.yaml", ("parameters", "b"))
    assert environment.origin("parameters", "c") is None


@pytest.mark.parametrize(
    ("kind", "strategy", "first", "second", "together"),
    [
        (ParameterType.LIST, "merge", "a", "b", "a,b"),
        (ParameterType.LIST, "merge", ["a"], ["b"], ["a", "b"]),
        (ParameterType.STRING, "merge", "a", "b", "ab"),
        (ParameterType.MAP, "merge", {"k": {"x": 1}}, {"k": {"y": 2}}, {"k": {"y": 2}}),
        (ParameterType.MAP, "deep_merge", {"k": {"x": 1}}, {"k": {"y": 2}}, {"k": {"x": 1, "y": 2}}),
        (ParameterType.MAP, "overwrite", {"k": 1}, {"l": 2}, {"l": 2}),
    ],
)
def test_merge_strategies(kind: ParameterType, strategy: str, first: object, second: object, together: object) -> None:
    strategies = {"p": strategy}
    environment = merged(
        {"parameters": {"p": first}, "parameter_merge_strategies": strategies},
        {"parameters": {"p": second}, "parameter_merge_strategies": strategies},
        p=kind,
    )
    assert environment.problems == ()
    assert environment.parameters == {"p": together}


@pytest.mark.parametrize(
    ("kind", "second", "problems"),
    [(ParameterType.STRING, "b", 1), (ParameterType.LIST, "b", 0), (ParameterType.MAP, {"k": 1}, 0)],
)
def test_text_cannot_be_merged_into_a_null(kind: ParameterType, second: object, problems: int) -> None:
    environment = merged(
        {"parameters": {"p": None}}, {"parameters": {"p": second}, "parameter_merge_strategies": {"p": "merge"}}, p=kind
    )
    assert len(environment.problems) == problems


@pytest.mark.parametrize("kind", [ParameterType.BOOLEAN, ParameterType.NUMBER, ParameterType.STRING])
def test_unknown_default_strategy_overwrites(kind: ParameterType) -> None:
    strategies = {"default": "nonsense"}
    environment = merged(
        {"parameters": {"p": "a"}, "parameter_merge_strategies": strategies},
        {"parameters": {"p": "b"}, "parameter_merge_strategies": strategies},
        p=kind,
    )
    assert [one.kind for one in environment.problems] == [ProblemKind.IGNORED] * 2
    assert environment.parameters == {"p": "b"}


def test_files_must_agree_on_a_strategy() -> None:
    environment = merged(
        {"parameters": {"p": "a"}, "parameter_merge_strategies": {"p": "merge"}},
        {"parameters": {"p": "b"}, "parameter_merge_strategies": {"p": "overwrite"}},
        p=ParameterType.STRING,
    )
    (problem,) = environment.problems
    assert problem.message == "Conflicting merge strategy 'overwrite' for parameter 'p' in file 'e2.yaml'."
    assert (problem.file, problem.path) == ("e2.yaml", ("parameters", "p"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "The environment is not a valid YAML mapping data type."),
        ({"params": {}}, 'environment has wrong section "params"'),
        ({"parameters": None}, 'environment has empty section "parameters"'),
    ],
)
def test_invalid_files(content: object, message: str) -> None:
    assert [problem.message for problem in merged(content).problems] == [message]


def test_most_specific_mapping_takes_precedence_and_mappings_chain() -> None:
    registry = {"OS::A": "OS::B", "My::*": "OS::*", "resources": {"special": {"OS::A": "nested.yaml"}}}
    environment = merged({"resource_registry": registry})
    assert environment.registry.target("OS::A", "other") == "OS::B"
    assert environment.registry.target("OS::A", "special") == "nested.yaml"
    assert environment.registry.target("My::A", "x") == "OS::B"
    assert environment.registry.target("My::Nothing", "x") is None
    assert environment.registry.target("x.yaml", "x") == "x.yaml"


def test_null_removes_a_mapping_of_the_same_file() -> None:
    assert merged({"resource_registry": {"My::A": "OS::B", "My::*": None}}).registry.target("My::A") is None


@pytest.mark.parametrize(
    ("registry", "circle"),
    [
        ({"A": "A"}, ("A", "A")),
        ({"A": "B", "B": "A", "C*": "CC*"}, ("A", "B", "A")),
        ({"A": "B", "B": "C", "C": "B"}, ("A", "B", "C", "B")),
        ({"A*": "A*"}, ("A", "A")),
        ({"A*": "AA*"}, ("A", "AA", "AAA", "…")),
        ({"resources": {"r": {"A": "B"}}, "B": "A"}, ("A", "B", "A")),
        ({"A": "OS::A", "OS::A": "A"}, ("A", "OS::A", "A")),
    ],
)
def test_cyclic_mappings_terminate_and_are_reported(registry: dict[str, object], circle: tuple[str, ...]) -> None:
    environment = merged({"resource_registry": registry})
    assert environment.registry.target("A", "r") is None
    assert environment.registry.circle("A", "r") == circle


@pytest.mark.parametrize("registry", [{"A": "B"}, {"A*": "B", "B*": "C"}, {"A": "B", "C": "D", "D": "C"}, {"A*": "AB"}])
def test_unresolved_mappings_are_not_a_cycle(registry: dict[str, object]) -> None:
    assert merged({"resource_registry": registry}).registry.circle("A") == ()


def test_long_chain_of_mappings_is_not_a_cycle() -> None:
    """Heat also follows such a chain, up to about 450 types, its recursion limit."""
    registry = {f"My::A{number}": f"My::A{number + 1}" for number in range(290)} | {"My::A290": "OS::B"}
    assert merged({"resource_registry": registry}).registry.target("My::A0") == "OS::B"


def test_growing_names_are_limited() -> None:
    registry = merged({"resource_registry": {"A*": "A" * 9_000 + "*"}}).registry
    assert [len(name) for name in registry.circle("A")] == [1, 9_000, 17_999, 1]


def test_many_patterns_without_a_result_are_resolved_quickly() -> None:
    registry = {f"{'A' * length}*": f"A{number}" for length in range(1, 9) for number in range(8)}
    registry |= {f"A{number}*": f"A{number + 1}" for number in range(8)}
    assert merged({"resource_registry": registry}).registry.target("A0") is None


def test_restricted_actions_match_name_patterns() -> None:
    resources = {
        "web*": {"restricted_actions": "update"},
        "web1": {"restricted_actions": ["replace"], "hooks": "pre-create"},
    }
    environment = merged({"resource_registry": {"resources": resources}})
    assert environment.registry.restricted_actions("web1") == {"update", "replace"}
    assert environment.registry.restricted_actions("web2") == {"update"}
    assert environment.registry.restricted_actions("db") == frozenset()


def test_invalid_restricted_action_is_reported_at_its_path() -> None:
    environment = merged({"resource_registry": {"resources": {"a": {"restricted_actions": "delete"}}}})
    (problem,) = environment.problems
    assert problem.path == ("resource_registry", "resources", "a", "restricted_actions")
    assert problem.message.startswith('Invalid restricted_action type "delete"')
