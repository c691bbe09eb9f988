"""The files on the command line: templates, folders and patterns."""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from stat import S_IFDIR
from typing import NamedTuple

from heatstudio.cli.report import complain
from heatstudio.service.inputs.folder_files import ENDINGS, walk
from heatstudio.service.inputs.project_file import find_project_file
from heatstudio.stack.load import begins_as_template
from heatstudio.text import DocumentError, is_file, stamp_of

_MAGIC = frozenset("*?[")


class TemplateFile(NamedTuple):
    """A file to check."""

    path: Path
    folder: Path | None = None
    """The given folder, which references may not leave; None for the file's own folder."""
    is_named: bool = True
    """Whether the command line names the file; other files are skipped if they are not templates."""


def template_files(names: Iterable[str]) -> tuple[list[TemplateFile], bool]:
    """Return the files without duplicates, and whether every name matched a file; print an error for other names.

    Folders and patterns match the files that the window lists: not hidden, and with a known suffix or a version.
    """
    found: dict[Path, TemplateFile] = {}
    is_complete = True
    for name in names:
        is_pattern = not _MAGIC.isdisjoint(name) and stamp_of(Path(name)) is None
        files = list(_matches(name) if is_pattern else _files(Path(name)))
        if not files:
            is_closed = not is_pattern and not os.access(name, os.R_OK | os.X_OK)
            words = "cannot read" if is_closed else "no template matches" if is_pattern else "no template in"
            complain(f"{words} {name}{': permission denied' if is_closed else ''}.")
            is_complete = False
        for file in files:
            for one in (*_project_of(file.path), file):
                found.setdefault(one.path, one)
    return list(found.values()), is_complete


def handle_files(names: Iterable[str], handle: Callable[[TemplateFile], object]) -> bool:
    """Call a function with each file; print its errors once, and return whether all files could be handled."""
    files, is_complete = template_files(names)
    errors: set[str] = set()
    for file in files:
        try:
            handle(file)
        except DocumentError as error:
            if error.message not in errors:
                complain(error.message)
            errors.add(error.message)
    return is_complete and not errors


def _project_of(path: Path) -> Iterator[TemplateFile]:
    """Yield the project file of a file, if any; its path is relative if the path of the file is."""
    found = find_project_file(path)
    if found is not None:
        yield TemplateFile(found if path.is_absolute() else Path(os.path.relpath(found)))


def _files(path: Path) -> Iterator[TemplateFile]:
    if not is_file(path, S_IFDIR):
        yield TemplateFile(path)
        return
    yield from (TemplateFile(file, path, is_named=False) for file in walk(path, opens=True))


def _matches(pattern: str) -> Iterator[TemplateFile]:
    anchor = Path(Path(pattern).anchor)
    try:
        found = sorted(anchor.glob(str(Path(pattern).relative_to(anchor))))
    except ValueError:  # such as `a**b`
        return
    for path in found:
        is_hidden = any(part.startswith(".") and part != ".." for part in path.relative_to(anchor).parts)
        is_listed = path.name.lower().endswith(ENDINGS) or begins_as_template(path)
        if is_listed and not is_hidden and is_file(path):
            yield TemplateFile(path, is_named=False)
