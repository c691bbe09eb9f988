"""Record unhandled exceptions and crashes for the next start."""

from __future__ import annotations

import faulthandler
import platform
import sys
import threading
import time
import traceback
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Final

_MOST: Final = 64_000
"""The maximum length of the log; later errors are dropped, as the first ones are the most useful."""
_PACKAGES: Final = {"heatstudio", "site-packages", "lib"}


class CrashLog:
    """A log of exceptions and crashes of this process, each with its location.

    Exception messages are left out, as they may quote the template.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8", errors="replace")
        self._written = 0
        self._hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
        faulthandler.enable(self._file)
        sys.excepthook = self._note
        threading.excepthook = self._note_in_thread
        sys.unraisablehook = self._note_unraisable

    def close(self) -> bool:
        """Stop writing; return whether anything was written."""
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._hooks
        faulthandler.disable()
        self._file.close()
        return self._written > 0

    def _note(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        self._write(kind, trace)
        self._hooks[0](kind, error, trace)

    def _note_in_thread(self, fault: threading.ExceptHookArgs) -> None:
        self._write(fault.exc_type, fault.exc_traceback)
        self._hooks[1](fault)

    def _note_unraisable(self, fault: sys.UnraisableHookArgs) -> None:
        self._write(fault.exc_type, fault.exc_traceback)
        self._hooks[2](fault)

    def _write(self, kind: type[BaseException], trace: TracebackType | None) -> None:
        frames = (
            f"  {_shown(frame.filename)}:{frame.lineno} in {frame.name}"
            for frame in traceback.StackSummary.extract(traceback.walk_tb(trace), lookup_lines=False)
        )
        moment, thread = time.strftime("%Y-%m-%d %H:%M:%S"), threading.current_thread().name
        text = "\n".join([f"{moment} {kind.__qualname__} in {thread}", *frames, ""])
        if self._written == 0:
            text = f"{_program()}\n{text}"
        if self._written + len(text) <= _MOST:
            self._written += len(text)
            self._file.write(text)
            self._file.flush()


def _program() -> str:
    qt = import_module("PySide6").__version__
    return f"Heat Studio, Python {platform.python_version()}, PySide6 {qt}, {platform.platform()}"


def _shown(filename: str) -> str:
    """Return the name of a source file without the folders above the program, which may identify the user."""
    parts = Path(filename).parts
    at = max((place for place, part in enumerate(parts) if part in _PACKAGES), default=len(parts) - 1)
    return "/".join(parts[at:])
