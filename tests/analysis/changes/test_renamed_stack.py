"""A resource is renamed in the data of an abandoned stack: resources, template and environment."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from heatstudio.analysis.changes.renamed_stack import renamed_data
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
