"""A process is asked once, and nothing is left of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from threading import Thread
from time import monotonic

import pytest

from heatstudio.ui.asked_process import AskedProcess, PortableProcess, SpawnedProcess, start_process

_ECHO = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read()[::-1])"
_DEAF = "import time; time.sleep(60)"

pytestmark = pytest.mark.parametrize(
    "start",
    [
        start_process,
        PortableProcess,
        pytest.param(
            SpawnedProcess, marks=pytest.mark.skipif(not hasattr(os, "posix_spawn"), reason="no posix_spawn here")
        ),
    ],
)
Start = Callable[[Sequence[str]], AskedProcess]


def _run(start: Start, script: str) -> AskedProcess:
    return start([sys.executable, "-S", "-c", script])


@pytest.mark.parametrize("size", [0, 1, 1_000_000])
def test_answer_comes_whole(start: Start, size: int) -> None:
    question = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    process = _run(start, _ECHO)
    assert process.ask(question, 30) == question[::-1]
    assert process.is_ended


def test_second_question_is_refused(start: Start) -> None:
    process = _run(start, _ECHO)
    process.ask(b"first", 30)
    with pytest.raises(ProcessLookupError):
        process.ask(b"second", 30)


def test_patience_ends(start: Start) -> None:
    process = _run(start, _DEAF)
    began = monotonic()
    with pytest.raises(TimeoutError):
        process.ask(b"", 0.2)
    assert monotonic() - began < 30
    assert process.is_ended


def test_process_that_is_not_asked_ends(start: Start) -> None:
    process = _run(start, _DEAF)
    assert not process.is_ended
    process.end()
    process.end()
    assert process.is_ended


@pytest.mark.parametrize("size", [0, 10_000_000])
def test_process_is_ended_while_another_thread_asks(start: Start, size: int) -> None:
    process = _run(start, _DEAF)
    answers: list[bytes | None] = []

    def ask() -> None:
        try:
            answers.append(process.ask(b"x" * size, 60))
        except OSError:
            answers.append(None)

    thread = Thread(target=ask)
    thread.start()
    thread.join(0.2)
    process.end()
    thread.join(30)
    assert not thread.is_alive()
    assert answers in ([None], [b""])
    assert process.is_ended


def test_program_that_is_not_there_is_told(start: Start) -> None:
    with pytest.raises(FileNotFoundError):
        start(["/nowhere/python"])
