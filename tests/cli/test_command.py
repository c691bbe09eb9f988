"""Commands of the command line, as a script uses them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from heatstudio.catalog.load import base_descriptions, type_descriptions
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


def test_all_problems_are_reported_in_the_order_of_the_file(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(written), "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)["problems"]
    errors = [(item["range"]["start"]["line"], item["code"]) for item in found if item["severity"] == "error"]
    assert errors == [
        (5, "unknown-property"),
        (10, "unknown-property"),
        (11, "wrong-value-type"),
        (15, "unknown-property"),
    ]
    first = found[0]
    assert set(first) == {
        "path",
        "code",
        "severity",
        "message",
        "range",
        "resource",
        "property",
        "fixes",
        "fingerprint",
        "related",
        "heat_message",
    }
    assert (first["resource"], first["property"]) == ("a", "flavour")
    assert "flavor" in first["message"]
    assert first["range"]["end"] == {"line": 5, "character": 13}
    assert {"title", "applicability", "edits"} == set(first["fixes"][0])


@pytest.mark.parametrize(
    ("form", "parts"),
    [
        ("text", ["information: Deleting `v` loses its data. Set `deletion_policy`. [lost-data]"]),
        ("json", ['"severity": "information"', '"family": "advice"']),
        ("sarif", ['"level": "note"', '"advice"']),
        ("github", ["::notice "]),
        ("junit", ['failures="0"', "<system-out>"]),
    ],
)
def test_advice_is_information_and_no_failure(
    form: str, parts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "good.yaml"
    path.write_text(NEW, encoding="utf-8")
    assert run(["check", str(path), "--format", form]) == 0
    out = capsys.readouterr().out
    assert [part for part in parts if part not in out] == []


def test_valid_template_has_no_problems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "good.yaml"
    path.write_text(NEW.replace("Volume", "Volume\n    deletion_policy: Delete"), encoding="utf-8")
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
    assert code in [item["code"] for item in json.loads(capsys.readouterr().out)["problems"]]


@pytest.mark.parametrize("content", [b"\x00\xff\xfe\x01", "größe".encode("utf-16")])
def test_binary_and_utf16_are_rejected(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    path = tmp_path / "binary.yaml"
    path.write_bytes(content)
    assert run(["check", str(path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_missing_file_is_reported_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(tmp_path / "no.yaml")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_preview_shows_all_three_outcomes_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text(OLD, encoding="utf-8")
    new.write_text(NEW, encoding="utf-8")
    assert run(["preview", str(old), str(new), "--format", "json"]) == 1
    plan = json.loads(capsys.readouterr().out)
    actions = {item["name"]: item["action"] for item in plan["resources"]}
    assert actions == {"v": "not_supported", "r": "replaced", "t": "updated"}
    size = next(item for item in plan["resources"] if item["name"] == "v")["causes"][0]
    assert (size["property"], size["before"], size["after"], size["effect"]) == ("Size", 10, 11, "not_supported")
    assert plan["summary"]["not_supported"] == 1


def test_fix_moves_deprecated_properties_and_keeps_the_rest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
    assert "port.yaml:5: `network` replaces `network_id`." in capsys.readouterr().out
    assert run(["fix", str(path)]) == 0
    assert capsys.readouterr().out == ""


def test_hidden_types_are_neither_listed_nor_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["types"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert len(listed) == 163
    assert "OS::Neutron::LBaaS::Pool" not in listed
    assert run(["types", "OS::Neutron::LBaaS::Pool"]) == 1
    assert "is not supported" in capsys.readouterr().err


def test_type_is_shown_with_its_support_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["types", "OS::Neutron::RouterInterface", "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert "router_id" not in shown["properties"]
    assert shown["properties"]["router"]["update"] == "Updates cause replacement."


def test_type_says_what_a_change_of_each_property_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["types", "OS::Nova::Server", "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)["properties"]
    by_policy = "Updates cause replacement, because `user_data_update_policy` is REPLACE, which is its default."
    assert shown["user_data"]["update"] == by_policy
    assert shown["networks"]["schema"]["*"]["schema"]["network"]["update"] == "Can be updated without replacement."
    assert run(["types", "OS::Nova::Server"]) == 0
    assert f"  user_data: String. {by_policy}\n" in capsys.readouterr().out


def test_type_is_shown_with_bundled_descriptions(capsys: pytest.CaptureFixture[str]) -> None:
    name = "OS::Neutron::RouterInterface"
    assert run(["types", name]) == 0
    shown = capsys.readouterr().out
    assert type_descriptions(name).description in shown
    assert type_descriptions(name).properties["subnet"] in shown
    assert base_descriptions().attributes["show"] in shown


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
    assert answer["outputs"]["later"] == {"unknown": "not known yet", "origins": ["resource:r"]}


@pytest.mark.parametrize("data", ["[]", '{"t": {"reference": "t-1"}}', '{"t": {"attributes": 1}}', "{"])
def test_invalid_resource_data_is_rejected(tmp_path: Path, data: str, capsys: pytest.CaptureFixture[str]) -> None:
    template, path = tmp_path / "template.yaml", tmp_path / "data.json"
    template.write_text(OLD, encoding="utf-8")
    path.write_text(data, encoding="utf-8")
    assert run(["resolve", str(template), "--resource-data", str(path)]) == 2
    assert f"{path} is not valid resource data" in capsys.readouterr().err


def test_every_code_has_an_explanation_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--explain", "property-group"]) == 0
    assert "Conflicting or missing properties" in capsys.readouterr().out
    assert run(["check", "--explain", "no-such-code"]) == 2


def test_window_command_prints_help_without_a_window() -> None:
    ask = "import sys; sys.argv[1:] = ['--help']; from heatstudio.__main__ import window; window()"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "usage: heatstudio [-h] [--version] COMMAND ...")


ANSWERS = {
    "check": ["check", "new"],
    "check in SARIF": ["check", "--format", "sarif", "new"],
    "check in JSON": ["check", "--format", "json", "new"],
    "a page": ["check", "--explain", "property-group"],
    "help": ["check", "--help"],
    "version": ["--version"],
    "fix": ["fix", "--diff", "new"],
    "preview": ["preview", "old", "new"],
    "convert": ["convert", "new"],
    "types": ["types"],
    "resolve": ["resolve", "new"],
}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
@pytest.mark.parametrize("name", ANSWERS)
def test_full_disk_is_reported_as_one_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "old").write_text(OLD, encoding="utf-8")
    deprecated = "  p: {type: OS::Neutron::Port, properties: {network_id: n, nam: x}}\n"
    (tmp_path / "new").write_text(NEW + deprecated, encoding="utf-8")
    done = answer_to_a_full_disk(tmp_path, ANSWERS[name], subprocess.PIPE)
    assert done.returncode == (1 if name == "preview" else 2)
    reported = [line for line in done.stderr.splitlines() if line.startswith("heatstudio:") or "Error" in line]
    assert reported == ["heatstudio: cannot write the output: No space left on device."]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_full_disk_for_stderr_keeps_the_exit_status(tmp_path: Path) -> None:
    assert answer_to_a_full_disk(tmp_path, ["check", "missing"], None).returncode == 2


@pytest.mark.parametrize("verb", [["check"], ["upgrade", "--to", "yoga"]])
def test_too_long_file_name_is_reported(verb: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*verb, "x" * 300]) == 2
    assert capsys.readouterr().err.startswith(f"heatstudio: Cannot read {'x' * 300}: the name is too long")


@pytest.mark.skipif(os.name != "posix", reason="the shell closes the streams")
@pytest.mark.parametrize(("closed", "status"), [(">&-", 1), ("2>&-", 1), (">&- 2>&- <&-", 1), ("missing 2>&-", 2)])
def test_closed_streams_keep_the_exit_status(written: Path, closed: str, status: int) -> None:
    ask = f"exec '{sys.executable}' -m heatstudio check '{written}' {closed}"
    done = subprocess.run(["sh", "-c", ask], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (status, False)


INTERRUPTED = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell ignores in what it runs in the background
moment, name = sys.argv[1:3]
sys.argv[1:3] = []

def interrupt(event, arguments):
    if event == moment and str(arguments[0]).endswith(name):
        os.kill(os.getpid(), signal.SIGINT)

sys.addaudithook(interrupt)
from heatstudio.__main__ import main
sys.exit(main())
"""
"""The program with Ctrl+C at the moment when it imports a module or opens a file."""


@pytest.mark.skipif(os.name != "posix", reason="Windows has no signals")
@pytest.mark.parametrize("verb", [["check"], ["fix", "--diff"], ["convert"], ["resolve"], ["upgrade", "--to", "yoga"]])
@pytest.mark.parametrize("moment", [("import", "heatstudio.stack.unknown"), ("open", "template.yaml")])
def test_ctrl_c_ends_a_command_without_a_traceback(written: Path, verb: list[str], moment: tuple[str, str]) -> None:
    ask = [sys.executable, "-c", INTERRUPTED, *moment, *verb, str(written)]
    done = subprocess.run(ask, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def answer_to_a_full_disk(folder: Path, arguments: list[str], errors: int | None) -> subprocess.CompletedProcess[str]:
    """Run a command with stdout on a full disk; without `errors`, stderr goes to the full disk too."""
    ask = "import sys; from heatstudio.__main__ import main; sys.exit(main())"
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with Path("/dev/full").open("w") as full:
        return subprocess.run(
            [sys.executable, "-c", ask, *arguments], stdout=full, stderr=errors or full, text=True, timeout=60,
            check=False, cwd=folder, env=surroundings | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip


@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_name_that_is_not_a_string_is_reported(
    tmp_path: Path, form: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(os.fsdecode(b"caf\xe9.yaml"))
    monkeypatch.chdir(tmp_path)
    try:
        path.write_text(FOUR_MISTAKES, encoding="utf-8")
    except OSError:
        pytest.skip("this disk takes only names that are text")
    for one in (path, path.absolute()):
        assert run(["check", "--format", form, str(one)]) == 1
        reported = capsys.readouterr().out
        assert ("caf%E9.yaml" if form == "sarif" else r"caf\udce9.yaml") in reported


def test_types_include_those_of_the_project_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "heatstudio.toml").write_text("[types.'OS::Acme::Firewall']\nattributes = ['address']\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert run(["types", "OS::Acme::Firewall"]) == 0
    assert "address" in capsys.readouterr().out
    assert run(["types"]) == 0
    assert "OS::Acme::Firewall" in capsys.readouterr().out.splitlines()
