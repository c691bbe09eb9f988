"""The templates and environments in a folder."""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from heatstudio.template.dialect import begins_with_version
from heatstudio.text import checkpoint, is_file, real_path

ENDINGS = (".yaml", ".yml", ".template", ".json", ".env", ".hot", ".heat", "heatstudio.toml")
_SOURCES = (".j2", ".jinja", ".jinja2")
"""The endings of files that become templates after their rendering."""
MOST_FILES = 2000
_MOST_OPENED = 20_000
"""The number of files per folder tree whose beginning is read."""
_BEGINNING = 2_000


def walk(folder: Path, endings: tuple[str, ...] = ENDINGS, *, deep: bool = True, opens: bool = False) -> Iterator[Path]:
    """Yield the files of a folder tree whose names end like those of templates, in order.

    If it `opens` the other files, also yield those that begin with a template version. Hidden files and folders,
    links to folders, and links that leave the folder are left out.
    """
    opened = 0
    for name, below, files in os.walk(folder):
        checkpoint()
        below[:] = sorted(one for one in below if not one.startswith(".")) if deep else []
        for file in sorted(files):
            if file.startswith("."):
                continue
            path, is_listed = Path(name, file), file.lower().endswith(endings)
            if not path.is_symlink() or _stays_inside(path, folder):
                opened += not is_listed
                if is_listed or (opens and opened <= _MOST_OPENED and begins_as_template(path)):
                    yield path


def begins_as_template(path: Path) -> bool:
    """Return whether a file begins with a template version, unless its name says that it must be rendered first."""
    if path.name.lower().endswith(_SOURCES) or not is_file(path):
        return False
    try:
        with path.open("rb") as file:
            return begins_with_version(file.read(_BEGINNING).decode("utf-8", "replace"))
    except OSError:
        return False


def files_in(folder: Path, *, deep: bool) -> list[str]:
    """Return the first MOST_FILES files of a folder in order; include subfolders if `deep`."""
    return [str(path) for path in islice(walk(folder, deep=deep), MOST_FILES)]


def _stays_inside(path: Path, folder: Path) -> bool:
    file = real_path(path)
    return not file.is_symlink() and file.is_relative_to(real_path(folder))
