"""The rules of a project: `[[rules]]` in `heatstudio.toml`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from heatstudio.analysis import Analysis
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.text import Severity

TEMPLATE = """heat_template_version: 2018-08-31
parameters:
  size: {type: string, default: huge}
  later: {type: string}
resources:
  one: {type: OS::Heat::Value, properties: {value: VALUE}}
"""


def _analyzed(folder: Path, value: str, *rules: str, type_: str = "OS::Heat::Value") -> Analysis:
    tables = [f'[[rules]]\ntype = "{type_}"\nmessage = "Ours, {at}."\n{rule}\n' for at, rule in enumerate(rules)]
    (folder / "heatstudio.toml").write_text("".join(tables), "utf-8")
    return Engine().analyze(Snapshot(TEMPLATE.replace("VALUE", value), folder / "a.yaml"), None)


def _broken(found: Analysis) -> Iterator[str]:
    return (one.code for one in found.diagnostics if one.code.startswith("own-"))


@pytest.mark.parametrize(
    ("condition", "value", "is_broken"),
    [
        ("$.value = small", "{get_param: size}", True),
        ("$.value = huge", "{get_param: size}", False),
        ("$.value = huge", "{get_param: later}", False),
        ("$.type = string", "{get_param: later}", True),
        ("$.keys().len() = 2", "{get_param: later}", False),
        ("$.keys().len() = 2", "1", True),
        ("$.value.all($ > 1)", "[1, 2]", True),
        ("$.value.all($ > 1)", "[1, {get_param: later}]", False),
        ("$.value?.get(owner) != null", "{owner: me}", False),
        ("$.value?.get(owner) != null", "{}", True),
        ("$.value + 1 > 0", "text", True),
        ("now() != null", "1", True),
    ],
)
def test_rule_holds_for_known_values_and_is_silent_for_others(
    tmp_path: Path, condition: str, value: str, is_broken: bool
) -> None:
    found = _analyzed(tmp_path, value, f'code = "own-one"\ncondition = "{condition}"')
    assert list(_broken(found)) == ["own-one"] * is_broken


def test_types_are_patterns_and_rules_have_a_severity(tmp_path: Path) -> None:
    rules = [f'code = "own-{one}"\ncondition = "false"\nseverity = "{one}"' for one in ("error", "hint")]
    found = _analyzed(tmp_path, "1", *rules, type_="OS::Heat::*")
    severities = {one.code: one.severity for one in found.diagnostics}
    assert severities["own-error"] is Severity.ERROR
    assert severities["own-hint"] is Severity.HINT
    assert list(_broken(_analyzed(tmp_path, "1", *rules, type_="OS::Nova::*"))) == []


def test_rule_marks_the_property_that_it_reads(tmp_path: Path) -> None:
    rules = ('code = "own-value"\ncondition = "$.value = 2"', 'code = "own-all"\ncondition = "false"')
    found = _analyzed(tmp_path, "1", *rules)
    text = found.template.text
    marked = {one.code: text[one.span.start : one.span.end] for one in found.diagnostics}
    assert (marked["own-value"], marked["own-all"]) == ("value", "one")


def test_long_condition_is_stopped(tmp_path: Path) -> None:
    condition = "range(100000).select(range(100000).len()).len() > 0"
    found = _analyzed(tmp_path, "1", f'code = "own-one"\ncondition = "{condition}"')
    (message,) = (one.message for one in found.diagnostics if one.code == "own-one")
    assert message == "The rule `own-one` was stopped: its condition takes too long."


def test_problem_of_a_rule_is_suppressed_like_any_other(tmp_path: Path) -> None:
    rule = 'code = "own-one"\ncondition = "false"'
    written = TEMPLATE.replace("VALUE}}", "1}}  # heatstudio: ignore[own-one] ours")
    _analyzed(tmp_path, "1", rule)
    analysis = Engine().analyze(Snapshot(written, tmp_path / "a.yaml"), None)
    assert [one.code for one in analysis.suppressed] == ["own-one"]
