"""Errors that Heat finds in nested templates only. The verdicts are the engine's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heatstudio.analysis import Diagnostic, analyze
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.text import Severity, apply_edits
from tests.load import load_source

VERSION = {"heat_template_version": "2018-08-31"}
READ = {"get_param": "p"}


def diagnostics(
    folder: Path, nested: object, owner: dict[str, object] | None = None, name: str = "a"
) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a template whose only resource is a nested template."""
    template = VERSION | {"resources": {name: {"type": "nested.yaml"} | (owner or {})}}
    for file, data in (("nested.yaml", nested), ("template.yaml", template)):
        (folder / file).write_text(json.dumps(data), encoding="utf-8")
    return analyze(load_source(folder / "template.yaml"), load_knowledge()).diagnostics


@pytest.mark.parametrize("owner", [{}, {"external_id": "x"}])
def test_unknown_key_of_an_output_is_an_error_only_in_a_nested_template(
    tmp_path: Path, owner: dict[str, object]
) -> None:
    outputs = {"o": {"descripton": "x", "value": 1}}
    (nested,) = diagnostics(tmp_path, VERSION | {"resources": {}, "outputs": outputs}, owner)
    assert (nested.code, nested.severity) == ("nested-template", Severity.ERROR)
    assert "`descripton`" in nested.message
    alone = analyze(load_source(tmp_path / "nested.yaml"), load_knowledge())
    (found,) = alone.diagnostics
    assert (found.code, found.severity) == ("invalid-output", Severity.WARNING)
    (fix,) = alone.fixes(found)
    assert '"description": "x"' in apply_edits(alone.template.text, fix.edits)


def test_nested_template_of_a_disabled_resource_may_have_any_key(tmp_path: Path) -> None:
    outputs = {"o": {"descripton": "x", "value": 1}}
    (found,) = diagnostics(tmp_path, VERSION | {"resources": {}, "outputs": outputs}, {"condition": False})
    assert found.severity is Severity.INFORMATION


@pytest.mark.parametrize(
    ("kind", "default", "value", "message"),
    [
        ("boolean", "maybe", {"if": [{"equals": [READ, 1]}, 1, 2]}, "Unrecognized value 'maybe'"),
        ("boolean", [], {"if": [{"equals": [READ, 1]}, 1, 2]}, "Unrecognized value '[]'"),
        ("number", "abc", {"if": [{"equals": [READ, 1]}, 1, 2]}, "could not convert string to float: 'abc'"),
        ("number", "abc", {"list_join": [",", [READ]]}, None),
        ("number", "abc", READ, None),
        ("boolean", "maybe", READ, None),
    ],
)
def test_invalid_value_of_a_parameter_fails_when_a_condition_reads_it(
    tmp_path: Path, kind: str, default: object, value: object, message: str | None
) -> None:
    parameters = {"p": {"type": kind, "default": default}}
    (found,) = diagnostics(tmp_path, VERSION | {"parameters": parameters, "outputs": {"o": {"value": value}}})
    assert found.severity is (Severity.WARNING if message is None else Severity.ERROR)
    assert message is None or message in found.heat


GROUP: dict[str, object] = {"type": "OS::Heat::ResourceGroup"}
MEMBER = {"type": "OS::Heat::RandomString"}


@pytest.mark.parametrize(
    ("name", "owner", "count"),
    [
        ("a:b", {}, 1),
        ("a b", GROUP | {"properties": {"count": 1, "resource_def": MEMBER}}, 1),
        ("\u00e4", GROUP | {"properties": {"count": 1, "resource_def": MEMBER}}, 1),
        ("a:b", GROUP | {"properties": {"count": 0, "resource_def": MEMBER}}, 0),
        ("a:b", MEMBER, 0),
        ("1.a-b_c", {}, 0),
    ],
)
def test_owner_of_a_nested_stack_needs_a_name_for_stacks(
    tmp_path: Path, name: str, owner: dict[str, object], count: int
) -> None:
    found = diagnostics(tmp_path, VERSION | {"resources": {}}, owner, name)
    assert [one.severity for one in found] == [Severity.ERROR] * count
