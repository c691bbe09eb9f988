"""Asks another process about files that are in no tab; where there can be none, a thread answers by itself."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from heatstudio.ui.closed_file import (
    ClosedAnswer,
    ClosedQuestion,
    Kind,
    Outcome,
    Surroundings,
    pack,
    receive,
    send,
    unpack,
)
from heatstudio.ui.first_look import command_of

if TYPE_CHECKING:  # the engine is imported after the first paint
    import subprocess

    from heatstudio.catalog import KnownCloud
    from heatstudio.catalog.facts import Facts
    from heatstudio.ui.closed_look import ClosedLook

_LOOK = "heatstudio.ui.closed_look"
_WINDOWS_FLAGS = ("BELOW_NORMAL_PRIORITY_CLASS", "CREATE_NO_WINDOW")


class ClosedAsker:
    """Belongs to one thread at a time; only `kill` may be called by another one."""

    def __init__(self, words: Facts | None, cloud: KnownCloud | None) -> None:
        self._words, self._cloud = words, cloud
        self._around: Surroundings | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._has_answered = False
        self._look: ClosedLook | None = None
        self.is_killed = False

    def ask(self, around: Surroundings, question: ClosedQuestion) -> ClosedAnswer:
        """What there is to say of a file; waits for it. Once it is killed, nothing counts that it says."""
        if self._look is None and self._process is None:
            self._start()
        if self._process is not None:
            answer = self._answer(self._process, around, question)
            if answer is not None:
                self._has_answered = True
                return answer
            self.close()
        if self._has_answered or self.is_killed:
            sentence = f"{question.path} cannot be checked: the process that tried it has ended."
            return ClosedAnswer(Outcome.UNREAD, sentence=sentence)
        return self._look_here().look(around, question)

    def kill(self) -> None:
        """Ends the process at once; whoever waits for an answer goes on."""
        self.is_killed = True
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        """Ends the process, if there is one; another one begins when it is needed."""
        process, self._process, self._around = self._process, None, None
        if process is not None:
            with suppress(OSError), process:
                process.kill()

    def _start(self) -> None:
        import subprocess

        command, pipe = command_of(_LOOK), subprocess.PIPE
        if command:
            with suppress(OSError):
                flags = sum(getattr(subprocess, name, 0) for name in _WINDOWS_FLAGS)
                self._process = subprocess.Popen(
                    command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, creationflags=flags
                )
        if self.is_killed:
            self.close()

    def _answer(
        self, process: subprocess.Popen[bytes], around: Surroundings, question: ClosedQuestion
    ) -> ClosedAnswer | None:
        """What the process says; None if it ended."""
        if process.stdin is None or process.stdout is None:
            return None
        try:
            if self._around is None:
                if self._words is not None:
                    send(process.stdin, Kind.WORDS.encode() + pack(self._words))
                if self._cloud is not None:
                    send(process.stdin, Kind.CLOUD.encode() + pack(self._cloud))
            if around is not self._around:
                send(process.stdin, Kind.SURROUNDINGS.encode() + pack(around))
                self._around = around
            send(process.stdin, Kind.QUESTION.encode() + pack(question))
            return unpack(receive(process.stdout), ClosedAnswer)
        except (OSError, ValueError):
            return None

    def _look_here(self) -> ClosedLook:
        if self._look is None:
            from heatstudio.ui.closed_look import ClosedLook

            self._look = ClosedLook()
            self._look.learn(self._words, self._cloud)
        return self._look
