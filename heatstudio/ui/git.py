"""What git has of the files beside a template. Only for threads that may wait."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

_PATIENCE = 10_000
"""Milliseconds that git may take."""


def commit_of(path: Path, revision: str) -> str | None:
    """The commit that a branch, a tag or another name stands for in the repository of a file; None if there is none."""
    answer = _git(
        _nearest_folder(path), "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
    )
    return answer.decode("ascii", "replace").strip() if answer is not None else None


@lru_cache(maxsize=1_000)
def git_text(path: Path, commit: str) -> str | None:
    """What git has of a file in a commit; None if there is nothing, no text, or no git."""
    folder = _nearest_folder(path)
    answer = _git(folder, "cat-file", "blob", f"{commit}:./{path.relative_to(folder).as_posix()}")
    try:
        return answer.decode("utf-8") if answer is not None else None
    except UnicodeDecodeError:
        return None


def _nearest_folder(path: Path) -> Path:
    """The folder of a file, or the nearest one above that is still there."""
    return next((folder for folder in path.parents if folder.is_dir()), path.parent)


def _git(folder: Path, *arguments: str) -> bytes | None:
    """What git answers; None if it fails."""
    from PySide6.QtCore import QProcess

    git = QProcess()
    git.setWorkingDirectory(str(folder))
    git.start("git", list(arguments))
    if not git.waitForFinished(_PATIENCE) or git.exitStatus() is not QProcess.ExitStatus.NormalExit:
        git.kill()
        git.waitForFinished()
        return None
    return bytes(git.readAllStandardOutput().data()) if git.exitCode() == 0 else None
