"""Starts a real Heat and a real Keystone, and leaves nothing of them running."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.cloud.server.accounts import ADMIN, DEMO, GUEST, REGION, Account

TOP = Path(__file__).parents[2]
REQUIREMENTS = TOP / "tests" / "cloud" / "server" / "requirements.txt"
PATIENCE = 60.0
"""Seconds that a server may take to start."""
POLL = 0.02


class ServerDiedError(Exception):
    """A server that did not start; the message ends with what it said."""


@dataclass(frozen=True)
class Server:
    """A process that serves until the standard input that this process holds for it is closed."""

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
        """End it in the middle of whatever it does."""
        self.process.kill()
        self.process.wait()


@dataclass(frozen=True)
class RealHeat:
    """Both servers, and how to reach them."""

    heat: Server
    keystone: Server
    heat_url: str
    keystone_url: str
    clouds: Path
    """A clouds.yaml with the clouds `heat-admin`, `heat-demo`, `heat-guest` and `heat-wrong-password`."""


def missing_piece(python: str) -> str:
    """What the Python lacks of the requirements, with the way to get it; empty if it has them all."""
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
    """Both servers at once, each on a free port of this machine, until the end."""
    with listening_socket() as keystone_socket, listening_socket() as heat_socket:
        keystone_url, heat_url = f"{url_of(keystone_socket)}/v3", url_of(heat_socket)
        urls = ["--keystone", keystone_url, "--heat", heat_url]
        servers: list[Server] = []
        try:
            for name, opened in (("keystone", keystone_socket), ("heat", heat_socket)):
                servers.append(start_server(python, f"{name}_server", folder / name, opened, urls))
                opened.close()
            for server in servers:
                server.wait_until_ready()
            keystone, heat = servers
            yield RealHeat(heat, keystone, heat_url, keystone_url, write_clouds(folder, keystone_url))
        finally:
            for server in servers:
                server.stop()


def listening_socket() -> socket.socket:
    """A free port that nobody else can take before a server answers there."""
    return socket.create_server(("127.0.0.1", 0), backlog=128)


def url_of(opened: socket.socket) -> str:
    host, port = opened.getsockname()
    return f"http://{host}:{port}"


def start_server(python: str, module: str, folder: Path, opened: socket.socket, urls: list[str]) -> Server:
    """A server that answers on the socket, with all its files in the folder."""
    folder.mkdir(parents=True)
    descriptor = opened.fileno()
    command = [python, "-m", f"tests.cloud.server.{module}", str(folder), "--socket", str(descriptor), *urls]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=TOP,
            env=environment_of_server(),
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=subprocess.STDOUT,
            pass_fds=[descriptor],
        )
    return Server(process, folder)


def environment_of_server() -> dict[str, str]:
    """Without proxies, which know nothing of this machine's own ports, and without warnings turned into errors."""
    dropped = ("http_proxy", "https_proxy", "all_proxy", "pythonwarnings", "pythonpath")
    return {name: value for name, value in os.environ.items() if name.lower() not in dropped}


def write_clouds(folder: Path, keystone_url: str) -> Path:
    clouds = {f"heat-{account.name}": cloud_of(account, keystone_url) for account in (ADMIN, DEMO, GUEST)}
    clouds["heat-wrong-password"] = cloud_of(Mistaken(DEMO.name, DEMO.project), keystone_url)
    path = folder / "clouds.yaml"
    path.write_text(yaml.safe_dump({"clouds": clouds}), encoding="utf-8")
    return path


class Mistaken(Account):
    """Somebody who does not know the own password."""

    @property
    def password(self) -> str:
        return "wrong"


def cloud_of(account: Account, keystone_url: str) -> dict[str, object]:
    auth = {
        "auth_url": keystone_url,
        "username": account.name,
        "password": account.password,
        "project_name": account.project,
        "user_domain_name": "Default",
        "project_domain_name": "Default",
    }
    return {"auth": auth, "region_name": REGION}
