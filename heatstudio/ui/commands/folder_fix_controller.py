"""Fixing whole files: what would change is shown first, then open texts change in their editors and closed ones on
the disk."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from heatstudio.service.engine import Engine
from heatstudio.text import counted
from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.commands.fix_proposals import Folder, OpenText, left_alone, propose, save
from heatstudio.ui.documents.document import Document
from heatstudio.ui.problems.fix_all_dialog import FixAllDialog
from heatstudio.ui.problems.proposal import Mended, Proposal, Proposals
from heatstudio.ui.tasks.jobs import Finish, Job
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.workspace.session import Session

NOTHING_SAFE = "No safe fixes available."
STOPPED = "Canceled. Nothing was fixed."
TYPED_MEANWHILE = "The text changed in the meantime. Nothing was fixed."


class FolderFixController(QObject):
    """What other threads work out, the editors apply: one undo step in each file."""

    message_requested = Signal(str)
    """A sentence for the status bar."""
    _saved = Signal(list)
    """What was done: it is shown also where the user stopped the rest."""

    def __init__(self, session: Session, area: EditorArea, appearance: Appearance) -> None:
        super().__init__(area)
        self._appearance = appearance
        self._session = session
        self._area = area
        self._job: Job | None = None
        self._saving: Job | None = None
        self._saved.connect(self._report)

    @cached_property
    def dialog(self) -> FixAllDialog:
        """Asks what to fix, made when it is needed first."""
        dialog = FixAllDialog(self._appearance, self._area.window())
        dialog.look_requested.connect(self._look)
        dialog.apply_requested.connect(self._apply)
        dialog.folder_wanted.connect(self._ask_folder)
        dialog.stop_requested.connect(self._stop)
        dialog.left.connect(self._end_look)
        self._session.jobs.changed.connect(self._show_progress)
        return dialog

    def choose(self, code: str | None = None) -> None:
        """Opens the dialog that fixes one kind of problem, or all, in all open files."""
        self.dialog.choose(self._session.root, code)

    def fix(self, document: Document) -> None:
        """Applies all safe fixes to one open document."""
        opened = [self._opened(document)]

        def work(engine: Engine, job: Job) -> Finish:
            proposals = propose(engine, job, opened, None, None)
            return lambda: self._tell([self._mend(one) for one in proposals.found])

        self._session.run(f"Fixing {document.title}", work, lambda: self.message_requested.emit(STOPPED))

    def _look(self, folder: Path | None, kinds: frozenset[str] | None) -> None:
        self._end_look()
        opened = [self._opened(document) for document in self._session.documents]
        place = self._folder(folder) if folder is not None else None

        def work(engine: Engine, job: Job) -> Finish:
            proposals = propose(engine, job, opened, place, kinds)
            return lambda: self._show(job, proposals)

        where = f"in {folder.name}" if folder is not None else "in the open files"
        self._job = self._session.run(f"Finding fixes {where}", work)

    def _show(self, job: Job, proposals: Proposals) -> None:
        """A late answer to an earlier question is dropped."""
        if job is self._job:
            self._job = None
            self.dialog.show_proposals(proposals)

    def _apply(self, proposals: Sequence[Proposal]) -> None:
        """Open texts at once; closed files by another thread, for disks may be slow."""
        made = [self._mend(one) for one in proposals if self._open_now(one)]
        closed = [one for one in proposals if not self._open_now(one)]
        begun: list[Job] = []

        def work(_engine: Engine, job: Job) -> Finish:
            begun.append(job)
            self._saved.emit([*made, *save(job, closed)])
            return lambda: None

        def stop() -> None:
            if not begun:
                self._saved.emit([*made, *left_alone(closed)])

        if closed:
            self._saving = self._session.run(f"Saving {counted(len(closed), 'file')}", work, stop)
        else:
            self._report(made)

    def _report(self, mended: Sequence[Mended]) -> None:
        self._saving = None
        self.dialog.show_result(mended)
        if any(not one.in_editor for one in mended):
            self._session.check_all()

    def _open_now(self, proposal: Proposal) -> Document | None:
        """The document that has the text now; a file may have been opened since it was looked at."""
        if proposal.document is not None:
            return proposal.document
        path = proposal.file.path if proposal.file is not None else None
        return next((one for one in self._session.documents if path is not None and one.path == path), None)

    def _mend(self, proposal: Proposal) -> Mended:
        document = self._open_now(proposal)
        if document not in self._session.documents or document is None or document.text != proposal.text:
            return Mended(proposal.title, (), (TYPED_MEANWHILE,))
        if proposal.edits:
            self._area.editor_of(document).apply_edits(proposal.edits)
        return Mended(proposal.title, proposal.lines, proposal.refusals, proposal.neutral)

    def _tell(self, results: Sequence[Mended]) -> None:
        for one in results:
            count = len(one.lines)
            proof = " No effect on the stack." if one.neutral else ""
            words = f"{counted(count, 'change')} made. Undo reverts all.{proof}"
            self.message_requested.emit(
                words if count else TYPED_MEANWHILE if TYPED_MEANWHILE in one.refusals else NOTHING_SAFE
            )

    def _opened(self, document: Document) -> OpenText:
        return OpenText(document, self._session.snapshot(document), document.analysis)

    def _folder(self, path: Path) -> Folder:
        session = self._session
        within = session.root is not None and path.is_relative_to(session.root)
        return Folder(path, session.blank_snapshot(session.root if within else path), session.settings.environments)

    def _ask_folder(self) -> None:
        current = self._session.current
        start = str(self._session.root or (current.path.parent if current and current.path else ""))
        name = QFileDialog.getExistingDirectory(self.dialog, "Fix templates in folder", start)
        if name:
            self.dialog.choose_folder(Path(name))
        else:
            self.dialog.choose_open_files()

    def _stop(self) -> None:
        """Ends the look that is under way, or the saving: what is saved already stays saved, and is listed."""
        if self._saving is not None:
            self._saving.stop()
        elif self._end_look():
            self.dialog.show_stopped()

    def _end_look(self) -> bool:
        """Ends the look that is under way; tells whether there was one."""
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
