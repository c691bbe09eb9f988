"""The templates and environments in a folder."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QDir, QDirIterator

_TEMPLATES = ("*.yaml", "*.yml", "*.template", "*.json", "*.env")
_MOST_FILES = 2000


def files_in(folder: Path, *, deep: bool) -> list[str]:
    """As far as they are not too many, in order; with those of inner folders if `deep`."""
    how = QDirIterator.IteratorFlag.Subdirectories if deep else QDirIterator.IteratorFlag.NoIteratorFlags
    names = QDirIterator(str(folder), list(_TEMPLATES), QDir.Filter.Files, how)
    found: list[str] = []
    while names.hasNext() and len(found) < _MOST_FILES:
        found.append(names.next())
    return sorted(found)
