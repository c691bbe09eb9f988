"""A WSGI application on a socket that its parent process opened, for as long as the parent lives."""

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
        """The number of the caller: its name could be asked for outside of this machine."""
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
    """The address of a server, from its command line."""

    folder: Path
    reserved: socket.socket
    keystone: str
    """The URL of Keystone's API, version included."""
    heat: str
    """The URL of Heat, without a version."""

    def serve(self, application: Callable[..., Any]) -> None:
        """Answer until standard input ends, which it does at the latest when the process that holds it is gone."""
        server = LoopbackServer(self.reserved)
        server.set_app(application)
        Thread(target=server.serve_forever, daemon=True).start()
        (self.folder / "ready").touch()
        sys.stdin.buffer.read()
        os._exit(0)  # threads of the engine that may still work on a stack wait for nobody


def place_from_command_line() -> Place:
    """The place; afterwards the command line is empty, since oslo.config would read it too."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--socket", type=int, required=True, help="the descriptor of a socket that has its port")
    parser.add_argument("--keystone", required=True)
    parser.add_argument("--heat", required=True)
    arguments = parser.parse_args()
    del sys.argv[1:]
    return Place(arguments.folder, socket.socket(fileno=arguments.socket), arguments.keystone, arguments.heat)
