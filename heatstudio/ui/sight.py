"""What a first look sees, and how it is asked for: plain data that travels between two processes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from heatstudio.text import Severity, Span
from heatstudio.ui.snapshot import Snapshot
from heatstudio.ui.target import Target


class Sight(NamedTuple):
    """One thing to say about a text, as a diagnostic says it, but without its ways out."""

    code: str
    severity: Severity
    message: str
    span: Span
    also: tuple[Span, ...] = ()
    resource: str | None = None
    property: str | None = None
    has_fixes: bool = False
    heat: str = ""


def write_question(snapshot: Snapshot) -> bytes | None:
    """A snapshot as it travels; None for one that is more than text and files."""
    if snapshot.stack is not None or snapshot.owner is not None or snapshot.commit:
        return None
    if snapshot.parameter_values or snapshot.parameter_defaults:
        return None
    question = {
        "text": snapshot.text,
        "path": _name(snapshot.path),
        "environments": list(map(str, snapshot.environments)),
        "root": _name(snapshot.root),
        "open_texts": {str(path): text for path, text in snapshot.open_texts.items()},
        "target": [snapshot.target.release, dict(snapshot.target.client_versions)],
    }
    return json.dumps(question).encode("ascii")


def read_question(data: bytes) -> Snapshot:
    """The snapshot that was written."""
    question = json.loads(data)
    return Snapshot(
        question["text"],
        _path(question["path"]),
        tuple(map(Path, question["environments"])),
        _path(question["root"]),
        {Path(name): text for name, text in question["open_texts"].items()},
        target=Target(*question["target"]),
    )


def write_sights(sights: list[Sight]) -> bytes:
    """Everything that was seen, as it travels."""
    return json.dumps(sights).encode("ascii")


def read_sights(data: bytes) -> tuple[Sight, ...]:
    """Everything that was seen; raises ValueError if nothing came, or not all of it."""
    return tuple(
        Sight(code, Severity(severity), message, Span(*span), tuple(Span(*one) for one in also), *rest)
        for code, severity, message, span, also, *rest in json.loads(data)
    )


def _name(path: Path | None) -> str:
    return str(path) if path is not None else ""


def _path(name: str) -> Path | None:
    return Path(name) if name else None
