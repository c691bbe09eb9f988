"""The files of the open folder, listed by a thread and shown in a pane."""

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QTimer, Signal
from PySide6.QtGui import QAction

from heatstudio.analysis.scope import Diagnostic
from heatstudio.service.inputs.folder_files import MOST_FILES
from heatstudio.service.inputs.git import STATES, file_states
from heatstudio.service.workspace.job import Job
from heatstudio.text import Severity, checkpoint, counted, natural_key
from heatstudio.ui.documents.document import Document
from heatstudio.ui.tasks.disk import DiskWatch
from heatstudio.ui.widgets import Appearance, EmptyState, Panel
from heatstudio.ui.widgets.row_actions import ChosenBy, RowChoice
from heatstudio.ui.widgets.row_delegate import RowTree
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import NO_CELL, Branch, Cell, TreeModel
from heatstudio.ui.workspace.folder_problems import FolderProblems
from heatstudio.ui.workspace.session import Session

_COUNTED = (Severity.ERROR, Severity.WARNING)
_STATE_COLORS = {"U": Color.ERROR, "M": Color.UPDATED, "A": Color.ADDED, "?": Color.MUTED}
Marks = Mapping[Path, Counter[Severity]]
"""The numbers of problems by severity, of files and of folders."""


class FolderTree(NamedTuple):
    """The content of each visited folder: first folders, then files, in natural sort order.

    Hidden files are left out, and links to folders are not followed.
    """

    root: Path
    folders: Mapping[Path, list[Path]]
    states: Mapping[Path, Counter[str]]
    """The numbers of git states, of files and summed for folders."""
    is_cut: bool

    def heir_of(self, path: Path, before: Mapping[Path, list[Path]]) -> Path:
        """Return a path, or what is there instead: the only new path beside it, or the nearest folder around it."""
        beside = self.folders.get(path.parent, [])
        if path == self.root or path in beside:
            return path
        new = {*beside}.difference(before.get(path.parent, ()))
        return new.pop() if len(new) == 1 else next((one for one in path.parents if one in self.folders), self.root)


def list_tree(root: Path) -> FolderTree:
    """List a folder, up to about `MOST_FILES` entries."""
    folders: dict[Path, list[Path]] = {}
    room = MOST_FILES
    for name, below, files in os.walk(root):
        checkpoint()
        below[:], shown = _visible(below), _visible(files)
        found = [Path(name, one) for one in (*below, *shown)]
        folders |= {path: [] for path in found[: len(below)]} | {Path(name): found[:room]}
        room -= len(found)
        if room < 0:
            break
    states: dict[Path, Counter[str]] = defaultdict(Counter)
    for path, state in file_states(root).items():
        for place in (path, *path.parents):
            if place.is_relative_to(root):
                states[place][state] += 1
    return FolderTree(root, folders, states, room < 0)


def _visible(names: list[str]) -> list[str]:
    return sorted((one for one in names if not one.startswith(".")), key=lambda one: (natural_key(one.casefold()), one))


class FileRow(NamedTuple):
    """A file or a folder, with its problems and status."""

    path: Path
    is_folder: bool
    problems: tuple[tuple[Severity, int], ...]
    is_unsaved: bool
    states: tuple[tuple[str, int], ...]
    note: str = ""


def cell_of_file(value: object, _column: int) -> Cell:
    """Return the name, with the numbers of errors and warnings and git's status letter."""
    if not isinstance(value, FileRow):
        return NO_CELL
    words = [counted(number, severity.word) for severity, number in value.problems]
    words += (
        [value.note] * bool(value.note)
        + ["unsaved changes"] * value.is_unsaved
        + [f"git: {f'{number} ' * value.is_folder}{STATES[state]}" for state, number in value.states]
    )
    letters = " ".join(f"{state}{str(number) * value.is_folder}" for state, number in value.states)
    icon = ("modified", Color.ACCENT) if value.is_unsaved else ("file", Color.MUTED)
    return Cell(
        value.path.name or str(value.path),
        ("file-open", Color.MUTED) if value.is_folder else icon,
        value.note,
        badge=(letters, _STATE_COLORS[value.states[0][0]]) if letters else None,
        counts=value.problems,
        tip="\n".join((str(value.path), ", ".join(words))).strip(),
        spoken=", ".join((f"{'folder' if value.is_folder else 'file'} {value.path.name}", *words)),
    )


def branch_of(path: Path, tree: FolderTree, marks: Marks, unsaved: frozenset[Path]) -> Branch:
    """Return the branch of a file, or of a folder with its contents."""
    found = marks.get(path, Counter())
    problems = tuple((severity, found[severity]) for severity in _COUNTED if found[severity])
    is_folder = path in tree.folders
    note = f"only the first {MOST_FILES:,} files" if tree.is_cut and path == tree.root else ""
    states = tuple((state, tree.states[path][state]) for state in STATES if tree.states.get(path, Counter())[state])
    row = FileRow(path, is_folder, problems, path in unsaved, states, note)
    return Branch(row, tuple(branch_of(one, tree, marks, unsaved) for one in tree.folders.get(path, ())))


_EMPTY = ("No folder open", "Open a folder to see its files with their problems and git status.")
_REST = 250
"""Milliseconds without changes after which the rows are updated."""
Commands = Mapping[str, Callable[[Path], object]]
"""The commands for a file or folder by menu text, which has the shortcut behind a tab."""


class FilesPane(Panel):
    """The files pane; Enter opens a file, and the context menu has the other commands and shortcuts."""

    open_requested = Signal(object)
    folder_requested = Signal()

    def __init__(
        self, session: Session, appearance: Appearance, folder: FolderProblems, commands: Commands, follows: QAction
    ) -> None:
        super().__init__("Files", EmptyState(appearance, "file-open", *_EMPTY))
        self.empty.offer("Open Folder…", self.folder_requested)
        self._session, self._folder, self._follows = session, folder, follows
        self._tree: FolderTree | None = None
        self._open: set[Path] = set()
        self._job: Job | None = None
        self._is_stale = True
        self._is_followed = False
        """Whether the current file was selected; another selection stays until another file is current."""
        self.model = TreeModel(("File",), cell_of_file)
        self.view = RowTree(self.model, appearance, "Files", least_badge=0.0)
        self.view.setUniformRowHeights(True)
        self.set_content(self.view)
        self.lead_to(self.view)
        RowChoice(self.view, self._show_file).entered.connect(self.text_requested)
        self.view.expanded.connect(lambda index: self._open.add(self._path(index)))
        self.view.collapsed.connect(lambda index: self._open.discard(self._path(index)))
        for words, act in commands.items():
            self.view.offer(words, partial(self._act_on_row, act), words.partition("\t")[2])
        self._soon = QTimer(self, singleShot=True, interval=_REST)
        self._soon.timeout.connect(self._renew)
        self._watch = DiskWatch(session.disk, self)
        self._watch.changed.connect(self._list_again)
        session.folder_opened.connect(self._list_again)
        session.disk_checked.connect(self._list_again)
        for news in (folder.changed, session.analysis_changed, session.rested, session.document_closed):
            news.connect(self._renew_soon)
        session.document_opened.connect(self._follow)
        for news in (session.current_changed, follows.toggled):
            news.connect(self._follow_current)
        session.stopped.connect(self._close)
        for document in session.documents:
            self._follow(document)

    def _act_on_row(self, act: Callable[[Path], object]) -> None:
        act(self._path(self.view.currentIndex()))

    def refresh(self) -> None:
        """Show the known files, and read the disk again if they may be outdated."""
        root = self._session.root
        self.set_filled(root is not None)
        if root is not None and self.isVisible() and self._is_stale:
            self._is_stale = False
            if self._job is not None:
                self._job.stop()
            name = f"Listing the folder {root.name}"
            self._job = self._session.jobs.start(name, lambda _job: list_tree(root), partial(self._take, root))
        self._renew()
        self._reveal_current()

    def _follow_current(self) -> None:
        self._is_followed = False
        self._reveal_current()

    def _reveal_current(self) -> None:
        """Select the current file, if that is enabled; the focus stays where it is."""
        document = self._session.current
        if self._is_followed or document is None or not (self._follows.isChecked() and self.isVisible()):
            return
        at = self.model.last_of(lambda row: isinstance(row, FileRow) and row.path == document.path)
        self._is_followed = at.isValid()
        if at.isValid():
            self.view.setCurrentIndex(at)
            self.view.scrollTo(at)

    def _take(self, root: Path, tree: FolderTree) -> None:
        """Show the listed files, and keep the expanded folders and the current row, also after it was renamed."""
        self._watch.follow({*tree.folders, root / ".git"})
        if self._tree is not None and self._tree.folders == tree.folders:
            self._tree = tree
            self._renew()
            return
        current = self._path(self.view.currentIndex())
        shown = tree.heir_of(current, self._tree.folders if self._tree is not None else {})
        self._tree, is_open = tree, {*self._open, root} | ({shown} if current in self._open else set())
        self.model.set_branches([self._branch(root, tree)])
        for index in self.model.parents():
            self.view.setExpanded(index, self._path(index) in is_open)
        self.view.setCurrentIndex(self.model.last_of(lambda row: isinstance(row, FileRow) and row.path == shown))
        self._reveal_current()

    def _renew(self) -> None:
        """Update the problems and states of the same files."""
        root = self._session.root
        if self.isVisible() and root is not None and self._tree is not None and root in self._tree.folders:
            self.model.renew_branches([self._branch(root, self._tree)])

    def _branch(self, root: Path, tree: FolderTree) -> Branch:
        unsaved = (one.path for one in self._session.documents if one.modified and one.path is not None)
        return branch_of(root, tree, self._marks(root), frozenset(unsaved))

    def _marks(self, root: Path) -> Marks:
        marks: dict[Path, Counter[Severity]] = defaultdict(Counter)
        checked = [(one.path, _counts(one.problems or ())) for one in self._session.documents if one.path is not None]
        checked += [(one.question.path, _counts(one.diagnostics)) for one in self._folder.checked()]
        for path, found in checked:
            for place in (path, *path.parents) if found and path.is_relative_to(root) else ():
                marks[place] += found
        return marks

    def _follow(self, document: Document) -> None:
        document.state_changed.connect(self._list_again)
        self._soon.start()

    def _list_again(self) -> None:
        self._is_stale = True
        self.refresh()

    def _renew_soon(self, _document: object = None) -> None:
        self._soon.start()

    def _close(self) -> None:
        """Stop listing at the end of the session."""
        self.hide()

    def _show_file(self, index: QModelIndex, by: ChosenBy) -> bool:
        """Show an open file; Enter or a double click opens a closed one, or expands or collapses a folder."""
        row = self.model.value(index)
        if not isinstance(row, FileRow) or row.is_folder:
            if by is ChosenBy.ENTER:
                self.view.setExpanded(index, not self.view.isExpanded(index))
            return False
        if by is ChosenBy.ENTER or self._session.document_at(row.path) is not None:
            self.open_requested.emit(row.path)
        return True

    def _path(self, index: QModelIndex) -> Path:
        """Return the path of a row, or the open folder without a row."""
        row = self.model.value(index)
        return row.path if isinstance(row, FileRow) else self._session.root or Path()


def _counts(problems: Sequence[Diagnostic]) -> Counter[Severity]:
    """Return the numbers of problems in the file itself by severity."""
    return Counter(one.severity for one in problems if one.elsewhere is None)
