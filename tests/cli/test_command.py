"""The verbs of the command line, as a script would use them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from heatstudio.cli import run

FOUR_MISTAKES = """\
heat_template_version: 2021-04-16
resources:
  a:
    type: OS::Nova::Server
    properties:
      flavour: m1.small
      image: cirros
  b:
    type: OS::Neutron::Net
    properties:
      nam: private
      shared: maybe
  c:
    type: OS::Heat::RandomString
    properties:
      lenght: 12
"""

OLD = """\
heat_template_version: 2021-04-16
resources:
  v:
    type: AWS::EC2::Volume
    properties: {AvailabilityZone: nova, Size: 10}
  r:
    type: OS::Heat::RandomString
    properties: {length: 8}
  t:
    type: OS::Heat::Value
    properties: {value: a}
"""
NEW = OLD.replace("Size: 10", "Size: 11").replace("length: 8", "length: 9").replace("value: a", "value: b")


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "template.yaml"
    path.write_text(FOUR_MISTAKES, encoding="utf-8")
    return path


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file(
    written: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(written), "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    errors = [(item["range"]["start"]["line"], item["code"]) for item in found if item["severity"] == "error"]
    assert errors == [
        (5, "unknown-property"),
        (10, "unknown-property"),
        (11, "wrong-value-type"),
        (15, "unknown-property"),
    ]
    first = found[0]
    assert set(first) == {"path", "code", "severity", "message", "range", "resource", "property", "fixes"}
    assert (first["resource"], first["property"]) == ("a", "flavour")
    assert "flavor" in first["message"]
    assert first["range"]["end"] == {"line": 5, "character": 13}
    assert {"title", "applicability"} == set(first["fixes"][0])


def test_a_good_template_is_fine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "good.yaml"
    path.write_text(NEW, encoding="utf-8")
    assert run(["check", str(path)]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"heat_template_version: [", "yaml-syntax"),
        (b"- a\n- b\n", "not-a-mapping"),
        (b"", "no-version"),
        (b"a: &a [*a]\n", "too-large"),
        (b"a: " + b"[" * 30_000, "too-deep"),
    ],
)
def test_bad_input_gets_one_clear_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, code: str
) -> None:
    path = tmp_path / "bad.yaml"
    path.write_bytes(content)
    assert run(["check", str(path), "--format", "json"]) == 1
    assert code in [item["code"] for item in json.loads(capsys.readouterr().out)]


@pytest.mark.parametrize("content", [b"\x00\xff\xfe\x01", "größe".encode("utf-16")])
def test_what_is_no_text_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    path = tmp_path / "binary.yaml"
    path.write_bytes(content)
    assert run(["check", str(path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_missing_file_is_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(tmp_path / "no.yaml")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_preview_shows_all_three_outcomes_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text(OLD, encoding="utf-8")
    new.write_text(NEW, encoding="utf-8")
    assert run(["preview", str(old), str(new), "--format", "json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    actions = {item["name"]: item["action"] for item in plan["resources"]}
    assert actions == {"v": "not_supported", "r": "replaced", "t": "updated"}
    size = next(item for item in plan["resources"] if item["name"] == "v")["causes"][0]
    assert (size["property"], size["before"], size["after"], size["effect"]) == ("Size", 10, 11, "not_supported")
    assert plan["summary"]["not_supported"] == 1


def test_fix_moves_old_properties_and_touches_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        "heat_template_version: 2021-04-16\r\n"
        "resources:\r\n"
        "  port:  # a comment\r\n"
        "    type: OS::Neutron::Port\r\n"
        "    properties: {network_id: private,  name: 'x'}   # kept\r\n"
    )
    path = tmp_path / "port.yaml"
    path.write_bytes(text.encode())
    assert run(["fix", "--diff", str(path)]) == 0
    assert path.read_bytes() == text.encode()
    assert run(["fix", str(path)]) == 0
    assert path.read_bytes() == text.replace("network_id", "network").encode()
    assert "resources.port.properties network_id replace network" in capsys.readouterr().out
    assert run(["fix", str(path)]) == 0
    assert capsys.readouterr().out == ""


def test_hidden_types_are_neither_listed_nor_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["types"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert len(listed) == 163
    assert "OS::Neutron::LBaaS::Pool" not in listed
    assert run(["types", "OS::Neutron::LBaaS::Pool"]) == 1
    assert "is not supported" in capsys.readouterr().err


def test_a_type_is_shown_with_its_life_cycle(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["types", "OS::Neutron::RouterInterface", "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert "router_id" not in shown["properties"]
    assert shown["properties"]["router"]["update"] == "Updates cause replacement."


def test_functions_are_resolved_without_a_cloud(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "outputs.yaml"
    path.write_text(
        OLD + "parameters: {p: {type: string}}\noutputs:\n"
        "  o: {value: {list_join: ['-', [{get_param: p}, {get_resource: t}]]}}\n"
        "  later: {value: {get_attr: [r, value]}}\n",
        encoding="utf-8",
    )
    data = tmp_path / "data.json"
    data.write_text(json.dumps({"t": {"reference_id": "t-1"}}), encoding="utf-8")
    assert run(["resolve", str(path), "-P", "p=x", "--resource-data", str(data)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["outputs"]["o"] == "x-t-1"
    assert answer["outputs"]["later"] == {"unknown": "known after apply", "origins": ["resource:r"]}


def test_every_code_has_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--explain", "property-group"]) == 0
    assert "fit together" in capsys.readouterr().out
    assert run(["check", "--explain", "no-such-code"]) == 2


def test_window_command_answers_help_without_a_window() -> None:
    ask = "import sys; sys.argv[1:] = ['--help']; from heatstudio.__main__ import window; window()"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "usage: heatstudio [-h] [--version] VERB ...")
