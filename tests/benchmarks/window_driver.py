"""Runs in a process of its own: starts a window, does one thing with it, and ends.

Arguments: `empty` or `studio` (which window), `start` or `type` (what to do), the file to open. After `type` the times
of the keystrokes, in milliseconds, are on standard output as JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from importlib import import_module
from pathlib import Path

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow, QPlainTextEdit

KEYS = 150
PAUSE = 30
"""Milliseconds between two keystrokes: a fast writer, and enough for the analysis of one to meet the next."""


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


def key_times() -> list[float]:
    """How long each keystroke keeps the window busy, from the key to the painted character."""
    qtest = import_module("PySide6.QtTest").QTest
    editors = [editor for window in QApplication.topLevelWidgets() for editor in window.findChildren(QPlainTextEdit)]
    editor = max(editors, key=lambda editor: editor.document().characterCount())
    cursor = editor.textCursor()
    cursor.setPosition(editor.document().characterCount() // 2)
    cursor.movePosition(cursor.MoveOperation.EndOfLine)
    editor.setTextCursor(cursor)
    times: list[float] = []
    for _ in range(KEYS):
        rest(PAUSE)
        began = time.perf_counter()
        qtest.keyClick(editor, Qt.Key.Key_X)
        QApplication.processEvents()
        times.append((time.perf_counter() - began) * 1000)
    return times


def main() -> None:
    """Take the place of the event loop: when it would begin, the window is painted, used and left."""
    which, task, file = sys.argv[1:]

    def instead_of_loop(*_: object) -> int:
        QApplication.processEvents()
        if task == "type":
            sys.stdout.write(json.dumps(key_times()))
            sys.stdout.flush()
        os._exit(0)

    for name in ("exec", "exec_"):
        setattr(QApplication, name, instead_of_loop)
    if which == "empty":
        show_empty_window(file, with_text=task == "type")
    else:
        import_module("heatstudio.ui.app").run([file])


if __name__ == "__main__":
    main()
