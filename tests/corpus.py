"""The templates next to the checkout that people wrote."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path


def written_files(shared: Path, suffixes: Collection[str]) -> list[Path]:
    """Return the files in their order, without the mutants, which one program wrote, all in one style."""
    files = shared / "corpus" / "files"
    return [
        path
        for folder in sorted(files.iterdir())
        if folder.name != "mutants"
        for path in sorted(folder.rglob("*"))
        if path.suffix in suffixes and path.is_file()
    ]
