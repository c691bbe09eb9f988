"""Rows that compare with the real Heat engine; they need HEAT_PYTHON, a Python with openstack-heat, and ../shared.

The engine's figure is the CPU time until its first error; the program's figure is the CPU time of all diagnostics.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from heatstudio.analysis import analyze
from heatstudio.text import DocumentError
from heatstudio.update.plan_update import plan_update
from tests.benchmarks.engine import knowledge
from tests.benchmarks.measure import MissingPieceError, Row
from tests.benchmarks.template_text import template_text
from tests.load import load_source

SHARED = Path(__file__).parents[3] / "shared"
EVERY = 10
"""The sampling interval: every tenth template of the corpus is measured."""


def against_the_engine() -> Iterator[Row]:
    """Yield the rows for real templates, and for a large one."""
    python = os.environ.get("HEAT_PYTHON")
    if not python or not SHARED.is_dir():
        raise MissingPieceError("HEAT_PYTHON names no Python that has openstack-heat, or ../shared is not here")
    corpus = SHARED / "corpus"
    lines = (SHARED / "cases" / "validate.jsonl").read_text("utf-8").splitlines()[::EVERY]
    records = [record for record in map(json.loads, lines) if not record.get("client")]
    entries = [
        Entry(str(corpus / record["file"]), [str(corpus / name) for name in record["env"]]) for record in records
    ]
    engine = sum(_asked(python, entries, corpus / "files"))
    _analyzed(entries[0], corpus / "files")
    ours = sum(_analyzed(entry, corpus / "files") for entry in entries)
    yield Row(
        f"All findings of {len(entries)} real templates", ours * 1000, ours / engine, "times the engine's first", 0.5
    )
    with TemporaryDirectory() as folder:
        large = Entry(str(Path(folder, "large.yaml")), [])
        Path(large.file).write_text(template_text(1000), "utf-8")
        engine = sum(_asked(python, [large], Path(folder)))
        ours = _analyzed(large, Path(folder))
        yield Row("All findings of 1000 resources", ours * 1000, ours / engine, "times the engine's first", 0.02)
        yield _preview(python, Path(folder))


def _preview(python: str, folder: Path) -> Row:
    """Return the row for the preview of an update with one edit; parsing is not measured."""
    old, new = folder / "old.yaml", folder / "new.yaml"
    text = template_text(1000)
    old.write_text(text, "utf-8")
    new.write_text(text.replace("9.9.9.9", "1.1.1.1", 1), "utf-8")
    command = [python, str(Path(__file__).with_name("heat_preview.py")), str(SHARED / "engine"), str(old), str(new)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=900)
    before, known = load_source(old), knowledge()
    after = load_source(new, previous=before.template)
    began = time.process_time()
    plan_update(before, after, known)
    ours = time.process_time() - began
    name = "Preview of 1000 resources with one edit"
    return Row(name, ours * 1000, ours / float(done.stdout), "times the engine's", 0.2)


class Entry(NamedTuple):
    """The paths of a template and its environments."""

    file: str
    env: list[str]


def _asked(python: str, entries: list[Entry], root: Path) -> Iterator[float]:
    """Yield the CPU seconds that the engine takes for each template."""
    with TemporaryDirectory() as folder:
        listed = Path(folder, "templates")
        listed.write_text("\n".join(json.dumps(entry._asdict()) for entry in entries), "utf-8")
        command = [
            python,
            str(SHARED / "engine" / "ask_heat.py"),
            "validate",
            "--list",
            str(listed),
            "--root",
            str(root),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=900)
    for line in done.stdout.splitlines():
        yield json.loads(line)["cpu_first_error"]


def _analyzed(entry: Entry, root: Path) -> float:
    """Return the CPU seconds to load the files and find all diagnostics; 0 if a file cannot be read."""
    known = knowledge()
    began = time.process_time()
    try:
        analyze(load_source(Path(entry.file), map(Path, entry.env), root=root), known)
    except DocumentError:
        return 0.0
    return time.process_time() - began
