"""The language server with a real Neovim in headless mode."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from tests.lsp.test_features import TEXT

SCRIPT = Path(__file__).with_name("neovim.lua")
ROOT = Path(__file__).parents[2]


pytestmark = pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
Shown = list[tuple[int, int, str, str]]


def check(template: Path) -> Shown:
    command = [sys.executable, "-m", "heatstudio", "check", "--format", "json", str(template)]
    problems = json.loads(subprocess.run(command, capture_output=True, check=False, cwd=ROOT).stdout)["problems"]
    starts = ((one["range"]["start"], one) for one in problems if one["path"] == str(template))
    return sorted((at["line"], at["character"], one["code"], one["message"]) for at, one in starts)


def neovim(template: Path, task: str, folder: Path) -> Shown:
    report = folder / "found.json"
    nvim = ["nvim", "--headless", "--clean", "-S", str(SCRIPT), "--", sys.executable, str(template), str(report), task]
    environment = os.environ | {"XDG_STATE_HOME": str(folder), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(nvim, capture_output=True, text=True, timeout=240, check=False, cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stderr + done.stdout
    return sorted((one["lnum"], one["col"], one["code"], one["message"]) for one in json.loads(report.read_text()))


def test_neovim_shows_problems_applies_a_fix_and_renames(tmp_path: Path) -> None:
    template = tmp_path / "a.yaml"
    template.write_text(TEXT)
    expected = check(template)
    assert neovim(template, "edit", tmp_path) == expected
    assert template.read_text() == TEXT.replace("flavour", "flavor").replace("title", "heading")


def test_neovim_shows_problems_of_real_templates(shared: Path, tmp_path: Path) -> None:
    texts = sorted((shared / "corpus").rglob("*.yaml"))
    random.Random(0).shuffle(texts)
    found = ((text, check(text)) for text in texts if text.stat().st_size < 20_000)
    for template, problems in islice((pair for pair in found if pair[1]), 5):
        assert neovim(template, "look", tmp_path) == problems
