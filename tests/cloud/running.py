"""Launcher for a real Heat and a real Keystone that stops them at the end."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path

from tests.cloud.certificate import write_certificate
from tests.cloud.clouds import Ports, keystone_url, url_of, write_clouds

TOP = Path(__file__).parents[2]
REQUIREMENTS = TOP / "tests" / "cloud" / "server" / "requirements.txt"
PATIENCE = 60.0
"""The timeout for the start of a server, in seconds."""
POLL = 0.02


class ServerDiedError(Exception):
    """An error for a server that did not start; the message ends with its log."""


@dataclass(frozen=True)
class Server:
    """A server process that runs until its standard input is closed."""

    process: subprocess.Popen[bytes]
    folder: Path

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text("utf-8", "replace")

    def wait_until_ready(self) -> None:
        until = time.monotonic() + PATIENCE
        while not (self.folder / "ready").exists():
            if self.process.poll() is not None or time.monotonic() > until:
                raise ServerDiedError(f"{self.folder.name} did not start:\n{self.log[-6000:]}")
            time.sleep(POLL)

    def stop(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.wait()


@dataclass(frozen=True)
class RealHeat:
    """Both servers, with their ports, clouds.yaml and certificate."""

    python: str
    folder: Path
    ports: Ports
    clouds: Path
    """The file that `write_clouds` describes."""
    certificate: Path
    keystone: Server
    heat: Server


def missing_piece(python: str) -> str:
    """Return a message about missing requirements of a Python, with the install command; empty if none is missing."""
    script = (
        "import sys, importlib.metadata as m\nfor line in sys.argv[1:]: print(line, m.version(line.split('==')[0]))"
    )
    lines = REQUIREMENTS.read_text("utf-8").split()
    try:
        done = subprocess.run([python, "-c", script, *lines], capture_output=True, text=True, check=False)
    except OSError as error:
        return f"{python}: {error.strerror}"
    if done.stdout.splitlines() == [f"{line} {line.split('==')[1]}" for line in lines]:
        return ""
    file = REQUIREMENTS.relative_to(TOP)
    return (
        f"{python} does not have {' and '.join(lines)}; HEAT_PYTHON may name one that has:"
        f" python3 -m venv HEAT && HEAT/bin/pip install -r {file} && export HEAT_PYTHON=$PWD/HEAT/bin/python"
    )


@contextmanager
def running_heat(python: str, folder: Path) -> Iterator[RealHeat]:
    """Start both servers in parallel, and stop them at the end."""
    with ExitStack() as stack:
        reserved = {field.name: stack.enter_context(reserved_port()) for field in fields(Ports)}
        ports = Ports(**{name: port_of(opened) for name, opened in reserved.items()})
        certificate, clouds = write_certificate(folder), folder / "clouds.yaml"
        write_clouds(clouds, ports, certificate)
        servers = []
        for name in ("keystone", "heat"):
            servers.append(start_server(python, name, folder / name, reserved[name], ports))
            stack.callback(servers[-1].stop)
        for server in servers:
            server.wait_until_ready()
        yield RealHeat(python, folder, ports, clouds, certificate, *servers)


@contextmanager
def another_heat(real: RealHeat, folder: Path) -> Iterator[tuple[Server, int]]:
    """Start another Heat without stacks at the same Keystone, for a test that kills it; yield it and its port."""
    with reserved_port() as reserved:
        port = port_of(reserved)
        server = start_server(real.python, "heat", folder, reserved, replace(real.ports, heat=port))
        try:
            server.wait_until_ready()
            yield server, port
        finally:
            server.stop()


def reserved_port() -> socket.socket:
    """Return a socket bound to a free port, so that no other process gets it; connections are refused until listen."""
    reserved = socket.socket()
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reserved.bind(("127.0.0.1", 0))
    return reserved


def port_of(opened: socket.socket) -> int:
    port: int = opened.getsockname()[1]
    return port


def start_server(python: str, name: str, folder: Path, reserved: socket.socket, ports: Ports) -> Server:
    """Start a server that inherits the socket and keeps all its files in the folder."""
    folder.mkdir()
    urls = ["--keystone", keystone_url(ports.keystone), "--heat", url_of(ports.heat)]
    command = [
        python,
        "-m",
        f"tests.cloud.server.{name}_server",
        str(folder),
        "--socket",
        str(reserved.fileno()),
        *urls,
    ]
    with reserved, (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=TOP,
            env=environment_of_server(),
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=subprocess.STDOUT,
            pass_fds=[reserved.fileno()],
        )
    return Server(process, folder)


def environment_of_server() -> dict[str, str]:
    """Return the environment without settings for this process: proxies, PYTHONPATH and PYTHONWARNINGS."""
    dropped = {"http_proxy", "https_proxy", "all_proxy", "pythonwarnings", "pythonpath"}
    return {name: value for name, value in os.environ.items() if name.lower() not in dropped}
