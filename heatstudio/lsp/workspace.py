"""The open documents, their analyses and the shared engine."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from threading import RLock

from lsprotocol.types import PositionEncodingKind, TextDocumentContentChangeEvent, TextDocumentItem
from msgspec import Struct
from pygls.exceptions import JsonRpcContentModified

from heatstudio.analysis import Analysis, EnvironmentAnalysis
from heatstudio.lsp.open_document import OpenDocument, ProtocolPositions
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.freshness import CurrentMarks, FileMark
from heatstudio.service.inputs.git import commit_of, git_text
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.service.workspace.language_service import LanguageService
from heatstudio.text import DocumentError, is_file, read_document, real_path
from heatstudio.update.update_plan import UpdatePlan


class View(Struct, frozen=True, eq=False):
    """A document with its analysis, which is the input of most features."""

    document: OpenDocument
    analysis: Analysis

    @property
    def positions(self) -> ProtocolPositions:
        """The converter of positions in the document."""
        return self.document.positions

    @property
    def is_environment(self) -> bool:
        """Whether the document is an environment."""
        return isinstance(self.analysis, EnvironmentAnalysis)

    @property
    def language(self) -> LanguageService:
        """The language features of the document."""
        return LanguageService.of(self.analysis, self.document.text)


class NamedBaseline(Struct, frozen=True):
    """The baseline of an update preview."""

    words: str
    """The description of the baseline, which follows `since`."""
    snapshot: Snapshot


class _LastAnalysis(Struct, frozen=True, eq=False):
    """The last analysis of a document, and the state of the files that it read."""

    document: OpenDocument
    analysis: Analysis
    files: Mapping[Path, FileMark]


class Workspace:
    """The open documents and the engine, which only one thread at a time uses.

    Methods that use the engine may block; methods that only access documents never block.
    """

    def __init__(self) -> None:
        self.engine = Engine()
        self.encoding = PositionEncodingKind.Utf16
        self.folders: tuple[Path, ...] = ()
        self._documents: dict[str, OpenDocument] = {}
        self._known: dict[str, _LastAnalysis] = {}
        self._plans: dict[str, tuple[Analysis, str, UpdatePlan]] = {}
        self._engine_lock = RLock()

    @property
    def documents(self) -> tuple[OpenDocument, ...]:
        """The current versions of the open documents."""
        return tuple(self._documents.values())

    def open(self, item: TextDocumentItem) -> None:
        """Add a document that the client has opened."""
        self._documents[item.uri] = OpenDocument(item.uri, item.version, ProtocolPositions(item.text, self.encoding))

    def change(self, uri: str, version: int, changes: Iterable[TextDocumentContentChangeEvent]) -> None:
        """Apply changes to an open document."""
        document = self._documents.get(uri)
        if document is not None:
            self._documents[uri] = document.changed(version, changes)

    def close(self, uri: str) -> None:
        """Remove a document, its analysis and its plan."""
        for kept in (self._documents, self._known, self._plans):
            kept.pop(uri, None)

    def document(self, uri: str) -> OpenDocument | None:
        """Return the current version of an open template or environment; None for any other document."""
        found = self._documents.get(uri)
        return found if found is not None and found.is_heat else None

    def check_current(self, document: OpenDocument) -> None:
        """Raise JsonRpcContentModified if this version of a document has been changed or closed."""
        if self._documents.get(document.uri) is not document:
            raise JsonRpcContentModified

    def view(self, document: OpenDocument) -> View:
        """Return a document with its analysis, from the cache if the document and its files are unchanged."""
        snapshot = self.snapshot(document)
        with self._engine_lock:
            known = self._known.get(document.uri)
            if (
                known is None
                or known.document is not document
                or not CurrentMarks(snapshot.open_texts).match(known.files)
            ):
                analysis = self.engine.analyze(snapshot, known.analysis if known is not None else None)
                known = _LastAnalysis(document, analysis, self.engine.files_read(snapshot))
                self.check_current(document)
                self._known[document.uri] = known
            return View(document, known.analysis)

    def language(self, document: OpenDocument) -> LanguageService:
        """Return the language features of a document, with the stack of the last analysis.

        Only the first call analyzes the document, so that completion does not wait for an analysis.
        """
        known = self._known.get(document.uri)
        analysis = self.view(document).analysis if known is None else known.analysis
        return LanguageService.of(analysis, document.text)

    def readers(self, changed: Iterable[Path]) -> set[str]:
        """Return the documents whose analysis read one of the files or tried to read it."""
        files = {real_path(path) for path in changed}
        return {uri for uri, known in tuple(self._known.items()) if not files.isdisjoint(known.files)}

    def snapshot(self, document: OpenDocument) -> Snapshot:
        """Return the snapshot of a document: the text with all inputs of its analysis."""
        texts = {real_path(one.path): one.text for one in self.documents if one.path and one is not document}
        found = Snapshot(document.text, document.path, root=self.root_of(document.path), open_texts=texts)
        template = self.template_of(document)
        if template is None or template.path is None or document.path is None:
            return found
        texts = {**texts, real_path(document.path): document.text}
        return found._replace(owner=found._replace(text=template.text, path=template.path, open_texts=texts))

    def root_of(self, path: Path | None) -> Path | None:
        """Return the innermost folder of the workspace that contains a file."""
        around = [folder for folder in self.folders if path is not None and path.is_relative_to(folder)]
        return max(around, key=lambda folder: len(folder.parts), default=None)

    def baseline(self, document: OpenDocument) -> NamedBaseline | None:
        """Return the baseline of a document: the last commit, else the saved file; None if there is neither."""
        if document.path is None:
            return None
        like = self.snapshot(document)
        commit = commit_of(document.path, "HEAD")
        text = git_text(document.path, commit) if commit is not None else None
        if text is not None:
            return NamedBaseline("the last commit", like._replace(text=text, commit=commit or ""))
        try:
            return NamedBaseline("the saved file", like._replace(text=read_document(document.path).text))
        except DocumentError:
            return None

    def plan(self, view: View) -> tuple[NamedBaseline, UpdatePlan] | None:
        """Return the baseline of a document, and the plan of an update from it; None without a baseline."""
        baseline = self.baseline(view.document)
        if baseline is None:
            return None
        with self._engine_lock:
            known = self._plans.get(view.document.uri)
            if known is None or known[0] is not view.analysis or known[1] != baseline.snapshot.text:
                plan = self.engine.plan_update(baseline.snapshot, view.analysis)
                known = self._plans[view.document.uri] = view.analysis, baseline.snapshot.text, plan
            return baseline, known[2]

    def positions_in(self, path: Path) -> ProtocolPositions:
        """Return the positions in the open text of a file, else in the text on disk, which is empty if unreadable."""
        document = self._open_at(path)
        if document is not None:
            return document.positions
        try:
            return ProtocolPositions(read_document(path).text, self.encoding)
        except DocumentError:
            return ProtocolPositions("", self.encoding)

    def exists(self, path: Path) -> bool:
        """Return whether a file is open or on disk."""
        return self._open_at(path) is not None or is_file(path)

    def uri_of(self, path: Path) -> str:
        """Return the URI of a file, in the client's notation if the file is open."""
        document = self._open_at(path)
        return document.uri if document is not None else path.as_uri()

    def version_of(self, path: Path) -> int | None:
        """Return the version of an open file; None if the file is not open."""
        document = self._open_at(path)
        return document.version if document is not None else None

    def environments_of(self, path: Path) -> tuple[Path, ...]:
        """Return the environment files of a template, as configured in its project file."""
        return self.engine.applied(Snapshot("", path)).environments

    def template_of(self, document: OpenDocument) -> OpenDocument | None:
        """Return an open template that an environment is checked with."""
        others = (one for one in self.documents if one is not document and one.path is not None)
        return next((one for one in others if one.path and document.path in self.environments_of(one.path)), None)

    def _open_at(self, path: Path) -> OpenDocument | None:
        file = real_path(path)
        return next((one for one in self.documents if one.path is not None and real_path(one.path) == file), None)


def beside(document: OpenDocument, file: str) -> Path:
    """Return the path of a file, whose name in a document is relative to the document's folder."""
    return real_path((document.path.parent if document.path is not None else Path()) / file)
