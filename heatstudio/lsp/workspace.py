"""The open documents, their analyses and the shared engine."""

from collections.abc import Iterable
from pathlib import Path

from lsprotocol.types import PositionEncodingKind, TextDocumentContentChangeEvent, TextDocumentItem
from msgspec import Struct
from pygls.exceptions import JsonRpcContentModified

from heatstudio.analysis import Analysis, EnvironmentAnalysis
from heatstudio.lsp.open_document import OpenDocument, ProtocolPositions
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.git import commit_of, git_text
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.service.workspace.language_service import LanguageService
from heatstudio.service.workspace.workspace import OpenText, Workspace
from heatstudio.text import DocumentError, is_file, read_document, real_path
from heatstudio.update.plan.update_plan import UpdatePlan


class View(Struct, frozen=True, eq=False):
    """A document with its analysis, which is the input of most features."""

    document: OpenDocument
    analysis: Analysis
    complaints: tuple[str, ...] = ()
    """The errors of the files around the document."""

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


class ClientWorkspace:
    """The open documents with their analyses. Methods that analyze block."""

    def __init__(self) -> None:
        self.core = Workspace[str](Engine())
        self.encoding = PositionEncodingKind.Utf16
        self._documents: dict[str, OpenDocument] = {}

    @property
    def documents(self) -> tuple[OpenDocument, ...]:
        """The current versions of the open documents."""
        return tuple(self._documents.values())

    def open(self, item: TextDocumentItem) -> None:
        """Add a document that the client has opened."""
        self._put(OpenDocument(item.uri, item.version, ProtocolPositions(item.text, self.encoding)), item.version)

    def change(self, uri: str, version: int, changes: Iterable[TextDocumentContentChangeEvent]) -> None:
        """Apply changes to an open document."""
        document = self._documents.get(uri)
        if document is not None:
            self._put(document.changed(version, changes), version)

    def close(self, uri: str) -> None:
        """Remove a document with what is known about it."""
        self._documents.pop(uri, None)
        self.core.close(uri)

    def document(self, uri: str) -> OpenDocument | None:
        """Return the current version of an open template or environment; None for any other document."""
        found = self._documents.get(uri)
        return found if found is not None and found.is_heat else None

    def check_current(self, document: OpenDocument) -> None:
        """Raise JsonRpcContentModified if this version of a document has been changed or closed."""
        if self._documents.get(document.uri) is not document:
            raise JsonRpcContentModified

    def view(self, document: OpenDocument) -> View:
        """Return a document with its analysis."""
        state = self.core.analyze(document.uri)
        self.check_current(document)
        return View(document, state.analysis, state.complaints)

    def language(self, document: OpenDocument) -> LanguageService:
        """Return the language features of a document, with the stack of the last analysis.

        Only the first call analyzes the document, so that completion does not wait for an analysis.
        """
        state = self.core.state(document.uri) or self.core.analyze(document.uri)
        return LanguageService.of(state.analysis, document.text)

    def baseline(self, document: OpenDocument) -> tuple[str, Snapshot] | None:
        """Return the baseline of a document with its description: the last commit, else the saved file, or None."""
        if document.path is None:
            return None
        like = self.core.snapshot(document.uri)
        commit = commit_of(document.path, "HEAD")
        text = git_text(document.path, commit) if commit is not None else None
        if text is not None:
            return "the last commit", like._replace(text=text, commit=commit or "")
        try:
            return "the saved file", like._replace(text=read_document(document.path).text)
        except DocumentError:
            return None

    def plan(self, view: View) -> tuple[str, UpdatePlan] | None:
        """Return the description of a baseline, and the plan of an update from it; None if there is no baseline."""
        baseline = self.baseline(view.document)
        if baseline is None:
            return None
        words, snapshot = baseline
        plan = self.core.plan(view.document.uri, snapshot).plan
        return (words, plan) if plan is not None else None

    def file(self, path: Path) -> OpenDocument:
        """Return an open file, else the file on disk, which is empty if it is unreadable."""
        document = self._open_at(path)
        return document if document is not None else closed_document(path, self.encoding)

    def exists(self, path: Path) -> bool:
        """Return whether a file is open or on disk."""
        return self._open_at(path) is not None or is_file(path)

    def _put(self, document: OpenDocument, version: int) -> None:
        self._documents[document.uri] = document
        own, file = Snapshot(document.text, document.path), real_path(document.path) if document.path else None
        self.core.put(document.uri, OpenText(version, own, file))

    def _open_at(self, path: Path) -> OpenDocument | None:
        file = real_path(path)
        return next((one for one in self.documents if one.path is not None and real_path(one.path) == file), None)


def beside(document: OpenDocument, file: str) -> Path:
    """Return the path of a file, whose name in a document is relative to the document's folder."""
    return real_path((document.path.parent if document.path is not None else Path()) / file)


def closed_document(path: Path, encoding: PositionEncodingKind) -> OpenDocument:
    """Return a file on disk as a document without a version; empty if the file is unreadable."""
    try:
        text = read_document(path).text
    except DocumentError:
        text = ""
    return OpenDocument(path.as_uri(), None, ProtocolPositions(text, encoding))
