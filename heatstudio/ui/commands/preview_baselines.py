"""Choose and read the baseline of the update preview of a document."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import QObject

from heatstudio.text import DATA_LIMIT, ENCODING_WORDS, DocumentError, editable, read_document
from heatstudio.ui.documents.document import LAST_SAVED, Baseline, Document, running
from heatstudio.ui.widgets.banner import Banner
from heatstudio.ui.workspace.session import Session

FILE_FILTER = "Heat templates (*.yaml *.yml *.json *.template *.env);;All files (*)"
_ON_DISK = "the file on disk"
_STACK_FILTER = "Output of the openstack client (*.json *.yaml *.yml *.txt);;All files (*)"
_STACK_TITLE = "Choose the output of openstack stack export or other stack commands"


class BaselineController(QObject):
    """The commands that set the baselines of documents; errors are shown in the banner."""

    def __init__(self, session: Session, banner: Banner, window: QtWidgets.QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._banner = banner
        self._window = window

    def command_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the baseline commands."""
        session = self._session
        return {
            "against-saved": lambda: self.compare_with_saved(session.current),
            "against-git": lambda: self.compare_with_git(session.current),
            "against-revision": lambda: self.ask_revision(session.current),
            "against-file": lambda: self.ask_file(session.current),
            "against-stack": lambda: self.ask_stack(session.current),
        }

    def compare_with_saved(self, document: Document | None) -> None:
        """Compare with the last saved text."""
        if document is not None:
            self._session.set_baseline(document, LAST_SAVED)

    def compare_with_disk(self, document: Document) -> None:
        """Compare with the file on disk, which another program changed."""
        if document.path is not None:
            path = document.path
            self._read(document, lambda: _of_file(path, _ON_DISK))

    def leave_disk(self, document: Document) -> None:
        """Reset a comparison with the file on disk after the conflict is resolved."""
        if document.baseline.label == _ON_DISK:
            self._session.set_baseline(document, LAST_SAVED)

    def ask_file(self, document: Document | None) -> None:
        """Ask for a template, or for client output about a running stack."""
        names = self._ask(document, "Compare with", FILE_FILTER)
        if document is not None and names:
            self._read(document, lambda: _of_file(names[0], names[0].name))

    def ask_stack(self, document: Document | None) -> None:
        """Ask for files with the data of a running stack."""
        names = self._ask(document, _STACK_TITLE, _STACK_FILTER, several=True)
        if document is not None and names:
            self.compare_with_stack(document, names)

    def compare_with_stack(self, document: Document, paths: Sequence[Path]) -> None:
        """Compare with the running stack that files describe."""
        self._read(document, lambda: _of_stack(paths))

    def ask_revision(self, document: Document | None) -> None:
        """Ask for the revision to compare with."""
        revision, chosen = QtWidgets.QInputDialog.getText(
            self._window, "Compare with a git revision", "Branch, tag or commit:", text="HEAD~1"
        )
        if chosen and revision.strip():
            self.compare_with_git(document, revision.strip())

    def compare_with_git(self, document: Document | None, revision: str = "HEAD") -> None:
        """Compare with a git revision; report if the file is not in git."""
        if document is None or document.path is None:
            self._banner.say("Save the template first; an unsaved template has no git history.")
            return
        path = document.path
        self._read(document, lambda: _of_revision(path, revision))

    def refresh(self) -> None:
        """Reload git baselines whose revision has moved to another commit, as while the window was inactive."""
        for document in self._session.documents:
            if document.baseline.revision and document.path is not None:
                read = partial(_newer, document.path, document.baseline)
                self._session.run("Reading from git", lambda *_, read=read: read(), partial(self._replace, document))

    def _replace(self, document: Document, found: Baseline) -> None:
        """Replace a baseline, unless another one was chosen in the meantime."""
        known = document.baseline
        if known.revision == found.revision and known.commit != found.commit:
            self._session.set_baseline(document, found)

    def _ask(self, document: Document | None, title: str, names: str, *, several: bool = False) -> list[Path]:
        if document is None:
            return []
        folder = str(document.path.parent) if document.path else ""
        if several:
            return list(map(Path, QtWidgets.QFileDialog.getOpenFileNames(self._window, title, folder, names)[0]))
        name, _ = QtWidgets.QFileDialog.getOpenFileName(self._window, title, folder, names)
        return [Path(name)] if name else []

    def _read(self, document: Document, read: Callable[[], Baseline]) -> None:
        """Read a baseline in a thread, as disks and git may be slow."""

        def work(_engine: object, _job: object) -> Baseline | DocumentError:
            try:
                return read()
            except DocumentError as error:
                return error

        def take(found: Baseline | DocumentError) -> None:
            if isinstance(found, DocumentError):
                self._banner.say(found.message)
            else:
                self._session.set_baseline(document, found)

        self._session.run("Reading the baseline", work, take)


def _of_file(path: Path, label: str) -> Baseline:
    """Return the baseline of a template file or of client output about a running stack; raise DocumentError."""
    from heatstudio.update.sides.read_running_stack import is_running_stack

    text = read_document(path, ENCODING_WORDS, DATA_LIMIT).text
    return _of_stack([path]) if is_running_stack(text) else Baseline(label, editable(text).text, path)


def _of_stack(paths: Sequence[Path]) -> Baseline:
    """Return the baseline of a running stack from client output; raise DocumentError."""
    from heatstudio.update.sides.read_running_stack import read_running_stack

    stack = read_running_stack(read_document(path, limit=DATA_LIMIT) for path in paths)
    return running(stack, "" if stack.name else f"the stack of {paths[0].name}")


def _newer(path: Path, known: Baseline) -> Baseline:
    """Return the baseline of the same revision, or the known one if git no longer has it."""
    with suppress(DocumentError):
        return _of_revision(path, known.revision)
    return known


def _of_revision(path: Path, revision: str) -> Baseline:
    """Return the baseline of a git revision; raise DocumentError."""
    from heatstudio.service.inputs.git import commit_of, git_text, is_in_repository

    path = path.resolve()
    commit = commit_of(path, revision)
    text = git_text(path, commit) if commit is not None else None
    if commit is None and not is_in_repository(path):
        raise DocumentError("no-repository", f"{path.parent} is not in a git repository, or git is not installed.")
    if commit is None or text is None:
        words = f"{path.name} does not exist in" if commit is not None else "Unknown"
        raise DocumentError("no-revision", f"{words} git revision {revision}.")
    return Baseline(f"git {revision}", editable(text).text, commit=commit, revision=revision)
