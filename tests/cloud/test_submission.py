"""Submissions to Heat: each file once, by the name with which Heat looks it up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heatstudio.cloud.cloud_error import CloudError
from heatstudio.cloud.submission import submission_of
from heatstudio.stack.definition.secrets import MASK
from heatstudio.update.running_stack import RunningStack
from tests.cloud.stories import TEMPLATE, written
from tests.load import load_source


def test_files_of_nested_templates_are_named_relative_to_the_top_template(tmp_path: Path) -> None:
    sent = submission_of(written(tmp_path))
    assert set(sent.files) == {"parts/child.yaml", "parts/note.txt"}
    child = json.loads(sent.files["parts/child.yaml"])
    assert child["resources"]["inner"]["properties"]["label"]["list_join"][1][1] == {"get_file": "parts/note.txt"}
    assert str(tmp_path) not in json.dumps(sent.body())


def test_template_file_is_sent_as_json_like_by_the_client(tmp_path: Path) -> None:
    text = "heat_template_version: 2021-04-16\n# kept\nresources: {}\n"
    (tmp_path / "child.yaml").write_text(text, "utf-8")
    (tmp_path / "top.yaml").write_text(
        "heat_template_version: 2021-04-16\nresources: {a: {type: child.yaml}, b: {type: ./child.yaml}}\n", "utf-8"
    )
    sent = submission_of(load_source(tmp_path / "top.yaml"))
    assert sent.files == {"child.yaml": '{"heat_template_version": "2021-04-16", "resources": {}}'}
    assert sent.template["resources"] == {"a": {"type": "child.yaml"}, "b": {"type": "child.yaml"}}


def test_template_version_is_sent_as_a_string(tmp_path: Path) -> None:
    assert submission_of(written(tmp_path)).template["heat_template_version"] == "2021-04-16"


def test_hidden_values_are_not_in_the_files(tmp_path: Path) -> None:
    written(tmp_path, environment="parameters: {secret: shh, label: from-file, frozen: ice}\n")
    values = {"label": "typed"}
    sent = submission_of(load_source(tmp_path / "stack.yaml", [tmp_path / "environment.yaml"], parameter_values=values))
    assert sent.parameters == {"label": "typed"}
    assert sent.environment["parameters"] == {"secret": "shh", "frozen": "ice"}
    assert not sent.environment_files
    assert "shh" not in json.dumps(dict(sent.files))


def test_hidden_values_of_nested_templates_are_not_in_the_files(tmp_path: Path) -> None:
    written(tmp_path, environment="parameter_defaults: {inner_secret: shh}\n")
    child = tmp_path / "parts" / "child.yaml"
    text = child.read_text("utf-8").replace("{label: {", "{inner_secret: {type: string, hidden: true}, label: {", 1)
    child.write_text(text, "utf-8")
    sent = submission_of(load_source(tmp_path / "stack.yaml", [tmp_path / "environment.yaml"]))
    assert sent.environment["parameter_defaults"] == {"inner_secret": "shh"}
    assert "shh" not in json.dumps(dict(sent.files))


def test_values_of_the_form_override_environment_files(tmp_path: Path) -> None:
    written(tmp_path, environment="parameters: {label: from-file, frozen: ice}\n")
    values = {"label": "typed"}
    sent = submission_of(load_source(tmp_path / "stack.yaml", [tmp_path / "environment.yaml"], parameter_values=values))
    assert sent.environment_files == ("environment.yaml",)
    assert json.loads(sent.files["environment.yaml"]) == {"parameters": {"frozen": "ice"}}


def test_masked_value_is_not_sent() -> None:
    running = RunningStack(TEMPLATE.replace("parts/child.yaml", "OS::Heat::None"), parameters={"secret": MASK})
    with pytest.raises(CloudError, match="`secret`"):
        submission_of(running.source())


def test_templates_of_a_stack_with_url_names_are_sent() -> None:
    url = "file:///somewhere/child.yaml"
    text = f"heat_template_version: 2021-04-16\nresources: {{a: {{type: '{url}'}}}}\n"
    sent = submission_of(RunningStack(text, files={url: "heat_template_version: 2021-04-16\n"}).source())
    assert sent.files == {url: "heat_template_version: 2021-04-16\n"}


def test_templates_of_the_registry_are_sent(tmp_path: Path) -> None:
    sent = submission_of(written(tmp_path, environment="resource_registry: {My::Part: parts/child.yaml}\n"))
    assert json.loads(sent.files["environment.yaml"])["resource_registry"] == {"My::Part": "parts/child.yaml"}


def test_missing_file_is_not_sent(tmp_path: Path) -> None:
    sent = submission_of(written(tmp_path, TEMPLATE.replace("parts/child.yaml", "parts/gone.yaml")))
    assert not sent.files


def test_file_outside_the_open_folder_is_not_sent(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("s", "utf-8")
    text = TEMPLATE.replace("label: d,", "label: {get_file: ../secret.txt},")
    with pytest.raises(CloudError, match="Open the folder"):
        submission_of(written(tmp_path / "inner", text))
