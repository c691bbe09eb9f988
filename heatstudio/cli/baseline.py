"""Baselines: a check with a baseline reports only new problems."""

import os.path
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import DecodeError, Struct, json

from heatstudio.cli.report import note
from heatstudio.service.pool.file_report import FileReport, Problem
from heatstudio.text import DATA_LIMIT, DocumentError, FileDocument, counted, read_text, save_document
from heatstudio.text.invisible import visible


class _BaselineContent(Struct, forbid_unknown_fields=True):
    version: int
    problems: dict[str, list[str]]
    """The code and fingerprint of each problem, by the file's path relative to the baseline's folder."""


class ProblemBaseline:
    """The problems in a baseline file; the constructor raises DocumentError if the file cannot be read."""

    def __init__(self, path: Path) -> None:
        try:
            content = json.decode(read_text(path, limit=DATA_LIMIT), type=_BaselineContent)
        except DecodeError as error:
            message = f"{path} is not a valid baseline: {error}. Recreate it with --write-baseline."
            raise DocumentError("baseline", message) from error
        self._path = path
        self._known = {name: set(problems) for name, problems in content.problems.items()}

    def new_in(self, reports: Iterable[FileReport]) -> Iterator[FileReport]:
        """Yield the reports without known problems; print the number of known problems that no longer exist."""
        missing = 0
        for report in reports:
            known = self._known.get(_name(report.path, self._path), set())
            new = tuple(one for one in report.problems if one.is_suppressed or _key(one) not in known)
            missing += len(known) - (len(report.problems) - len(new))
            yield report._replace(problems=new)
        if missing > 0:
            note(f"{self._path}: {counted(missing, 'problem')} no longer found. Update the file with --write-baseline.")


def write_baseline(path: Path, reports: Iterable[FileReport]) -> None:
    """Write all reported problems to a file. Raise DocumentError."""
    found = {_name(one.path, path): sorted(map(_key, one.reported)) for one in reports}
    content = _BaselineContent(1, {name: problems for name, problems in sorted(found.items()) if problems})
    text = json.format(json.encode(content), indent=1).decode() + "\n"
    save_document(FileDocument(text, path), overwrite=True)
    note(f"{counted(sum(map(len, content.problems.values())), 'problem')} written to {path}.")


def _name(file: str, baseline: Path) -> str:
    return visible(Path(os.path.relpath(file, baseline.parent)).as_posix())


def _key(problem: Problem) -> str:
    return f"{problem.code} {problem.fingerprint}"
