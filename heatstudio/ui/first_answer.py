"""Runs in a process of its own, beside a window that starts: answers one question, and ends."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what is imported is not to be looked through for garbage
    from heatstudio.ui.heat_engine import HeatEngine


def answer(engine: HeatEngine, question: bytes) -> bytes:
    """What is to be said of the text in a question."""
    from heatstudio.ui.sight import read_question, sights_of, write_sights

    diagnostics = engine.analyze(read_question(question), None).diagnostics
    return write_sights(sights_of(diagnostics))


def main() -> None:
    """Be ready first, then wait for the question; none is asked where nothing is open."""
    gc.disable()
    from heatstudio.ui.heat_engine import HeatEngine

    engine = HeatEngine()
    question = sys.stdin.buffer.read()
    if question:
        sys.stdout.buffer.write(answer(engine, question))
        sys.stdout.buffer.flush()
    os._exit(0)  # without tidying up, which takes as long as the answer


if __name__ == "__main__":
    main()
