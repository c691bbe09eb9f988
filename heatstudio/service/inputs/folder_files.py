"""The templates and environments in a folder."""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from heatstudio.stack.load import begins_as_template
from heatstudio.text import checkpoint, real_path

ENDINGS = (".yaml", ".yml", ".template", ".json", ".env", ".hot", ".heat", "heatstudio.toml")
MOST_FILES = 2000
_MOST_OPENED = 20_000
"""The number of files per folder tree whose beginning is read."""


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


def files_in(folder: Path, *, deep: bool) -> list[str]:
    """Return the first MOST_FILES files of a folder in order; include subfolders if `deep`."""
    return [str(path) for path in islice(walk(folder, deep=deep), MOST_FILES)]


def _stays_inside(path: Path, folder: Path) -> bool:
    file = real_path(path)
    return not file.is_symlink() and file.is_relative_to(real_path(folder))
