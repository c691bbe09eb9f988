"""Qt is imported without what hardly ever happens; when it happens, it is there."""

from __future__ import annotations

import subprocess
import sys

_START = """
import sys
from heatstudio.ui import import_qt
import_qt.import_qt()
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow
def late():
    return [name for name, module in sys.modules.items() if isinstance(module, import_qt._LateModule)]
"""


def said_by(script: str) -> str:
    done = subprocess.run([sys.executable, "-c", _START + script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_writes_type_stubs_is_not_read() -> None:
    late = said_by("import heatstudio.ui.window; print(*late())").split()
    assert {"shibokensupport.signature.lib.pyi_generator", "shibokensupport.signature.mapping"} <= set(late)
    assert "tempfile" in late


def test_modules_of_the_window_are_imported_without_being_read_as_text() -> None:
    script = "import linecache; linecache.cache.clear(); import heatstudio.ui.window; print(len(linecache.cache))"
    assert said_by(script) == "0\n"


def test_wrong_arguments_are_told_with_the_right_ones() -> None:
    script = """
for _ in range(2):
    try:
        QObject.startTimer(QObject(), "x")
    except TypeError as problem:
        print(problem)
"""
    words = said_by(script)
    assert words.count("called with wrong argument types") == 2
    assert "startTimer(interval: int" in words


def test_docstrings_are_there() -> None:
    assert "setMenuBar(self, menubar:" in said_by("print(QMainWindow.setMenuBar.__doc__)")


def test_late_modules_of_python_are_read_when_they_are_needed() -> None:
    script = """
from tempfile import gettempdir
import traceback
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(8) as pool:
    print(len(set(pool.map(lambda _: traceback.format_exception_only(ValueError("x"))[0], range(64)))))
print("tempfile" in late(), "traceback" in late(), bool(gettempdir()))
import textwrap
try:
    textwrap.nothing
except AttributeError as problem:
    print(problem)
"""
    assert said_by(script) == "1\nFalse False True\nmodule 'textwrap' has no attribute 'nothing'\n"


def test_pyside_that_was_not_tried_is_imported_as_usual() -> None:
    script = """
import subprocess
again = f'''
from heatstudio.ui import import_qt
import_qt._TRIED = ("0.",)
import_qt.import_qt()
import sys, builtins
print(isinstance(sys.modules["shibokensupport.signature.layout"], import_qt._LateModule))
print(builtins.__import__ is getattr(builtins, "__orig_import__", builtins.__import__))
'''
print(subprocess.run([sys.executable, "-c", again], capture_output=True, text=True, check=True).stdout)
"""
    assert said_by(script).split() == ["False", "True"]


def test_qt_that_is_imported_already_is_left_alone() -> None:
    script = "import PySide6.QtCore; from heatstudio.ui.import_qt import import_qt; import_qt(); print(1)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"
