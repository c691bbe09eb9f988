"""What a first look sees, and how it is asked for: plain data that travels between two processes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from heatstudio.text import Severity, Span
from heatstudio.ui.snapshot import Snapshot
from heatstudio.ui.target import Target

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis.finding import Diagnostic


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
    related: tuple[tuple[str, Span], ...] = ()


def sights_of(diagnostics: Iterable[Diagnostic]) -> tuple[Sight, ...]:
    """What diagnostics say, without their ways out."""
    return tuple(Sight(*(getattr(one, name) for name in Sight._fields)) for one in diagnostics)


def write_question(snapshot: Snapshot) -> bytes:
    """The text, the files and the target of a snapshot as they travel; not what was typed or what a stack has."""
    question = {
        "text": snapshot.text,
        "path": str(snapshot.path or ""),
        "environments": list(map(str, snapshot.environments)),
        "root": str(snapshot.root or ""),
        "target": [snapshot.target.release, dict(snapshot.target.client_versions)],
    }
    return json.dumps(question).encode("ascii")


def read_question(data: bytes) -> Snapshot:
    """The snapshot that was written."""
    question = json.loads(data)
    path, root = (Path(question[name]) if question[name] else None for name in ("path", "root"))
    environments = tuple(map(Path, question["environments"]))
    return Snapshot(question["text"], path, environments, root, target=Target(*question["target"]))


def write_sights(sights: Sequence[Sight]) -> bytes:
    """Everything that was seen, as it travels."""
    return json.dumps(sights).encode("ascii")


def read_sights(data: bytes) -> tuple[Sight, ...]:
    """Everything that was seen; raises ValueError if nothing came, or not all of it.

    By hand: the window has not imported msgspec yet when the first look answers, and that takes longer than the rest.
    """
    return tuple(map(_read_sight, json.loads(data)))


def _read_sight(fields: list[Any]) -> Sight:
    code, severity, message, span, also, *rest, related = fields
    places = tuple((words, Span(*place)) for words, place in related)
    return Sight._make(
        (code, Severity(severity), message, Span(*span), tuple(Span(*one) for one in also), *rest, places)
    )
