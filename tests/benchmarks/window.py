"""Rows for the window; the reference is an empty Qt window, started and used the same way."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.benchmarks.measure import MissingPieceError, Row, piece
from tests.benchmarks.template_text import template_text

TOP = Path(__file__).parents[2]
FRAME = 33
"""The longest delay in milliseconds that a user does not notice."""
PAINT_BUDGET, FINDINGS_BUDGET = 150, 500
"""Milliseconds that the first paint and the first diagnostics may take in addition to an empty window.

The engine is loaded after the paint, in a thread: nobody reads the findings in the first half second.
"""
ROUNDS = 9
FAULTS = 3
"""The number of problems in the file that the window opens at the start."""
_BIG = Path("corpus/files/openstack+tripleo-heat-templates/network/endpoints/endpoint_map.yaml")


def drive(which: str, task: str, file: Path, home: Path) -> Any:
    """Return the measurement of the driver, which runs with settings in `home`, not with those of the user.

    The driver's processes share a bytecode cache, as in an installed program.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"QT_QPA_PLATFORM": "offscreen", "PYTHONPYCACHEPREFIX": str(home / "compiled")}
    settings = home / "heatstudio" / "heatstudio.conf"
    if not settings.exists():  # without settings, the first start would show the tour
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text("[session]\nstarted=yes\n", encoding="utf-8")
    state = home / "state"  # the driver exits like a crash, after which the next start would not analyze the file
    shutil.rmtree(state, ignore_errors=True)
    environment |= {f"XDG_{kind}_HOME": str(home) for kind in ("CACHE", "CONFIG", "DATA")}
    environment["XDG_STATE_HOME"] = str(state)
    command = [sys.executable, "-m", "tests.benchmarks.window_driver", which, task, str(file)]
    done = subprocess.run(command, cwd=TOP, env=environment, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode:
        raise MissingPieceError(f"the {which} window ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return json.loads(done.stdout)


def times_of(tasks: Sequence[tuple[str, str]], file: Path, home: Path) -> list[float]:
    """Return the median times from the start of a process to the end of its task, in milliseconds.

    The tasks alternate, so that the load of the machine affects all of them equally.
    """
    times: list[list[float]] = [[] for _ in tasks]
    for which, task in tasks:
        drive(which, task, file, home)
    for _ in range(ROUNDS):
        for (which, task), found in zip(tasks, times, strict=True):
            began = time.perf_counter()
            found.append((drive(which, task, file, home)["at"] - began) * 1000)
    return [statistics.median(found) for found in times]


def starting() -> Iterator[Row]:
    """Yield the rows for the start of the process: until the first paint, the problems, and all panes."""
    piece("heatstudio.ui.window.app", "run")
    with TemporaryDirectory() as folder:
        home, file = Path(folder), Path(folder, "template.yaml")
        file.write_text(template_text(100).replace("dns_nameservers:", "dns_nameserver:", FAULTS), "utf-8")
        tasks = (("empty", "paint"), *(("studio", task) for task in ("paint", "marked", "listed", "all")))
        empty, paint, marked, listed, everything = times_of(tasks, file, home)
        memory = {which: drive(which, "all", file, home)["memory"] for which in ("empty", "studio")}
    for name, time_of, budget in (
        ("Paint a file of 100 resources", paint, PAINT_BUDGET),
        (f"Mark and count the {FAULTS} findings of a file of 100 resources", marked, FINDINGS_BUDGET),
    ):
        yield Row(name, time_of, (time_of - empty) / budget, f"times {budget} ms after an empty window", 1.0)
    unit = "times empty window"
    yield Row("List them", listed, listed / empty, unit)
    yield Row("The same, its preview and all panes, ready to be used", everything, everything / empty, unit, 5.0)
    if memory["empty"]:
        yield Row("Memory then", memory["studio"], memory["studio"] / memory["empty"], unit, 2.0, "MB")


def typing_in_window() -> Iterator[Row]:
    """Yield the rows for a keystroke until its character is painted, and for the gaps between event loop iterations."""
    piece("heatstudio.ui.window.app", "run")
    with TemporaryDirectory() as folder:
        file = Path(folder, "template.yaml")
        file.write_text(template_text(1000), "utf-8")
        yield from _typing("1000 resources", file, Path(folder))
        gaps = drive("studio", "type-many", file, Path(folder))["gaps"]
        gap, unit = _part(gaps, 0.95), f"times {FRAME} ms"
        yield Row("Longest gap by key at ten carets and 1000 resources, 95 of 100", gap, gap / FRAME, unit, 1.0)


def large_file() -> Iterator[Row]:
    """Yield the rows for files that are much larger than Heat's limit."""
    piece("heatstudio.ui.window.app", "run")
    with TemporaryDirectory() as folder:
        home = Path(folder)
        real = TOP.parent / "shared" / _BIG
        file = home / "large.yaml"
        file.write_text(real.read_text("utf-8") if real.is_file() else template_text(1000), "utf-8")
        yield from _opening(file, home)
        yield from _typing(f"{_lines(file)} lines", file, home)
        file.write_text(template_text(8800), "utf-8")
        yield from _opening(file, home)


def _opening(file: Path, home: Path) -> Iterator[Row]:
    (paint,) = times_of((("studio", "paint"),), file, home)
    yield Row(f"Paint a file of {_lines(file)} lines", paint, paint / 1000, "times a second", 1.0)


def _typing(what: str, file: Path, home: Path) -> Iterator[Row]:
    empty = drive("empty", "type", file, home)
    for words, task in (("", "type"), (", from the first paint on", "type-at-once")):
        studio = drive("studio", task, file, home)
        for word, part in (("median", 0.5), ("95 of 100", 0.95)):
            key, reference = _part(studio["keys"], part), _part(empty["keys"], part)
            yield Row(f"A key at {what}{words}, {word}", key, key / reference, "times an editor that only edits")
        key, gap = _part(studio["keys"], 0.95), _part(studio["gaps"], 0.95)
        unit = f"times {FRAME} ms"
        yield Row(f"A key at {what}{words}, 95 of 100", key, key / FRAME, unit, 1.0)
        yield Row(f"Longest gap by key at {what}{words}, 95 of 100", gap, gap / FRAME, unit, 1.0)


def _part(values: Sequence[float], part: float) -> float:
    return sorted(values)[int(len(values) * part)]


def _lines(file: Path) -> int:
    return file.read_text("utf-8").count("\n")
