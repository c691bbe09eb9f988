"""The files of the open folder, listed by a thread and shown as a Qt model."""

import os
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from heatstudio.service.inputs.folder_files import MOST_FILES
from heatstudio.service.inputs.git import STATES, file_states
from heatstudio.text import Severity, checkpoint, counted, natural_key
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import NO_CELL, Branch, Cell

_COUNTED = (Severity.ERROR, Severity.WARNING)
_STATE_COLORS = {"U": Color.ERROR, "M": Color.UPDATED, "A": Color.ADDED, "?": Color.MUTED}
Marks = Mapping[Path, Counter[Severity]]
"""The numbers of problems by severity, of files and of folders."""


class FolderTree(NamedTuple):
    """The content of each visited folder: first folders, then files, in natural sort order.

    Hidden files are left out, and links to folders are not followed.
    """

    root: Path
    folders: Mapping[Path, list[Path]]
    states: Mapping[Path, Counter[str]]
    """The numbers of git states, of files and summed for folders."""
    is_cut: bool

    def heir_of(self, path: Path, before: Mapping[Path, list[Path]]) -> Path:
        """Return a path, or what is there instead: the only new path beside it, or the nearest folder around it."""
        beside = self.folders.get(path.parent, [])
        if path == self.root or path in beside:
            return path
        new = [one for one in beside if one not in before.get(path.parent, ())]
        return new[0] if len(new) == 1 else next((one for one in path.parents if one in self.folders), self.root)


def list_tree(root: Path) -> FolderTree:
    """List a folder, up to about `MOST_FILES` entries."""
    folders: dict[Path, list[Path]] = {}
    room = MOST_FILES
    for name, below, files in os.walk(root):
        checkpoint()
        below[:], shown = _visible(below), _visible(files)
        found = [Path(name, one) for one in (*below, *shown)]
        folders |= {path: [] for path in found[: len(below)]} | {Path(name): found[:room]}
        room -= len(found)
        if room < 0:
            break
    states: dict[Path, Counter[str]] = defaultdict(Counter)
    for path, state in file_states(root).items():
        for place in (path, *path.parents):
            if place.is_relative_to(root):
                states[place][state] += 1
    return FolderTree(root, folders, states, room < 0)


def _visible(names: list[str]) -> list[str]:
    return sorted((one for one in names if not one.startswith(".")), key=lambda one: (natural_key(one.casefold()), one))


class FileRow(NamedTuple):
    """A file or a folder, with its problems and status."""

    path: Path
    is_folder: bool
    problems: tuple[tuple[Severity, int], ...]
    is_unsaved: bool
    states: tuple[tuple[str, int], ...]
    note: str = ""


def cell_of_file(value: object, _column: int) -> Cell:
    """Return the name, with the numbers of errors and warnings and git's status letter."""
    if not isinstance(value, FileRow):
        return NO_CELL
    words = [counted(number, severity.word) for severity, number in value.problems]
    words += (
        [value.note] * bool(value.note)
        + ["unsaved changes"] * value.is_unsaved
        + [f"git: {f'{number} ' * value.is_folder}{STATES[state]}" for state, number in value.states]
    )
    letters = " ".join(f"{state}{str(number) * value.is_folder}" for state, number in value.states)
    icon = ("modified", Color.ACCENT) if value.is_unsaved else ("file", Color.MUTED)
    return Cell(
        value.path.name or str(value.path),
        ("file-open", Color.MUTED) if value.is_folder else icon,
        value.note,
        badge=(letters, _STATE_COLORS[value.states[0][0]]) if letters else None,
        counts=value.problems,
        tip="\n".join((str(value.path), ", ".join(words))).strip(),
        spoken=", ".join((f"{'folder' if value.is_folder else 'file'} {value.path.name}", *words)),
    )


def branch_of(path: Path, tree: FolderTree, marks: Marks, unsaved: frozenset[Path]) -> Branch:
    """Return the branch of a file, or of a folder with its contents."""
    found = marks.get(path, Counter())
    problems = tuple((severity, found[severity]) for severity in _COUNTED if found[severity])
    is_folder = path in tree.folders
    note = f"only the first {MOST_FILES:,} files" if tree.is_cut and path == tree.root else ""
    states = tuple((state, tree.states[path][state]) for state in STATES if tree.states.get(path, Counter())[state])
    row = FileRow(path, is_folder, problems, path in unsaved, states, note)
    return Branch(row, tuple(branch_of(one, tree, marks, unsaved) for one in tree.folders.get(path, ())))
