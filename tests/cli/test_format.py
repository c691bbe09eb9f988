"""`heatstudio format`: formatted files, files to format, and files that are left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from heatstudio.cli import run

OLD = "heat_template_version:  2021-04-16\r\nresources:\r\n    one:\r\n        type:   OS::Heat::None  # one\r\n"
NEW = "heat_template_version: 2021-04-16\r\n\r\nresources:\r\n    one:\r\n        type: OS::Heat::None  # one\r\n"


def test_files_are_formatted_with_their_line_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(OLD.encode())
    assert run(["format", "--check", str(path)]) == 1
    assert (capsys.readouterr().out, path.read_bytes()) == (f"{path}\n", OLD.encode())
    assert run(["format", str(path)]) == 0
    assert (capsys.readouterr().err, path.read_bytes()) == ("1 file formatted.\n", NEW.encode())
    assert run(["format", "--check", str(path)]) == 0


def test_folder_leaves_other_files_and_json_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_bytes(OLD.encode())
    (tmp_path / "playbook.yaml").write_text("- hosts:   all\n", encoding="utf-8")
    (tmp_path / "b.json").write_text('{"heat_template_version":   "2021-04-16"}', encoding="utf-8")
    assert run(["format", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'a.yaml'}\n"
    assert (tmp_path / "playbook.yaml").read_text("utf-8") == "- hosts:   all\n"


def test_broken_file_is_named_with_the_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("heat_template_version: 2021-04-16\nresources: [\n", encoding="utf-8")
    assert run(["format", str(path)]) == 2
    assert f"{path}: not formatted: Line 3 has a syntax error." in capsys.readouterr().err
    assert run(["format", str(tmp_path / "none.yaml")]) == 2
