"""The environment files of snapshots, which are read for each analysis and parsed again only after a change."""

from collections.abc import Iterator
from pathlib import Path

from heatstudio.service.inputs.git import git_text
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.stack.load import ENVIRONMENT_ENCODINGS, load_environment, read_environment
from heatstudio.text import DocumentError, real_path

_MOST = 2**20
"""The maximum number of characters of all environments together: Heat's default limit of a request in bytes."""


class Environments:
    """A cache of parsed environment files."""

    def __init__(self) -> None:
        self._known: dict[tuple[Path, str], EnvironmentFile] = {}

    def of(self, snapshot: Snapshot) -> Iterator[EnvironmentFile | str]:
        """Yield the environment files of a snapshot, or the error message for an unreadable file."""
        left = _MOST
        for path in snapshot.environments:
            found = self._read(path, snapshot.commit, snapshot.open_texts.get(real_path(path)), left)
            left -= len(found.text or "") if isinstance(found, EnvironmentFile) else 0
            yield found

    def _read(self, path: Path, commit: str, text: str | None, most: int) -> EnvironmentFile | str:
        """Return an environment file, or the error message if it is unreadable.

        The content is the version in a git commit, else `text`, the unsaved text of an editor, else the file on disk.
        """
        try:
            text = git_text(path, commit, ENVIRONMENT_ENCODINGS) if commit else text
            text = read_environment(path) if text is None else text
            if len(text) > most:
                return f"{path}: the environments have more than 1 MB together, too much for Heat."
            known = self._known.get((path, commit))
            if known is None or known.text != text:
                known = self._known[path, commit] = load_environment(path, text)
        except DocumentError as error:
            return error.message
        return known
