"""The language server, which reads messages and answers most requests on worker threads."""

import asyncio
import logging
import os
import sys
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Lock, Thread
from typing import BinaryIO, TypeVar
from uuid import uuid4

from lsprotocol import types
from lsprotocol.types import WorkDoneProgressBegin, WorkDoneProgressEnd
from pygls import exceptions
from pygls.capabilities import get_capability
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from heatstudio import __version__
from heatstudio.lsp.diagnostics import diagnostics
from heatstudio.lsp.messages import ClientOutput, read_messages
from heatstudio.lsp.open_document import OpenDocument, path_of
from heatstudio.lsp.workspace import ClientWorkspace, View
from heatstudio.service.inputs.snapshot import is_large
from heatstudio.service.workspace.job import Job, StoppedError
from heatstudio.service.workspace.scheduler import Scheduler
from heatstudio.service.workspace.workspace import TextState
from heatstudio.text import cancellation_scope, checkpoint
from heatstudio.text.markup import Markdown

PATIENCE = 0.5
"""Seconds of a running analysis after which the client shows its progress."""
_LOOK = 3.0
"""Seconds between two looks whether the client still runs."""
_END = object()
"""The end of the messages."""


class ClientProgress:
    """A work-done progress with one token; inactive if the client does not support progress."""

    def __init__(self, server: LanguageServer) -> None:
        self._progress = server.work_done_progress
        window = server.client_capabilities.window
        self._is_supported = window is not None and bool(window.work_done_progress)
        self._token = str(uuid4())
        self._lock = Lock()
        self._has_begun = self._is_shown = self._has_ended = False

    def begin(self, title: str) -> None:
        """Show the title as soon as the client has created the progress token; only the first call has an effect."""

        def show(_: object) -> None:
            with self._lock:
                if not self._has_ended:
                    self._is_shown = True
                    self._progress.begin(self._token, WorkDoneProgressBegin(title, cancellable=True))

        if self._is_supported and not self._has_begun:
            self._has_begun = True
            self._progress.create(self._token, show)

    def is_cancelled(self) -> bool:
        """Return whether the user has cancelled the progress."""
        future = self._progress.tokens.get(self._token)
        return future is not None and future.cancelled()

    def end(self) -> None:
        """End the progress; if the client has not shown it yet, it never appears."""
        with self._lock:
            self._has_ended = True
            if self._is_shown:
                self._progress.end(self._token, WorkDoneProgressEnd())
        self._progress.tokens.pop(self._token, None)


class _CheckJob(Job):
    """The check of a document, which ends when the document changes or the user cancels its progress."""

    def __init__(self, workspace: ClientWorkspace, document: OpenDocument, progress: ClientProgress) -> None:
        super().__init__("Checking the template")
        self.document = document
        self.progress = progress
        self._workspace = workspace

    def check(self) -> None:
        super().check()
        try:
            self._workspace.check_current(self.document)
        except exceptions.JsonRpcContentModified:  # which requests another analysis
            raise StoppedError from None
        if self.progress.is_cancelled():
            raise StoppedError
        if time.monotonic() - self.begun > PATIENCE:
            self.progress.begin(self.name)


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
    """The language server, which connects the workspace, the scheduler and the client."""

    def __init__(self) -> None:
        super().__init__("heatstudio", __version__, protocol_cls=_Protocol)
        self.heat = ClientWorkspace()
        self.scheduler = Scheduler(self.heat.core, _Client(self))
        self.client_process: int | None = None
        """The process of the client, with which the server ends."""
        self.is_initialized = self.is_shut_down = False
        """Whether the client requested the start, and the shutdown."""
        self._previews = TemporaryDirectory(prefix="heatstudio-", ignore_cleanup_errors=True)
        log = logging.getLogger("pygls.protocol.json_rpc")
        log.setLevel(logging.ERROR)  # skip warnings about clients, for example on cancelling an answered request
        log.addFilter(_is_unexpected)

    def serve(self, requests: int, answers: BinaryIO) -> None:
        """Answer the client until it requests the exit, closes a stream or ends."""
        output = ClientOutput(answers)
        self.protocol.set_writer(output)
        with suppress(SystemExit):
            asyncio.run(self._serve(requests, output))
        self.scheduler.stop()

    async def _serve(self, requests: int, output: ClientOutput) -> None:
        loop, messages = asyncio.get_running_loop(), asyncio.Queue[object]()

        def read() -> None:
            with suppress(RuntimeError):  # the server has ended
                for message in read_messages(requests):
                    loop.call_soon_threadsafe(messages.put_nowait, message)
                loop.call_soon_threadsafe(messages.put_nowait, _END)

        Thread(target=read, name="client", daemon=True).start()
        while not output.is_lost and (self.client_process is None or is_running(self.client_process)):
            with suppress(TimeoutError):
                message = await asyncio.wait_for(messages.get(), _LOOK)
                if message is _END:
                    return
                self._take(message, output)
                await asyncio.sleep(0)  # an answer begins before the next message changes the text

    def _take(self, message: object, output: ClientOutput) -> None:
        """Handle a message; answer an invalid one with an error, if it is a request."""
        found = message if isinstance(message, dict) else {}
        method, number = found.get("method"), found.get("id")
        is_valid = found.get("jsonrpc") == "2.0" and isinstance(number, (int, str, type(None)))
        try:
            if message is None:
                raise exceptions.JsonRpcParseError
            if not is_valid or not isinstance(method, (str, type(None))) or (method is None and "id" not in found):
                raise exceptions.JsonRpcInvalidRequest
            self._check_order(method)
            try:
                structured = self.protocol.structure_message(found)
            except exceptions.JsonRpcException:
                raise exceptions.JsonRpcInvalidParams from None
            with suppress(TypeError):  # the ID of a request to cancel may be a map
                self.protocol.handle_message(structured)
        except exceptions.JsonRpcException as error:
            if {"id", "method"} <= found.keys() or message is None:
                output.reject(number if is_valid else None, error.code, str(error))

    def _check_order(self, method: str | None) -> None:
        """Raise JsonRpcException for a message before the start, a second start, or a message after the shutdown."""
        if method == types.EXIT:
            return
        if self.is_shut_down or (method == types.INITIALIZE and self.is_initialized):
            raise exceptions.JsonRpcInvalidRequest
        if method != types.INITIALIZE and not self.is_initialized:
            raise exceptions.JsonRpcServerNotInitialized

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
                raise exceptions.JsonRpcRequestCancelled
            if document is not None:
                self.heat.check_current(document)

        def work() -> _Found:
            try:
                with cancellation_scope(check):
                    checkpoint()
                    return find()
            except StoppedError:  # the document was closed
                raise exceptions.JsonRpcContentModified from None

        try:
            return await asyncio.to_thread(work)
        except asyncio.CancelledError:
            is_cancelled.set()
            raise

    def can(self, capability: str) -> bool:
        """Return whether the client has a capability, such as `window.show_document.support`."""
        return bool(self.capability(capability))

    def capability(self, name: str) -> object:
        """Return the value of a capability of the client; None if it has none."""
        found: object = get_capability(self.client_capabilities, name)
        return found

    def follow_folders(self) -> None:
        """Update the workspace folders from the client's folders."""
        paths = [path_of(folder.uri) for folder in self.workspace.folders.values()]
        root = self.workspace.root_path
        self.heat.core.folders = tuple(filter(None, paths)) or ((Path(root),) if root else ())

    def recheck(self, uris: set[str]) -> None:
        """Check documents again because another file has changed."""
        if not uris:
            return
        self.scheduler.request(uris)
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

    def publish(self, document: OpenDocument, view: View | None = None) -> None:
        """Send the diagnostics of a document; none without its analysis."""
        if not self.can("text_document.diagnostic"):  # a client that pulls diagnostics would show them twice
            found = self.diagnostics(view) if view is not None else []
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(document.uri, found, document.version)
            )


class _Client:
    """The scheduler's view of the server."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def load_engine(self) -> None:
        """Do nothing: the server loads the engine before it answers."""

    def begin(self, key: str) -> _CheckJob | None:
        document = next((one for one in self._server.heat.documents if one.uri == key), None)
        if document is None:
            return None
        if not document.is_heat or is_large(document.text):
            self._server.publish(document)
            return None
        return _CheckJob(self._server.heat, document, ClientProgress(self._server))

    def report(self, job: _CheckJob, state: TextState, *, is_planned: bool) -> None:
        self._server.publish(job.document, View(job.document, state.analysis, state.complaints))

    def end(self, job: _CheckJob) -> None:
        job.progress.end()


def is_running(process: int) -> bool:
    """Return whether a process exists; always true on Windows, where the streams of a client end with it."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # another user's process
        pass
    return True


def _is_unexpected(record: logging.LogRecord) -> bool:
    """Return whether a log record is about an exception other than a cancelled or rejected request."""
    return record.exc_info is not None and not isinstance(record.exc_info[1], exceptions.JsonRpcException)
