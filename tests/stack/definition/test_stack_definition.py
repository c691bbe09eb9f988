from __future__ import annotations

import pytest

from heatstudio.stack.definition.definition_problems import parameter_problems, resource_problems
from heatstudio.stack.definition.reads import Read, recording
from heatstudio.stack.definition.stack_definition import StackDefinition, StackInputs
from heatstudio.stack.functions.function import FunctionError, parse, resolve
from heatstudio.stack.inputs.environment import Environment, EnvironmentFile
from heatstudio.stack.problem import ProblemKind
from heatstudio.stack.resource_proxy import NodeData, ParentResourceProxy
from heatstudio.stack.unknown import Unknown
from tests.stack.languages import language
from tests.work import count_calls

HOT = language()


def define(**data: object) -> StackDefinition:
    return StackDefinition(data, HOT)


def test_resource_with_false_condition_is_disabled_and_cannot_be_referred_to() -> None:
    stack = define(
        conditions={"no": {"equals": [1, 2]}},
        resources={
            "a": {"type": "T", "condition": "no"},
            "b": {"type": "T", "properties": {"x": {"get_resource": "a"}}, "depends_on": "a"},
        },
    )
    assert stack.all_resource_names == ("a", "b")
    assert stack.enabled_resource_names == ("b",)
    (reference,) = stack.references("b")
    assert reference.message == 'The specified reference "a" (in b.Properties.x) is incorrect.'
    assert stack.required_resource_names("b") == ("a",)
    assert list(resource_problems(stack, "b")) == []


def test_resource_with_unknown_condition_is_kept_and_marked() -> None:
    stack = define(
        parameters={"p": {"type": "string"}},
        conditions={"c": {"equals": [{"get_param": "p"}, "x"]}},
        resources={"a": {"type": "T", "condition": "c"}},
    )
    assert stack.enabled_resource_names == ("a",)
    assert isinstance(stack.is_enabled("a"), Unknown)


def test_circular_conditions_are_reported_once() -> None:
    stack = define(conditions={"a": {"not": "b"}, "b": {"not": "a"}}, resources={"r": {"type": "T", "condition": "a"}})
    (problem,) = resource_problems(stack, "r")
    assert problem.message == 'Condition validation error: Circular definition for condition "a"'


def test_long_chain_of_conditions_does_not_crash() -> None:
    chain: dict[str, object] = {f"c{n}": {"not": f"c{n + 1}"} for n in range(300)}
    stack = define(conditions={**chain, "c300": True})
    assert isinstance(stack.condition("c0"), Unknown)
    assert stack.condition("c295") is False


@pytest.mark.parametrize(
    ("entry", "messages"),
    [
        ({}, ["Each resource must contain a type key."]),
        ("T", ["\"resources\" must contain a map of resource maps. Found a [<class 'str'>] instead"]),
        ({"type": "T", "props": {}}, ['"props" is not a valid keyword inside a resource definition']),
        ({"type": "T", "properties": []}, ["Resource r properties type must be object"]),
        ({"type": "T", "depends_on": 5}, ["Resource r depends_on type must be list or string"]),
        ({"type": "T", "deletion_policy": "Keep"}, ['Invalid deletion policy "Keep"']),
        ({"type": "T", "condition": "no"}, ['Invalid condition "no"']),
        ({"type": "T", "condition": []}, ["Resource r condition type must be string_or_boolean"]),
        ({"type": "T", "depends_on": "x"}, ['The specified reference "x" (in r) is incorrect.']),
    ],
)
def test_invalid_definitions(entry: object, messages: list[str]) -> None:
    assert [problem.message for problem in resource_problems(define(resources={"r": entry}), "r")] == messages


def test_resource_data_give_reference_ids_and_attributes() -> None:
    data = {
        "resources": {"a": {"type": "T"}, "b": {"type": "T"}},
        "outputs": {"o": {"value": [{"get_resource": "a"}, {"get_attr": ["a", "k", 0]}, {"get_attr": ["b", "k"]}]}},
    }
    nodes = {"a": NodeData("id-a", {"k": ["v"]}), "b": NodeData("b", action="INIT")}
    stack = StackDefinition(data, HOT, StackInputs(resource_data=nodes.get))
    assert resolve(stack.output_definition("o").value, stack) == ["id-a", "v", None]


def test_facade_returns_metadata_and_policies_of_the_parent_resource() -> None:
    snippet = parse({"resource_facade": "metadata"}, HOT, ("outputs", "o"))
    stack = StackDefinition({}, HOT, StackInputs(parent=ParentResourceProxy(metadata={"k": 1})))
    assert resolve(snippet, stack) == {"k": 1}
    with pytest.raises(FunctionError, match="metadata_get"):
        resolve(snippet, StackDefinition({}, HOT))


def test_values_come_from_the_user_then_the_environment_then_the_defaults() -> None:
    environment = Environment(
        [EnvironmentFile("e.yaml", {"parameters": {"a": "env", "b": "env"}, "parameter_defaults": {"c": "usual"}})]
    )
    declared = {name: {"type": "string", "default": "own"} for name in "abcd"}
    stack = StackDefinition({"parameters": declared}, HOT, StackInputs(environment, parameter_values={"a": "given"}))
    assert [stack.parameter(name) for name in "abcd"] == ["given", "env", "usual", "own"]


def test_missing_value_and_undeclared_parameter_are_distinguished() -> None:
    environment = Environment([EnvironmentFile("e.yaml", {"parameters": {"x": 1}})])
    stack = StackDefinition({"parameters": {"p": {"type": "string"}}}, HOT, StackInputs(environment))
    undefined, missing = parameter_problems(stack)
    assert (undefined.kind, undefined.file, undefined.path) == (ProblemKind.UNDEFINED, "e.yaml", ("parameters", "x"))
    assert (missing.kind, missing.path) == (ProblemKind.MISSING, ("parameters", "p"))


def test_invalid_value_is_located_in_the_environment() -> None:
    environment = Environment([EnvironmentFile("e.yaml", {"parameters": {"n": "x"}})])
    (problem,) = parameter_problems(
        StackDefinition({"parameters": {"n": {"type": "number"}}}, HOT, StackInputs(environment))
    )
    assert (problem.file, problem.path) == ("e.yaml", ("parameters", "n"))
    assert problem.message == "Parameter 'n' is invalid: could not convert string to float: 'x'"


def test_parameter_groups() -> None:
    groups = [{"label": "g", "parameters": ["a", "a", "b"]}, {"label": "h"}]
    stack = define(parameters={"a": {"type": "string", "default": ""}}, parameter_groups=groups)
    assert [(problem.path, problem.message) for problem in parameter_problems(stack)] == [
        (
            ("parameter_groups", 0, "parameters", 1),
            "Parameter Groups error: parameter_groups.g: The a parameter must be assigned to one parameter group only.",
        ),
        (
            ("parameter_groups", 0, "parameters", 2),
            "Parameter Groups error: parameter_groups.g: The grouped parameter b does not reference a valid parameter.",
        ),
        (
            ("parameter_groups", 1),
            "Parameter Groups error: parameter_groups.h: The parameters must be provided for each parameter group.",
        ),
    ]


def test_recording_view_records_reads() -> None:
    sections: dict[str, object] = {
        "parameters": {"p": {"type": "string"}, "q": {"type": "string"}},
        "resources": {"a": {"type": "T"}},
    }
    stack = define(**sections)
    reads: set[Read] = set()
    view = recording(stack, reads)
    resolve(parse([{"get_param": "p"}, {"get_resource": "a"}], HOT, ("x",)), view)
    assert {read.name for read in reads} == {"p", "a"}
    other = StackDefinition(sections, HOT, StackInputs(parameter_values={"q": "new"}), previous=stack)
    assert all(other.read(read.kind, read.name).seen == read.seen for read in reads)
    other = StackDefinition(sections, HOT, StackInputs(parameter_values={"p": "new"}))
    assert not all(other.read(read.kind, read.name).seen == read.seen for read in reads)


def test_only_the_changed_entry_is_parsed_again() -> None:
    resources: dict[str, object] = {
        f"r{n}": {"type": "T", "properties": {"a": {"get_resource": "r0"}}} for n in range(50)
    }
    before = define(resources=resources)
    kept = [before.resource_definition(name) for name in resources]
    after = StackDefinition({"resources": {**resources, "r7": {"type": "U"}}}, HOT, previous=before)
    now = [after.resource_definition(name) for name in resources]
    assert [old is new for old, new in zip(kept, now, strict=True)].count(False) == 1


def test_cost_grows_linearly_with_the_number_of_resources() -> None:
    def work(count: int) -> int:
        resources = {
            f"r{n}": {"type": "T", "properties": {"a": {"get_attr": [f"r{n // 2}", "x"]}, "b": ["c", {"d": "e"}]}}
            for n in range(count)
        }

        def use_all() -> None:
            stack = define(resources=resources)
            for name in stack.enabled_resource_names:
                resolve(stack.resource_definition(name).properties, stack)
                stack.required_resource_names(name)

        return count_calls(use_all)

    work(100)
    assert work(2000) < 5 * work(500)
