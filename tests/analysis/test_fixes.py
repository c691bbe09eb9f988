"""Quick fixes of dependency cycles, and of outputs that a nested template does not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from heatstudio.analysis import Analysis, analyze
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.text import Applicability, Severity, apply_edits
from tests.advice import without_advice
from tests.load import load_source

HOT = "heat_template_version: 2018-08-31\n"
CHILD = (
    f"{HOT}resources: {{r: {{type: OS::Heat::RandomString}}}}\noutputs: {{good: {{value: {{get_attr: [r, value]}}}}}}\n"
)
CIRCLE = f"""{HOT}resources:
  a: {{type: OS::Heat::RandomString, depends_on: b}}
  b:
    type: OS::Heat::RandomString
    depends_on: [other, c]
  c:
    type: OS::Heat::RandomString
    depends_on:
      - a
  other: {{type: OS::Heat::RandomString}}
"""


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def look(text: str, knowledge: Knowledge) -> Analysis:
    return without_advice(analyze(Source(parse_template(text)), knowledge))


def test_cycle_has_one_fix_for_each_depends_on(knowledge: Knowledge) -> None:
    analysis = look(CIRCLE, knowledge)
    (found,) = analysis.diagnostics
    fixes = {fix.title: fix for fix in analysis.fixes(found)}
    assert list(fixes) == [
        "Remove `b` from `depends_on` of `a`",
        "Remove `c` from `depends_on` of `b`",
        "Remove `a` from `depends_on` of `c`",
    ]
    for fix in fixes.values():
        assert fix.applicability is Applicability.DECISION
        assert look(apply_edits(CIRCLE, fix.edits), knowledge).diagnostics == ()
    assert "depends_on: [other]\n" in apply_edits(CIRCLE, fixes["Remove `c` from `depends_on` of `b`"].edits)


def test_depends_on_next_to_a_reference_does_not_fix_a_cycle(knowledge: Knowledge) -> None:
    text = f"""{HOT}resources:
  a: {{type: OS::Heat::Value, depends_on: b, properties: {{value: {{get_resource: b}}}}}}
  b: {{type: OS::Heat::Value, properties: {{value: {{get_resource: a}}}}}}
"""
    analysis = look(text, knowledge)
    (found,) = analysis.diagnostics
    assert analysis.fixes(found) == ()


@pytest.mark.parametrize(
    ("attribute", "meant"),
    [
        ("[kid, goood]", "[kid, good]"),
        ("[group, goood]", "[group, good]"),
        ("[group, resource.0.goood]", "[group, resource.0.good]"),
        ("[kid, good]", None),
        ("[kid, resource.r.value]", None),
        ("[group, resource.0.resource.r.value]", None),
        ("[group, refs]", None),
    ],
)
def test_missing_output_of_a_nested_template_is_a_warning_with_a_suggestion(
    attribute: str, meant: str | None, knowledge: Knowledge, tmp_path: Path
) -> None:
    (tmp_path / "child.yaml").write_text(CHILD, "utf-8")
    text = f"""{HOT}resources:
  kid: {{type: child.yaml}}
  group: {{type: OS::Heat::ResourceGroup, properties: {{count: 1, resource_def: {{type: child.yaml}}}}}}
  reader: {{type: OS::Heat::Value, properties: {{value: {{get_attr: {attribute}}}}}}}
outputs:
  out: {{value: {{get_attr: {attribute}}}}}
"""
    path = tmp_path / "parent.yaml"
    path.write_text(text, "utf-8")
    analysis = analyze(load_source(path, []), knowledge)
    assert [found.severity for found in analysis.diagnostics] == ([Severity.WARNING] * 2 if meant else [])
    for found in analysis.diagnostics:
        assert "Did you mean `good`?" in found.message
        (fix,) = analysis.fixes(found)
        assert apply_edits(text, fix.edits).count(f"get_attr: {meant}") == 1
