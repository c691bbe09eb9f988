"""The files that the command line selects: templates, folders and patterns."""

import os.path
from collections.abc import Iterable, Iterator
from pathlib import Path
from stat import S_IFDIR
from typing import NamedTuple

from heatstudio.cli.report import complain
from heatstudio.service.folder_files import ENDINGS, walk
from heatstudio.service.project_file import candidates
from heatstudio.text import is_file, stamp_of

_MAGIC = frozenset("*?[")


class TemplateFile(NamedTuple):
    """A file to look at."""

    path: Path
    folder: Path | None = None
    """The folder that was named, which references may not leave; None for the file's own."""
    is_named: bool = True
    """Whether the user named it; others are passed over if they are no templates."""


def template_files(names: Iterable[str]) -> tuple[list[TemplateFile], bool]:
    """Each file once, in order, and whether each name stands for something; a complaint is written for each other.

    Folders and patterns stand for what the window lists of a folder: nothing hidden, nothing of other endings.
    """
    found: dict[Path, TemplateFile] = {}
    is_complete = True
    for name in names:
        is_pattern = not _MAGIC.isdisjoint(name) and stamp_of(Path(name)) is None
        files = list(_matches(name) if is_pattern else _files(Path(name)))
        if not files:
            complain(f"no template matches {name}." if is_pattern else f"no template in {name}.")
            is_complete = False
        for file in files:
            for one in (*_project_of(file.path), file):
                found.setdefault(one.path, one)
    return list(found.values()), is_complete


def _project_of(path: Path) -> Iterator[TemplateFile]:
    """The project file of a file, named as it is."""
    found = next(filter(is_file, candidates(path)), None)
    if found is not None:
        yield TemplateFile(found if path.is_absolute() else Path(os.path.relpath(found)))


def _files(path: Path) -> Iterator[TemplateFile]:
    if not is_file(path, S_IFDIR):
        yield TemplateFile(path)
        return
    yield from (TemplateFile(file, path, is_named=False) for file in walk(path))


def _matches(pattern: str) -> Iterator[TemplateFile]:
    anchor = Path(Path(pattern).anchor)
    for path in sorted(anchor.glob(str(Path(pattern).relative_to(anchor)))):
        is_hidden = any(part.startswith(".") for part in path.relative_to(anchor).parts)
        if path.name.lower().endswith(ENDINGS) and not is_hidden and is_file(path):
            yield TemplateFile(path, is_named=False)
