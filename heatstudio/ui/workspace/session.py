"""The session: documents, their analyses, and the thread that computes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from heatstudio.service.inputs.snapshot import Snapshot, Target
from heatstudio.service.workspace.workspace import OpenText, TextState, Workspace
from heatstudio.text import DocumentError, FileDocument, Stamp
from heatstudio.ui.documents.document import Baseline, Document, FileOnDisk, read_file, save_file, shown_names
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.tasks.analyses import Analyses
from heatstudio.ui.tasks.disk import Disk, DiskWatch, Failed, stamps, texts_of
from heatstudio.ui.tasks.jobs import Jobs, no_op

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.catalog.cloud.known_cloud import KnownCloud
    from heatstudio.catalog.load import Catalog
    from heatstudio.service.engine import Engine
    from heatstudio.stack.definition.knowledge import Knowledge
    from heatstudio.update.running_stack import RunningStack

Then = Callable[[Document], object]
"""A function that uses an opened document."""


class Session(QObject):
    """The open documents and their analyses; panes observe the session, and only the window changes it."""

    document_opened = Signal(object)
    rested = Signal(object)
    document_closed = Signal(object)
    current_changed = Signal(object)
    analysis_changed = Signal(object)
    plan_changed = Signal(object)
    changed_on_disk = Signal(object)
    checking_paused, checking_resumed = Signal(), Signal(object)
    checking_stopped = Signal(object)
    """The document whose analysis the user canceled."""
    freshness_changed = Signal()
    """Emitted when the content of the panes may have become outdated, or is up to date again."""
    catalog_loaded = Signal(object)
    target_changed = Signal(object)
    folder_opened = Signal()
    disk_checked = Signal()
    """Emitted after a check of the open files, as when the window is activated."""
    message_requested = Signal(str)
    """The result of a command, or why it did nothing, as a sentence."""
    stopped = Signal()
    """Emitted when all threads have ended."""

    def __init__(self, settings: Settings, load_engine: Callable[[], Engine]) -> None:
        super().__init__()
        self.settings = settings
        self.target = settings.target
        self._documents: list[Document] = []
        self._current: Document | None = None
        self._untitled = 0
        self.root: Path | None = Path(settings.folder) if settings.folder else None
        self.listed_files: tuple[Path, ...] | None = None
        """The templates and environments of the open folder; None until they are listed."""
        self.jobs = Jobs(self)
        self.disk = Disk(self.jobs)
        self._watch, self._beside = DiskWatch(self.disk, self), DiskWatch(self.disk, self)
        self._watch.changed.connect(self.check_disk)
        self._beside.changed.connect(self._check_readers_of_disk)
        self.workspace = Workspace[Document]()
        self.workspace.target = self.target
        self.cloud: KnownCloud | None = None
        """The facts about a cloud in addition to the bundled data."""
        self.is_paused = False
        """Whether all analyses wait for the user; see `pause_checking`."""
        self._analyses = Analyses(self.workspace, self.jobs, load_engine)
        self.run = self._analyses.run
        """Run work in a thread as soon as the engine is loaded, then a function with its result; see `jobs`."""
        self._analyses.engine_loaded.connect(self._take_engine)
        self._analyses.analyzed.connect(self._take)
        self._analyses.ended.connect(self.freshness_changed)
        self._analyses.stopped.connect(self.checking_stopped)

    @property
    def documents(self) -> tuple[Document, ...]:
        """The open documents in the order in which they were opened."""
        return tuple(self._documents)

    @property
    def current(self) -> Document | None:
        """The document that the panes show."""
        return self._current

    @property
    def engine(self) -> Engine | None:
        """The engine, as soon as it is loaded."""
        return self.workspace.engine

    @property
    def catalog(self) -> Catalog | None:
        """The resource types of the target, as soon as they are loaded."""
        return self.knowledge.catalog if self.knowledge else None

    @property
    def knowledge(self) -> Knowledge | None:
        """The knowledge of Heat for the target, as soon as it is loaded."""
        return self.engine.known(self.target) if self.engine else None

    @property
    def is_analyzing(self) -> bool:
        """Whether the analysis of an open document is pending."""
        return self._analyses.is_busy

    def is_outdated(self) -> bool:
        """Return whether the analysis of the current document is older than its text or the files it reads."""
        return self._current is not None and self._analyses.is_pending(self._current)

    def start(self) -> None:
        """Load the engine; called after the first paint, which is not delayed."""
        self._analyses.scheduler.start()

    def stop(self) -> None:
        """Wait for the analysis thread; the session must not be used afterwards."""
        self.disk.stop()
        self.jobs.stop()
        self._analyses.scheduler.stop()
        self.stopped.emit()

    def new(self, text: str = "", title: str = "") -> Document:
        """Open a document without a file; a text is an unsaved change."""
        document = Document(title or self._next_title())
        document.change(text)
        return self._adopt(document)

    def begin(self, text: str, title: str = "", stack: RunningStack | None = None) -> Document:
        """Open an unmodified document without a file, which can be closed without a question."""
        return self._adopt(Document(title or self._next_title(), FileOnDisk(FileDocument(text)), stack))

    def show(self, text: str, title: str) -> Document:
        """Open a read-only view of a text; a saved view can be edited."""
        document = Document(title, FileOnDisk(FileDocument(text)))
        document.is_view = True
        return self._adopt(document)

    def _next_title(self) -> str:
        """Return a title that no open document has, including those restored after a crash."""
        titles = {document.title for document in self._documents}
        while True:
            self._untitled += 1
            title = f"untitled-{self._untitled}.yaml"
            if title not in titles:
                return title

    def open(self, path: Path, then: Then = no_op, failed: Failed = no_op, *, behind: bool = False) -> None:
        """Open a file, make its document current unless it opens `behind`, and call `then` with it; see `Disk`."""
        path = path.absolute()

        def show(document: Document) -> None:
            if not behind:
                self.make_current(document)
            then(document)

        def take(file: FileOnDisk) -> None:
            known = self.document_at(path, file.real_path)
            if known is None:
                known = Document(path.name, file)
                self._recall(known, known.path or path)
                self._adopt(known, behind=behind)
            show(known)

        known = self.document_at(path)
        if known is not None:
            show(known)
        else:
            self.disk.run(f"Opening {path.name}", partial(read_file, path), take, failed)

    def restore(self, text: str, path: Path, stamp: Stamp | None) -> Document:
        """Open a text whose file cannot be read now; saving writes the file again."""
        document = Document(path.name, FileOnDisk(FileDocument("", path, stamp=stamp), path))
        document.change(text)
        document.note_stamp(None)
        self._recall(document, path)
        return self._adopt(document)

    def name_of(self, document: Document) -> str:
        """Return the title of a document, with its folder if another open document has the same title."""
        return shown_names(self._documents).get(document, document.title)

    def document_at(self, path: Path, real: Path | None = None) -> Document | None:
        """Return the open document of a file, if any, also of a symbolic link whose target `real` is open."""
        place, documents = path.absolute(), self._documents[::-1]  # by hash, as paths compare slowly
        found = {one.path: one for one in documents}.get(place)
        return found or {one.real_path: one for one in documents}.get(real or place)

    def read(self, paths: Iterable[Path], take: Callable[[Mapping[Path, str]], object]) -> None:
        """Call `take` with the texts of files in their tabs, or else on disk, except unreadable ones; see `Disk`."""
        tabs = {one.real_path: one.text for one in self._documents if one.real_path is not None}
        self.disk.run("Reading files", partial(texts_of, tuple(paths), tabs), take)

    def save(
        self,
        document: Document,
        path: Path | None = None,
        then: Callable[[], object] = no_op,
        failed: Failed = no_op,
        *,
        overwrite: bool = False,
    ) -> None:
        """Save a document, to another file if one is given, and call `then`; see `Disk`."""
        other = path if path != document.path else None
        target = path or document.path
        if target is None:
            return
        target = target.absolute()

        def take(file: FileOnDisk) -> None:
            if document in self._documents:
                document.take_saved(file)
                self.settings.set_environments(target, document.environments)
                self.settings.set_old_environments(target, document.old_environments)
                self.check_all()
                then()

        def fail(error: DocumentError) -> None:
            if document in self._documents:
                document.note_saving(is_being_saved=False)
                failed(error)

        if document.is_being_written:  # the name and the stamp of the file are known only after that
            self.disk.run("", no_op, lambda _: self.save(document, other, then, failed, overwrite=overwrite))
        else:
            write = partial(save_file, document.file_at(target), overwrite=overwrite)
            document.note_saving(is_being_saved=True)
            self.disk.run(f"Saving {target.name}", write, take, fail)

    def reload(
        self, document: Document, then: Callable[[], object] = no_op, failed: Failed = no_op, *, keep_mine: bool = False
    ) -> None:
        """Read the file of a document again, for the saved text only if `keep_mine`, and call `then`; see `Disk`."""
        path = document.path
        if path is None:
            return

        def take(file: FileOnDisk) -> None:
            if document in self._documents:
                document.take_file(file, keep_mine=keep_mine)
                then()

        self.disk.run(f"Opening {path.name}", partial(read_file, path), take, failed)

    def follow_rename(self, old: Path, new: Path, real_paths: Mapping[Path, Path]) -> None:
        """Update the tabs and environments of a renamed file, or of all files in a renamed folder.

        `real_paths` are the new paths without links of the open files.
        """

        def renamed(path: Path) -> Path:
            return new / path.relative_to(old) if path.is_relative_to(old) else path

        self.settings.follow_rename(renamed)
        for document in self._documents:
            if document.path is not None and renamed(document.path) in real_paths:
                document.follow_rename(renamed(document.path), real_paths[renamed(document.path)])
            document.set_environments(tuple(map(renamed, document.environments)))
            if document.old_environments is not None:
                document.old_environments = tuple(map(renamed, document.old_environments))
        self.check_all()

    def open_folder(self, folder: Path) -> None:
        """Open a folder: templates may refer to its files, and file lists include its templates."""
        self.root = folder.absolute()
        self.settings.folder = str(self.root)
        self.listed_files = None
        self.folder_opened.emit()
        self.check_all()

    def folder_files(self) -> list[str]:
        """Return the templates and environments of the open folder, up to a maximum number."""
        if self.root is None:
            return []
        if self.listed_files is not None:
            return list(map(str, self.listed_files))
        from heatstudio.service.inputs.folder_files import files_in

        return files_in(self.root, deep=True)

    def files_near(self, path: Path) -> list[str]:
        """Return the templates and environments next to a file, and those of the open folder around it."""
        from heatstudio.service.inputs.folder_files import files_in

        near = files_in(path.parent, deep=False)
        is_inside = self.root is not None and path.is_relative_to(self.root)
        return list(dict.fromkeys([*near, *(self.folder_files() if is_inside else ())]))

    def set_environments(self, document: Document, environments: tuple[Path, ...]) -> None:
        """Set the environment files of a document, and store them for the next time it is opened."""
        document.set_environments(environments)
        document.outdate()
        if document.path is not None:
            self.settings.set_environments(document.path, environments)
        self._analyze([document])

    def set_old_environments(self, document: Document, environments: tuple[Path, ...] | None) -> None:
        """Set the environment files of a document's baseline; None for the current ones."""
        if environments != document.old_environments:
            document.old_environments = environments
            if document.path is not None:
                self.settings.set_old_environments(document.path, environments)
            self._analyze([document])

    def _recall(self, document: Document, path: Path) -> None:
        """Restore the stored environments of a document."""
        document.environments = self.settings.environments.get(path, ())
        document.old_environments = self.settings.old_environments.get(path)

    def set_parameter_values(self, document: Document, values: dict[str, object], defaults: dict[str, object]) -> None:
        """Set the parameter values of a document, which override those of its environments.

        `defaults` are values for the parameters of nested templates.
        """
        if (values, defaults) != (document.parameter_values, document.parameter_defaults):
            document.parameter_values, document.parameter_defaults = values, defaults
            document.outdate()
            self._analyze([document])

    def show_message(self, words: str) -> None:
        """Show a sentence in the status bar."""
        self.message_requested.emit(words)

    def close(self, document: Document) -> None:
        """Close a document, saved or not; do nothing if it is closed already, as while a question is pending.

        Qt deletes the object, as signal connections may hold it, and no thread may drop the last reference.
        """
        if document not in self._documents:
            return
        self._documents.remove(document)
        self._follow_files()
        readers = self._readers(document)
        self._analyses.scheduler.forget(document)
        self.workspace.close(document)
        if document is self._current:
            self.make_current(self._documents[-1] if self._documents else None)
        self._analyze(readers)
        self.document_closed.emit(document)
        document.deleteLater()

    def make_current(self, document: Document | None) -> None:
        """Make an open document the current one."""
        if document is not self._current and (document is None or document in self._documents):
            self._current = self._analyses.scheduler.urgent = document
            self.current_changed.emit(document)
            self.freshness_changed.emit()

    def set_target(self, target: Target) -> None:
        """Set and store the target of the checks."""
        if target != self.target:
            self.target = self.settings.target = self.workspace.target = target
            self.target_changed.emit(target)
            self.check_all()

    def set_baseline(self, document: Document, baseline: Baseline) -> None:
        """Set the preview baseline of a document."""
        document.baseline, document.is_baseline_chosen = baseline, True
        self._analyze([document])

    def pause_checking(self) -> None:
        """Suspend all analyses until the user calls `check`; used by a start after a failed one."""
        self.is_paused = True
        for document in self._documents:
            self._analyses.scheduler.forget(document)
        self.checking_paused.emit()

    def check(self) -> None:
        """Analyze the current document, however large it is, and all documents if checking was paused."""
        if self.is_paused:
            self.is_paused = False
            self.check_all()
            self.checking_resumed.emit(self)
        if self._current is not None:
            self._analyze([self._current], also_large=True)

    def reanalyze_current(self) -> None:
        """Analyze the current document again, as files next to it may have changed."""
        if self._current is not None:
            self._analyze([self._current])

    def check_all(self) -> None:
        """Analyze every document again, as a file that several of them read may have changed."""
        self._analyze(self._documents)

    def _adopt(self, document: Document, *, behind: bool = False) -> Document:
        document.setParent(self)
        self._documents.append(document)
        self._follow_files()
        document.text_changed.connect(self._request_all)
        for slot in (self._put, self._follow_files):
            document.state_changed.connect(slot)
        document.rested.connect(self.rested)
        self.document_opened.emit(document)
        if not behind:
            self.make_current(document)
        self._request_all(document)
        return document

    def _request_all(self, document: Document) -> None:
        """Analyze a document, and every open one that reads its file."""
        self._put(document)
        self._analyze([*self._readers(document), document])

    def _readers(self, document: Document) -> list[Document]:
        """Return the other open documents whose analyses read the file of a document."""
        readers = self.workspace.readers([document.real_path] if document.real_path is not None else [])
        return [one for one in readers if one is not document]

    def _put(self, document: Document) -> None:
        """Tell the workspace about the current version of a document."""
        if document in self._documents:
            is_unsaved, old = document.modified and document.is_utf8, document.old_snapshot(self.root)
            text = OpenText(document.version, document.snapshot(), document.real_path, old, is_unsaved)
            self.workspace.put(document, text)

    def _analyze(self, documents: Iterable[Document], *, also_large: bool = False) -> None:
        """Analyze the open ones of some documents as soon as the user pauses typing; large ones only on demand."""
        self.workspace.folders = (self.root,) if self.root is not None else ()
        self.workspace.last_environments = self.settings.environments
        if not self.is_paused:
            requested = [one for one in documents if one in self._documents and (also_large or not one.is_large)]
            for document in requested:
                self._put(document)
            self._analyses.scheduler.request(requested)
            self.freshness_changed.emit()

    def snapshot(self, document: Document) -> Callable[[], Snapshot]:
        """Return a function for threads that finds all inputs of the analysis of a document."""
        self._put(document)
        return partial(self.workspace.snapshot, document)

    def blank_snapshot(self, root: Path | None) -> Snapshot:
        """Return a snapshot without text, for closed files: open texts, the target, and the root of references."""
        return Snapshot("", root=root, open_texts=self.workspace.unsaved_texts(), target=self.target)

    def take_cloud(self, cloud: KnownCloud | None) -> None:
        """Use the facts about a cloud for checks and completion; None for no cloud."""
        self.cloud = cloud
        if self.engine is not None:
            self.workspace.engine = self.engine.with_cloud(cloud)
            self.catalog_loaded.emit(self.catalog)
            self.check_all()

    def _take_engine(self) -> None:
        if self.cloud is not None:
            self.workspace.engine = self.workspace.loaded_engine.with_cloud(self.cloud)
        self.catalog_loaded.emit(self.catalog)
        self._analyses.run_early()

    def _take(self, document: Document, state: TextState, is_planned: bool) -> None:
        """Show an analysis or a plan; one of an earlier text only serves as the basis of the next analysis."""
        before = _watched(document)
        document.take_state(state)
        if _watched(document) != before:
            self._follow_files_read()
        if state.version == document.version and document in self._documents:
            (self.plan_changed if is_planned else self.analysis_changed).emit(document)

    def _follow_files_read(self) -> None:
        self._beside.follow(frozenset[Path]().union(*(_watched(document) for document in self._documents)))

    def _check_readers_of_disk(self) -> None:
        """Analyze every document that reads other files."""
        self._follow_files_read()  # first, so that no change in between is missed
        self._analyze(one for one in self._documents if _watched(one))

    def check_disk(self) -> None:
        """Check every open file, as when the window is activated."""
        paths = frozenset(document.path for document in self._documents if document.path is not None)
        self.disk.run("", partial(stamps, paths), self._take_stamps)

    def _take_stamps(self, found: Mapping[Path, Stamp | None]) -> None:
        for document in self.documents:
            path = document.path
            if path is not None and path in found and document.note_stamp(found[path]):
                self.changed_on_disk.emit(document)
        self.disk_checked.emit()

    def _follow_files(self) -> None:
        known = {document.path: document.stamp for document in self._documents if document.path is not None}
        self._watch.follow(known, known)


def _watched(document: Document) -> frozenset[Path]:
    """Return the paths to watch for the files that a document's analyses read: the folder of a missing file."""
    state = document.state
    files = {**state.old_files, **state.files} if state is not None else {}
    return frozenset(file if mark is not None else file.parent for file, mark in files.items())
