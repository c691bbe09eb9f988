"""The list of the files in a folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from heatstudio.ui.project import pane
from heatstudio.ui.project.pane import branch_of, cell_of_file, list_tree


def names(root: Path, folder: str = ".") -> list[str]:
    return [one.name for one in list_tree(root).folders.get(root / folder, ())]


def test_folders_come_first_in_natural_order(tmp_path: Path) -> None:
    for name in ("web-10.yaml", "web-2.yaml", "App.yaml", ".hidden"):
        (tmp_path / name).touch()
    for name in ("z", "b", ".git"):
        (tmp_path / name).mkdir()
    assert names(tmp_path) == ["b", "z", "App.yaml", "web-2.yaml", "web-10.yaml"]


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_to_folders_are_listed_but_not_entered(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").touch()
    root = tmp_path / "root"
    root.mkdir()
    (root / "away").symlink_to(tmp_path / "outside")
    (root / "loop").symlink_to(root)
    tree = list_tree(root)
    away, loop = root / "away", root / "loop"
    assert tree.folders == {root: [away, loop], away: [], loop: []}


def test_files_beyond_the_limit_are_omitted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pane, "MOST_FILES", 3)
    (tmp_path / "deep").mkdir()
    for name in ("deep/1", "deep/2", "deep/3", "a"):
        (tmp_path / name).touch()
    tree = list_tree(tmp_path)
    assert tree.is_cut
    assert cell_of_file(branch_of(tmp_path, tree, {}, frozenset()).value, 0).detail == "only the first 3 files"
    assert names(tmp_path) == ["deep", "a"]
    assert names(tmp_path, "deep") == ["1"]
    (tmp_path / "deep" / "2").unlink()
    (tmp_path / "deep" / "3").unlink()
    assert not list_tree(tmp_path).is_cut


def test_deleted_folder_counts_as_empty(tmp_path: Path) -> None:
    assert not list_tree(tmp_path / "gone").folders
