"""`heatstudio.toml`: its settings apply to window and command line, and its errors are reported."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from heatstudio.cli import run
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot, Target
from heatstudio.text import real_path

HOT = "heat_template_version: 2021-04-16\n"
FIREWALL = HOT + (
    "parameters: {size: {type: number}, policy: {type: string}}\n"
    "resources:\n"
    "  wrong: {type: OS::Acme::Firewall, properties: {polcy: a}}\n"
    "  right: {type: OS::Acme::Firewall, properties: {policy: {get_param: policy}}, metadata: {a: {get_param: size}}}\n"
    "  read: {type: OS::Heat::Value, properties: {value: {get_attr: [right, adress]}}}\n"
    "  other: {type: OS::Other::Firewall}\n"
)
RULE = "[[rules]]\nmessage = 'Ours.'\n"
DECLARED = """
[types."OS::Acme::Firewall"]
attributes = ["address"]
properties.policy = {type = "string", required = true, update = "in-place"}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "stacks").mkdir()
    (tmp_path / "stacks" / "firewall.yaml").write_text(FIREWALL, encoding="utf-8")
    (tmp_path / "env.yaml").write_text("parameters: {size: many}\n", encoding="utf-8")
    return tmp_path


def of_window(project: Path, texts: Mapping[Path, str] = {}, release: str = "") -> list[str]:
    """Return the codes that the engine of the window reports."""
    path = project / "stacks" / "firewall.yaml"
    snapshot = Snapshot(FIREWALL, path, root=project, open_texts=texts, target=Target(release))
    return [one.code for one in Engine().analyze(snapshot, None).diagnostics]


def reported(
    project: Path, capsys: pytest.CaptureFixture[str], name: str = "stacks"
) -> list[tuple[str, str, int, str]]:
    """Return the file, code, line and severity of the problems that the command line reports."""
    run(["check", str(project / name), "--format", "json"])
    found = json.loads(capsys.readouterr().out)["problems"]
    return [(Path(one["path"]).name, one["code"], one["range"]["start"]["line"] + 1, one["severity"]) for one in found]


def test_declared_types_are_checked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [one[1] for one in reported(project, capsys)] == ["unknown-type"] * 3
    (project / "heatstudio.toml").write_text(DECLARED, encoding="utf-8")
    found = [one[1:3] for one in reported(project, capsys)]
    assert found == [("unknown-property", 4), ("invalid-function", 6), ("unknown-type", 7)]
    assert of_window(project) == [code for code, _ in found]


def test_declared_types_come_from_the_output_of_the_client(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told_by_heat = {
        "resource_type": "OS::Acme::Firewall",
        "properties": {"policy": {"type": "string", "required": True}},
        "attributes": {"address": {"type": "string"}},
    }
    (project / "firewall.json").write_text(json.dumps(told_by_heat), encoding="utf-8")
    (project / "heatstudio.toml").write_text('[types."OS::Acme::Firewall"]\nfile = "firewall.json"\n', encoding="utf-8")
    assert [one[1] for one in reported(project, capsys)] == ["unknown-property", "invalid-function", "unknown-type"]


def test_an_update_of_a_declared_type_follows_its_properties(project: Path) -> None:
    text = HOT + "resources: {f: {type: OS::Acme::Firewall, properties: {policy: a}}}\n"
    path = project / "stacks" / "firewall.yaml"
    for update, action in (("in-place", "updated"), ("replaced", "replaced")):
        (project / "heatstudio.toml").write_text(DECLARED.replace("in-place", update), encoding="utf-8")
        engine = Engine()
        analysis = engine.analyze(Snapshot(text.replace("policy: a", "policy: b"), path), None)
        plan = engine.plan_update(Snapshot(text, path), analysis)
        assert [change.action for change in plan.changes] == [action]


def test_environments_and_parameters_of_the_project_are_used(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = DECLARED + '[[templates]]\nfiles = ["stacks/*"]\nenvironments = ["env.yaml"]\n'
    (project / "heatstudio.toml").write_text(text, encoding="utf-8")
    assert "env.yaml" in {one[0] for one in reported(project, capsys)}
    (project / "heatstudio.toml").write_text(text + "parameters = {size = 3}\n", encoding="utf-8")
    assert {one[0] for one in reported(project, capsys)} == {"firewall.yaml"}


def test_limits_of_yaql_are_those_of_the_project(project: Path) -> None:
    yaql = "{yaql: {expression: 'range(0, 500).toList()', data: {}}}"
    text = HOT + f"resources: {{a: {{type: OS::Heat::Value, properties: {{value: {yaql}}}}}}}\n"
    snapshot = Snapshot(text, project / "stacks" / "list.yaml")
    for limit, codes in ((499, ["unresolvable-value"]), (500, [])):
        (project / "heatstudio.toml").write_text(f"[yaql]\nlimit-iterators = {limit}\n", encoding="utf-8")
        assert [one.code for one in Engine().analyze(snapshot, None).diagnostics] == codes


def test_ignored_codes_are_suppressed_and_severities_are_changed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "heatstudio.toml").write_text(
        'severity = {invalid-function = "hint"}\n'
        + DECLARED
        + '[[ignore]]\nfiles = ["stacks/*"]\ncodes = ["unknown-type"]\nreason = "a plug-in of ours"\n',
        encoding="utf-8",
    )
    found = [(code, severity) for _, code, _, severity in reported(project, capsys)]
    assert found == [("unknown-property", "error"), ("invalid-function", "hint")]
    assert of_window(project) == [code for code, _ in found]


def test_a_family_is_raised_lowered_or_switched_off_unless_a_code_is_named(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = HOT + "parameters: {size: {type: number}}\nconditions: {big: {equals: [{get_param: size}, many]}}\n"
    text += "resources: {a: {type: OS::Heat::None, condition: big}}\n"
    for file in (project / "stacks").iterdir():
        file.write_text(text, encoding="utf-8")
    settings = {
        "": {"warning"},
        'severity = {suspicious = "error", advice = "off"}\n': {"error"},
        'severity = {suspicious = "error", never-equal = "hint"}\n': {"hint"},
        'severity = {suspicious = "off"}\n': set[str](),
        'severity = {suspicious = "off", never-equal = "information"}\n': {"information"},
        '[[ignore]]\nfiles = ["*"]\ncodes = ["suspicious"]\nreason = "old"\n': set[str](),
    }
    for written, severities in settings.items():
        (project / "heatstudio.toml").write_text(written, encoding="utf-8")
        found = {(code, severity) for _, code, _, severity in reported(project, capsys)}
        assert found == {("never-equal", severity) for severity in severities}


def test_release_of_the_project_is_used_unless_one_is_chosen(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "heatstudio.toml").write_text('release = "Rocky"\n', encoding="utf-8")
    assert "not-in-release" in {one[1] for one in reported(project, capsys)}
    assert "not-in-release" in of_window(project)
    assert "not-in-release" not in of_window(project, release="2026.2")


SERVER = HOT + (
    "parameters: {size: {type: number, default: 1}, name: {type: string}}\n"
    "resources:\n"
    "  port: {type: OS::Neutron::Port, properties: {network_id: a}}\n"
    "  volume: {type: OS::Cinder::Volume, properties: {size: {get_param: size}, name: {get_param: name}}}\n"
)
STANDING = """
[[templates]]
files = ["stacks/*"]
environments = ["env.yaml"]
parameters = {name = "data"}
"""


@pytest.fixture
def server(project: Path) -> Path:
    """Return a template with a project file that names an environment and a parameter value."""
    (project / "heatstudio.toml").write_text(STANDING, encoding="utf-8")
    (project / "env.yaml").write_text("parameters: {size: 8}\n", encoding="utf-8")
    path = project / "stacks" / "server.yaml"
    path.write_text(SERVER, encoding="utf-8")
    return path


def volume(capsys: pytest.CaptureFixture[str], *arguments: object) -> object:
    """Return the properties of the volume with resolved functions."""
    run(["resolve", *map(str, arguments)])
    return json.loads(capsys.readouterr().out)["resources"]["volume"]["properties"]


def test_functions_are_resolved_with_the_values_of_the_project(
    server: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert volume(capsys, server) == {"size": 8, "name": "data"}
    assert volume(capsys, server, "-P", "name=other") == {"size": 8, "name": "other"}
    mine = server.with_name("mine.yaml")
    mine.write_text("parameters: {size: 2}\n", encoding="utf-8")
    assert volume(capsys, server, "-e", mine) == {"size": 2, "name": "data"}


def previewed(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, str]:
    """Return the outcome of every resource in the preview."""
    run(["preview", *map(str, arguments), "--format", "json"])
    return {one["name"]: one["action"] for one in json.loads(capsys.readouterr().out)["resources"]}


def test_old_template_elsewhere_has_the_environments_and_values_of_the_project(
    server: Path, capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    old = tmp_path_factory.mktemp("elsewhere") / "old.yaml"
    old.write_text(SERVER, encoding="utf-8")
    assert previewed(capsys, old, server) == {"port": "unchanged", "volume": "unchanged"}
    assert previewed(capsys, old, server, "-P", "name=other")["volume"] == "updated"
    before = old.with_name("before.yaml")
    before.write_text("parameters: {size: 4}\n", encoding="utf-8")
    assert previewed(capsys, old, server, "--old-environment", before)["volume"] == "updated"


def test_preview_uses_the_types_of_the_project(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "heatstudio.toml").write_text(DECLARED, encoding="utf-8")
    text = HOT + "resources: {f: {type: OS::Acme::Firewall, properties: {policy: %s}}}\n"
    for name in ("old", "new"):
        (project / f"{name}.yaml").write_text(text % name, encoding="utf-8")
    assert previewed(capsys, project / "old.yaml", project / "new.yaml") == {"f": "updated"}


def test_saved_plan_is_rejected_after_the_project_file_changed(
    server: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["preview", str(server), str(server)]
    plan = server.with_name("plan.json")
    assert run([*arguments, "--out", str(plan)]) == 0
    assert run([*arguments, "--check", str(plan)]) == 0
    (server.parents[1] / "heatstudio.toml").write_text(STANDING + "# a comment\n", encoding="utf-8")
    assert run([*arguments, "--check", str(plan)]) == 1
    assert "heatstudio.toml has changed since" in capsys.readouterr().err


def test_problems_that_the_project_ignores_are_not_fixed(server: Path) -> None:
    ignored = '[[ignore]]\nfiles = ["stacks/*"]\ncodes = ["%s"]\nreason = "later"\n'
    code = next(one.code for one in Engine().analyze(Snapshot(SERVER), None).diagnostics if one.has_fixes)
    (server.parents[1] / "heatstudio.toml").write_text(ignored % code, encoding="utf-8")
    for verb in (["fix", str(server)], ["upgrade", str(server), "--to", "2026.2", "--apply"]):
        run(verb)
        assert server.read_text("utf-8") == SERVER
    (server.parents[1] / "heatstudio.toml").write_text("", encoding="utf-8")
    run(["fix", str(server)])
    assert "network: a" in server.read_text("utf-8")


def test_fixes_use_the_release_of_the_project(server: Path) -> None:
    (server.parents[1] / "heatstudio.toml").write_text('release = "Icehouse"\n', encoding="utf-8")
    run(["fix", str(server)])
    assert server.read_text("utf-8") == SERVER
    run(["fix", "--release", "2026.2", str(server)])
    assert "network: a" in server.read_text("utf-8")


@pytest.mark.parametrize("wrong", ["heatstudio.toml", "env.yaml"])
@pytest.mark.parametrize("verb", ["fix", "resolve", "upgrade", "preview"])
def test_unreadable_settings_stop_every_command(
    server: Path, capsys: pytest.CaptureFixture[str], verb: str, wrong: str
) -> None:
    (server.parents[1] / wrong).write_text("[", encoding="utf-8")
    arguments = {"preview": [str(server)], "upgrade": ["--to", "2026.2"]}.get(verb, [])
    assert run([verb, str(server), *arguments]) == (1 if verb == "preview" else 2)
    assert wrong in capsys.readouterr().err
    assert server.read_text("utf-8") == SERVER


@pytest.mark.parametrize("verb", ["check", "fix"])
def test_project_file_that_is_a_pipe_is_reported(server: Path, capsys: pytest.CaptureFixture[str], verb: str) -> None:
    (server.parents[1] / "heatstudio.toml").unlink()
    os.mkfifo(server.parents[1] / "heatstudio.toml")
    assert run([verb, str(server)]) == 2
    assert "is a pipe" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give files away")
def test_project_file_of_another_user_is_not_used(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = project / "heatstudio.toml"
    path.write_text(DECLARED, encoding="utf-8")
    os.chown(path, 12345, 12345)
    assert {one[1] for one in reported(project, capsys)} == {"unknown-type"}
    os.chown(project / "stacks", 12345, 12345)
    assert "unknown-property" in {one[1] for one in reported(project, capsys)}


def test_path_that_is_too_long_has_no_project_file() -> None:
    snapshot = Snapshot("heat_template_version: 2021-04-16\n", Path("/", "x" * 300, "template.yaml"))
    assert Engine().project_of(snapshot) is None


def test_unsaved_text_of_an_open_project_file_is_used(project: Path) -> None:
    path = project / "heatstudio.toml"
    path.write_text("", encoding="utf-8")
    assert of_window(project) == ["unknown-type"] * 3
    assert "unknown-property" in of_window(project, {real_path(path): DECLARED})


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("# x\nrelase = 'Yoga'\n", 2, "Unknown key `relase`."),
        ("# x\nrelease = 'Nowhere'\n", 2, "Unknown release `Nowhere`; use a name such as"),
        ("# x\nrelease = \n", 2, "Invalid TOML: Invalid value."),
        ("client-versions = {nvoa = '2.1'}\n", 1, "Unknown client plug-in `nvoa`; use nova or trove."),
        ("client-versions = {nova = 'new'}\n", 1, "`new` is not an API version; write one such as `2.79`."),
        (
            "[[templates]]\nfiles = ['a']\n[[templates]]\nfiles = ['a']\nenvironments = [1]\n",
            5,
            "Each item of `environments` must be",
        ),
        ("[[templates]]\nfiles = ['a']\n[templates.parameters]\n[[templates]]\n", 4, "Missing key `files`."),
        ("[[templates]]\nfiles = ['a']\nenvironments = ['../e.yaml']\n", 3, "`../e.yaml` not found in the folder"),
        ("[severity]\nunknown-type = 'fatal'\n", 2, "Unknown severity `fatal`"),
        ("[severity]\nno-such-code = 'error'\n", 2, "Unknown code `no-such-code`."),
        ("[[ignore]]\nfiles = ['*']\ncodes = ['unknown-type']\nreason = ''\n", 4, "`reason` must not be empty."),
        ("[severity]\nunknown-type = 3\n", 2, "`unknown-type` must be a string."),
        ("[yaql]\nlimit-iterators = 0\n", 2, "`limit-iterators` must be a whole number, at least 1."),
        ("[yaql]\n\nmemory-quota = 1.5\n", 3, "`memory-quota` must be a whole number."),
        ("templates = 3\n", 1, "`templates` must be an array."),
        ("[types.a.properties.p]\ntype = 'strin'\n", 2, "`type`: invalid enum value"),
        ("[types.'OS::A::B']\nattributes = ['a']\nproperty = {}\n", 3, "Unknown key `property`."),
        ("[types.'OS::A::B']\nfile = '/etc/hostname'\n", 2, "`/etc/hostname` must come from"),
        (RULE + "code = 'a'\ncondition = '$.a ='\n", 4, "`condition` is not a YAQL expression: "),
        (RULE + "condition = 'true'\ncode = 'unknown-type'\n", 4, "`unknown-type` is a code of Heat Studio;"),
        (RULE + "condition = 'true'\ncode = 'suspicious'\n", 4, "`suspicious` is a code of Heat Studio;"),
        (RULE + "condition = 'true'\ncode = 'Own One'\n", 4, "`Own One` must be lowercase words with hyphens"),
        (RULE + "code = 'a'\n", 1, "Missing key `condition`."),
    ],
)
def test_mistake_is_reported_at_its_line(
    project: Path, capsys: pytest.CaptureFixture[str], text: str, line: int, words: str
) -> None:
    (project / "heatstudio.toml").write_text(text, encoding="utf-8")
    assert run(["check", str(project / "stacks" / "firewall.yaml"), "--format", "github"]) == 1
    first = capsys.readouterr().out.splitlines()[0]
    assert f"heatstudio.toml,line={line}," in first
    assert first.partition("title=project-file::")[2].startswith(words)
    snapshot = Snapshot(text, project / "heatstudio.toml", root=project)
    assert [one.code for one in Engine().analyze(snapshot, None).diagnostics] == ["project-file"]


def test_mistakes_disable_only_their_entries(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = "colour = 1\nrelease = 3\nseverity = {invalid-function = 7, unknown-type = 'hint'}\n"
    wrong += "[[ignore]]\nfiles = ['*']\ncodes = ['unknown-property']\nreason = ''\n"
    wrong += DECLARED.replace("required", "requried") + "size = 1\n"
    (project / "heatstudio.toml").write_text(wrong, encoding="utf-8")
    found = reported(project, capsys)
    assert [one[1] for one in found if one[0] == "firewall.yaml"] == [
        "unknown-property",
        "invalid-function",
        "unknown-type",
    ]
    assert found[-1][3] == "hint"
    run(["check", str(project / "heatstudio.toml")])
    assert capsys.readouterr().out.count("[project-file]") == 6


@pytest.mark.parametrize(
    "text",
    [
        f"release = {'1' * 5_000}\n",
        f"release = {'[' * 3_000}{']' * 3_000}\n",
        f"a{'.a' * 20_000} = 1\n",
        "b = 1\n[a" + ' . "b"' * 20_000 + "]\n",
        f"# {'a' * 300_000}\n",
        "[[ignore]]\nfiles = [" + '"*", ' * 5_000 + ']\ncodes = []\nreason = "x"\n',
        "[severity]\n" + "".join(f'c{number} = "error"\n' for number in range(10_000)),
        'release = "nope"\n[[ignore]]\nfiles = ["*"]\ncodes = ["x"]\nreason = """\n[[.]]\n[[ ]]\n"""\n',
    ],
)
def test_project_file_that_goes_too_far_is_a_problem(
    project: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (project / "heatstudio.toml").write_text(text, encoding="utf-8")
    assert {one[1] for one in reported(project, capsys) if one[0] == "heatstudio.toml"} == {"project-file"}


def test_unknown_key_does_not_stop_other_commands(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(project / "stacks" / "firewall.yaml")
    for text, status in (("colour = 1\n" + DECLARED, 0), ("release = 1\n", 2)):
        (project / "heatstudio.toml").write_text(text, encoding="utf-8")
        assert run(["fix", path]) == status
    assert "heatstudio.toml:1: `release` must be a string." in capsys.readouterr().err
