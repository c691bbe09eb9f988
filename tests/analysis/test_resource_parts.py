"""Functions in place of the parts of a resource, with and without an external ID, compared with the Heat engine."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from heatstudio.analysis import analyze
from heatstudio.catalog.rules.validation_read import external_rules
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.text import Severity

KNOWLEDGE = load_knowledge()
PARAMETERS = {"m": {"type": "json", "default": {"value": "a"}}, "s": {"type": "string", "default": "text"}}
CONDITIONS = {"yes": True, "no": False}
PARTS = ("properties", "metadata", "update_policy", "depends_on", "deletion_policy")
VALUES: tuple[object, ...] = (
    {"value": "a"}, {}, None, "x", ["other"], [], 1, {"value": {"get_param": "s"}}, {"get_param": "m"},
    {"get_param": "s"}, {"get_param": "nope"}, {"get_resource": "other"}, {"get_resource": "nope"},
    {"value": {"get_resource": "nope"}}, {"get_attr": ["other", "value"]}, {"map_merge": [{"value": "a"}]},
    {"if": ["yes", {"value": "a"}, {"value": "b"}]}, {"if": ["no", {"value": "a"}]}, {"if": ["yes", None, {}]},
    {"if": ["yes", {"get_resource": "nope"}, {}]}, {"get_param": []},
)  # fmt: skip
IDS = (None, "an-id", {"get_param": "s"}, {"get_param": "m"}, {"get_param": "nope"}, {"if": ["no", "an-id"]}, 5)
Data = dict[str, object]


def resources() -> Iterator[Data]:
    """Yield a resource for each combination of a part, its value, an external ID and a condition."""
    for part in PARTS:
        for value in VALUES:
            for identity in IDS:
                for condition in (None, "yes", "no"):
                    more = {"external_id": identity, "condition": condition}
                    added = {key: one for key, one in more.items() if one is not None}
                    yield {"type": "OS::Heat::Value", "properties": {"value": "z"}} | {part: value} | added
    for kind in KNOWLEDGE.catalog.names():
        for properties in ({}, {"get_param": "m"}, {"get_resource": "nope"}):
            yield {"type": kind, "properties": properties, "external_id": "an-id"}


def template_of(resource: Data) -> Data:
    other = {"type": "OS::Heat::Value", "properties": {"value": "b"}}
    head: Data = {"heat_template_version": "2021-04-16", "parameters": PARAMETERS, "conditions": CONDITIONS}
    return head | {"resources": {"other": other, "a": resource}}


def errors(resource: Data) -> list[str]:
    found = analyze(Source(parse_template(json.dumps(template_of(resource)))), KNOWLEDGE).diagnostics
    return [one.message for one in found if one.severity is Severity.ERROR]


def test_parts_have_the_verdicts_of_the_engine(shared: Path, tmp_path: Path) -> None:
    python = os.environ.get("HEAT_PYTHON")
    if not python:
        pytest.skip("HEAT_PYTHON names no Python that has openstack-heat")
    cases = list(resources())
    for number, resource in enumerate(cases):
        (tmp_path / f"{number}.json").write_text(json.dumps(template_of(resource)), encoding="utf-8")
    listed = tmp_path / "list"
    listed.write_text("".join(json.dumps({"file": f"{number}.json"}) + "\n" for number in range(len(cases))))
    command = [
        python,
        str(shared / "engine" / "ask_heat.py"),
        "validate",
        "--list",
        str(listed),
        "--base",
        str(tmp_path),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=900)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    verdicts = [one["full"] if one["full"] != "not reached" else one["parse"] for one in answers]
    pairs = zip(cases, verdicts, strict=True)
    assert [(case, heat) for case, heat in pairs if bool(errors(case)) is (heat == "ok")] == []


@pytest.mark.parametrize("kind", sorted(external_rules().refused))
def test_type_without_a_look_up_cannot_be_external(kind: str) -> None:
    expected = f"Heat cannot look up a resource of type {kind}, so it cannot be external."
    assert errors({"type": kind, "external_id": "an-id"}) == [expected]


@pytest.mark.parametrize("kind", sorted(external_rules().reads))
def test_property_that_an_external_resource_reads_is_checked(kind: str) -> None:
    (name,) = external_rules().reads[kind]
    external: Data = {"type": kind, "external_id": "an-id"}
    assert errors({**external, "properties": {name: {"get_param": "nope"}}}) == ["Unknown parameter `nope`."]
    assert errors({**external, "properties": {name: {"get_resource": "nope"}}}) == ["Unknown resource `nope`."]
    assert len(errors({**external, "properties": {name: [1]}})) == 1
    assert errors({**external, "properties": {name: "x", "further": {"get_param": "nope"}}}) == []
    found = KNOWLEDGE.catalog.get(kind)
    missing = [f"Missing required property `{name}`."] if found and found.properties[name].required else []
    assert errors(external) == missing
    message = "`properties` must be a map; a function cannot return all of it."
    assert errors({**external, "properties": {"get_param": "m"}}) == [message]


def test_function_cannot_be_an_update_policy() -> None:
    resource: Data = {"type": "OS::Heat::Value", "properties": {"value": "z"}, "update_policy": {"get_param": "m"}}
    assert errors(resource) == ["`update_policy` must be a map; a function cannot return all of it."]
    assert errors({**resource, "external_id": "an-id"}) == []
