"""The environment files of snapshots, which are read for each analysis and parsed again only after a change."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from heatstudio.service.inputs.git import git_text
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.stack.load import ENVIRONMENT_ENCODINGS, MOST_ENVIRONMENTS, load_environment, read_environment
from heatstudio.template import is_environment
from heatstudio.text import DocumentError, real_path


class Environments:
    """A cache of parsed environment files."""

    def __init__(self) -> None:
        self._known: dict[tuple[Path, str], EnvironmentFile] = {}

    def of(self, snapshot: Snapshot) -> Iterator[EnvironmentFile | str]:
        """Yield the environment files of a snapshot, or the error message for an unreadable file."""
        read = [(path, self._text(path, snapshot)) for path in snapshot.environments]
        size = 0
        for path, text in read:
            size += len(text) if text is not None else 0
            if size > MOST_ENVIRONMENTS:
                yield f"{path}: the environments have more than 1 MB together, too much for Heat."
                return
        yield from (self._environment(path, text, snapshot.commit) for path, text in read)

    def _text(self, path: Path, snapshot: Snapshot) -> str | None:
        """Return the text in a git commit, else that of an editor, else that on disk; None if unreadable.

        Environments with secrets are often not in git; the one on disk is then that of the commit, too.
        """
        try:
            if snapshot.commit:
                committed = git_text(path, snapshot.commit, ENVIRONMENT_ENCODINGS)
                if committed is not None:
                    return committed
            text = snapshot.open_texts.get(real_path(path))
            return read_environment(path) if text is None else text
        except DocumentError:
            return None

    def _environment(self, path: Path, text: str | None, commit: str) -> EnvironmentFile | str:
        """Return an environment file, or the error message if it is unreadable."""
        known = self._known.get((path, commit))
        if known is not None and known.text == text:
            return known
        try:
            self._known[path, commit] = load_environment(path, text)
        except DocumentError as error:
            return error.message
        return self._known[path, commit]


def environments_among(files: Iterable[Path]) -> Iterator[Path]:
    """Yield the environments among files, as saved."""
    for path in files:
        for read in Environments().of(Snapshot("", environments=(path,))):
            data = read.data if isinstance(read, EnvironmentFile) else None
            if isinstance(data, Mapping) and is_environment(data, path.name):
                yield path
