"""Fix whole files after a preview: open texts in their editors, closed ones on disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace
from PySide6 import QtWidgets
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu

from heatstudio.analysis import Analysis
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.folder_files import walk
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.service.safe_fixes import decisions_of, safe_fixes
from heatstudio.service.workspace.job import Job, StoppedError
from heatstudio.template.dialect import VERSION_KEYS
from heatstudio.text import DocumentError, FileDocument, Fix, counted, editable, read_document, real_path, save_document
from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.commands.text_controller import CHANGED_MEANWHILE, TextController
from heatstudio.ui.documents.document import Document
from heatstudio.ui.problems.fix_proposal import FixProposal, FixProposals, FixResult
from heatstudio.ui.problems.mini_diff import mini_diff
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.workspace.session import Session

if TYPE_CHECKING:
    from heatstudio.ui.problems.fix_all_dialog import FixAllDialog

ENDINGS = (".yaml", ".yml", ".template", ".json")


class OpenFile(Struct, frozen=True):
    """The state of an open document."""

    document: Document
    title: str
    """The name of its tab."""
    snapshot: Snapshot
    analysis: Analysis | None


class Folder(Struct, frozen=True):
    """A folder to fix, and the known facts about its templates."""

    path: Path
    like: Snapshot
    """A template for the snapshots of closed files: the root of their references, open texts, the target."""
    environments: Mapping[Path, tuple[Path, ...]]
    """The environment files that templates were last checked with."""


def propose(
    engine: Engine, job: Job, opened: Sequence[OpenFile], folder: Folder | None, kinds: frozenset[str] | None
) -> FixProposals:
    """Return the proposed changes in a folder, or without one in all open documents.

    This may take long, and runs in a thread. Only `save` writes to the disk.
    """
    if folder is None:
        found = []
        for done, one in enumerate(opened):
            job.advance(done, len(opened))
            found.append(_of_open(engine, one, one.title, kinds))
        return FixProposals(tuple(found))
    by_path = {real_path(one.snapshot.path): one for one in opened if one.snapshot.path is not None}
    paths = list(walk(folder.path, ENDINGS))
    found, unread, others = [], [], 0
    for done, path in enumerate(paths):
        job.advance(done, len(paths))
        title, here = path.relative_to(folder.path).as_posix(), by_path.get(real_path(path))
        try:
            proposal = _of_open(engine, here, title, kinds) if here else _of_closed(engine, path, title, folder, kinds)
        except DocumentError as error:
            unread.append(error.message)
            continue
        if proposal is None:
            others += 1
        elif proposal.edits or proposal.refusals or proposal.decisions:
            found.append(proposal)
    return FixProposals(tuple(found), tuple(unread), others)


def save(job: Job, proposals: Sequence[FixProposal]) -> list[FixResult]:
    """Write closed files; one that was changed on disk in the meantime is skipped and reported."""
    made: list[FixResult] = []
    for one in proposals:
        try:
            job.advance(len(made), len(proposals))
            if one.file is not None:
                save_document(one.file.with_text(editable(one.file.text).in_file(one.fixed)))
        except DocumentError as error:
            made.append(FixResult(one.title, (), (error.message,), in_editor=False))
        except StoppedError:
            break
        else:
            made.append(FixResult(one.title, one.lines, one.refusals, one.neutral, in_editor=False))
    return [*made, *left_alone(proposals[len(made) :])]


def left_alone(proposals: Sequence[FixProposal]) -> list[FixResult]:
    """Return the results of files that were not written because the user canceled."""
    return [FixResult(one.title, (), ("Canceled.",), in_editor=False) for one in proposals]


def _of_open(engine: Engine, one: OpenFile, title: str, kinds: frozenset[str] | None) -> FixProposal:
    analysis = engine.analyze(one.snapshot, one.analysis)
    return replace(_proposal(engine, one.snapshot, analysis, title, kinds), document=one.document)


def _of_closed(
    engine: Engine, path: Path, title: str, folder: Folder, kinds: frozenset[str] | None
) -> FixProposal | None:
    """Return the proposed changes in a closed file; None if it is no template. Raise DocumentError."""
    file: FileDocument = read_document(path)
    if not any(key in file.text for key in VERSION_KEYS):
        return None
    environments = folder.environments.get(path, ())
    text = editable(file.text).text
    snapshot = folder.like._replace(text=text, path=path, environments=environments)
    analysis = engine.analyze(snapshot, None)
    if not any(key in analysis.template.data for key in VERSION_KEYS):
        return None
    return replace(_proposal(engine, snapshot, analysis, title, kinds), file=file)


def _proposal(
    engine: Engine, snapshot: Snapshot, analysis: Analysis, title: str, kinds: frozenset[str] | None
) -> FixProposal:
    safe = safe_fixes(engine, snapshot, analysis, kinds)
    text, fix = analysis.template.text, Fix("Fix all", safe.edits)
    return FixProposal(
        title,
        text,
        fix.edits,
        mini_diff(text, fix) if fix.edits else (),
        safe.done,
        safe.refusals,
        decisions_of(safe.analysis) if kinds is None else (),
        str(analysis.settings.release or engine.releases[-1]),
        bool(fix.edits) and engine.is_neutral(analysis, fix),
        frozenset(one.code for one in analysis.diagnostics if one.has_fixes),
    )


NOTHING_SAFE = "No safe fixes available."
STOPPED = "Canceled. Nothing was fixed."


class FolderFixController(TextController):
    """The fix dialog for files; threads compute fixes, and editors apply them as one undo step per file."""

    _saved = Signal(list)
    """The results, which are also shown if the user canceled the rest."""

    def __init__(self, session: Session, area: EditorArea, appearance: Appearance, releases: QMenu) -> None:
        super().__init__(session, area)
        self._appearance, self._releases = appearance, releases
        self._job: Job | None = None
        self._saving: Job | None = None
        self._saved.connect(self._report)

    @cached_property
    def dialog(self) -> FixAllDialog:
        """The dialog that asks what to fix, created on first use."""
        from heatstudio.ui.problems.fix_all_dialog import FixAllDialog

        dialog = FixAllDialog(self._appearance, self._releases, self._area.window())
        dialog.search_requested.connect(self._search)
        dialog.apply_requested.connect(self._apply_chosen)
        dialog.folder_wanted.connect(self._ask_folder)
        dialog.stop_requested.connect(self._stop)
        dialog.left.connect(self._end_search)
        self._session.jobs.changed.connect(self._show_progress)
        self._session.target_changed.connect(dialog.search_again)
        return dialog

    def choose(self, code: str | None = None) -> None:
        """Open the dialog that fixes one kind of problem, or all kinds, in the open files, or else the folder."""
        self.dialog.choose(self._session.root, code, in_folder=not self._session.documents)

    def upgrade(self) -> None:
        """Open the dialog for the open folder, with the focus on the release."""
        self.dialog.choose(self._session.root, None, in_folder=True)
        self.dialog.release.setFocus()

    def fix(self, document: Document) -> None:
        """Apply all safe fixes to one open document."""

        def take(proposals: FixProposals) -> None:
            self._tell([self._apply_to_document(one) for one in proposals.found])

        def tell_stop() -> None:
            self._session.show_message(STOPPED)

        self._session.run(f"Fixing {document.title}", self._proposing([document], None, None), take, tell_stop)

    def _search(self, folder: Path | None, kinds: frozenset[str] | None) -> None:
        self._end_search()
        place = self._folder(folder) if folder is not None else None
        work = self._proposing(self._session.documents, place, kinds)
        where = f"in {folder.name}" if folder is not None else "in the open files"
        self._job = self._session.run(f"Finding fixes {where}", work, self._show)

    def _show(self, proposals: FixProposals) -> None:
        """Show the proposals; an earlier search was stopped."""
        self._job = None
        self.dialog.show_proposals(proposals)

    def _apply_chosen(self, proposals: Sequence[FixProposal]) -> None:
        """Apply proposals: to open texts at once, to closed files in a thread, as disks may be slow."""
        made = [self._apply_to_document(one) for one in proposals if self._open_now(one)]
        closed = [one for one in proposals if not self._open_now(one)]
        begun: list[Job] = []

        def work(_engine: Engine, job: Job) -> None:
            begun.append(job)
            self._saved.emit([*made, *save(job, closed)])

        def stop() -> None:
            if not begun:
                self._saved.emit([*made, *left_alone(closed)])

        if closed:
            self._saving = self._session.run(f"Saving {counted(len(closed), 'file')}", work, on_stop=stop)
        else:
            self._report(made)

    def _report(self, fixed: Sequence[FixResult]) -> None:
        self._saving = None
        self.dialog.show_result(fixed)
        if any(not one.in_editor for one in fixed):
            self._session.check_all()

    def _open_now(self, proposal: FixProposal) -> Document | None:
        """Return the open document of a proposal, as its file may have been opened since the search."""
        if proposal.document is not None:
            return proposal.document
        path = proposal.file.path if proposal.file is not None else None
        return next((one for one in self._session.documents if path is not None and one.path == path), None)

    def _apply_to_document(self, proposal: FixProposal) -> FixResult:
        document = self._open_now(proposal)
        if document not in self._session.documents or document is None or document.text != proposal.text:
            return FixResult(proposal.title, (), (CHANGED_MEANWHILE,))
        if proposal.edits:
            self._edit(document, proposal.edits)
        return FixResult(proposal.title, proposal.lines, proposal.refusals, proposal.neutral)

    def _tell(self, results: Sequence[FixResult]) -> None:
        for one in results:
            count = len(one.lines)
            proof = " No effect on the stack." if one.neutral else ""
            words = f"{counted(count, 'change')} made in one undo step.{proof}"
            self._session.show_message(
                words if count else CHANGED_MEANWHILE if CHANGED_MEANWHILE in one.refusals else NOTHING_SAFE
            )

    def _proposing(
        self, documents: Sequence[Document], folder: Folder | None, kinds: frozenset[str] | None
    ) -> Callable[[Engine, Job], FixProposals]:
        """Return a function for threads that finds the changes in documents, or in the folder around them."""
        session = self._session
        opened = [(one, session.name_of(one), session.snapshot(one), one.state) for one in documents]

        def work(engine: Engine, job: Job) -> FixProposals:
            files = [OpenFile(one, name, find(), known and known.analysis) for one, name, find, known in opened]
            return propose(engine, job, files, folder, kinds)

        return work

    def _folder(self, path: Path) -> Folder:
        session = self._session
        within = session.root is not None and path.is_relative_to(session.root)
        return Folder(path, session.blank_snapshot(session.root if within else path), session.settings.environments)

    def _ask_folder(self) -> None:
        current = self._session.current
        start = str(self._session.root or (current.path.parent if current and current.path else ""))
        name = QtWidgets.QFileDialog.getExistingDirectory(self.dialog, "Fix templates in folder", start)
        if name:
            self.dialog.choose_folder(Path(name))
        else:
            self.dialog.choose_open_files()

    def _stop(self) -> None:
        """Cancel the running search or saving; files that are already saved are listed."""
        if self._saving is not None:
            self._saving.stop()
        elif self._end_search():
            self.dialog.show_stopped()

    def _end_search(self) -> bool:
        """Cancel the running search; return whether there was one."""
        job, self._job = self._job, None
        if job is not None:
            job.stop()
        return job is not None

    def _show_progress(self) -> None:
        if self._job is None:
            return
        if self._job.is_stopped:
            self._job = None
            self.dialog.show_stopped()
        else:
            self.dialog.show_progress(*self._job.steps)
