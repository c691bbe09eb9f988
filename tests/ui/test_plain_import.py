"""PySide does not read the source of what is imported after it."""

from __future__ import annotations

import subprocess
import sys

_SCRIPT = """
import linecache
from heatstudio.ui import app
app.import_plainly()
before = len(linecache.cache)
import heatstudio.ui.window
print(len(linecache.cache) - before)
"""


def test_modules_of_the_window_are_imported_without_being_read_as_text() -> None:
    done = subprocess.run([sys.executable, "-c", _SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"
