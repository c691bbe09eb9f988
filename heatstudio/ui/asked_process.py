"""A process that reads one question, writes its answer and ends."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from threading import Lock
from time import monotonic

_PIECE = 1 << 16
_KILL = 9
"""SIGKILL; the module `signal` makes enumerations of all signals first."""


def start_process(command: Sequence[str]) -> AskedProcess:
    """The process, running; raises OSError if it cannot be started."""
    return SpawnedProcess(command) if hasattr(os, "posix_spawn") else PortableProcess(command)


class AskedProcess(ABC):
    """Asked once, by a thread that may wait; ended at any time, by any thread."""

    @abstractmethod
    def ask(self, question: bytes, patience: float) -> bytes:
        """The answer; raises OSError if it was asked before, or if none comes within so many seconds."""

    @abstractmethod
    def end(self) -> None:
        """Ends it, asked or not, and waits until nothing is left of it."""

    @property
    @abstractmethod
    def is_ended(self) -> bool:
        """Whether nothing is left of it."""


class SpawnedProcess(AskedProcess):
    """Without `subprocess`: the window waits for it to start, and importing that takes longer than starting."""

    def __init__(self, command: Sequence[str]) -> None:
        self._lock = Lock()
        self._was_asked = False
        self._was_ended = False
        question, self._question = os.pipe()
        self._answer, answer = os.pipe()
        try:
            self._id = os.posix_spawn(
                command[0],
                [*command],
                os.environ,
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, question, 0),
                    (os.POSIX_SPAWN_DUP2, answer, 1),
                    (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                ],
            )
        except OSError:
            self._close()
            raise
        finally:
            os.close(question)
            os.close(answer)

    @property
    def is_ended(self) -> bool:
        """See AskedProcess."""
        return self._was_ended

    def ask(self, question: bytes, patience: float) -> bytes:
        """See AskedProcess."""
        with self._lock:
            if self._was_asked or self._was_ended:
                raise ProcessLookupError
            self._was_asked = True
        try:
            return self._talk(question, monotonic() + patience)
        finally:
            os.close(self._answer)
            self.end()

    def end(self) -> None:
        """See AskedProcess."""
        with self._lock:
            if self._was_ended:
                return
            self._was_ended = True
            with suppress(ChildProcessError):  # who started us may not want to hear of children
                os.kill(self._id, _KILL)
                os.waitpid(self._id, 0)
            if not self._was_asked:
                self._close()

    def _talk(self, question: bytes, deadline: float) -> bytes:
        from select import POLLIN, poll

        with os.fdopen(self._question, "wb") as pipe:
            pipe.write(question)
        answered = poll()
        answered.register(self._answer, POLLIN)
        pieces: list[bytes] = []
        while answered.poll(max(0, deadline - monotonic()) * 1000):
            piece = os.read(self._answer, _PIECE)
            if not piece:
                return b"".join(pieces)
            pieces.append(piece)
        raise TimeoutError

    def _close(self) -> None:
        os.close(self._question)
        os.close(self._answer)


class PortableProcess(AskedProcess):
    """For Windows."""

    def __init__(self, command: Sequence[str]) -> None:
        from subprocess import DEVNULL, PIPE, Popen

        self._process = Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)

    @property
    def is_ended(self) -> bool:
        """See AskedProcess."""
        return self._process.returncode is not None

    def ask(self, question: bytes, patience: float) -> bytes:
        """See AskedProcess."""
        from subprocess import TimeoutExpired

        try:
            return self._process.communicate(question, patience)[0]
        except ValueError as problem:
            raise ProcessLookupError from problem
        except TimeoutExpired as problem:
            self.end()
            raise TimeoutError from problem

    def end(self) -> None:
        """See AskedProcess."""
        self._process.kill()
        with suppress(OSError, ValueError):
            self._process.communicate()
