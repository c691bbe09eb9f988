"""Rows about the window; the reference is an empty window of Qt, started and used the same way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.measure import MissingPieceError, Row, milliseconds, piece
from tests.benchmarks.template_text import template_text

TOP = Path(__file__).parents[2]


def drive(which: str, task: str, file: Path, settings: Path) -> str:
    """What the driver says; the settings of the one who measures stay as they are."""
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    environment |= {f"XDG_{kind}_HOME": str(settings) for kind in ("CACHE", "CONFIG", "DATA", "STATE")}
    command = [sys.executable, "-m", "tests.benchmarks.window_driver", which, task, str(file)]
    done = subprocess.run(command, cwd=TOP, env=environment, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode:
        raise MissingPieceError(f"the {which} window ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return done.stdout


def starting() -> Iterator[Row]:
    """From nothing to the first paint of a file, the whole process."""
    piece("heatstudio.ui.app", "run")
    with TemporaryDirectory() as folder:
        file = Path(folder, "template.yaml")
        file.write_text(template_text(100), "utf-8")
        times = {}
        for which in ("empty", "studio"):
            drive(which, "start", file, Path(folder))
            times[which] = milliseconds(partial(drive, which, "start", file, Path(folder)), 5.0)
    yield Row(
        "Paint a file of 100 resources", times["studio"], times["studio"] / times["empty"], "times empty window", 1.3
    )


def typing_in_window() -> Iterator[Row]:
    """A keystroke to the painted character, while the analysis of the one before runs."""
    piece("heatstudio.ui.app", "run")
    with TemporaryDirectory() as folder:
        file = Path(folder, "template.yaml")
        file.write_text(template_text(1000), "utf-8")
        times = {which: sorted(json.loads(drive(which, "type", file, Path(folder)))) for which in ("empty", "studio")}
    for word, part in (("median", 0.5), ("95 of 100", 0.95), ("slowest", 0.999)):
        empty, studio = (times[which][int(len(times[which]) * part)] for which in ("empty", "studio"))
        yield Row(f"A key at 1000 resources, {word}", studio, studio / empty, "times an editor that only edits")
    slow = times["studio"][int(len(times["studio"]) * 0.95)]
    yield Row("A key at 1000 resources, 95 of 100", slow, slow / 16, "times a frame of 16 ms", 1.0)
