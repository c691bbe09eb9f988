"""Export of a running stack to a folder that can be opened again."""

from __future__ import annotations

import re
from pathlib import Path, PureWindowsPath

import pytest

from heatstudio.cloud.cloud_error import CloudError
from heatstudio.cloud.export import file_name, special_files, stack_files, write_stack
from heatstudio.cloud.submission import submission_of
from heatstudio.stack.definition.secrets import MASK
from heatstudio.update.running_stack import RunningStack
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


HOSTILE = (
    "../../escape", "..\\..\\evil.bat", "C:/Users/u/x.bat", "C:\\x.bat", "/etc/passwd", "a/../../b", "a\0b", "a\nb",
    "con", "NUL.txt", "com1.yaml", "a. ", " a", "a.", "A", "Template.YAML", "environment.yaml ", "x" * 300 + ".yaml",
    "漢" * 90 + ".yaml", "d/" * 400 + "f", "", ".", "..", "/", "file://", "http://[", "file:///a/%2e%2e/%2e%2e/b",
    "http://u:p@h/x?y#z", "file:///c%5c..%5cd", "e", "e/f", "e/f/g", "\ud800", "a\u200db", "a:b", "LPT9 .yaml",
)  # fmt: skip
RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *([.:].*)?", re.IGNORECASE)
"""Names of devices on Windows, with any extension."""
SPECIAL = (".git/config", ".envrc", "HEATSTUDIO.TOML", "x/.ssh/config", "git~1/config", "clouds.yaml")


def test_names_of_files_are_valid_and_distinct_on_every_system(tmp_path: Path) -> None:
    files = {name: str(number) for number, name in enumerate((*HOSTILE, *SPECIAL))}
    names = stack_files(RunningStack(HEAD, files=files))[0]
    assert len(names) == len({name.casefold() for name in names}) == len(files) + 1
    for name in names:
        parts = PureWindowsPath(name).parts
        assert not {"..", "/", "\\"} & set(parts)
        assert not any(RESERVED.fullmatch(part) for part in parts)
        assert not PureWindowsPath(name).drive
        assert all(part == part.strip().rstrip(".") and len(part.encode()) < 200 for part in parts)
        assert not re.search(r'[\x00-\x1f<>:"|?*\\]', name)
        name.encode()
    write_stack(RunningStack(HEAD, files=files), tmp_path / "all", with_special=True)
    written = {path.relative_to(tmp_path / "all").as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert written == set(names)


def test_special_files_are_only_written_with_consent(tmp_path: Path) -> None:
    stack = RunningStack(HEAD, files=dict.fromkeys((*SPECIAL, "Heatstudio.toml", "plain.yaml"), ""))
    assert special_files(stack_files(stack)[0]) == SPECIAL
    write_stack(stack, tmp_path / "web")
    assert {path.name for path in (tmp_path / "web").iterdir()} == {
        "template.yaml",
        "plain.yaml",
        "file-1-Heatstudio.toml",
    }


@pytest.mark.parametrize(
    ("name", "folder"), [("../.config/autostart", "_.config_autostart"), ("web", "web"), ("..", "_"), ("nul", "_nul")]
)
def test_folder_of_a_stack_is_below_the_chosen_one(name: str, folder: str) -> None:
    assert file_name(name.lstrip(".")) == folder


def test_folder_outside_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "chosen").mkdir()
    with pytest.raises(CloudError):
        write_stack(STACK, tmp_path / "chosen" / ".." / "escaped")
    with pytest.raises(CloudError):
        write_stack(RunningStack(HEAD, files={"a": "\ud800"}), tmp_path / "b")
    assert [path.name for path in tmp_path.iterdir()] == ["chosen"]


def test_existing_folder_is_not_changed(tmp_path: Path) -> None:
    with pytest.raises(CloudError, match="File exists"):
        write_stack(STACK, tmp_path)
    assert list(tmp_path.iterdir()) == []
