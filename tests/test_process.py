"""Worker processes end with the process that started them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

_BUSY = "from heatstudio.process import end_with_parent; end_with_parent(); print(flush=True)\nwhile True: pass"
_PARENT = f"""
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", {_BUSY!r}], stdout=subprocess.PIPE)
child.stdout.readline()
print(child.pid, flush=True)
child.wait()
"""
_PATIENCE = 30.0


@pytest.mark.skipif(sys.platform == "win32", reason="a process does not learn there that its parent has ended")
def test_busy_worker_ends_after_its_parent_was_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", _PARENT], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        worker = int(parent.stdout.readline())
        assert is_running(worker)
        parent.send_signal(signal.SIGKILL)
    wait_until_ended(worker)


def is_running(process: int) -> bool:
    """Return whether a process runs; a zombie process does not."""
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except OSError:
        return not Path("/proc/self").exists()


def wait_until_ended(process: int) -> None:
    until = time.monotonic() + _PATIENCE
    while is_running(process):
        assert time.monotonic() < until
        time.sleep(0.05)
