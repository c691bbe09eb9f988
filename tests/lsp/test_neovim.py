"""A real Neovim, without a screen, talks with the language server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lsp.test_features import TEXT

SCRIPT = Path(__file__).with_name("neovim.lua")
ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim_shows_the_findings_of_check_applies_a_fix_and_renames(tmp_path: Path) -> None:
    template, report = tmp_path / "a.yaml", tmp_path / "found.json"
    template.write_text(TEXT)
    check = [sys.executable, "-m", "heatstudio", "check", "--format", "json", str(template)]
    expected = json.loads(subprocess.run(check, capture_output=True, check=False, cwd=ROOT).stdout)["problems"]
    nvim = ["nvim", "--headless", "--clean", "-S", str(SCRIPT), "--", sys.executable, str(template), str(report)]
    environment = os.environ | {"XDG_STATE_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(nvim, capture_output=True, text=True, timeout=240, check=False, cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stderr + done.stdout
    found = sorted((one["lnum"], one["col"], one["code"], one["message"]) for one in json.loads(report.read_text()))
    starts = ((one["range"]["start"], one) for one in expected)
    assert found == sorted((at["line"], at["character"], one["code"], one["message"]) for at, one in starts)
    assert template.read_text() == TEXT.replace("flavour", "flavor").replace("title", "heading")
