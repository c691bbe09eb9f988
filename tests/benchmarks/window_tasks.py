"""What is done with a painted window, and measured.

- `marked`: waits until the window, if it is one that thinks, marks what is to be said of the file in its text; `listed`
  waits for the list of it, which must not be empty.
- `all`: waits until nothing is left to be loaded: the engine, every pane, the preview; then tells the memory.
- `type`: waits as `all` does, and types from then on; `type-at-once` types from the first paint on.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

KEYS = 150
PAUSE = 55
"""Milliseconds between two keystrokes: a fast writer, and so that the analysis of one, which begins after 40 without a
key, meets the next."""
BEAT = 2
"""Milliseconds between two beats of the event loop, by which its gaps are seen."""


def measured(task: str) -> object:
    """Does what is to be done, and tells what came of it."""
    if task == "type-at-once":
        return type_keys()
    if task in _SIGHTS:
        return {"at": max(map(_SIGHTS[task], thinking_windows()), default=time.perf_counter())}
    if task in {"type", "all"}:
        while any(window.session.current.plan is None or bench(window) is None for window in thinking_windows()):
            rest(5)
        QApplication.processEvents()
    if task == "type":
        return type_keys()
    return {"at": time.perf_counter(), "memory": memory()}


def when_marked(window: Any) -> float:
    """When the text is painted with what is to be said of it."""
    return when_painted(window.area.editor.editor.viewport, lambda: window.session.current.problems is not None)


def when_listed(window: Any) -> float:
    """When the list of problems is painted with rows in it."""
    return when_painted(
        lambda: problems_view(window) and problems_view(window).viewport(),
        lambda: bool(problems_view(window).model().rowCount()),
    )


def problems_view(window: Any) -> Any:
    """The list of problems, if it is there yet."""
    pane = sys.modules.get("heatstudio.ui.problems")
    found = window.findChild(pane.ProblemsPane) if pane is not None else None
    return found and found.view


def bench(window: Any) -> Any:
    """What fills the window, if it is there yet."""
    module = sys.modules.get("heatstudio.ui.window.workbench")
    return module and window.findChild(module.Workbench)


def when_painted(find: Callable[[], QWidget | None], is_ready: Callable[[], bool]) -> float:
    """When something is painted that may not be there yet, and has something to show."""
    while (widget := find()) is None:
        rest(1)
    paints = Paints(is_ready)
    widget.installEventFilter(paints)
    widget.update()
    while not paints.noted:
        rest(1)
    return paints.noted[0]


class Paints(QObject):
    """Notes when something is painted that is ready."""

    def __init__(self, is_ready: Callable[[], bool]) -> None:
        super().__init__()
        self._is_ready = is_ready
        self.noted: list[float] = []

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Qt's hook."""
        if event.type() is QEvent.Type.Paint and self._is_ready():
            self.noted.append(time.perf_counter())
        return False


_SIGHTS = {"marked": when_marked, "listed": when_listed}


def thinking_windows() -> list[Any]:
    """The window, unless it is the empty one."""
    return [window for window in QApplication.topLevelWidgets() if hasattr(window, "session")]


def rest(milliseconds: int) -> None:
    """Lets the event loop run as the program itself does: QTest.qWait would keep the interpreter lock."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


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
    """What this process and its children hold in memory, in megabytes; 0 where the system does not say."""
    own = Path("/proc/self")
    children = [name for task in own.glob("task/*/children") for name in task.read_text("ascii").split()]
    return sum(map(_resident, (own, *(Path("/proc", name) for name in children))))


def _resident(process: Path) -> float:
    status = process / "status"
    lines = status.read_text("ascii").splitlines() if status.exists() else []
    return sum(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


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
