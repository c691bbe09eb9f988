"""An X server of our own with a window manager, for real windows without a screen."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

SCREENS: Final = ((1280, 800, 1), (1280, 800, 1), (1024, 640, 1), (1920, 1080, 1), (1920, 1080, 2))
"""Width and height of screens in pixels, and the scale of windows."""
_MANAGER: Final = Path(__file__).with_name("openbox.xml")


@contextmanager
def x_server(width: int, height: int) -> Iterator[tuple[str, int]]:
    """Run an X server; return its display and its process ID. Programs that use it must end before it."""
    reading, writing = os.pipe()
    options = ["-displayfd", str(writing), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp", "-noreset"]
    with os.fdopen(reading) as answer, _running("Xvfb", *options, pass_fds=[writing]) as server:
        os.close(writing)
        display = f":{_first_line(answer, 'Xvfb')}"
        options = ["--config-file", str(_MANAGER), "--startup", "echo ready"]
        with _running("openbox", *options, env=os.environ | {"DISPLAY": display}) as manager:
            assert manager.stdout
            _first_line(manager.stdout, "openbox")
            yield display, server.pid


@contextmanager
def _running(program: str, *arguments: str, **options: Any) -> Iterator[subprocess.Popen[str]]:
    pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
    try:
        process = subprocess.Popen([program, *arguments], stdout=pipe, stderr=quiet, text=True, **options)
    except FileNotFoundError:
        sys.exit(f"{program} is not installed: install the packages in .ci/x11")
    with process:
        try:
            yield process
        finally:
            process.terminate()


def _first_line(output: IO[str], program: str) -> str:
    """Return the line that a program prints when it is ready; exit if it ends before."""
    line = output.readline().strip()
    if not line:
        sys.exit(f"{program} cannot start")
    return line
