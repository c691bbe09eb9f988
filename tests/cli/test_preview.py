"""`heatstudio preview`: previews of updates of a template, and of a stack in the output of the client."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heatstudio.cli import run

TEXT = """\
heat_template_version: 2021-04-16
parameters: {owner: {type: string}, size: {type: number, default: 1}}
resources:
  net: {type: OS::Neutron::Net, properties: {tenant_id: {get_param: owner}}}
  port: {type: OS::Neutron::Port, properties: {network: %s}}
  volume: {type: OS::Cinder::Volume, properties: {size: {get_param: size}}}
"""
EXPORTED = {
    "name": "web",
    "template": {
        "heat_template_version": "2021-04-16",
        "parameters": {"owner": {"type": "string"}, "size": {"type": "number", "default": 1}},
        "resources": {
            "net": {"type": "OS::Neutron::Net", "properties": {"tenant_id": {"get_param": "owner"}}},
            "port": {"type": "OS::Neutron::Port", "properties": {"network": {"get_resource": "net"}}},
            "volume": {"type": "OS::Cinder::Volume", "properties": {"size": {"get_param": "size"}}},
        },
    },
    "environment": {"parameters": {"owner": "a", "size": 8}},
    "resources": {"net": {"resource_id": "id-1", "action": "CREATE", "status": "COMPLETE"}},
}


@pytest.fixture
def new(tmp_path: Path) -> Path:
    path = tmp_path / "new.yaml"
    path.write_text(TEXT % "id-1", encoding="utf-8")
    return path


def actions(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, str]:
    run(["preview", *map(str, arguments), "--format", "json"])
    return {item["name"]: item["action"] for item in json.loads(capsys.readouterr().out)["resources"]}


def test_export_of_a_stack_provides_environment_and_ids(
    tmp_path: Path, new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "stack.json"
    old.write_text(json.dumps(EXPORTED), encoding="utf-8")
    found = actions(capsys, old, new, "-P", "owner=a")
    assert found == {"net": "unchanged", "port": "unchanged", "volume": "not_supported"}
    assert actions(capsys, old, new, "--existing")["volume"] == "unchanged"
    assert actions(capsys, old, new, "-P", "owner=b")["net"] == "replaced"


def test_client_output_in_other_files_adds_data_of_the_stack(
    tmp_path: Path, new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, show = tmp_path / "old.yaml", tmp_path / "show.json"
    old.write_text(TEXT % "{get_resource: net}", encoding="utf-8")
    show.write_text('{"stack_name": "web", "parameters": {"owner": "a", "size": "8"}}', encoding="utf-8")
    listed = tmp_path / "resources.yaml"
    listed.write_text("- {resource_name: net, physical_resource_id: id-1, resource_status: CREATE_COMPLETE}\n")
    found = actions(capsys, old, new, "--stack", show, "--stack", listed, "-P", "owner=a")
    assert found == {"net": "unchanged", "port": "unchanged", "volume": "not_supported"}


def test_file_without_data_of_a_stack_is_reported(new: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = new.parent / "other.txt"
    other.write_text("- 1\n", encoding="utf-8")
    assert run(["preview", str(new), str(new), "--stack", str(other)]) == 1
    assert f"{other} does not describe a stack" in capsys.readouterr().err


def test_parameter_values_apply_to_the_old_template_without_values(
    tmp_path: Path, new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "old.yaml"
    old.write_text(TEXT % "id-1", encoding="utf-8")
    found = actions(capsys, old, new, "-P", "owner=b", "-P", "size=2")
    assert found == {"net": "unchanged", "port": "unchanged", "volume": "updated"}


def test_required_parameter_without_value_makes_heat_reject_the_update(
    tmp_path: Path, new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environments = {"made.yaml": "parameters: {owner: a}\n", "size.yaml": "parameters: {size: 1}\n"}
    for name, text in environments.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    show = tmp_path / "show.json"
    show.write_text('{"stack_name": "web", "parameters": {"owner": "a"}}', encoding="utf-8")
    made, size = (str(tmp_path / name) for name in environments)
    for options in (["--old-environment", made], ["-e", size], ["--stack", str(show)]):
        assert run(["preview", str(new), str(new), *options]) == ERROR
        assert "Parameter `owner` has no value." in capsys.readouterr().out
    for options in ([], ["-e", made], ["--stack", str(show), "--existing"]):
        assert run(["preview", str(new), str(new), *options]) == NONE


def test_existing_environment_requires_a_stack(new: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["preview", str(new), str(new), "--existing"]) == ERROR
    assert "--existing requires a running stack" in capsys.readouterr().err


SIZED = """\
heat_template_version: 2021-04-16
resources:
  net: {type: OS::Neutron::Net, properties: {tenant_id: %s}}
  volume: {type: OS::Cinder::Volume, properties: {size: %s}}
"""
NONE, ERROR, CHANGES = 0, 1, 2


@pytest.mark.parametrize(
    ("new", "options", "status", "first"),
    [
        (("a", 2), (), NONE, "The update would change nothing"),
        (("a", 2), ("--fail-on", "replaced,deleted,not-supported,refused"), NONE, "The update would change nothing"),
        (("a", 3), (), CHANGES, "Heat would accept this update"),
        (("a", 3), ("--fail-on", "replaced"), CHANGES, "Heat would accept this update"),
        (("a", 3), ("--fail-on", "updated"), ERROR, "Heat would accept this update"),
        (("b", 3), ("--fail-on", "deleted,replaced"), ERROR, "Heat would accept this update"),
        (("b", 1), (), ERROR, "The update would fail at `volume`"),
        (("b", "[]"), (), ERROR, "Heat would reject this: 1 error"),
    ],
)
def test_verdict_is_the_first_line_and_the_exit_status(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    new: tuple[object, ...],
    options: tuple[str, ...],
    status: int,
    first: str,
) -> None:
    for name, values in (("old", ("a", 2)), ("new", new)):
        (tmp_path / name).write_text(SIZED % values, encoding="utf-8")
    assert run(["preview", str(tmp_path / "old"), str(tmp_path / "new"), *options]) == status
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == first
    assert ("--fail-on" in err) is (status == ERROR and first == "Heat would accept this update")


def test_preview_uses_the_release_of_the_cloud(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "heat_template_version: 2021-04-16\nresources: {n: {type: OS::Neutron::Net%s}}\n"
    for name, properties in (("a", ""), ("b", ", properties: {availability_zone_hints: [nova]}")):
        (tmp_path / name).write_text(text % properties, encoding="utf-8")
    arguments = ["preview", str(tmp_path / "a"), str(tmp_path / "b")]
    assert run(arguments) == CHANGES
    assert run([*arguments, "--release", "Yoga"]) == ERROR
    assert "Heat would reject this: " in capsys.readouterr().out
    assert run([*arguments, "--release", "Atlantis"]) == ERROR
    assert "unknown release 'Atlantis'" in capsys.readouterr().err


def test_possible_replacement_fails_on_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = """\
heat_template_version: 2021-04-16
parameters: {policy: {type: string}}
resources: {s: {type: OS::Nova::Server, properties: {image: %s, flavor: f, image_update_policy: {get_param: policy}}}}
"""
    for name in ("a", "b"):
        (tmp_path / name).write_text(text % name, encoding="utf-8")
    arguments = ["preview", str(tmp_path / "a"), str(tmp_path / "b")]
    assert run(arguments) == CHANGES
    assert run([*arguments, "--fail-on", "replaced"]) == ERROR
    assert "may be replaced" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--fail-on", "exploded", "a", "b"], ["a"], ["a", "b", "--no-such"]])
def test_usage_error_has_another_exit_status_than_changes(arguments: list[str]) -> None:
    assert run(["preview", *arguments]) == ERROR


@pytest.fixture
def sides(tmp_path: Path) -> list[str]:
    """Return the arguments for a preview of a template with a nested template, an environment and a parameter value."""
    text = (
        "heat_template_version: 2021-04-16\nparameters: {a: {type: string}, b: {type: string}}\n"
        "resources:\n  inner: {type: inner.yaml}\n  v: {type: OS::Heat::Value, properties: {value: 1}}\n"
        "  unknown: {type: OS::Heat::Mapped, condition: false}\n"
    )
    (tmp_path / "old.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "new.yaml").write_text(text.replace("value: 1", "value: 2"), encoding="utf-8")
    (tmp_path / "inner.yaml").write_text("heat_template_version: 2021-04-16\n", encoding="utf-8")
    (tmp_path / "env.yaml").write_text("parameters: {a: x}\n", encoding="utf-8")
    names = [str(tmp_path / name) for name in ("old.yaml", "new.yaml", "env.yaml")]
    return ["preview", *names[:2], "-e", names[2], "-P", "b=secret"]


def test_saved_plan_is_valid_while_nothing_changes(
    sides: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "plan.json"
    assert run([*sides, "--out", str(plan)]) == 2
    assert "secret" not in plan.read_text("utf-8")
    assert run([*sides, "--check", str(plan)]) == 2
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("name", ["old.yaml", "new.yaml", "inner.yaml", "env.yaml"])
def test_saved_plan_is_rejected_after_a_file_changed(
    sides: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    plan = tmp_path / "plan.json"
    run([*sides, "--out", str(plan)])
    (tmp_path / name).write_text((tmp_path / name).read_text("utf-8") + "# a comment\n", encoding="utf-8")
    assert run([*sides, "--check", str(plan)]) == 1
    assert f"{name} has changed since" in capsys.readouterr().err


def test_saved_plan_is_rejected_with_other_values(
    sides: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "plan.json"
    run([*sides, "--out", str(plan)])
    assert run([*sides[:-1], "b=other", "--check", str(plan)]) == 1
    assert "the parameter values have changed" in capsys.readouterr().err
    plan.write_text("{}", encoding="utf-8")
    assert run([*sides, "--check", str(plan)]) == 1
    assert "is not a saved plan" in capsys.readouterr().err
