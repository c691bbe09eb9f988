"""A resource is renamed in the data of an abandoned stack: resources, template and environment."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from heatstudio.analysis.changes.renamed_stack import moved_data, renamed_data
from heatstudio.stack.definition.knowledge import load_knowledge

KNOWLEDGE = load_knowledge()
TEMPLATE: dict[str, Any] = {
    "heat_template_version": "2021-04-16",
    "parameters": {"size": {"type": "string", "default": "a"}},
    "resources": {
        "a": {"type": "OS::Heat::Value", "properties": {"value": "2026-01-01"}},
        "b": {
            "type": "OS::Heat::Value",
            "depends_on": ["a"],
            "properties": {
                "value": {"str_replace": {"template": "a $a", "params": {"$a": {"get_attr": ["a", "value"]}}}}
            },
        },
        "group": {
            "type": "OS::Heat::ResourceGroup",
            "properties": {
                "count": 1,
                "resource_def": {"type": "OS::Heat::Value", "properties": {"value": {"get_resource": "a"}}},
            },
        },
    },
    "outputs": {"a": {"value": {"get_resource": "a"}}},
}
DATA: dict[str, Any] = {
    "name": "web",
    "id": "1",
    "template": TEMPLATE,
    "files": {"a": "get_resource: a"},
    "resources": {
        "a": {"name": "a", "resource_id": "7", "status": "COMPLETE"},
        "b": {"name": "b", "resource_id": "8", "status": "COMPLETE"},
        "group": {"name": "web-group-x", "id": "2", "resources": {"0": {"name": "0", "resource_id": "9"}}},
    },
    "environment": {"parameters": {"size": "a"}, "resource_registry": {"resources": {"a": {"hooks": "pre-update"}}}},
}


def test_name_and_references_change_and_nothing_else() -> None:
    before = copy.deepcopy(DATA)
    renamed: Any
    renamed, reason = renamed_data(DATA, "a", "first", KNOWLEDGE)
    assert (DATA, reason) == (before, "")
    expected = copy.deepcopy(DATA)
    resources = {("first" if name == "a" else name): one for name, one in copy.deepcopy(TEMPLATE["resources"]).items()}
    resources["b"]["depends_on"] = ["first"]
    resources["b"]["properties"]["value"]["str_replace"]["params"]["$a"] = {"get_attr": ["first", "value"]}
    resources["group"]["properties"]["resource_def"]["properties"]["value"] = {"get_resource": "first"}
    expected["template"] = {**TEMPLATE, "resources": resources, "outputs": {"a": {"value": {"get_resource": "first"}}}}
    expected["resources"] = {
        ("first" if name == "a" else name): {**one, "name": "first"} if name == "a" else one
        for name, one in DATA["resources"].items()
    }
    expected["environment"] = {
        "parameters": {"size": "a"},
        "resource_registry": {"resources": {"first": {"hooks": "pre-update"}}},
    }
    assert renamed == expected
    assert list(expected["resources"]) == list(renamed["resources"]) == list(renamed["template"]["resources"])
    assert renamed_data(renamed, "first", "a", KNOWLEDGE) == (DATA, "")


def test_nested_stack_keeps_its_own_name() -> None:
    renamed: Any = renamed_data(DATA, "group", "members", KNOWLEDGE)[0]
    assert renamed["resources"]["members"] == DATA["resources"]["group"]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("a", "b", "The resource `b` already exists."),
        ("a", "size", "The parameter `size` already exists."),
        ("missing", "c", "The stack has no resource `missing`."),
        ("a", "x/y", "The name of a resource must not contain a slash."),
        ("a", " ", "Enter a name without spaces around it."),
    ],
)
def test_impossible_names_are_refused(old: str, new: str, reason: str) -> None:
    assert renamed_data(DATA, old, new, KNOWLEDGE) == ({}, reason)


@pytest.mark.parametrize("template", [None, [], {}, "a", {"resources": []}, {"resources": {"b": None}}])
def test_data_without_the_resource_are_refused(template: object) -> None:
    assert renamed_data({**DATA, "template": template}, "a", "c", KNOWLEDGE) == ({}, "The stack has no resource `a`.")


FLAVOR = {"type": "string", "default": "m1.small"}
MOVER: dict[str, Any] = {
    "type": "OS::Nova::Server",
    "properties": {
        "flavor": {"get_param": "flavor"},
        "image": "i",
        "networks": [{"network": "n"}],
        "user_data": {"get_file": "init.sh"},
    },
}
OTHER: dict[str, Any] = {
    "name": "db",
    "template": {
        "heat_template_version": "2018-08-31",
        "resources": {"c": {"type": "OS::Heat::Value", "properties": {"value": 1}}, "disabled": {"type": "X"}},
    },
    "files": {"other.sh": "o"},
    "resources": {"c": {"name": "c", "resource_id": "3", "status": "COMPLETE"}},
    "environment": {"parameters": {"x": 1}},
}


def source(mover: object = MOVER, **more: Any) -> Any:
    template = {**TEMPLATE, "parameters": {**TEMPLATE["parameters"], "flavor": FLAVOR}, "conditions": {"yes": True}}
    template["resources"] = {**TEMPLATE["resources"], "mover": mover}
    resources = {**DATA["resources"], "mover": {"name": "mover", "resource_id": "5", "status": "COMPLETE"}}
    environment = {"parameters": {"size": "b", "flavor": "big"}}
    files = {"init.sh": "#!/bin/sh", "unused.sh": "u"}
    return {**DATA, "template": template, "resources": resources, "environment": environment, "files": files, **more}


def test_resource_moves_with_what_it_reads_and_nothing_else_changes() -> None:
    data, other = source(), copy.deepcopy(OTHER)
    renamed: Any
    renamed, reason = moved_data(data, other, "mover", "server", KNOWLEDGE)
    assert (data, other, reason) == (source(), OTHER, "")
    before, after = renamed
    expected = source()
    del expected["template"]["resources"]["mover"], expected["resources"]["mover"]
    assert before == expected
    expected = copy.deepcopy(OTHER)
    expected["template"] |= {"parameters": {"flavor": FLAVOR}}
    expected["template"]["resources"]["server"] = MOVER
    expected["resources"]["server"] = {"name": "server", "resource_id": "5", "status": "COMPLETE"}
    expected["environment"]["parameters"]["flavor"] = "big"
    expected["files"]["init.sh"] = "#!/bin/sh"
    assert after == expected


def properties(**values: object) -> dict[str, Any]:
    return {**MOVER, "properties": {**MOVER["properties"], **values}}


@pytest.mark.parametrize(
    ("mover", "reason"),
    [
        (properties(key_name={"get_resource": "a"}), "`mover` uses the resource `a` of its stack."),
        (properties(key_name={"get_attr": ["b", "value"]}), "`mover` uses the resource `b` of its stack."),
        ({**MOVER, "depends_on": "a"}, "`mover` uses the resource `a` of its stack."),
        ({**MOVER, "condition": "yes"}, "`mover` uses the condition `yes` of its stack."),
        (properties(key_name={"if": ["yes", "a", "b"]}), "`mover` uses the condition `yes` of its stack."),
        (properties(name={"get_param": "OS::stack_name"}), "`mover` uses the parameter `OS::stack_name` of its stack."),
    ],
)
def test_what_depends_on_the_own_stack_does_not_move(mover: object, reason: str) -> None:
    assert moved_data(source(mover), OTHER, "mover", "mover", KNOWLEDGE) == ((), reason)


def other(template: dict[str, Any] | None = None, **more: Any) -> Any:
    return {**OTHER, "template": {**OTHER["template"], **(template or {})}, **more}


@pytest.mark.parametrize(
    ("taker", "new", "reason"),
    [
        (OTHER, "c", "The other stack has the name `c` already."),
        (OTHER, "disabled", "The other stack has the name `disabled` already."),
        (OTHER, "a", "The resource `a` already exists."),
        (OTHER, "x/y", "The name of a resource must not contain a slash."),
        (
            other({"parameters": {"flavor": FLAVOR}}),
            "mover",
            "`mover` would not stay as it is: the other stack gives it other values: flavor.",
        ),
        (
            other(files={"init.sh": "other"}),
            "mover",
            "`mover` would not stay as it is: the other stack gives it other values: user_data.",
        ),
        (
            {**OTHER, "template": {"AWSTemplateFormatVersion": "2010-09-09", "Resources": {}}},
            "mover",
            "The stacks have templates of different kinds, HOT and CloudFormation.",
        ),
        (
            other(environment={"resource_registry": {"OS::Nova::Server": "OS::Heat::None"}}),
            "mover",
            "The environment of the other stack has an entry for `mover` or its type.",
        ),
    ],
)
def test_other_stack_that_would_change_the_resource_is_refused(taker: Any, new: str, reason: str) -> None:
    assert moved_data(source(), taker, "mover", new, KNOWLEDGE) == ((), reason)


def test_used_nested_or_only_resource_does_not_move() -> None:
    for name, reason in (
        ("a", "`b` of the same stack uses `a`."),
        ("group", "`group` has a nested stack, which Heat cannot move to another stack."),
        ("missing", "The stack has no resource `missing`."),
    ):
        assert moved_data(source(), OTHER, name, name, KNOWLEDGE) == ((), reason)
    assert moved_data(OTHER, source(), "c", "c", KNOWLEDGE) == ((), "`c` is the only resource of the stack.")
    mapped = source(environment={"resource_registry": {"OS::Nova::*": "x.yaml"}})
    reason = "The environment of the stack has an entry for `mover` or its type."
    assert moved_data(mapped, OTHER, "mover", "mover", KNOWLEDGE) == ((), reason)


@pytest.mark.parametrize("template", [None, [], {}, "a", {"resources": []}, {"resources": {"b": None}}])
def test_data_that_are_no_template_do_not_move(template: object) -> None:
    assert moved_data({**DATA, "template": template}, OTHER, "a", "a", KNOWLEDGE)[0] == ()
    moved_data(source(), {**OTHER, "template": template}, "mover", "m", KNOWLEDGE)  # Heat's validation rejects it
