"""A server for a WSGI application on a socket of the parent process; it exits with the parent."""

from __future__ import annotations

import argparse
import os
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from socketserver import ThreadingMixIn
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer


class Handler(WSGIRequestHandler):
    def address_string(self) -> str:
        """Return the client's IP address: a lookup of its name could use the network."""
        return str(self.client_address[0])


class LoopbackServer(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, reserved: socket.socket) -> None:
        host, port = reserved.getsockname()
        super().__init__((host, port), Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = reserved
        self.server_name, self.server_port = host, port
        self.setup_environ()
        self.server_activate()


@dataclass(frozen=True)
class Place:
    """The command line arguments of a server: its folder, its socket and the URLs."""

    folder: Path
    reserved: socket.socket
    keystone: str
    """The URL of Keystone's API, version included."""
    heat: str
    """The URL of Heat, without a version."""

    def serve(self, application: Callable[..., Any]) -> None:
        """Serve until standard input ends, which happens at the latest when the parent process exits."""
        server = LoopbackServer(self.reserved)
        server.set_app(application)
        Thread(target=server.serve_forever, daemon=True).start()
        (self.folder / "ready").touch()
        sys.stdin.buffer.read()
        os._exit(0)  # does not wait for threads of the engine that still work on a stack


def place_from_command_line() -> Place:
    """Parse the command line and clear it, since oslo.config would read it too."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--socket", type=int, required=True, help="the descriptor of a socket that has its port")
    parser.add_argument("--keystone", required=True)
    parser.add_argument("--heat", required=True)
    arguments = parser.parse_args()
    del sys.argv[1:]
    return Place(arguments.folder, socket.socket(fileno=arguments.socket), arguments.keystone, arguments.heat)
