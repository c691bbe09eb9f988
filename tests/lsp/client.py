"""A client of the language server with its own implementation of the protocol, independent of the server's code."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from queue import Queue
from threading import Thread
from types import TracebackType
from typing import Any

COMMAND = (sys.executable, "-m", "heatstudio", "lsp")
TIMEOUT = 120.0
"""The timeout in seconds for an answer on a busy machine."""
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-32", "utf-8", "utf-16"]},
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "tagSupport": {"valueSet": [1, 2]}},
        "completion": {"completionItem": {"snippetSupport": True}},
    },
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "workspace": {
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"], "changeAnnotationSupport": {}},
    },
}
Message = dict[str, Any]


class RequestError(Exception):
    """An error response of the server."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(error["message"])
        self.code = error["code"]


class Client:
    """A context manager that starts a server process and communicates with it."""

    def __init__(
        self, root: Path, capabilities: Mapping[str, Any] = CAPABILITIES, command: Sequence[str] = COMMAND
    ) -> None:
        self.root, self._capabilities = root, capabilities
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.errors = ""
        self.requests: list[Message] = []
        """The requests of the server."""
        self.notifications: list[Message] = []
        self.versions: dict[str, int] = {}
        self._next_id = 0
        self._received: Queue[Message | None] = Queue()
        self._threads = [Thread(target=self._read), Thread(target=self._read_errors)]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Client:
        folder = {"uri": self.root.as_uri(), "name": "folder"}
        self.initialized = self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": folder["uri"],
                "workspaceFolders": [folder],
                "capabilities": self._capabilities,
            },
        )
        self.notify("initialized", {})
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None) -> None:
        assert self.process.stdin is not None
        try:
            if kind is None:
                self.request("shutdown", None)
                self.notify("exit", None)
        finally:
            if kind is not None:
                self.process.kill()
            self.process.wait(TIMEOUT)
            self.process.stdin.close()
            for thread in self._threads:
                thread.join()
            for stream in (self.process.stdout, self.process.stderr):
                assert stream is not None
                stream.close()

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def open(self, name: str, text: str) -> None:
        self.versions[name] = 1
        item = {"uri": self.uri(name), "languageId": "yaml", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, name: str, *changes: Message) -> None:
        """Send changes of a document; a change without a range replaces the whole text."""
        self.versions[name] += 1
        document = {"uri": self.uri(name), "version": self.versions[name]}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    def ask(self, method: str, name: str, **params: Any) -> Any:
        """Return the answer to a request about a document."""
        return self.request(f"textDocument/{method}", {"textDocument": {"uri": self.uri(name)}, **params})

    def diagnostics(self, name: str) -> list[Message]:
        """Return the published diagnostics of the latest version of a document."""

        def is_it(message: Message) -> bool:
            if message.get("method") != "textDocument/publishDiagnostics":
                return False
            params = message["params"]
            return (params["uri"], params.get("version")) == (self.uri(name), self.versions[name])

        found: list[Message] = self.wait_for(is_it)["params"]["diagnostics"]
        return found

    def notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def begin(self, method: str, params: Any) -> int:
        """Send a request and return its number; `end` waits for the answer."""
        self._next_id += 1
        self._send({"id": self._next_id, "method": method, "params": params})
        return self._next_id

    def end(self, number: int) -> Any:
        answer = self.wait_for(lambda message: message.get("id") == number and "method" not in message)
        if "error" in answer:
            raise RequestError(answer["error"])
        return answer["result"]

    def request(self, method: str, params: Any) -> Any:
        return self.end(self.begin(method, params))

    def wait_for(self, is_it: Callable[[Message], bool]) -> Message:
        """Return the next message of a kind, possibly received earlier; raise EOFError if the server ends."""
        found = next((one for one in self.notifications if is_it(one)), None)
        if found is not None:
            self.notifications.remove(found)
            return found
        while (message := self._received.get(timeout=TIMEOUT)) is not None:
            if is_it(message):
                return message
            self.notifications.append(message)
        raise EOFError(f"The server ended.\n{self.errors}")

    def _send(self, content: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **content}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            length = 0
            while header.strip():
                name, _, value = header.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
                header = stream.readline()
            message = json.loads(stream.read(length))
            if "id" in message and "method" in message:
                self.requests.append(message)
                result = {"success": True} if message["method"] == "window/showDocument" else None
                self._send({"id": message["id"], "result": result})
            else:
                self._received.put(message)
        self._received.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors += line.decode("utf-8", "replace")
