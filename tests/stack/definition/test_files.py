"""The texts of files as python-heatclient sends them; the expected texts are those of heatclient 5.2."""

from __future__ import annotations

from pathlib import Path

import pytest

from heatstudio.stack.definition.files import sent_form
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.update.plan.update_plan import Verdict
from heatstudio.update.plan_update import plan_update
from tests.load import load_source

VERSION = "heat_template_version: 2018-08-31\n"


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        (VERSION + "# note\nb: {c: 1, a: é}", '{"heat_template_version": "2018-08-31", "b": {"c": 1, "a": "\\u00e9"}}'),
        ('  {"heat_template_version": "x", "a": 1.50, "a": 2}\n', '{"heat_template_version": "x", "a": 2}'),
        ("AWSTemplateFormatVersion: x\n5: on\n", '{"AWSTemplateFormatVersion": "x", "5": true}'),
        ("grep heat_template_version *.yaml\necho done\n", '"grep heat_template_version *.yaml echo done"'),
        ("- heat_template_version\n- a:  1\n", '["heat_template_version", {"a": 1}]'),
        ("#!/bin/sh\ncat <<'END' >heat_template_version: x: y\n", None),
        ("x: heat_template_version\n", None),
        ("5 # heat_template_version\n", None),
        ("resources:  {}\n", None),
        (VERSION + "\tb: 1\n", None),
    ],
)  # fmt: skip
def test_template_is_sent_as_json_and_other_text_unchanged(text: str, sent: str | None) -> None:
    assert sent_form(text) == (sent or text)


def test_layout_of_a_template_behind_get_file_changes_nothing(tmp_path: Path) -> None:
    top = VERSION + "resources: {c: {type: OS::Heat::SoftwareConfig, properties: {config: {get_file: child.yaml}}}}\n"
    children = {
        "a": "resources: {x: {type: OS::Heat::None}}\n",
        "b": "# new\nresources:\n  x:\n    type: OS::Heat::None\n",
    }
    children |= {"c": children["b"].replace("None", "Value")}
    sources = {}
    for name, child in children.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "top.yaml").write_text(top, encoding="utf-8")
        (tmp_path / name / "child.yaml").write_text(VERSION + child, encoding="utf-8")
        sources[name] = load_source(tmp_path / name / "top.yaml")
    knowledge = load_knowledge()
    assert plan_update(sources["a"], sources["b"], knowledge).verdict is Verdict.CHANGES_NOTHING
    assert plan_update(sources["a"], sources["c"], knowledge).verdict is Verdict.RUNS
