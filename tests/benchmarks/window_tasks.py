"""Tasks that are measured in a painted window.

- `marked`: wait until the editor shows the problems of the file; `listed`: wait until the problems pane has rows.
- `all`: wait until the engine and the workbench are loaded and the preview is painted; then measure the memory.
- `type`: wait as `all` does, then type; `type-at-once`: type from the first paint on. An empty window needs no waiting.
- `type-many`: wait as `all` does, then type at many carets, all over the text.
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
"""Milliseconds between two keystrokes of a fast typist; the next key comes during the analysis of the one before,
which starts 40 milliseconds after a key."""
CARETS = 10
BEAT = 2
"""The interval in milliseconds of the timer that measures gaps of the event loop."""


def measured(task: str) -> object:
    """Run a task and return its measurement."""
    if task == "type-at-once":
        return type_keys()
    if task in _SIGHTS:
        return {"at": max(map(_SIGHTS[task], thinking_windows()), default=time.perf_counter())}
    if task in {"type", "type-many", "all"}:
        while any(not is_planned(window) or bench(window) is None for window in thinking_windows()):
            rest(5)
        QApplication.processEvents()
    if task in {"type", "type-many"}:
        return type_keys(carets=CARETS if task == "type-many" else 1)
    for window in thinking_windows():
        window.sides.show_pane("Preview")  # built only now in the narrow window of the offscreen platform
    QApplication.processEvents()
    return {"at": time.perf_counter(), "memory": memory()}


def when_marked(window: Any) -> float:
    """Return the time when the text is painted with its problems."""
    return when_painted(window.area.editor.editor.viewport, lambda: window.session.current.problems is not None)


def when_listed(window: Any) -> float:
    """Return the time when the list of problems is painted with rows."""
    return when_painted(
        lambda: problems_view(window) and problems_view(window).viewport(),
        lambda: bool(problems_view(window).model().rowCount()),
    )


def is_planned(window: Any) -> bool:
    """Return whether the update of the current document is previewed."""
    state = window.session.current.state
    return state is not None and state.plan is not None


def problems_view(window: Any) -> Any:
    """Return the list of problems; None if it does not exist yet."""
    pane = sys.modules.get("heatstudio.ui.problems.pane")
    found = window.findChild(pane.ProblemsPane) if pane is not None else None
    return found and found.view


def bench(window: Any) -> Any:
    """Return the workbench of the window; None if it does not exist yet."""
    module = sys.modules.get("heatstudio.ui.window.workbench")
    return module and window.findChild(module.Workbench)


def when_painted(find: Callable[[], QWidget | None], is_ready: Callable[[], bool]) -> float:
    """Return the time when a widget, which may not exist yet, is painted while it is ready."""
    while (widget := find()) is None:
        rest(1)
    paints = Paints(is_ready)
    widget.installEventFilter(paints)
    widget.update()
    while not paints.noted:
        rest(1)
    return paints.noted[0]


class Paints(QObject):
    """An event filter that records the times of paint events while a widget is ready."""

    def __init__(self, is_ready: Callable[[], bool]) -> None:
        super().__init__()
        self._is_ready = is_ready
        self.noted: list[float] = []

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Record a paint event."""
        if event.type() is QEvent.Type.Paint and self._is_ready():
            self.noted.append(time.perf_counter())
        return False


_SIGHTS = {"marked": when_marked, "listed": when_listed}


def thinking_windows() -> list[Any]:
    """Return the windows that have a session: all except the empty window."""
    return [window for window in QApplication.topLevelWidgets() if hasattr(window, "session")]


def rest(milliseconds: int) -> None:
    """Run the event loop for some milliseconds; QTest.qWait would hold the global interpreter lock."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def type_keys(carets: int = 1) -> dict[str, list[float]]:
    """Type, and return the milliseconds from each key to the painted character, and the longest gap for each key."""
    qtest = import_module("PySide6.QtTest").QTest
    editors = [editor for window in QApplication.topLevelWidgets() for editor in window.findChildren(QPlainTextEdit)]
    editor = max(editors, key=lambda editor: editor.document().characterCount())
    cursor = editor.textCursor()
    cursor.setPosition(editor.document().characterCount() // 2)
    cursor.movePosition(cursor.MoveOperation.EndOfLine)
    editor.setTextCursor(cursor)
    if carets > 1:
        place_carets(editor, carets)
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


def place_carets(editor: Any, count: int) -> None:
    """Place carets at the ends of lines all over the text; the editor's own stays where it is."""
    document, own = editor.document(), editor.textCursor().position()
    blocks = [document.findBlockByNumber(document.blockCount() * at // count) for at in range(1, count)]
    places = [*(block.position() + block.length() - 1 for block in blocks), own]
    caret = import_module("heatstudio.ui.editor.text.carets").Caret
    editor.carets.place([caret(place, place) for place in places])


def memory() -> float:
    """Return the resident memory of this process and its children in megabytes; 0 without /proc."""
    own = Path("/proc/self")
    children = [name for task in own.glob("task/*/children") for name in task.read_text("ascii").split()]
    return sum(map(_resident, (own, *(Path("/proc", name) for name in children))))


def _resident(process: Path) -> float:
    status = process / "status"
    lines = status.read_text("ascii").splitlines() if status.exists() else []
    return sum(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


class Pulse:
    """The longest time between two iterations of the event loop."""

    def __init__(self) -> None:
        self._last = time.perf_counter()
        self._longest = 0.0
        self._timer = QTimer(interval=BEAT)
        self._timer.timeout.connect(self.beat)
        self._timer.start()

    def beat(self) -> None:
        """Measure the time since the last timeout of the timer."""
        now = time.perf_counter()
        self._longest = max(self._longest, now - self._last)
        self._last = now

    def take(self) -> float:
        """Return the longest gap in milliseconds since the previous call."""
        self.beat()
        longest, self._longest = self._longest, 0.0
        return longest * 1000
