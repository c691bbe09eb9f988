"""A short run of the endurance tests; longer runs are started manually and by `.ci/run`."""

from __future__ import annotations

import subprocess
import sys

from tests.ui.endurance.__main__ import TOP

SECONDS = 5


def test_window_survives_random_use_and_equals_a_cold_start() -> None:
    """Each run has a new seed, which the output of a failure contains."""
    command = [sys.executable, "-m", "tests.ui.endurance", "monkey", "--seconds", str(SECONDS)]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False, timeout=SECONDS * 80)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-3000:]}"
