"""The session: documents, their analyses, and the thread that computes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from heatstudio.service.snapshot import Snapshot, Target
from heatstudio.service.worker_process import WorkerProcess
from heatstudio.text import ENCODING_WORDS, DocumentError, Stamp, read_document, read_text
from heatstudio.text import Document as FileDocument
from heatstudio.ui.documents.document import Baseline, Document
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.documents.shown_names import shown_names
from heatstudio.ui.tasks.analysis_scheduler import AnalysisScheduler, Answer, Question, Work
from heatstudio.ui.tasks.jobs import Finish, Job, Jobs
from heatstudio.ui.workspace.disk_watch import DiskWatch
from heatstudio.ui.workspace.folder_watch import FolderWatch

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.catalog import Catalog, KnownCloud
    from heatstudio.catalog.property_groups.load_groups import GroupLibrary
    from heatstudio.service.engine import Engine
    from heatstudio.service.wire import Mark
    from heatstudio.update.running_stack import RunningStack


class Session(QObject):
    """Owns the open documents; panes observe it, and only the window changes it."""

    document_opened = Signal(object)
    document_closed = Signal(object)
    current_changed = Signal(object)
    analysis_changed = Signal(object)
    plan_changed = Signal(object)
    changed_on_disk = Signal(object)
    checking_resumed = Signal()
    checking_stopped = Signal(object)
    """The user did not want to wait for what is said of a document."""
    freshness_changed = Signal()
    """What the panes show of the current document may be older than its text, or is so no longer."""
    summarized = Signal(object)
    """The first analysis of a document has its findings."""
    catalog_loaded = Signal(object)
    target_changed = Signal(object)
    folder_opened = Signal()
    disk_looked_at = Signal()
    """The window was come back to: other programs may have changed anything."""
    stopped = Signal()
    """No thread works any more."""

    def __init__(
        self, settings: Settings, load_engine: Callable[[], Engine], worker: WorkerProcess | None = None
    ) -> None:
        super().__init__()
        self.worker = worker or WorkerProcess()
        self.settings = settings
        self.target = settings.target
        self._documents: list[Document] = []
        self._current: Document | None = None
        self._untitled = 0
        self.root: Path | None = Path(settings.folder) if settings.folder else None
        self.listed_files: tuple[Path, ...] = ()
        """The templates and environments of the open folder, if they are already listed."""
        self._watch = DiskWatch(self)
        self._watch.stirred.connect(self.look_at_disk)
        self._beside = FolderWatch(self)
        self._beside.stirred.connect(self._check_readers_of_disk)
        self.jobs = Jobs(self)
        self._analysis_scheduler = AnalysisScheduler(load_engine, self.jobs, self._question, lambda: self._current)
        self._analysis_scheduler.answered.connect(self._take)
        self._analysis_scheduler.knows_more.connect(lambda: self.catalog_loaded.emit(self.catalog))
        self._analysis_scheduler.stopped.connect(self.checking_stopped)
        self._analysis_scheduler.waiting_changed.connect(self.freshness_changed)

    @property
    def documents(self) -> tuple[Document, ...]:
        """The open documents in the order in which they were opened."""
        return tuple(self._documents)

    @property
    def current(self) -> Document | None:
        """The document that the panes speak of."""
        return self._current

    @property
    def engine(self) -> Engine | None:
        """What answers, as soon as it is loaded."""
        return self._analysis_scheduler.engine

    @property
    def catalog(self) -> Catalog | None:
        """The resource types of the target, as soon as they are loaded."""
        return self.engine.known(self.target).catalog if self.engine else None

    @property
    def groups(self) -> GroupLibrary | None:
        """The property groups of the target, as soon as they are loaded."""
        return self.engine.known(self.target).group_library if self.engine else None

    @property
    def is_analyzing(self) -> bool:
        """Whether something is still to be said of an open document."""
        return self._analysis_scheduler.is_busy

    def is_outdated(self) -> bool:
        """Whether the analysis of the current document is older than its text, or than what it reads."""
        return self._current is not None and self._analysis_scheduler.is_outdated(self._current)

    @property
    def cloud(self) -> KnownCloud | None:
        """What is known of a cloud in addition to the bundled data."""
        return self._analysis_scheduler.cloud

    def start(self) -> None:
        """Starts thinking; called after the first paint, so that the window is there first."""
        self._analysis_scheduler.start()

    def stop(self) -> None:
        """Wait for the analysis thread; the session must not be used afterwards."""
        self.worker.kill()
        self.jobs.stop()
        self._analysis_scheduler.stop()
        self.stopped.emit()

    def new(self, text: str = "", title: str = "") -> Document:
        """Opens a document that has no file yet."""
        document = Document(title or self._next_title())
        document.change(text)
        return self._adopt(document)

    def begin(self, text: str, title: str = "", stack: RunningStack | None = None) -> Document:
        """Opens a document that has no file yet, and that has no changes yet: it can be closed without a question."""
        return self._adopt(Document(title or self._next_title(), FileDocument(text), stack))

    def show(self, text: str, title: str) -> Document:
        """Opens a text that can be read, copied and saved, and changed as soon as it is saved."""
        document = Document(title, FileDocument(text))
        document.is_view = True
        return self._adopt(document)

    def _next_title(self) -> str:
        """No other document has it, as one may that came back after a crash."""
        titles = {document.title for document in self._documents}
        while True:
            self._untitled += 1
            title = f"untitled-{self._untitled}.yaml"
            if title not in titles:
                return title

    def open(self, path: Path) -> Document:
        """Opens a file, or comes back to it; raises DocumentError."""
        path = path.absolute()
        known = self.document_at(path)
        if known is not None:
            self.make_current(known)
            return known
        document = Document(path.name, read_document(path, ENCODING_WORDS))
        self._recall(document, path)
        return self._adopt(document)

    def restore(self, text: str, path: Path, stamp: Stamp | None) -> Document:
        """Opens a text whose file cannot be read now; it is saved there again."""
        document = Document(path.name, FileDocument("", path, stamp=stamp))
        document.change(text)
        document.look_at_disk()
        self._recall(document, path)
        return self._adopt(document)

    def name_of(self, document: Document) -> str:
        """Its title, with the folder where another open document has the same."""
        return shown_names(self._documents).get(document, document.title)

    def document_at(self, path: Path) -> Document | None:
        """The open document of a file."""
        return next((document for document in self._documents if document.path == path.absolute()), None)

    def text_at(self, path: Path) -> str:
        """The text of a file as its tab has it, or the disk; raises DocumentError."""
        document = self.document_at(path)
        return document.text if document is not None else read_text(path)

    def save(self, document: Document, path: Path | None = None, *, overwrite: bool = False) -> None:
        """Saves a document, to another file if one is given; raises DocumentError."""
        target = path or document.path
        if target is not None:
            document.save(target.absolute(), overwrite=overwrite)
            self.settings.set_environments(target.absolute(), document.environments)
            self.settings.set_old_environments(target.absolute(), document.old_environments)
            self.check_all()

    def follow_rename(self, old: Path, new: Path) -> None:
        """Keeps the tabs and environments of a file, or of all files in a folder, that has another name now."""

        def renamed(path: Path) -> Path:
            return new / path.relative_to(old) if path.is_relative_to(old) else path

        self.settings.follow_rename(renamed)
        for document in self._documents:
            if document.path is not None and document.path.is_relative_to(old):
                document.follow_rename(renamed(document.path))
            document.set_environments(tuple(map(renamed, document.environments)))
            if document.old_environments is not None:
                document.old_environments = tuple(map(renamed, document.old_environments))
        self.check_all()

    def open_folder(self, folder: Path) -> None:
        """Lets templates refer to everything in a folder, and lists its templates where files are picked."""
        self.root = folder.absolute()
        self.settings.folder = str(self.root)
        self.listed_files = ()
        self.folder_opened.emit()
        self.check_all()

    def folder_files(self) -> list[str]:
        """The templates and environments of the open folder, as far as they are not too many."""
        if self.root is None:
            return []
        if self.listed_files:
            return list(map(str, self.listed_files))
        from heatstudio.service.folder_files import files_in

        return files_in(self.root, deep=True)

    def files_near(self, path: Path) -> list[str]:
        """The templates and environments next to a file, and those of the open folder if it is in there."""
        from heatstudio.service.folder_files import files_in

        near = files_in(path.parent, deep=False)
        is_inside = self.root is not None and path.is_relative_to(self.root)
        return list(dict.fromkeys([*near, *(self.folder_files() if is_inside else ())]))

    def set_environments(self, document: Document, environments: tuple[Path, ...]) -> None:
        """Checks a document with these environment files, now and when it is opened again."""
        document.set_environments(environments)
        document.analyzed_version = -1
        if document.path is not None:
            self.settings.set_environments(document.path, environments)
        self._request(document)

    def set_old_environments(self, document: Document, environments: tuple[Path, ...] | None) -> None:
        """Previews against an old side with these environment files; None for those of the new side."""
        if environments != document.old_environments:
            document.old_environments = environments
            if document.path is not None:
                self.settings.set_old_environments(document.path, environments)
            self._request(document)

    def _recall(self, document: Document, path: Path) -> None:
        """Gives a document the environments that it had the last time."""
        document.environments = self.settings.environments_of(path)
        document.old_environments = self.settings.old_environments_of(path)

    def set_parameter_values(self, document: Document, values: dict[str, object], defaults: dict[str, object]) -> None:
        """Checks and previews a document with these values of parameters, over those of its environments.

        `defaults` are those for parameters of nested templates.
        """
        if (values, defaults) != (document.parameter_values, document.parameter_defaults):
            document.parameter_values, document.parameter_defaults = values, defaults
            document.analyzed_version = -1
            self._request(document)

    def run(self, name: str, work: Work, on_stop: Finish | None = None) -> Job:
        """Has something done by another thread as soon as there is an engine; see `jobs`."""
        return self._analysis_scheduler.run(name, work, on_stop)

    def close(self, document: Document) -> None:
        """Forgets a document, saved or not; nothing happens if it is closed already, as while a question is open.

        Qt deletes it: what its signals are connected to may hold it, and no thread may be the last to do so.
        """
        if document not in self._documents:
            return
        self._documents.remove(document)
        self._follow_files()
        self._analysis_scheduler.forget(document)
        if document is self._current:
            self.make_current(self._documents[-1] if self._documents else None)
        self._analysis_scheduler.request(self._readers(document))
        self.document_closed.emit(document)
        document.deleteLater()

    def make_current(self, document: Document | None) -> None:
        """Makes the panes speak of another document, if that is open."""
        if document is not self._current and (document is None or document in self._documents):
            self._current = document
            self.current_changed.emit(document)
            self.freshness_changed.emit()

    def set_target(self, target: Target) -> None:
        """Checks every document for another cloud, now and from the next start on."""
        if target != self.target:
            self.target = self.settings.target = target
            self.target_changed.emit(target)
            self.check_all()

    def set_baseline(self, document: Document, baseline: Baseline) -> None:
        """Compares the document with another old side."""
        document.baseline = baseline
        self._request(document)

    def pause_checking(self) -> None:
        """Check no document until the user asks for it with `check`; for a start after one that did not end well."""
        self._analysis_scheduler.is_paused = True
        for document in self._documents:
            self._analysis_scheduler.forget(document)

    def check(self) -> None:
        """Analyzes the current document again, however large it is; all of them if checking was paused."""
        if self._analysis_scheduler.is_paused:
            self._analysis_scheduler.is_paused = False
            self.checking_resumed.emit()
            self.check_all()
        if self._current is not None:
            self._analysis_scheduler.request([self._current])

    def check_unasked(self) -> None:
        """Analyzes the current document again because something next to it may have changed."""
        if self._current is not None:
            self._request(self._current)

    def check_all(self) -> None:
        """Analyzes every document again: a file that several of them read may have changed."""
        self._analysis_scheduler.request(document for document in self._documents if not document.is_large)

    def _adopt(self, document: Document) -> Document:
        document.setParent(self)
        self._documents.append(document)
        self._follow_files()
        document.text_changed.connect(lambda: self._request_all(document))
        document.state_changed.connect(self._follow_files)
        self.document_opened.emit(document)
        self.make_current(document)
        self._request_all(document)
        return document

    def _request_all(self, document: Document) -> None:
        """Analyzes a document, and every open one that reads it."""
        self._analysis_scheduler.request(self._readers(document))
        self._request(document)

    def _readers(self, document: Document) -> list[Document]:
        """The open documents that what is said of rests on a document."""
        file = document.real_path
        return [one for one in self._documents if one is not document and not one.is_large and file in one.files_read]

    def _request(self, document: Document) -> None:
        if document in self._documents and not document.is_large:
            self._analysis_scheduler.request([document])

    def _question(self, document: Document, job: Job) -> Question:
        new, old = self.snapshot(document), document.old_snapshot(self.root)
        return Question(document, document.version, new, old, document.analysis, job)

    def snapshot(self, document: Document) -> Snapshot:
        """A document as it is now; an environment with the template that is checked with it."""
        new = document.snapshot(self.root, self.open_texts(but=document), self.target)
        if document.path is None:
            return new
        texts = {**new.open_texts, document.real_path or document.path: document.text}
        others = (one for one in self._documents if one is not document)
        owner = next((one for one in others if document.path in one.environments), None)
        if owner is not None:
            return new._replace(owner=owner.snapshot(self.root, texts, self.target))
        return new._replace(owner=self._remembered(document.path, texts))

    def _remembered(self, environment: Path, texts: Mapping[Path, str]) -> Snapshot | None:
        """The template on the disk that was checked with an environment the last time."""
        for path, environments in self.settings.environments.items():
            if environment in environments and self.document_at(path) is None:
                with suppress(DocumentError):
                    text = read_text(path)
                    return Snapshot(text, path, environments, self.root, texts, target=self.target)
        return None

    def blank_snapshot(self, root: Path | None) -> Snapshot:
        """What is known of any closed file: open texts, the target, and the folder that references may not leave."""
        return Snapshot("", root=root, open_texts=self.open_texts(), target=self.target)

    def open_texts(self, but: Document | None = None) -> dict[Path, str]:
        """What editors have and the disk has not yet."""
        others = (one for one in self._documents if one is not but and one.modified and one.is_utf8)
        return {one.real_path: one.text for one in others if one.real_path is not None}

    def take_cloud(self, cloud: KnownCloud | None) -> None:
        """Checks and completes with what a cloud has; None for no cloud."""
        self._analysis_scheduler.take_cloud(cloud)
        if self.engine is not None:
            self.check_all()

    def _take(self, answer: Answer) -> None:
        """Shows an answer unless the text moved on: a late answer only serves the next question."""
        document = answer.question.document
        document.analysis = answer.analysis
        document.analyzed_version = answer.question.version
        document.complaints, document.old_complaints = answer.complaints, answer.old_complaints
        self._note_files(answer)
        if answer.question.version != document.version or document not in self._documents:
            return
        if answer.plan is None:
            self.analysis_changed.emit(document)
        else:
            document.plan = answer.plan
            self.plan_changed.emit(document)

    def _note_files(self, answer: Answer) -> None:
        """Watches what an answer rests on, and asks again where a tab has another text by now."""
        document, texts = answer.question.document, answer.question.new.open_texts
        before, document.files_read = document.files_read, answer.files
        if answer.plan is None:  # the files of the old side count until there is a plan
            document.files_read = {**before, **answer.files}
        if _watched(document.files_read) != _watched(before):
            self._follow_files_read()
        now = self.open_texts(but=document)
        if any(texts.get(file) != now.get(file) for file in answer.files):
            self._request(document)

    def _follow_files_read(self) -> None:
        self._beside.follow(frozenset[str]().union(*(_watched(document.files_read) for document in self._documents)))

    def _check_readers_of_disk(self) -> None:
        """Analyzes every document that rests on other files."""
        self._follow_files_read()  # first, so that nothing happens unseen between the two
        self._analysis_scheduler.request(one for one in self._documents if one.files_read and not one.is_large)

    def look_at_disk(self) -> None:
        """Looks at every open file, as when the window is come back to: watchers miss what networks do."""
        self._follow_files()  # first, so that nothing happens unseen between the two
        for document in self.documents:
            if document.look_at_disk():
                self.changed_on_disk.emit(document)
        self.disk_looked_at.emit()

    def _follow_files(self) -> None:
        self._watch.follow(document.path for document in self._documents if document.path is not None)


def _watched(files: Mapping[Path, Mark]) -> frozenset[str]:
    """What to watch for changes of these files; one that is missing is waited for in its folder."""
    return frozenset(str(file if mark is not None else file.parent) for file, mark in files.items())
