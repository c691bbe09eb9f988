"""What is open: documents, their analyses, and the one thread that makes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThread, QTimer, Signal

from heatstudio.text import Document as FileDocument
from heatstudio.text import DocumentError, Stamp, editable, read_document
from heatstudio.ui.disk_watch import DiskWatch
from heatstudio.ui.document import Baseline, Document
from heatstudio.ui.jobs import Finish, Job, Jobs
from heatstudio.ui.settings import Settings
from heatstudio.ui.snapshot import Snapshot
from heatstudio.ui.target import Target

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.catalog import Catalog, KnownCloud
    from heatstudio.catalog.facts import Facts
    from heatstudio.catalog.load_groups import GroupLibrary
    from heatstudio.stack.update.running_stack import RunningStack
    from heatstudio.ui.analyst import Answer, Question
    from heatstudio.ui.engine import Engine

_TEMPLATES = ("*.yaml", "*.yml", "*.template", "*.json", "*.env")
_MOST_FILES = 2000
PAUSE = 40
"""Milliseconds without a key after which the text is analyzed."""

Work = Callable[["Engine", Job], Finish]
"""What is asked of the engine by a thread of its own, so that no answer to a question waits for it."""


class Session(QObject):
    """Owns the open documents; panes listen to it, and only the window changes it."""

    document_opened = Signal(object)
    document_closed = Signal(object)
    current_changed = Signal(object)
    analysis_changed = Signal(object)
    plan_changed = Signal(object)
    changed_on_disk = Signal(object)
    checking_stopped = Signal(object)
    """The user did not want to wait for what is said of a document."""
    looked = Signal(object)
    """The first look at a document told what it sees."""
    catalog_loaded = Signal(object)
    target_changed = Signal(object)
    _asked = Signal(object)
    _begun = Signal()

    def __init__(self, settings: Settings, load_engine: Callable[[], Engine]) -> None:
        super().__init__()
        self.settings = settings
        self.target = settings.target
        self.engine: Engine | None = None
        self._words: Facts | None = None
        self._cloud: KnownCloud | None = None
        self._documents: list[Document] = []
        self._current: Document | None = None
        self._untitled = 0
        self.root: Path | None = Path(settings.folder) if settings.folder else None
        self._waiting: set[Document] = set()
        self._busy = False
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._ask)
        self._watch = DiskWatch(self)
        self._watch.stirred.connect(self.look_at_disk)
        self._thread = QThread()
        self._thread.setObjectName("analysis")
        self._load_engine = load_engine
        self.jobs = Jobs(self)
        self._checking: Job | None = None
        self._early_jobs: list[tuple[Job, Work]] = []

    @property
    def documents(self) -> tuple[Document, ...]:
        """The open documents in the order in which they were opened."""
        return tuple(self._documents)

    @property
    def current(self) -> Document | None:
        """The document that the panes speak of."""
        return self._current

    @property
    def catalog(self) -> Catalog | None:
        """The resource types, as soon as they are loaded."""
        return self.engine.catalog if self.engine else None

    @property
    def groups(self) -> GroupLibrary | None:
        """The property groups, as soon as they are loaded."""
        return self.engine.groups if self.engine else None

    def start(self) -> None:
        """Starts thinking; called after the first paint, so that the window is there first."""
        from heatstudio.ui.analyst import Analyst

        self._analyst = Analyst(self._load_engine, self.jobs.pace)
        self._analyst.moveToThread(self._thread)
        self._begun.connect(self._analyst.load)
        self._asked.connect(self._analyst.answer)
        self._analyst.engine_loaded.connect(self._take_engine)
        self._analyst.answered.connect(self._take)
        self._analyst.finished.connect(self._finish)
        self._thread.start()
        self._begun.emit()
        self._ask()

    def stop(self) -> None:
        """Waits for the thread that thinks; the session is of no use afterwards."""
        self._pause.stop()
        self._thread.quit()
        self._thread.wait()
        self.jobs.stop()

    def new(self, text: str = "", title: str = "") -> Document:
        """Opens a document that has no file yet."""
        document = Document(title or self._next_title())
        document.change(text)
        return self._adopt(document)

    def begin(self, text: str, title: str = "", stack: RunningStack | None = None) -> Document:
        """Opens a document that has no file yet, and in which nobody wrote anything yet: it can be closed unasked.

        The template of a running stack can be read and copied, but not changed.
        """
        return self._adopt(Document(title or self._next_title(), FileDocument(text), stack))

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
        for document in self._documents:
            if document.path == path:
                self.make_current(document)
                return document
        document = Document(path.name, read_document(path))
        document.environments = self.settings.environments_of(path)
        return self._adopt(document)

    def restore(self, text: str, path: Path, stamp: Stamp | None) -> Document:
        """Opens a text whose file cannot be read now; it is saved there again."""
        document = Document(path.name, FileDocument("", path, stamp=stamp))
        document.change(text)
        document.look_at_disk()
        document.environments = self.settings.environments_of(path)
        return self._adopt(document)

    def save(self, document: Document, path: Path | None = None, *, overwrite: bool = False) -> None:
        """Saves a document, to another file if one is given; raises DocumentError."""
        target = path or document.path
        if target is not None:
            document.save(target.absolute(), overwrite=overwrite)
            self.settings.set_environments(target.absolute(), document.environments)
            self.check_all()

    def open_folder(self, folder: Path) -> None:
        """Lets templates refer to everything in a folder, and lists its templates where files are picked."""
        self.root = folder.absolute()
        self.settings.folder = str(self.root)
        self.check_all()

    def folder_files(self) -> list[str]:
        """The templates and environments of the opened folder, as far as they are not too many."""
        if self.root is None:
            return []
        return self._files_in(self.root, deep=True)

    def _files_in(self, folder: Path, *, deep: bool) -> list[str]:
        from PySide6.QtCore import QDir, QDirIterator

        how = QDirIterator.IteratorFlag.Subdirectories if deep else QDirIterator.IteratorFlag.NoIteratorFlags
        names = QDirIterator(str(folder), list(_TEMPLATES), QDir.Filter.Files, how)
        found: list[str] = []
        while names.hasNext() and len(found) < _MOST_FILES:
            found.append(names.next())
        return sorted(found)

    def files_near(self, path: Path) -> list[str]:
        """The templates and environments beside a file, and those of the opened folder if it is in there."""
        near = self._files_in(path.parent, deep=False)
        is_inside = self.root is not None and path.is_relative_to(self.root)
        return list(dict.fromkeys([*near, *(self.folder_files() if is_inside else ())]))

    def set_environments(self, document: Document, environments: tuple[Path, ...]) -> None:
        """Checks a document with these environment files, now and when it is opened again."""
        document.set_environments(environments)
        document.analyzed_version = -1
        if document.path is not None:
            self.settings.set_environments(document.path, environments)
        self._request(document)

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
        job = self.jobs.begin(name, on_stop)
        if self.engine is None:
            self._early_jobs.append((job, work))
        else:
            self.jobs.work_on(job, partial(work, self.engine))
        return job

    def close(self, document: Document) -> None:
        """Forgets a document, saved or not."""
        self._documents.remove(document)
        self._follow_files()
        self._waiting.discard(document)
        if document is self._current:
            self.make_current(self._documents[-1] if self._documents else None)
        self.document_closed.emit(document)

    def make_current(self, document: Document | None) -> None:
        """Makes the panes speak of another document."""
        if document is not self._current:
            self._current = document
            self.current_changed.emit(document)

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

    def check(self) -> None:
        """Analyzes the current document again, however large it is."""
        if self._current is not None:
            self._waiting.add(self._current)
            self._pause.start()

    def check_unasked(self) -> None:
        """Analyzes the current document again because something beside it may have changed."""
        if self._current is not None:
            self._request(self._current)

    def check_all(self) -> None:
        """Analyzes every document again: a file that several of them read may have changed."""
        self._waiting.update(document for document in self._documents if not document.is_large)
        self._pause.start()

    def _adopt(self, document: Document) -> Document:
        self._documents.append(document)
        self._follow_files()
        document.text_changed.connect(lambda: self._request_all(document))
        document.state_changed.connect(self._follow_files)
        self.document_opened.emit(document)
        self.make_current(document)
        self._request(document)
        return document

    def _request_all(self, document: Document) -> None:
        """Analyzes a document, and the templates that it is an environment of."""
        self._waiting.update(self._checked_with(document))
        self._request(document)

    def _request(self, document: Document) -> None:
        if not document.is_large:
            self._waiting.add(document)
            self._pause.start()

    def _ask(self) -> None:
        """Asks about one waiting document, the current one first; the others follow when it is done."""
        if self._busy or not self._waiting or not self._thread.isRunning():
            return
        document = self._current if self._current in self._waiting else next(iter(self._waiting))
        if document is not None:
            self._waiting.discard(document)
            self._busy = True
            self._asked.emit(self._question(document))

    def _question(self, document: Document) -> Question:
        from heatstudio.ui.analyst import Question

        new, old = self.snapshot(document), document.old_snapshot(self.root)
        self._checking = self.jobs.begin(f"Checking {document.title}", lambda: self.checking_stopped.emit(document))
        return Question(document, document.version, new, old, document.analysis, self._checking)

    def snapshot(self, document: Document) -> Snapshot:
        """A document as it is now; an environment with the template that is checked with it."""
        new = document.snapshot(self.root, self._open_texts(but=document), self.target)
        if document.path is None:
            return new
        texts = {**new.open_texts, document.path: document.text}
        owner = next(iter(self._checked_with(document)), None)
        if owner is not None:
            return new._replace(owner=owner.snapshot(self.root, texts, self.target))
        return new._replace(owner=self._remembered(document.path, texts))

    def _remembered(self, environment: Path, texts: Mapping[Path, str]) -> Snapshot | None:
        """The template on the disk that was checked with an environment the last time."""
        for path, environments in self.settings.environments.items():
            if environment in environments and path not in texts:
                with suppress(DocumentError):
                    text = editable(read_document(path).text).text
                    return Snapshot(text, path, environments, self.root, texts, target=self.target)
        return None

    def blank_snapshot(self, root: Path | None) -> Snapshot:
        """What is known of any closed file: open texts, the target, and the folder that references may not leave."""
        return Snapshot("", root=root, open_texts=self._open_texts(), target=self.target)

    def _checked_with(self, document: Document) -> list[Document]:
        """The open templates that have a document among their environments."""
        return [one for one in self._documents if one is not document and document.path in one.environments]

    def _open_texts(self, but: Document | None = None) -> dict[Path, str]:
        """What editors have and the disk has not yet."""
        others = (one for one in self._documents if one is not but and one.modified)
        return {one.path: one.text for one in others if one.path is not None}

    def take_cloud(self, cloud: KnownCloud | None) -> None:
        """Checks and completes with what a cloud has; None for no cloud."""
        self._cloud = cloud
        if self.engine is not None:
            self.engine.set_cloud(cloud)
            self.catalog_loaded.emit(self.engine.catalog)
            self.check_all()

    def take_words(self, words: Facts) -> None:
        """Has everything said in Heat's own words."""
        self._words = words
        if self.engine is not None:
            self.engine.overlay(words)
            self.catalog_loaded.emit(self.engine.catalog)
            self.check_unasked()

    def _take_engine(self, engine: Engine) -> None:
        self.engine = engine
        if self._words is not None:
            engine.overlay(self._words)
        if self._cloud is not None:
            engine.set_cloud(self._cloud)
        self.catalog_loaded.emit(engine.catalog)
        jobs, self._early_jobs = self._early_jobs, []
        for job, work in jobs:
            self.jobs.work_on(job, partial(work, engine))

    def _take(self, answer: Answer) -> None:
        """Shows an answer unless the text moved on: a late answer only serves the next question."""
        document = answer.question.document
        document.analysis = answer.analysis
        document.analyzed_version = answer.question.version
        document.complaints = answer.complaints
        if answer.question.version != document.version or document not in self._documents:
            return
        if answer.plan is None:
            self.analysis_changed.emit(document)
        else:
            document.plan = answer.plan
            self.plan_changed.emit(document)

    def _finish(self) -> None:
        self._busy = False
        if self._checking is not None:
            self.jobs.end(self._checking)
        if not self._pause.isActive():
            self._ask()

    def look_at_disk(self) -> None:
        """Looks at every open file, as when the window is come back to: watchers miss what networks do."""
        self._follow_files()  # first, so that nothing happens unseen between the two
        for document in self.documents:
            if document.look_at_disk():
                self.changed_on_disk.emit(document)

    def _follow_files(self) -> None:
        self._watch.follow(document.path for document in self._documents if document.path is not None)
