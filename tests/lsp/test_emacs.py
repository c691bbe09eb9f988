"""The language server with a real Emacs in batch mode, with eglot, which is part of Emacs since version 29."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lsp.test_features import TEXT
from tests.lsp.test_neovim import ROOT, check

SCRIPT = Path(__file__).with_name("emacs.el")
EMACS = ("emacs", "--batch", "--eval", "(progn (package-initialize) (require 'eglot))")


def has_eglot() -> bool:
    return shutil.which("emacs") is not None and subprocess.run(EMACS, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not has_eglot(), reason="Emacs with eglot is not installed")
def test_emacs_shows_problems_applies_a_fix_completes_and_renames(tmp_path: Path) -> None:
    template, report = tmp_path / "a.yaml", tmp_path / "found.json"
    template.write_text(TEXT)
    problems = [[line + 1, f"heatstudio [{code}]: {message}"] for line, _, code, message in check(template)]
    command = [*EMACS, "--load", str(SCRIPT), sys.executable, str(template), str(report)]
    environment = os.environ | {"HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=240, check=False, cwd=tmp_path, env=environment
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(report.read_text())
    assert sorted(found["problems"]) == problems
    assert found["suggestions"] == ["security_groups"]
    fixed = TEXT.replace("flavour: m1", "flavor: m1\n      security_groups:\n        - ").replace("title", "heading")
    assert template.read_text() == fixed
