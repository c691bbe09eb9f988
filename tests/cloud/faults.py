"""A proxy before a real server that simulates faults of networks and servers on request.

    faults.on(r"/stacks$", answered(401), times=1)

A fault may ask the real server first, so that a test can choose whether a request that failed was heard.
"""

from __future__ import annotations

import gzip
import json
import re
import socket
import ssl
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread

PATIENCE = 60.0
"""Seconds that the real server may take for an answer."""
KINDS = {401: "Unauthorized", 403: "Forbidden", 404: "EntityNotFound", 409: "StackExists", 500: "InternalError"}
NOT_PASSED_ON = {"connection", "content-length", "date", "keep-alive", "server", "transfer-encoding"}


@dataclass(frozen=True)
class Request:
    """What a client asked."""

    method: str
    path: str
    """With the query."""
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Answer:
    """The response to a client."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Exchange:
    """One request on its way; a fault decides what becomes of it."""

    request: Request
    target: int
    """The port of the real server."""
    handler: BaseHTTPRequestHandler
    over: Event
    """Set when the test ends: nobody waits any longer."""

    def real_answer(self) -> Answer:
        connection = HTTPConnection("127.0.0.1", self.target, timeout=PATIENCE)
        try:
            headers = {name: value for name, value in self.request.headers.items() if name.lower() != "connection"}
            if isinstance(self.handler.connection, ssl.SSLSocket):
                headers["X-Forwarded-Proto"] = "https"
            connection.request(self.request.method, self.request.path, self.request.body or None, headers)
            answer = connection.getresponse()
            return Answer(answer.status, dict(answer.getheaders()), answer.read())
        finally:
            connection.close()

    def send(self, answer: Answer) -> None:
        self.send_head(answer)
        self.send_bytes(answer.body)

    def send_head(self, answer: Answer) -> None:
        """The status and the headers, which promise the whole body."""
        self.handler.send_response_only(answer.status)
        for name, value in answer.headers.items():
            if name.lower() not in NOT_PASSED_ON:
                self.handler.send_header(name, value)
        self.handler.send_header("Content-Length", str(len(answer.body)))
        self.handler.end_headers()

    def send_bytes(self, part: bytes) -> None:
        self.handler.wfile.write(part)


Fault = Callable[[Exchange], None]


def passed_on(exchange: Exchange) -> None:
    """No fault: the answer of the real server."""
    exchange.send(exchange.real_answer())


def slow(seconds: float) -> Fault:
    """The real answer, after a while."""

    def act(exchange: Exchange) -> None:
        exchange.over.wait(seconds)
        passed_on(exchange)

    return act


def trickling(pause: float) -> Fault:
    """The real answer, byte after byte: no pause is long, the whole is."""

    def act(exchange: Exchange) -> None:
        answer = exchange.real_answer()
        exchange.send_head(answer)
        for number in range(len(answer.body)):
            exchange.send_bytes(answer.body[number : number + 1])
            if exchange.over.wait(pause):
                return

    return act


def unheard(_: Exchange) -> None:
    """The connection ends before the real server hears of the request."""


def unanswered(exchange: Exchange) -> None:
    """The real server does what was asked, and the connection ends before its answer."""
    exchange.real_answer()


def cut_off(after: int) -> Fault:
    """The connection ends after some bytes of the body of the real answer."""

    def act(exchange: Exchange) -> None:
        answer = exchange.real_answer()
        exchange.send_head(answer)
        exchange.send_bytes(answer.body[:after])

    return act


def answered(status: int, body: object = None, content_type: str = "application/json") -> Fault:
    """An answer of the fault's own; without a body, an error as Heat words it. Text and bytes are sent as they are."""
    if body is None:
        title = HTTPStatus(status).phrase
        error = {"message": f"{title}.", "traceback": None, "type": KINDS.get(status, "HTTPError")}
        body = {"code": status, "title": title, "explanation": f"{title}.", "error": error}
    text = body if isinstance(body, str | bytes) else json.dumps(body)
    content = text.encode() if isinstance(text, str) else text
    return lambda exchange: exchange.send(Answer(status, {"Content-Type": content_type}, content))


def zipped(content: bytes) -> Fault:
    """An answer of the fault's own, much smaller on its way."""
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    return lambda exchange: exchange.send(Answer(200, headers, gzip.compress(content)))


def redirected(status: int, location: str) -> Fault:
    """A redirect to an address; the real server does not hear of the request."""
    return lambda exchange: exchange.send(Answer(status, {"Location": location}, b""))


def truncated(after: int) -> Fault:
    """The beginning of the real answer, as if it were all of it."""

    def act(exchange: Exchange) -> None:
        answer = exchange.real_answer()
        exchange.send(Answer(answer.status, answer.headers, answer.body[:after]))

    return act


def relabeled(content_type: str) -> Fault:
    """The real answer, as if it were something else."""

    def act(exchange: Exchange) -> None:
        answer = exchange.real_answer()
        headers = {name: value for name, value in answer.headers.items() if name.lower() != "content-type"}
        exchange.send(Answer(answer.status, headers | {"Content-Type": content_type}, answer.body))

    return act


@dataclass
class Rule:
    """Which requests a fault happens to."""

    path: re.Pattern[str]
    method: str
    fault: Fault
    times: float

    def fits(self, request: Request) -> bool:
        return self.times > 0 and self.method in {"", request.method} and bool(self.path.search(request.path))


class FaultyProxy:
    """Passes everything on to the real server, except where a fault was asked for.

    Answers on a port that was reserved for it, and refuses connections there before `accept` and after `refuse`.
    """

    def __init__(self, port: int, target: int, certificate: ssl.SSLContext | None = None) -> None:
        self.target = target
        """The port of the real server; may be changed."""
        self.seen: list[Request] = []
        """Every request, as it came."""
        self.mistakes: list[BaseException] = []
        """What faults raised that is no fault of a network."""
        self._port = port
        self._certificate = certificate
        self._rules: list[Rule] = []
        self._lock = Lock()
        self._over = Event()
        self._running: tuple[Listener, Thread] | None = None

    def on(self, path: str, fault: Fault, method: str = "", times: float = float("inf")) -> None:
        """Let it happen to the next requests in whose path the pattern is found; the oldest such fault counts."""
        with self._lock:
            self._rules.append(Rule(re.compile(path), method, fault, times))

    def recover(self) -> None:
        """No more faults."""
        with self._lock:
            self._rules.clear()

    def accept(self) -> None:
        self._over.clear()
        listener = Listener(self, self._port, self._certificate)
        thread = Thread(target=listener.serve_forever, args=(0.01,), name="proxy")
        thread.start()
        self._running = listener, thread

    def refuse(self) -> None:
        """Refuse new connections, and wait no longer in those that are open."""
        if self._running is None:
            return
        self._over.set()
        listener, thread = self._running
        listener.shutdown()
        thread.join()
        listener.server_close()
        self._running = None

    def handle(self, request: Request, handler: BaseHTTPRequestHandler) -> None:
        with self._lock:
            self.seen.append(request)
            rule = next((rule for rule in self._rules if rule.fits(request)), None)
            if rule is not None:
                rule.times -= 1
        fault = passed_on if rule is None else rule.fault
        with suppress(OSError, HTTPException):  # whichever side is gone: the other one's connection ends
            fault(Exchange(request, self.target, handler, self._over))


class Handler(BaseHTTPRequestHandler):
    """Reads a request; its connection is closed after the answer."""

    server: Listener

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.proxy.handle(Request(self.command, self.path, dict(self.headers), body), self)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def log_message(self, *_: object) -> None:
        """Say nothing: the proxy remembers what it saw."""


class Listener(ThreadingHTTPServer):
    """The port while it is open."""

    request_queue_size = 128

    def __init__(self, proxy: FaultyProxy, port: int, certificate: ssl.SSLContext | None) -> None:
        self.proxy = proxy
        super().__init__(("127.0.0.1", port), Handler, bind_and_activate=False)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_activate()
        if certificate is not None:
            self.socket = certificate.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)

    def handle_error(self, *_: object) -> None:
        """Keep what a fault did wrong for the end of the test; that a client left is no mistake."""
        error = sys.exception()
        if error is not None and not isinstance(error, OSError):
            self.proxy.mistakes.append(error)
