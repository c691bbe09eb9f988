"""Runs in a process of its own: starts a window, does one thing with it, and ends.

Arguments: `empty` or `studio` (which window), what to do with it, and the file to open. `paint` ends with the first
paint, `findings` when the window has what is to be said of the file; `type` types from then on, `type-at-once` from the
first paint on. What was measured is on standard output as JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow, QPlainTextEdit

KEYS = 150
PAUSE = 30
"""Milliseconds between two keystrokes: a fast writer, and enough for the analysis of one to meet the next."""
BEAT = 2
"""Milliseconds between two beats of the event loop, by which its gaps are seen."""


class Pulse:
    """The longest time for which the event loop did not beat."""

    def __init__(self) -> None:
        self._last = time.perf_counter()
        self._longest = 0.0
        self._timer = QTimer(interval=BEAT)
        self._timer.timeout.connect(self.beat)
        self._timer.start()

    def beat(self) -> None:
        """One more beat."""
        now = time.perf_counter()
        self._longest = max(self._longest, now - self._last)
        self._last = now

    def take(self) -> float:
        """The longest gap since it was taken before, in milliseconds."""
        self.beat()
        longest, self._longest = self._longest, 0.0
        return longest * 1000


def show_empty_window(file: str, *, with_text: bool) -> int:
    """The least that a window costs; with the text in an editor that does nothing else."""
    application = QApplication([])
    window = QMainWindow()
    if with_text:
        editor = QPlainTextEdit(Path(file).read_text("utf-8"))
        window.setCentralWidget(editor)
    window.resize(900, 700)
    window.show()
    return application.exec()


def rest(milliseconds: int) -> None:
    """Lets the event loop run as the program itself does: QTest.qWait would keep the interpreter lock."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def wait_for_findings() -> None:
    """Until the window, if it is one that thinks, has its findings and the preview."""
    windows: list[Any] = [window for window in QApplication.topLevelWidgets() if hasattr(window, "session")]
    while any(window.session.current.plan is None for window in windows):
        rest(5)


def type_keys() -> dict[str, list[float]]:
    """How long each keystroke keeps the window busy, from the key to the painted character, and the longest gaps."""
    qtest = import_module("PySide6.QtTest").QTest
    editors = [editor for window in QApplication.topLevelWidgets() for editor in window.findChildren(QPlainTextEdit)]
    editor = max(editors, key=lambda editor: editor.document().characterCount())
    cursor = editor.textCursor()
    cursor.setPosition(editor.document().characterCount() // 2)
    cursor.movePosition(cursor.MoveOperation.EndOfLine)
    editor.setTextCursor(cursor)
    pulse = Pulse()
    keys: list[float] = []
    gaps: list[float] = []
    for _ in range(KEYS):
        rest(PAUSE)
        began = time.perf_counter()
        qtest.keyClick(editor, Qt.Key.Key_X)
        QApplication.processEvents()
        keys.append((time.perf_counter() - began) * 1000)
        gaps.append(pulse.take())
    return {"keys": keys, "gaps": gaps}


def memory() -> float:
    """What this process holds in memory, in megabytes; 0 where the system does not say."""
    status = Path("/proc/self/status")
    lines = status.read_text("ascii").splitlines() if status.exists() else []
    return sum(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def measured(task: str) -> object:
    """Does what is to be done with the painted window."""
    QApplication.processEvents()
    if task == "paint":
        return None
    if task == "type-at-once":
        return type_keys()
    wait_for_findings()
    if task == "type":
        return type_keys()
    QApplication.processEvents()
    return {"memory": memory()}


def main() -> None:
    """Take the place of the event loop: when it would begin, the window is painted, used and left."""
    which, task, file = sys.argv[1:]

    def instead_of_loop(*_: object) -> int:
        sys.stdout.write(json.dumps(measured(task)))
        sys.stdout.flush()
        os._exit(0)

    for name in ("exec", "exec_"):
        setattr(QApplication, name, instead_of_loop)
    if which == "empty":
        show_empty_window(file, with_text=task.startswith("type"))
    else:
        import_module("heatstudio.ui.app").run([file])


if __name__ == "__main__":
    main()
