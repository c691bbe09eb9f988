"""Work-done progress of an analysis in the client."""

from threading import Lock
from uuid import uuid4

from lsprotocol.types import WorkDoneProgressBegin, WorkDoneProgressEnd
from pygls.lsp.server import LanguageServer


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
