"""Read file versions from git without running programs that the repository's configuration names.

The configuration of an untrusted repository can start programs: hooks, file system monitors, pagers, ssh commands,
transports of a partial clone that fetches missing objects. This module uses only read-only commands, and disables
every option that starts a program or opens a connection. See git-config(1), git(1), gitattributes(5).
"""

import os
import subprocess
import sys
from collections.abc import Collection
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from threading import Timer
from typing import NamedTuple

from heatstudio.text import DATA_LIMIT, TEXT_LIMIT, UTF_8, encoding_of, is_file, real_path, stamp_of

_TIMEOUT = 10.0
"""The timeout of a git command in seconds."""
_OPTIONS = (
    "--no-pager",
    "--no-optional-locks",
    "--no-replace-objects",
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.askPass="),
    *("-c", "protocol.allow=never"),
)
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",  # no transport has this name: nothing is fetched
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
}

STATES = {"U": "in conflict", "M": "modified", "A": "added", "?": "untracked"}
"""The status letters of `file_states`, most important first, with their meanings."""
_MOST_REVISIONS = 200
"""The number of commits, and of branches and tags, that are listed."""
_LOG = ("log", "--no-show-signature", "--encoding=UTF-8", "--format=commit%x00%h%x00%as%x00%s")
_FOLLOWED = ("--follow", f"--max-count={_MOST_REVISIONS}", "--")
_REFS = ("for-each-ref", f"--count={_MOST_REVISIONS}", "--sort=-creatordate")
_REFS_FORMAT = "--format=%(refname)%00%(refname:short)%00%(creatordate:short)%00%(contents:subject)"
_KINDS = {"refs/heads/": "branch", "refs/remotes/": "remote branch", "refs/tags/": "tag"}
_STATUS = ("--porcelain", "-z", "--no-renames", "--ignore-submodules=all", "--untracked-files=all", "--", ".")


def is_in_repository(path: Path) -> bool:
    """Return whether git is installed and a file is in a repository. This function blocks: use a worker thread."""
    return _git(_nearest_folder(path), "rev-parse", "--git-dir") is not None


def commit_of(path: Path, revision: str) -> str | None:
    """Return the commit that a branch, tag or other revision names in the repository of a file, or None.

    This function blocks: use a worker thread.
    """
    answer = _git(
        _nearest_folder(path), "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
    )
    return answer.decode("ascii", "replace").strip() if answer is not None else None


class Revision(NamedTuple):
    """A commit, branch or tag."""

    kind: str
    name: str
    """The name of the branch or tag, or the abbreviated ID of the commit."""
    date: str
    """The date in the form 2026-11-27."""
    subject: str
    """The first line of the message."""


def revisions(path: Path) -> list[Revision]:
    """Return the latest commits that changed a file, also under former names, and the latest branches and tags.

    This function blocks.
    """
    folder = _nearest_folder(path)
    commits = _git(folder, *_LOG, *_FOLLOWED, f"./{path.relative_to(folder).as_posix()}")
    references = _revisions(_git(folder, *_REFS, _REFS_FORMAT, *_KINDS))
    kinds = [next((kind for start, kind in _KINDS.items() if one.kind.startswith(start)), "") for one in references]
    return [*_revisions(commits), *(one._replace(kind=kind) for kind, one in zip(kinds, references, strict=True))]


def former_paths(path: Path) -> list[Path]:
    """Return the other paths that a file had in its latest commits, newest first. This function blocks."""
    folder = _nearest_folder(path)
    top = _git(folder, "rev-parse", "--show-cdup")
    names = _git(
        folder, "log", "--format=", "--name-only", "-z", *_FOLLOWED, f"./{path.relative_to(folder).as_posix()}"
    )
    if top is None or names is None:
        return []
    root = real_path(folder / os.fsdecode(top).removesuffix("\n"))
    found = dict.fromkeys(root / name.strip("\n") for name in os.fsdecode(names).split("\0") if name.strip("\n"))
    return [one for one in found if one != path]


def revision_at(path: Path, commit: str) -> Revision | None:
    """Return the description of a commit in the repository of a file. This function blocks."""
    return next(iter(_revisions(_git(_nearest_folder(path), *_LOG, "--max-count=1", commit))), None)


def _revisions(answer: bytes | None) -> list[Revision]:
    lines = [line.split("\0") for line in (answer or b"").decode("utf-8", "replace").split("\n")]
    return [Revision(*line) for line in lines if len(line) == len(Revision._fields)]


@lru_cache(maxsize=16)
def git_content(path: Path, commit: str) -> bytes | None:
    """Return the content of a file in a commit; None if missing or too large. This function blocks."""
    folder = _nearest_folder(path)
    name = f"{commit}:./{path.relative_to(folder).as_posix()}"
    size = _git(folder, "cat-file", "-s", name)  # git would unpack a large object in its memory
    return _git(folder, "cat-file", "blob", name) if size is not None and int(size) <= TEXT_LIMIT else None


def git_text(path: Path, commit: str, encodings: Collection[str] = (UTF_8,)) -> str | None:
    """Return the text of a file in a commit; None if missing or in another encoding. This function blocks."""
    content = git_content(path, commit)
    if content is None or (encoding := encoding_of(content)) not in encodings:
        return None
    with suppress(UnicodeDecodeError):
        return content.decode(encoding)
    return None


def file_states(folder: Path) -> dict[Path, str]:
    """Return the git states, see `STATES`, of the files in a folder that differ from the last commit.

    This function disables filters, so a file with a filter counts as modified as soon as its time stamp changes. It
    blocks: use a worker thread.
    """
    config, prefix = _git(folder, "config", "--list", "--name-only", "-z"), _git(folder, "rev-parse", "--show-prefix")
    filters = {name for name in os.fsdecode(config or b"").split("\0") if name.startswith("filter.")}
    if config is None or prefix is None or any("=" in name for name in filters):  # `-c` cannot override such a name
        return {}
    off = [part for name in filters for part in ("-c", f"{name}=")]
    answer = _git(folder, *off, "status", *_STATUS)
    start = len("XY ") + len(os.fsdecode(prefix).removesuffix("\n"))
    entries = os.fsdecode(answer or b"").split("\0")[:-1]
    return {folder / entry[start:]: _state(entry[:2]) for entry in entries}


def _state(code: str) -> str:
    """Return one letter for the two status letters, of the index and of the working tree; see git-status(1)."""
    if "U" in code or code in ("AA", "DD"):
        return "U"
    return code[0] if code[0] in "?A" else "M"


def _nearest_folder(path: Path) -> Path:
    """Return the nearest existing parent folder of a file."""
    return next((folder for folder in path.parents if stamp_of(folder)), path.parent)


def _program() -> str | None:
    """Return the path of git, which Windows would first search in the current folder, such as an untrusted one."""
    name = "git.exe" if sys.platform == "win32" else "git"
    found = (Path(folder, name) for folder in os.get_exec_path() if Path(folder).is_absolute())
    return next((str(path) for path in found if is_file(path) and os.access(path, os.X_OK)), None)


def _git(folder: Path, *arguments: str) -> bytes | None:
    """Return the output of git; None if git fails, takes too long, prints too much or is not installed."""
    program = _program()
    if program is None:
        return None
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        process = subprocess.Popen(
            [program, "-C", str(folder), *_OPTIONS, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=kept | _ENVIRONMENT,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except (OSError, ValueError):
        return None
    timer = Timer(_TIMEOUT, process.kill)
    timer.start()
    with process:
        output = process.stdout.read(DATA_LIMIT) if process.stdout is not None else b""
        if len(output) == DATA_LIMIT:
            process.kill()
    timer.cancel()
    return output if process.returncode == 0 else None
