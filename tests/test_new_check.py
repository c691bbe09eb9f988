"""The command for a new check writes all its files, and its annotated text fails until it is filled."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.new_check import ROOT, new_check


def test_files_of_a_new_check(tmp_path: Path) -> None:
    entry, checks = Path("resources/checks.json"), Path("heatstudio/analysis/checks")
    for folder in (checks, Path("resources/pages"), Path("tests/analysis/annotated")):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(ROOT / entry, tmp_path / entry)
    written = new_check("my-code", tmp_path)
    assert all(path.is_file() for path in written)
    compile(written[0].read_text(encoding="utf-8"), "my_code.py", "exec")
    assert '  "my-code"\n]\n' in (tmp_path / entry).read_text(encoding="utf-8")
    assert "# <- my-code" in written[3].read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="exists already"):
        new_check("my-code", tmp_path)
    with pytest.raises(ValueError, match="not a code"):
        new_check("My Code", tmp_path)
