"""Export of a running stack to a folder that can be opened again."""

from __future__ import annotations

from pathlib import Path

import pytest

from heatstudio.cloud.cloud_error import CloudError
from heatstudio.cloud.export import stack_files, write_stack
from heatstudio.cloud.submission import submission_of
from heatstudio.update.running_stack import MASK, RunningStack
from tests.load import load_source

HEAD = "heat_template_version: 2021-04-16\n"
STACK = RunningStack(
    f"{HEAD}resources: {{a: {{type: 'file:///home/me/app/parts/child.yaml', properties: {{x: hush}}}}}}\n",
    environment={
        "parameters": {"size": 1, "secret": MASK},
        "resource_registry": {"My::Type": "file:///home/me/app/mine.yaml", "resources": {}},
        "encrypted_param_names": [],
    },
    files={
        "file:///home/me/app/parts/child.yaml": f"{HEAD}outputs: {{o: {{value: {{get_file: 'file:///home/me/app/hush'}}}}}}\n",
        "file:///home/me/app/hush": "text",
        "file:///home/me/app/mine.yaml": HEAD,
        "../../escape": "x",
    },
)


def test_files_refer_to_each_other_by_relative_paths(tmp_path: Path) -> None:
    assert write_stack(STACK, tmp_path / "web") == ("secret",)
    folder = tmp_path / "web"
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert names == {"template.yaml", "environment.yaml", "parts/child.yaml", "hush", "mine.yaml", "escape"}
    assert "type: parts/child.yaml" in (folder / "template.yaml").read_text("utf-8")
    assert "get_file: ../hush" in (folder / "parts" / "child.yaml").read_text("utf-8")
    sent = submission_of(load_source(folder / "template.yaml", [folder / "environment.yaml"]))
    assert {"parts/child.yaml", "hush", "mine.yaml"} <= set(sent.files)


def test_hidden_values_are_omitted() -> None:
    environment = stack_files(STACK)[0]["environment.yaml"]
    assert "size: 1" in environment
    assert "secret" not in environment


def test_existing_folder_is_not_changed(tmp_path: Path) -> None:
    with pytest.raises(CloudError, match="File exists"):
        write_stack(STACK, tmp_path)
    assert list(tmp_path.iterdir()) == []
