"""Rows of the language server beside the one for YAML in most editors, where `yaml-language-server` is on the PATH.

That one only parses: it has no schema of Heat here, so that it does less than it would for a user. Install it with
`npm install --prefix FOLDER yaml-language-server` and put `FOLDER/node_modules/.bin` on the PATH.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.measure import MissingPieceError, Row
from tests.benchmarks.template_text import template_text
from tests.lsp.client import COMMAND, Client, Message

EDITS = 30
_FILE = "large.yaml"
_MOST_MEMORY = 150 * 1024
"""Kilobytes."""


def editing_over_the_protocol() -> Iterator[Row]:
    """A letter typed into a template of 1,000 resources, until its findings are published."""
    if not Path("/proc/self/stat").exists():
        raise MissingPieceError("this system does not say how much processor time another process took")
    ours, memory = _typed(COMMAND)
    yield Row(
        "Memory of the language server, 1000 resources, in MB", memory / 1024, memory / _MOST_MEMORY, "of 150 MB", 1
    )
    peer = shutil.which("yaml-language-server")
    if peer is None:
        raise MissingPieceError("there is no yaml-language-server on the PATH")
    theirs, _ = _typed((peer, "--stdio"))
    yield Row(
        "Letter over the protocol, 1000 resources", ours * 1000, ours / theirs, "times yaml-language-server's", 1 / 30
    )


def _typed(command: Sequence[str]) -> tuple[float, int]:
    """Processor seconds for an edit, and the most memory in kilobytes."""
    text = template_text(1000)
    at = text.index("9.9.9.9", len(text) // 2)
    place = {"line": text[:at].count("\n"), "character": at - text.rindex("\n", 0, at) - 1}
    with TemporaryDirectory() as folder, Client(Path(folder), command=command) as client:
        client.open(_FILE, text)
        _published(client)
        for edit in range(EDITS + 3):
            if edit == 3:
                began = _processor_seconds(client.process.pid)
            client.change(_FILE, {"range": {"start": place, "end": place}, "text": "x"})
            _published(client)
        took = _processor_seconds(client.process.pid) - began
        return took / EDITS, _most_memory(client.process.pid)


def _published(client: Client) -> None:
    def is_it(message: Message) -> bool:
        return message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == client.uri(
            _FILE
        )

    client.wait_for(is_it)


def _processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _most_memory(process: int) -> int:
    lines = Path(f"/proc/{process}/status").read_text("ascii", "replace").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
