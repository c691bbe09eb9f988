"""A proxy in front of a real server that simulates faults of networks and servers.

    faults.on(r"/stacks$", answered(401), times=1)

A fault may forward the request first, so that a test can choose whether the server processed a failed request.
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
"""The timeout for an answer of the real server, in seconds."""
KINDS = {401: "Unauthorized", 403: "Forbidden", 404: "EntityNotFound", 409: "StackExists", 500: "InternalError"}
NOT_PASSED_ON = {"connection", "content-length", "date", "keep-alive", "server", "transfer-encoding"}


@dataclass(frozen=True)
class Request:
    """The request of a client."""

    method: str
    path: str
    """The path with the query string."""
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
    """A request in progress, which a fault answers or drops."""

    request: Request
    target: int
    """The port of the real server."""
    handler: BaseHTTPRequestHandler
    over: Event
    """Set when the test ends, to interrupt delays."""

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
        """Send the status and the headers, with the content length of the whole body."""
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
    """Send the answer of the real server unchanged."""
    exchange.send(exchange.real_answer())


def slow(seconds: float) -> Fault:
    """Return a fault that delays the real answer."""

    def act(exchange: Exchange) -> None:
        exchange.over.wait(seconds)
        passed_on(exchange)

    return act


def trickling(pause: float) -> Fault:
    """Return a fault that sends the body of the real answer byte by byte, with a pause after each byte."""

    def act(exchange: Exchange) -> None:
        answer = exchange.real_answer()
        exchange.send_head(answer)
        for number in range(len(answer.body)):
            exchange.send_bytes(answer.body[number : number + 1])
            if exchange.over.wait(pause):
                return

    return act


def unheard(_: Exchange) -> None:
    """Close the connection without forwarding the request."""


def unanswered(exchange: Exchange) -> None:
    """Forward the request, and close the connection without an answer."""
    exchange.real_answer()


def cut_off(after: int) -> Fault:
    """Return a fault that closes the connection after some bytes of the real answer's body."""

    def act(exchange: Exchange) -> None:
        answer = exchange.real_answer()
        exchange.send_head(answer)
        exchange.send_bytes(answer.body[:after])

    return act


def answered(status: int, body: object = None, content_type: str = "application/json") -> Fault:
    """Return a fault that sends its own answer; without a body, an error as from Heat. Other data is sent as JSON."""
    if body is None:
        title = HTTPStatus(status).phrase
        error = {"message": f"{title}.", "traceback": None, "type": KINDS.get(status, "HTTPError")}
        body = {"code": status, "title": title, "explanation": f"{title}.", "error": error}
    text = body if isinstance(body, str | bytes) else json.dumps(body)
    content = text.encode() if isinstance(text, str) else text
    return lambda exchange: exchange.send(Answer(status, {"Content-Type": content_type}, content))


def zipped(content: bytes) -> Fault:
    """Return a fault that sends its own answer, compressed with gzip."""
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    return lambda exchange: exchange.send(Answer(200, headers, gzip.compress(content)))


def redirected(status: int, location: str) -> Fault:
    """Return a fault that redirects to an address, without forwarding the request."""
    return lambda exchange: exchange.send(Answer(status, {"Location": location}, b""))


def truncated(after: int) -> Fault:
    """Return a fault that sends the first bytes of the real answer as a complete answer."""

    def act(exchange: Exchange) -> None:
        answer = exchange.real_answer()
        exchange.send(Answer(answer.status, answer.headers, answer.body[:after]))

    return act


def relabeled(content_type: str) -> Fault:
    """Return a fault that sends the real answer with another content type."""

    def act(exchange: Exchange) -> None:
        answer = exchange.real_answer()
        headers = {name: value for name, value in answer.headers.items() if name.lower() != "content-type"}
        exchange.send(Answer(answer.status, headers | {"Content-Type": content_type}, answer.body))

    return act


@dataclass
class Rule:
    """A fault with the requests that it applies to."""

    path: re.Pattern[str]
    method: str
    fault: Fault
    times: float

    def fits(self, request: Request) -> bool:
        return self.times > 0 and self.method in {"", request.method} and bool(self.path.search(request.path))


class FaultyProxy:
    """A proxy that forwards requests to the real server, unless a fault applies.

    Its reserved port refuses connections before `accept` and after `refuse`.
    """

    def __init__(self, port: int, target: int, certificate: ssl.SSLContext | None = None) -> None:
        self.target = target
        """The port of the real server; writable."""
        self.seen: list[Request] = []
        """All received requests, in order."""
        self.mistakes: list[BaseException] = []
        """Exceptions of faults, without OSError."""
        self._port = port
        self._certificate = certificate
        self._rules: list[Rule] = []
        self._lock = Lock()
        self._over = Event()
        self._running: tuple[Listener, Thread] | None = None

    def on(self, path: str, fault: Fault, method: str = "", times: float = float("inf")) -> None:
        """Apply a fault to the next requests whose path contains the pattern; the oldest matching fault wins."""
        with self._lock:
            self._rules.append(Rule(re.compile(path), method, fault, times))

    def recover(self) -> None:
        """Remove all faults."""
        with self._lock:
            self._rules.clear()

    def accept(self) -> None:
        self._over.clear()
        listener = Listener(self, self._port, self._certificate)
        thread = Thread(target=listener.serve_forever, args=(0.01,), name="proxy")
        thread.start()
        self._running = listener, thread

    def refuse(self) -> None:
        """Refuse new connections, and interrupt delays in open ones."""
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
        with suppress(OSError, HTTPException):  # one side is gone: close the connection of the other
            fault(Exchange(request, self.target, handler, self._over))


class Handler(BaseHTTPRequestHandler):
    """A handler of one request that closes the connection after the answer."""

    server: Listener

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.proxy.handle(Request(self.command, self.path, dict(self.headers), body), self)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def log_message(self, *_: object) -> None:
        """Log nothing: the proxy records all requests."""


class Listener(ThreadingHTTPServer):
    """The listening server of a proxy."""

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
        """Record the exception of a fault for the end of the test, unless it is an OSError of a closed connection."""
        error = sys.exception()
        if error is not None and not isinstance(error, OSError):
            self.proxy.mistakes.append(error)
