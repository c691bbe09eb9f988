"""Choose and read the baseline of the update preview of a document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6 import QtWidgets
from PySide6.QtCore import QObject, Signal

from heatstudio.text import DATA_LIMIT, ENCODING_WORDS, DocumentError, editable, read_document, read_text
from heatstudio.text.invisible import visible
from heatstudio.ui.documents.document import AS_OPENED, LAST_SAVED, Baseline, Document, running
from heatstudio.ui.tasks.jobs import no_op
from heatstudio.ui.widgets.banner import Banner
from heatstudio.ui.workspace.session import Session

if TYPE_CHECKING:  # git is imported on first use
    from heatstudio.service.inputs.git import Revision

FILE_FILTER = "Heat templates (*.yaml *.yml *.json *.template *.env);;All files (*)"
_HEAD = "HEAD"
_ON_DISK = "the file on disk"
_STACK_FILTER = "Output of the openstack client (*.json *.yaml *.yml *.txt);;All files (*)"
_STACK_TITLE = "Choose the output of openstack stack export or other stack commands"


class Kind(StrEnum):
    """The kinds of baselines that are kept; the values are stored."""

    OPENED = "opened"
    SAVED = "saved"
    GIT = "git"
    FILE = "file"
    STACK = "stack"


class BaselineController(QObject):
    """The baselines of documents: one is chosen for each file, and kept; errors are shown in the banner."""

    choices_found = Signal(str, object)
    """A question, and the choices to pick from."""

    def __init__(self, session: Session, banner: Banner, window: QtWidgets.QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._banner = banner
        self._window = window
        self._before: dict[Document, Baseline] = {}
        """The baselines of documents that are compared with the file on disk."""
        session.current_changed.connect(self._choose_first)
        session.document_closed.connect(self._forget)

    def command_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the baseline commands."""
        session = self._session
        return {
            "against-opened": lambda: self._choose(session.current, Kind.OPENED),
            "against-saved": lambda: self._choose(session.current, Kind.SAVED),
            "against-git": lambda: self.compare_with_git(session.current),
            "against-revision": lambda: self.ask_revision(session.current),
            "against-file": lambda: self.ask_file(session.current),
            "against-stack": lambda: self.ask_stack(session.current),
        }

    def compare_with_disk(self, document: Document) -> None:
        """Compare with the file on disk, which another program changed, until the conflict is resolved."""
        if document.path is not None:
            self._before.setdefault(document, document.baseline)
            take = partial(self._session.set_baseline, document)
            self._read("Reading the file on disk", partial(_of_file, document.path, _ON_DISK), take)

    def leave_disk(self, document: Document) -> None:
        """Return from the file on disk to the baseline before the conflict."""
        before = self._before.pop(document, None)
        if before is not None and document.baseline.label == _ON_DISK:
            self._session.set_baseline(document, before)

    def ask_file(self, document: Document | None) -> None:
        """Ask for a template, a saved plan, or client output about a running stack."""
        names = self._ask(document, "Compare with", FILE_FILTER)
        if names:
            self._choose(document, Kind.FILE, *names)

    def ask_stack(self, document: Document | None) -> None:
        """Ask for files with the data of a running stack."""
        names = self._ask(document, _STACK_TITLE, _STACK_FILTER, several=True)
        if names:
            self._choose(document, Kind.STACK, *names)

    def ask_revision(self, document: Document | None) -> None:
        """Let the user pick one of the commits of the file, or a branch or tag."""
        from heatstudio.service.inputs.git import revisions
        from heatstudio.ui.widgets.picker import Choice

        path = self._path_in_git(document)
        if document is None or path is None:
            return

        def show(found: list[Revision]) -> None:
            if found:
                self.choices_found.emit(f"Compare {document.title} with", [*map(choice, found)])
            else:
                self._banner.say(_no_repository(path).message)

        def choice(one: Revision) -> Choice:
            is_commit, (name, subject) = one.kind == "commit", map(visible, (one.name, one.subject))
            words = (subject, f"{name}, {one.date}") if is_commit else (name, f"{one.date}, {subject}")
            return Choice(
                words[0], partial(self.compare_with_git, document, one.name), words[1], one.kind, keywords=name
            )

        self._session.run("Reading the git history", lambda *_: revisions(path.resolve()), show)

    def compare_with_git(self, document: Document | None, revision: str = _HEAD) -> None:
        """Compare with a git revision; report if the file is not in git."""
        if self._path_in_git(document) is not None:
            self._choose(document, Kind.GIT, revision)

    def _path_in_git(self, document: Document | None) -> Path | None:
        if document is None or document.path is None:
            self._banner.say("Save the template first; an unsaved template has no git history.")
            return None
        return document.path

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

    def _ask(self, document: Document | None, title: str, names: str, *, several: bool = False) -> list[str]:
        if document is None:
            return []
        folder = str(document.path.parent) if document.path else ""
        if several:
            return QtWidgets.QFileDialog.getOpenFileNames(self._window, title, folder, names)[0]
        name, _ = QtWidgets.QFileDialog.getOpenFileName(self._window, title, folder, names)
        return [name] if name else []

    def _choose_first(self, document: Document | None) -> None:
        """Choose the baseline that was chosen for the file before, or git HEAD if that has the file."""
        if document is None or document.path is None or document.is_baseline_chosen or document.is_read_only:
            return
        document.is_baseline_chosen = True
        opened, choice = document.baseline, self._session.settings.baselines.get(document.path, ())

        def take(found: Baseline) -> None:
            if document.baseline is opened and document in self._session.documents:
                self._session.set_baseline(document, found)

        read = partial(_baseline, document.path, opened, *(choice or (Kind.GIT, _HEAD)))
        self._read("Reading the baseline", read, take, self._say if choice else no_op)

    def _choose(self, document: Document | None, kind: Kind, *names: str) -> None:
        """Read and keep a baseline."""
        if document is None:
            return

        def take(found: Baseline) -> None:
            self._session.set_baseline(document, found)
            if document.path is not None:
                self._session.settings.set_baseline(document.path, (kind, *names))

        read = partial(_baseline, document.path, Baseline(AS_OPENED, document.opened_text), kind, *names)
        self._read("Reading the baseline", read, take)

    def _read(
        self,
        name: str,
        read: Callable[[], Baseline],
        take: Callable[[Baseline], object],
        refuse: Callable[[DocumentError], object] | None = None,
    ) -> None:
        """Read a baseline in a thread, as disks and git may be slow."""

        def work(_engine: object, _job: object) -> Baseline | DocumentError:
            try:
                return read()
            except DocumentError as error:
                return error

        def answer(found: Baseline | DocumentError) -> None:
            if isinstance(found, DocumentError):
                (refuse or self._say)(found)
            else:
                take(found)

        self._session.run(name, work, answer)

    def _say(self, error: DocumentError) -> None:
        self._banner.say(error.message)

    def _forget(self, document: Document) -> None:
        self._before.pop(document, None)


def _baseline(path: Path | None, opened: Baseline, kind: str, *names: str) -> Baseline:
    """Return a baseline of the file at a path, that of the opened text if the settings are invalid.

    Raise DocumentError.
    """
    files = list(map(Path, names))
    if files and kind == Kind.GIT and path is not None:
        return _of_revision(path, names[0])
    if files and kind == Kind.FILE:
        return _of_file(files[0], files[0].name)
    if files and kind == Kind.STACK:
        return _of_stack(files)
    return LAST_SAVED if kind == Kind.SAVED else opened


def _of_file(path: Path, label: str) -> Baseline:
    """Return the baseline of a template, a saved plan, or client output about a stack; raise DocumentError."""
    from heatstudio.service.saved_plan import NO_PLAN, old_template
    from heatstudio.update.sides.read_running_stack import is_running_stack

    text = read_document(path, ENCODING_WORDS, DATA_LIMIT).text
    try:
        old = old_template(text, path)
        return Baseline(f"plan {path.name}", read_text(old, ENCODING_WORDS), f"update from {old.name}", old)
    except DocumentError as error:
        if error.code != NO_PLAN:
            raise
    return _of_stack([path]) if is_running_stack(text) else Baseline(label, editable(text).text, path=path)


def _of_stack(paths: Sequence[Path]) -> Baseline:
    """Return the baseline of a running stack from client output; raise DocumentError."""
    from heatstudio.update.sides.read_running_stack import read_running_stack

    stack = read_running_stack(read_document(path, limit=DATA_LIMIT) for path in paths)
    return running(stack, "" if stack.name else f"the stack of {paths[0].name}")


def _newer(path: Path, known: Baseline) -> Baseline:
    """Return the baseline of the same revision, or the known one if that has not moved, or git no longer has it."""
    from heatstudio.service.inputs.git import commit_of

    with suppress(DocumentError):
        if commit_of(path.resolve(), known.revision) != known.commit:
            return _of_revision(path, known.revision)
    return known


def _of_revision(path: Path, revision: str) -> Baseline:
    """Return the baseline of a git revision; raise DocumentError."""
    from heatstudio.service.inputs.git import commit_of, former_paths, git_text, is_in_repository, revision_at

    path = path.resolve()
    commit, former = commit_of(path, revision), None
    text = git_text(path, commit) if commit is not None else None
    if commit is not None and text is None:
        texts = ((one, git_text(one, commit)) for one in former_paths(path))
        former, text = next((found for found in texts if found[1] is not None), (None, None))
    if commit is None and not is_in_repository(path):
        raise _no_repository(path)
    if commit is None or text is None:
        words = f"{path.name} does not exist in" if commit is not None else "Unknown"
        raise DocumentError("no-revision", f"{words} git revision {revision}.")
    found = revision_at(path, commit)
    detail = f"{found.subject} ({found.name}, {found.date})" if found is not None else ""
    label = f"git {revision}" if found is None or revision != found.name else "git commit"
    detail = f"{detail}, as {former.name}" if former is not None else detail
    return Baseline(label, editable(text).text, detail, former, commit=commit, revision=revision)


def _no_repository(path: Path) -> DocumentError:
    return DocumentError("no-repository", f"{path.parent} is not in a git repository, or git is not installed.")
