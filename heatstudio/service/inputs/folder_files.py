"""The templates and environments in a folder."""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from heatstudio.text import checkpoint, real_path

ENDINGS = (".yaml", ".yml", ".template", ".json", ".env", "heatstudio.toml")
MOST_FILES = 2000


def walk(folder: Path, endings: tuple[str, ...] = ENDINGS, *, deep: bool = True) -> Iterator[Path]:
    """Yield the files of a folder tree whose names end like those of templates, in order.

    Hidden files and folders, links to folders, and links that leave the folder are left out.
    """
    for name, below, files in os.walk(folder):
        checkpoint()
        below[:] = sorted(one for one in below if not one.startswith(".")) if deep else []
        for file in sorted(files):
            if file.lower().endswith(endings) and not file.startswith("."):
                path = Path(name, file)
                if not path.is_symlink() or _stays_inside(path, folder):
                    yield path


def files_in(folder: Path, *, deep: bool) -> list[str]:
    """Return the first MOST_FILES files of a folder in order; include subfolders if `deep`."""
    return [str(path) for path in islice(walk(folder, deep=deep), MOST_FILES)]


def _stays_inside(path: Path, folder: Path) -> bool:
    file = real_path(path)
    return not file.is_symlink() and file.is_relative_to(real_path(folder))
