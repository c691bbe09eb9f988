"""Rows that compare the language server with `yaml-language-server`, which must be on the PATH.

`yaml-language-server` gets a JSON schema of Heat, generated from the catalog. Install it with
`npm install --prefix FOLDER yaml-language-server` and put `FOLDER/node_modules/.bin` on the PATH.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.heat_schema import heat_schema
from tests.benchmarks.measure import MissingPieceError, Row
from tests.benchmarks.template_text import template_text
from tests.lsp.client import COMMAND, Client, Message

EDITS = 30
_FILE, _WRONG_FILE, _SCHEMA_FILE = "large.yaml", "wrong.yaml", "heat.json"
_WRONG = "heat_template_version: 2018-08-31\nresources:\n  one: {type: OS::Heat::Value, properties: {valu: 1}}\n"
_NAMES_SCHEMA = f"# yaml-language-server: $schema={_SCHEMA_FILE}\n"
_MOST_MEMORY = 150 * 1024
"""Kilobytes."""


def editing_over_the_protocol() -> Iterator[Row]:
    """Yield the rows for a letter typed into a template of 1,000 resources, until its diagnostics are published."""
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
    """Return the CPU seconds for one edit, and the peak memory in kilobytes."""
    text = _NAMES_SCHEMA + template_text(1000)
    at = text.index("9.9.9.9", len(text) // 2)
    place = {"line": text[:at].count("\n"), "character": at - text.rindex("\n", 0, at) - 1}
    with TemporaryDirectory() as folder, Client(Path(folder), command=command) as client:
        Path(folder, _SCHEMA_FILE).write_text(json.dumps(heat_schema()), "utf-8")
        client.open(_WRONG_FILE, _NAMES_SCHEMA + _WRONG)
        assert any("valu" in one["message"] for one in _published(client, _WRONG_FILE)), "it knows Heat's types"
        client.open(_FILE, text)
        assert not _published(client, _FILE), "nothing is wrong in the template"
        for edit in range(EDITS + 3):
            if edit == 3:
                began = _processor_seconds(client.process.pid)
            client.change(_FILE, {"range": {"start": place, "end": place}, "text": "x"})
            _published(client, _FILE)
        took = _processor_seconds(client.process.pid) - began
        return took / EDITS, _most_memory(client.process.pid)


def _published(client: Client, name: str) -> list[Message]:
    """Return the next published diagnostics of a file, of any version: not every server sends the version."""

    def is_it(message: Message) -> bool:
        is_published = message.get("method") == "textDocument/publishDiagnostics"
        return is_published and bool(message["params"]["uri"] == client.uri(name))

    found: list[Message] = client.wait_for(is_it)["params"]["diagnostics"]
    return found


def _processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _most_memory(process: int) -> int:
    lines = Path(f"/proc/{process}/status").read_text("ascii", "replace").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
