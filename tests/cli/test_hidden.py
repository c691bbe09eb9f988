"""The value of a hidden parameter is in no output, at any depth, unless asked for."""

from __future__ import annotations

import json
from itertools import cycle
from pathlib import Path

import pytest

from heatstudio.cli import run
from heatstudio.stack.definition.secrets import MASK

SECRETS = {
    "a word": "hunter2x",
    "a short word": "kq7",
    "a number": "48151623",
    "signs": "s3cr\\et \"q' {x} $1 <&> %s",
    "letters": "gehe\u00efm\u202e-\U0001f511",
    "lines": "-----BEGIN KEY-----\nMIIEowIBAAKCAQEA7bq\nabcdefghijk\n-----END KEY-----\n",
    "long": "x".join(f"part{number}" for number in range(40)),
    "blanks": "two  blanks\tand\t\ttabs",
    "a list": "alpha1,beta22,gamma333",
    "JSON": '{"user": "rootless", "token": "t0ken-of-json"}',
}
CHILD = """\
heat_template_version: 2021-04-16
parameters:
  plain: {type: string, constraints: [{length: {max: 1}}]}
  pw: {type: string, hidden: true, default: childdefault9, constraints: [{allowed_pattern: '[a-z]'}]}
  unset: {type: string, hidden: true, default: unused}
resources:
  inner:
    type: OS::Nova::Server
    properties:
      image: {get_param: plain}
      flavor: f
      networks: [{network: {get_param: plain}, fixed_ip: {get_param: pw}}]
      user_data: {str_replace: {template: "pass=$p|$u", params: {$p: {get_param: plain}, $u: {get_param: unset}}}}
      admin_pass: {get_param: pw}
outputs:
  echo: {value: {get_param: plain}}
"""
PARENT = """\
heat_template_version: 2021-04-16
parameters:
  s: {type: string, hidden: true%s, constraints: [{length: {max: 2}}, {allowed_pattern: '[0-9]'}]}
conditions:
  c: {equals: [{get_param: s}, x]}
resources:
  own:
    type: OS::Nova::Server
    properties:
      image: {get_param: s}
      flavor: {list_join: ['', [a, {get_param: s}, b]]}
      name: {digest: [sha256, {get_param: s}]}
      networks: [{network: n, fixed_ip: {get_param: s}}]
      user_data: {str_replace: {template: "echo $s %s", params: {$s: {get_param: s}}}}
      availability_zone: {str_split: [',', {get_param: s}, 0]}
      metadata: {get_param: s}
  net: {type: OS::Neutron::Subnet, properties: {network: n, cidr: {get_param: s}, dns_nameservers: [{get_param: s}]}}
  stack: {type: child.yaml, properties: {plain: {get_param: s}, pw: 'literal-%s-pw'}}
  joined: {type: child.yaml, properties: {plain: {list_join: [/, [u%s, {get_param: s}]]}, pw: {get_param: s}}}
  group:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def: {type: child.yaml, properties: {plain: {get_param: s}, pw: 'grouped-%s-pw'}}
outputs:
  o: {value: {get_param: s}}
  p: {value: {list_join: [':', [x, {get_param: s}]]}}
  q: {value: {get_attr: [stack, echo, {get_param: s}]}}
"""
VALID = {
    ", constraints: [{length: {max: 2}}, {allowed_pattern: '[0-9]'}]": "",
    ", constraints: [{length: {max: 1}}]": "",
    ", constraints: [{allowed_pattern: '[a-z]'}]": "",
    "      metadata: {get_param: s}\n": "      metadata: {m: {get_param: s}}\n",
    ", fixed_ip: {get_param: s}": "",
    ", fixed_ip: {get_param: pw}": "",
    "cidr: {get_param: s}, dns_nameservers: [{get_param: s}]": "cidr: 10.0.0.0/8, name: {get_param: s}",
}
"""The replacements that make the templates valid."""
COMMANDS = [
    *(["check", "--format", form, "new"] for form in ("text", "json", "sarif", "github", "junit")),
    ["check", "child", "--root", "."],
    *(["preview", "--format", form, "old", "new"] for form in ("text", "json", "markdown")),
    ["preview", "--out", "plan", "old", "new"],
    ["resolve", "new"],
    ["fix", "--diff", "new"],
    ["fix", "new"],
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "", is_valid=True)
    return tmp_path


def write(folder: Path, default: str, *, is_valid: bool) -> None:
    for number, name in enumerate(("old", "new")):
        (folder / name).write_text(variant(PARENT % (default, number, number, number, number), is_valid), "utf-8")
    (folder / "child.yaml").write_text(variant(CHILD, is_valid), "utf-8")


def variant(text: str, is_valid: bool) -> str:
    for old, new in VALID.items() if is_valid else ():
        text = text.replace(old, new)
    return text


def shown(command: list[str], given: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    run([*command, *given])
    out, err = capsys.readouterr()
    plan = folder / "plan"
    return out + err + (plan.read_text("utf-8") if plan.exists() else "")


def leaks(text: str, secret: str) -> list[str]:
    """Return the parts of a secret in an output, which may have escapes."""
    parts = (
        {secret.strip(), *secret.replace("\n", ",").split(",")} if "{" not in secret else {"rootless", "t0ken-of-json"}
    )
    forms = {
        form for part in parts for form in (part, json.dumps(part)[1:-1], repr(part)[1:-1], part[:20]) if form.strip()
    }
    readable = text.replace("\\\\", "\\")
    return [form for form in forms if form in text or form in readable]


WAYS = {
    "file": ["--parameter-file", "values"],
    "value file": ["--parameter-file", "s=value"],
    "environment": ["-e", "environment.yaml"],
    "default": [],
}


@pytest.mark.parametrize("is_valid", [True, False])
@pytest.mark.parametrize(("name", "way"), list(zip(SECRETS, cycle(WAYS), strict=False)))
def test_hidden_value_is_in_no_output(
    name: str, way: str, is_valid: bool, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = SECRETS[name]
    written = json.dumps(secret, ensure_ascii=False)
    write(folder, f", default: {written}" if way == "default" else "", is_valid=is_valid)
    (folder / "values").write_text(f"s: {written}", "utf-8")
    (folder / "value").write_text(secret, "utf-8")
    (folder / "environment.yaml").write_text(f"parameters: {{s: {written}}}", "utf-8")
    for command in COMMANDS:
        text = shown(command, WAYS[way], folder, capsys)
        assert leaks(text, secret) == [], command
        assert not any(other in text for other in ("childdefault9", "literal-0-pw", "literal-1-pw", "grouped-1-pw"))


def test_hidden_value_is_shown_on_request(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["-P", "s=hunter2x", "--show-hidden"]
    for command in (["resolve", "new"], *(["preview", "--format", form, "old", "new"] for form in ("text", "json"))):
        text = shown(command, given, folder, capsys)
        assert "hunter2x" in text
        assert MASK not in text
    write(folder, "", is_valid=False)
    assert "hunter2x" in shown(["check", "new"], given, folder, capsys)


FIXABLE = """\
heat_template_version: 2021-04-16
parameters:
  s: {type: string, hidden: true, default: hunter2x}
resources:
  p: {type: OS::Neutron::Port, properties: {network_id: n}}
"""


def test_diff_of_fixes_masks_hidden_defaults_unless_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "new").write_text(FIXABLE, "utf-8")
    diff = shown(["fix", "--diff", "new"], [], folder, capsys)
    assert f"   s: {{type: string, hidden: true, default: {MASK}}}\n" in diff
    assert "+  p: {type: OS::Neutron::Port, properties: {network: n}}\n" in diff
    assert "hunter2x" not in diff
    assert "hunter2x" in shown(["fix", "--diff", "--show-hidden", "new"], [], folder, capsys)
    assert "hunter2x" in shown(["convert", "new"], [], folder, capsys)


@pytest.mark.parametrize(
    ("written", "words"),
    [("[a]", "not a YAML map"), ("a: [", "not a YAML map"), (None, "no such file"), ("text", "not a YAML map")],
)
def test_unreadable_parameter_file_is_an_error(
    written: str | None, words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if written is not None:
        (folder / "values").write_text(written, "utf-8")
    assert run(["check", "new", "--parameter-file", "values"]) == 2
    assert words in capsys.readouterr().err


def test_later_values_take_precedence(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "values").write_text("s: [1, two]\n", "utf-8")
    (folder / "value").write_text("three", "utf-8")
    files = ["--parameter-file", "values"], ["-P", "s=x"], ["--parameter-file", "s=value"]
    for given, value in ((files[0], "[1, 'two']"), (files[0] + files[1], "x"), (files[1] + files[2], "three")):
        run(["resolve", "new", "--show-hidden", *given])
        assert json.loads(capsys.readouterr().out)["outputs"]["o"] == value
