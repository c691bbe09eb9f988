"""Times, the rows of the table, and the pieces of the program that a row needs."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any


class MissingPieceError(Exception):
    """A row cannot be measured; the text says what it lacks."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: a time, what it is compared with, and the factor that is aimed at."""

    name: str
    milliseconds: float
    ratio: float
    reference: str
    goal: float | None = None

    def __str__(self) -> str:
        """The columns of the table."""
        goal = "" if self.goal is None else f"{'ok' if self.ratio <= self.goal else 'MISSED'}, goal {self.goal:g}"
        return f"{self.name:58} {self.milliseconds:9.2f} ms {self.ratio:8.2f}  {self.reference:36} {goal}".rstrip()


def piece(module: str, name: str) -> Any:
    """A public name of the program.

    Raises MissingPieceError if there is none yet.
    """
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise MissingPieceError(f"there is no {module}.{name}: {error}") from error


def milliseconds(action: Callable[[], object], seconds: float = 1.0) -> float:
    """The median time of an action that is repeated at least three times, with the garbage collector out of the way."""
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
