"""`heatstudio convert`: prints the converted template to stdout, and the parts without equivalent to stderr."""

from __future__ import annotations

from pathlib import Path

import pytest

from heatstudio.cli import run
from heatstudio.template import parse_template

CFN = """AWSTemplateFormatVersion: '2010-09-09'
Parameters: {Name: {Type: String, Default: web}}
Resources:
  value: {Type: OS::Heat::Value, Properties: {value: {Ref: Name}}}
"""


def test_template_is_converted_to_the_other_language_and_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "old.yaml"
    file.write_text(CFN, encoding="utf-8")
    assert run(["convert", str(file)]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert parse_template(said.out).data["resources"] == {
        "value": {"type": "OS::Heat::Value", "properties": {"value": {"get_param": "Name"}}}
    }
    file.write_text(said.out, encoding="utf-8")
    assert run(["convert", str(file)]) == 0
    assert parse_template(capsys.readouterr().out).data == parse_template(CFN).data


def test_part_without_equivalent_is_reported_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "old.yaml"
    file.write_text(CFN.replace("{Ref: Name}", "{'Fn::GetAZs': ''}"), encoding="utf-8")
    assert run(["convert", str(file)]) == 1
    said = capsys.readouterr()
    assert "Fn::GetAZs" in said.out
    assert said.err == f"{file}:4: Fn::GetAZs: not converted. HOT has no equivalent function.\n"


def test_unreadable_input_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "old.yaml"
    assert run(["convert", str(file)]) == 2
    file.write_text("a: [", encoding="utf-8")
    assert run(["convert", str(file)]) == 2
    assert "not a valid template" in capsys.readouterr().err
