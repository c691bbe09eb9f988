"""`heatstudio upgrade`: safe fixes and remaining decisions, for a folder and a release."""

from __future__ import annotations

from pathlib import Path

import pytest

from heatstudio.cli import run

OLD = (
    "heat_template_version: 2013-05-23\n"
    "resources:\n"
    "  link: {type: OS::Neutron::RouterInterface, properties: {router_id: r, subnet: s}}\n"
)
LEFT = "heat_template_version: 2013-05-23\nresources:\n  a: {type: OS::Nova::NoSuch}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "old.yaml").write_text(OLD, encoding="utf-8")
    (tmp_path / "left.yaml").write_text(LEFT, encoding="utf-8")
    (tmp_path / "env.yaml").write_text("parameters: {}\n", encoding="utf-8")
    return tmp_path


def test_fixes_and_decisions_are_reported_and_nothing_is_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["upgrade", str(folder), "--to", "2026.2"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{folder / 'left.yaml'}:3: error: Unknown resource type `OS::Nova::NoSuch`.")
    assert lines[1].startswith(f"{folder / 'old.yaml'}:3: safe fix: `router` replaces `router_id`.")
    assert "2 templates" in lines[-1]
    assert (folder / "old.yaml").read_text("utf-8") == OLD


def test_applied_safe_fixes_are_not_offered_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["upgrade", str(folder / "old.yaml"), "--to", "2026.2", "--apply"]) == 0
    assert (folder / "old.yaml").read_text("utf-8") == OLD.replace("router_id: r", "router: r")
    capsys.readouterr()
    run(["upgrade", str(folder), "--to", "2026.2"])
    assert "0 safe fixes available" in capsys.readouterr().out


def test_pull_request_report_is_markdown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["upgrade", str(folder), "--to", "2026.2", "--format", "markdown"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("# Upgrade to ")
    assert f"| {folder / 'left.yaml'} | 0 | 1 | 1 |" in lines
    assert any(line.startswith("- [ ] Line 3: Unknown resource type") for line in lines)


def test_unknown_release_is_an_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["upgrade", str(folder), "--to", "Nowhere"]) == 2
    assert "unknown release 'Nowhere'" in capsys.readouterr().err
