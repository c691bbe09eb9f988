"""An X server of our own with a window manager, for real windows without a screen."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

SCREENS: Final = ((1280, 800, 1), (1280, 800, 1), (1024, 640, 1), (1920, 1080, 1), (1920, 1080, 2))
"""Width and height of screens in pixels, and the scale of windows."""
_MANAGER: Final = Path(__file__).with_name("openbox.xml")


@contextmanager
def x_server(width: int, height: int) -> Iterator[str]:
    """Run an X server and return its display; programs that use it must end before it."""
    reading, writing = os.pipe()
    size, quiet = f"{width}x{height}x24", subprocess.DEVNULL
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp", "-noreset"],
        pass_fds=[writing],
        stderr=quiet,
    )
    os.close(writing)
    with os.fdopen(reading) as answer:
        display = f":{answer.readline().strip()}"
    command, used = ["openbox", "--config-file", str(_MANAGER)], os.environ | {"DISPLAY": display}
    manager = subprocess.Popen(command, stdout=quiet, stderr=quiet, env=used)
    try:
        yield display
    finally:
        for process in (manager, server):
            process.terminate()
            process.wait()
