"""The language server, which reads messages and answers most requests on worker threads."""

import asyncio
import logging
import time
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Condition, Event, Thread
from typing import TypeVar

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcRequestCancelled
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from heatstudio import __version__
from heatstudio.lsp.client_progress import ClientProgress
from heatstudio.lsp.diagnostics import diagnostics
from heatstudio.lsp.open_document import OpenDocument, path_of
from heatstudio.lsp.workspace import View, Workspace
from heatstudio.service.inputs.snapshot import is_large
from heatstudio.text import cancellation_scope, checkpoint
from heatstudio.text.markup import Markdown

PAUSE = 0.04
"""Seconds without a change after which a document is analyzed, as in the window."""
PATIENCE = 0.5
"""Seconds of a running analysis after which the client shows its progress."""


class Publisher:
    """A thread that analyzes documents and publishes the results, the most recently changed document first."""

    def __init__(
        self,
        workspace: Workspace,
        publish: Callable[[OpenDocument, View | None], None],
        progress: Callable[[], ClientProgress],
    ) -> None:
        self._workspace, self._publish, self._progress = workspace, publish, progress
        self._waiting: dict[str, float] = {}
        self._changed = Condition()
        self._is_stopped = False
        self._thread = Thread(target=self._run, name="publisher", daemon=True)

    def start(self) -> None:
        """Start the thread; `request` may be called before."""
        self._thread.start()

    def stop(self) -> None:
        """Stop analyzing, and wait for the end of the thread."""
        with self._changed:
            self._is_stopped = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join()

    def request(self, uris: Iterable[str], *, pause: float = PAUSE) -> None:
        """Analyze documents after a pause, which restarts with every request."""
        with self._changed:
            for uri in uris:
                self._waiting.pop(uri, None)
                self._waiting[uri] = time.monotonic() + pause
            self._changed.notify()

    def _run(self) -> None:
        while (uri := self._next()) is not None:
            document = next((one for one in self._workspace.documents if one.uri == uri), None)
            if document is not None:
                self._analyze(document)

    def _next(self) -> str | None:
        """Wait for a document whose pause is over, and return its URI; None after `stop`."""
        with self._changed:
            while not self._is_stopped:
                now = time.monotonic()
                due = [uri for uri, when in self._waiting.items() if when <= now]
                if due:
                    del self._waiting[due[-1]]
                    return due[-1]
                self._changed.wait(min(self._waiting.values()) - now if self._waiting else None)
        return None

    def _analyze(self, document: OpenDocument) -> None:
        progress, began = self._progress(), time.monotonic()
        is_shown = False

        def checkpoint() -> None:
            nonlocal is_shown
            self._workspace.check_current(document)
            if self._is_stopped or (is_shown and progress.is_cancelled()):
                raise JsonRpcRequestCancelled
            if not is_shown and time.monotonic() - began > PATIENCE:
                is_shown = True
                progress.begin("Checking the template")

        try:
            with cancellation_scope(checkpoint):
                is_checked = document.is_heat and not is_large(document.text)
                self._publish(document, self._workspace.view(document) if is_checked else None)
        except (JsonRpcRequestCancelled, JsonRpcContentModified):
            return  # the document was changed, which requests another analysis, or the user cancelled
        finally:
            if is_shown:
                progress.end()


_Found = TypeVar("_Found")


class _Protocol(LanguageServerProtocol):
    """The protocol without pygls's own text changes: pygls splits lines like Python, not as LSP defines."""

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(
        self, params: types.DidChangeTextDocumentParams
    ) -> Generator[tuple[object, object, None], None, None]:
        """Call only the registered handler."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None


class Server(LanguageServer):
    """The language server, which connects the workspace, the publisher and the client."""

    def __init__(self) -> None:
        super().__init__("heatstudio", __version__, protocol_cls=_Protocol)
        self.heat = Workspace()
        self.publisher = Publisher(self.heat, self._publish, lambda: ClientProgress(self))
        self.is_shut_down = False
        """Whether the client requested the shutdown."""
        self._previews = TemporaryDirectory(prefix="heatstudio-", ignore_cleanup_errors=True)
        log = logging.getLogger("pygls.protocol.json_rpc")
        log.setLevel(logging.ERROR)  # skip warnings about clients, for example on cancelling an answered request
        log.addFilter(_is_unexpected)

    async def answer(self, uri: str, find: Callable[[OpenDocument], _Found]) -> _Found | None:
        """Run `find` with an open document on another thread; return None if the document is not Heat's.

        Raise JsonRpcContentModified if the text changes in the meantime; end early if the client cancels the request.
        """
        document = self.heat.document(uri)
        return await self.run(lambda: find(document), document) if document is not None else None

    async def answer_view(self, uri: str, find: Callable[[View], _Found]) -> _Found | None:
        """Run `find` with the analysis of an open document; otherwise like `answer`."""
        return await self.answer(uri, lambda document: find(self.heat.view(document)))

    async def run(self, find: Callable[[], _Found], document: OpenDocument | None = None) -> _Found:
        """Run `find` on another thread; raise JsonRpcContentModified if the document changes in the meantime."""
        is_cancelled = Event()

        def check() -> None:
            if is_cancelled.is_set():
                raise JsonRpcRequestCancelled
            if document is not None:
                self.heat.check_current(document)

        def work() -> _Found:
            with cancellation_scope(check):
                checkpoint()
                return find()

        try:
            return await asyncio.to_thread(work)
        except asyncio.CancelledError:
            is_cancelled.set()
            raise

    def can(self, capability: str) -> bool:
        """Return whether the client has a capability, such as `window.show_document.support`."""
        return bool(get_capability(self.client_capabilities, capability))

    def follow_folders(self) -> None:
        """Update the workspace folders from the client's folders."""
        paths = [path_of(folder.uri) for folder in self.workspace.folders.values()]
        root = self.workspace.root_path
        self.heat.folders = tuple(filter(None, paths)) or ((Path(root),) if root else ())

    def recheck(self, uris: set[str]) -> None:
        """Check documents again because another file has changed."""
        if not uris:
            return
        self.publisher.request(uris)
        if self.can("workspace.diagnostics.refresh_support"):
            self.workspace_diagnostic_refresh(None)
        if self.can("workspace.inlay_hint.refresh_support"):
            self.workspace_inlay_hint_refresh(None)

    def show_report(self, title: str, markdown: Markdown) -> None:
        """Open a report in the client, or show it as a message if the client cannot open documents."""
        if self.can("window.show_document.support"):
            file = Path(self._previews.name, f"{title}.md")
            file.write_text(markdown, "utf-8")
            self.window_show_document(types.ShowDocumentParams(file.as_uri(), take_focus=True))
        else:
            self.window_show_message(types.ShowMessageParams(types.MessageType.Info, markdown))

    def diagnostics(self, view: View) -> list[types.Diagnostic]:
        """Return the diagnostics of a document, with hints for inactive parts if the client can fade them out."""
        fades = self.can("text_document.publish_diagnostics.tag_support")
        return diagnostics(self.heat, view, with_inactive=fades)

    def _publish(self, document: OpenDocument, view: View | None) -> None:
        if not self.can("text_document.diagnostic"):  # a client that pulls diagnostics would show them twice
            found = self.diagnostics(view) if view is not None else []
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(document.uri, found, document.version)
            )


def _is_unexpected(record: logging.LogRecord) -> bool:
    """Return whether a log record is about an error other than a cancelled or rejected request."""
    return not (record.exc_info and isinstance(record.exc_info[1], JsonRpcException))
