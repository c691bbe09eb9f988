"""Settings of single resources in the registry of an environment, of which nested stacks get their part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from heatstudio.analysis import analyze
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.template import parse_template
from heatstudio.text import Severity
from heatstudio.update.plan.update_plan import ResourceChange, Verdict
from heatstudio.update.plan_update import plan_update
from tests.flat_files import FlatFiles

HEAD = "heat_template_version: 2021-04-16\n"
KNOWLEDGE = load_knowledge()
TO_NONE = {"OS::Heat::RandomString": "OS::Heat::None"}
REPLACE = {"restricted_actions": ["replace"]}
TEXTS = """
resources:
  b: {type: OS::Heat::RandomString}
  a: {type: OS::Heat::RandomString}
  c: {type: child.yaml, properties: {size: %s}}
"""
CHILD = """
parameters: {size: {type: number}}
resources:
  a: {type: OS::Heat::RandomString, properties: {length: {get_param: size}}}
  o: {type: OS::Heat::Value, properties: {value: 1}}
"""
GROUP = """
resources:
  b: {type: OS::Heat::RandomString}
  g:
    type: OS::Heat::ResourceGroup
    properties: {count: 2, resource_def: {type: child.yaml, properties: {size: %s}}}
"""
CONDITIONAL = """
parameters: {size: {type: number, default: %s}}
resources:
  b: {type: OS::Heat::RandomString}
  a: {type: OS::Heat::RandomString, condition: {equals: [{get_param: size}, 9]}}
"""
REMOTE = """
resources:
  c: {type: OS::Heat::Stack, properties: {template: {get_file: child.yaml}, parameters: {size: %s}}}
"""


def source(text: str, settings: Mapping[str, object]) -> Source:
    environments = (EnvironmentFile("environment", {"resource_registry": {"resources": settings}}),)
    return Source(parse_template(HEAD + text), environments, FlatFiles({"child.yaml": HEAD + CHILD}))


def rows(changes: tuple[ResourceChange, ...], above: str = "") -> Iterator[tuple[str, str]]:
    for change in changes:
        yield above + change.name, str(change.action)
        yield from rows(change.members, f"{above}{change.name}/")


@pytest.mark.parametrize(
    ("text", "settings", "replaced"),
    [
        (TEXTS, {}, set()),
        (TEXTS, {"elsewhere": TO_NONE}, set()),
        (TEXTS, {"a": TO_NONE}, {"a", "b", "c/a"}),  # Heat spreads it to all resources of the type
        (CONDITIONAL, {"a": TO_NONE}, set()),  # a disabled resource has no type
        (TEXTS, {"c": {"a": TO_NONE}}, {"c/a"}),
        (TEXTS, {"?": {"a": TO_NONE}}, {"c/a"}),
        (TEXTS, {"c": {"elsewhere": TO_NONE}}, set()),
        (GROUP, {"g": {"1": {"a": TO_NONE}}}, {"g/1/a"}),
        (GROUP, {"1": {"a": TO_NONE}}, set()),
    ],
)
def test_mapping_for_a_resource(text: str, settings: Mapping[str, object], replaced: set[str]) -> None:
    found = plan_update(source(text % 8, {}), source(text % 8, settings), KNOWLEDGE)
    assert {name for name, action in rows(found.changes) if action == "replaced"} == replaced


@pytest.mark.parametrize(
    ("text", "settings", "verdict"),
    [
        (TEXTS, {"c": {"a": REPLACE}}, Verdict.FAILS),
        (TEXTS, {"c*": {"a": REPLACE}}, Verdict.FAILS),
        (TEXTS, {"a": REPLACE}, Verdict.RUNS),
        (TEXTS, {"*": REPLACE}, Verdict.RUNS),
        (GROUP, {"g": {"0": {"a": REPLACE}}}, Verdict.FAILS),
        (GROUP, {"g": {"a": REPLACE}}, Verdict.RUNS),
    ],
)
def test_restriction_inside_a_nested_stack(text: str, settings: Mapping[str, object], verdict: Verdict) -> None:
    found = plan_update(source(text % 8, {}), source(text % 9, settings), KNOWLEDGE)
    assert found.verdict is verdict


def test_stack_created_by_a_request_gets_all_settings() -> None:
    found = plan_update(source(REMOTE % 8, {}), source(REMOTE % 9, {"a": REPLACE}), KNOWLEDGE)
    assert found.verdict is Verdict.FAILS


@pytest.mark.parametrize(
    ("settings", "count"), [({"c": {"a": {"OS::Heat::RandomString": "OS::Heat::Value"}}}, 1), ({}, 0)]
)
def test_nested_template_is_checked_with_the_mapped_type(settings: Mapping[str, object], count: int) -> None:
    found = analyze(source(TEXTS % 8, settings), KNOWLEDGE).diagnostics
    unknown = [one for one in found if one.severity is Severity.ERROR and "Unknown property `length`" in one.message]
    assert len(unknown) == count
