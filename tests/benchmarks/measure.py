"""Time measurement, and the rows of the benchmark table."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any


class MissingPieceError(Exception):
    """An error for a row that cannot be measured; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table: a measurement, its ratio to a reference, and the highest ratio that meets the goal."""

    name: str
    measured: float
    ratio: float
    reference: str
    goal: float | None = None
    unit: str = "ms"

    def __str__(self) -> str:
        """Return the row as aligned columns."""
        goal = "" if self.goal is None else f"{'ok' if self.ratio <= self.goal else 'MISSED'}, goal {self.goal:g}"
        return f"{self.name:58} {self.measured:9.2f} {self.unit} {self.ratio:8.2f}  {self.reference:36} {goal}".rstrip()


def piece(module: str, name: str) -> Any:
    """Return an attribute of a module of the program.

    Raise MissingPieceError if the import fails or the attribute does not exist.
    """
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise MissingPieceError(f"there is no {module}.{name}: {error}") from error


def milliseconds(action: Callable[[], object], seconds: float = 1.0) -> float:
    """Return the median time of an action, repeated at least three times with the garbage collector disabled."""
    times: list[float] = []
    until = time.perf_counter() + seconds
    gc.collect()
    gc.disable()
    try:
        while len(times) < 3 or time.perf_counter() < until:
            began = time.perf_counter()
            action()
            times.append((time.perf_counter() - began) * 1000)
    finally:
        gc.enable()
    return statistics.median(times)
