"""The program as a process that a test controls, kills and starts again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self, TypedDict

_PATIENCE = 60.0
"""Timeout in seconds for a busy machine."""
_PROGRAM = """
import json, os, sys
from pathlib import Path
from PySide6.QtCore import QSocketNotifier, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from heatstudio.__main__ import main
from heatstudio.ui.window import app
from heatstudio.ui.workspace.recovery import Recovery
from heatstudio.ui.window.window import Window

def window():
    return next((one for one in QApplication.topLevelWidgets() if isinstance(one, Window)), None)

def bench():
    found = sys.modules.get("heatstudio.ui.window.workbench")
    return window() and found and window().findChild(found.Workbench)

def state():
    one = window()
    documents = one.session.documents
    return {
        "files": [document.title for document in documents],
        "texts": [document.text for document in documents],
        "modified": [document.modified for document in documents],
        "places": [tuple(place) for _, place in one.area.places()],
        "current": one.session.current.title if one.session.current else "",
        "size": [one.width(), one.height()],
        "panes": [*one.sides.state.open_rows().values()],
        "text_size": one.area.editor.editor.text_size if one.area.editor else 0,
        "banner": one.area.banner.sentence,
    }

def type_in(words):
    for character in words:
        QTest.keyClick(window().area.editor.editor, Qt.Key.Key_Return if character == "\\n" else character)

def press_keys(*keys):
    for key in keys:
        QTest.keyClick(QApplication.focusWidget(), getattr(Qt.Key, key))

def press(words):
    window().area.banner.press(words)

def recovery():
    return window().session.findChild(Recovery)

def kept():
    return list(recovery()._folder.glob("*/*.json"))

def answer():
    line = heard.readline()
    if not line:
        os._exit(0)
    one = window()
    editor = one and one.area.editor
    names = {**globals(), "window": one, "bench": bench(), "editor": editor, "text": editor and editor.editor}
    code = json.loads(line)
    try:
        value = eval(code, names)
    except SyntaxError:
        value = exec(code, names)
    print(json.dumps(value), file=answers, flush=True)

def make_application(make=app.make_application):
    global notifier
    application = make()
    notifier = QSocketNotifier(heard.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(answer)
    return application

def fail(*error):
    sys.__excepthook__(*error)
    os._exit(70)

sys.excepthook = fail
heard = os.fdopen(os.dup(0), "r", buffering=1)
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
app.make_application = make_application
sys.exit(main())
"""


class WindowState(TypedDict):
    """The visible state of the program; lists are in the order in which documents were opened."""

    files: list[str]
    texts: list[str]
    modified: list[bool]
    places: list[list[int]]
    """Cursors, first visible lines and horizontal scroll offsets in pixels, in the order of the tabs."""
    current: str
    size: list[int]
    panes: list[str]
    text_size: int
    banner: str


class ProgramRun:
    """One run of the program, from its start to its end, as a context manager."""

    def __init__(self, home: Path, *files: Path) -> None:
        settings = home / "CONFIG" / "heatstudio" / "heatstudio.conf"
        if not settings.exists():
            settings.parent.mkdir(parents=True)
            settings.write_text("[session]\nstarted=yes\n", "utf-8")  # no tour of the first start
        homes = {f"XDG_{kind}_HOME": str(home / kind) for kind in ("CACHE", "CONFIG", "DATA", "STATE")}
        everything = os.environ | homes | {"QT_QPA_PLATFORM": "offscreen"}
        command = [sys.executable, "-c", _PROGRAM, *map(str, files)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=everything)
        self.wait_until("bench is not None and window.isVisible()")

    def do(self, words: str) -> object:
        """Run code in the program, and return the value of an expression."""
        value: object = json.loads(self._answer(words))
        return value

    def _answer(self, words: str) -> str:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            _, errors = self.process.communicate()
            raise AssertionError(f"the program ended: {errors[-3000:]}")
        return line

    def type_in(self, words: str) -> None:
        """Type characters into the editor."""
        self.do(f"type_in({words!r})")

    def state(self) -> WindowState:
        """Return the visible state of the program."""
        reported: WindowState = json.loads(self._answer("state()"))
        return reported

    def press_keys(self, *keys: str) -> None:
        """Schedule key presses for the focused widget; the call returns first, since the keys may end the program."""
        self.do(f"QTimer.singleShot(0, lambda: press_keys(*{keys!r}))")

    def press(self, answer: str) -> None:
        """Press a button of the banner, which may save a file."""
        self.do(f"press({answer!r})")
        self._wait_until_saved()

    def save(self) -> None:
        """Save the current text."""
        self.do("window.actions_by_name['save'].trigger()")
        self._wait_until_saved()

    def _wait_until_saved(self) -> None:
        """Wait for a disk that takes longer than the window waits."""
        self.wait_until("not any(document.is_being_saved for document in window.session.documents)")

    def wait_until_started(self) -> None:
        """Wait until the start is complete, so that the next start does not count this one as failed."""
        self.wait_until("recovery() is not None and not any(recovery()._folder.glob('*/starting'))")

    def wait_until_kept(self, count: int) -> None:
        """Wait until the given number of texts is backed up, and no backup is pending."""
        self.wait_until(f"len(kept()) == {count} and not recovery()._changed and not recovery()._in_flight")

    def wait_until_written(self) -> None:
        """Wait until texts and settings are written, so that a crash loses nothing."""
        self.wait_until("not recovery()._changed and not recovery()._in_flight and not window.memory._soon.isActive()")

    def wait_until(self, words: str) -> None:
        """Wait until an expression becomes true in the program."""
        until = time.monotonic() + _PATIENCE
        while not self.do(words):
            assert time.monotonic() < until, f"not so: {words}; {self.state()}"
            time.sleep(0.02)

    def end(self) -> int:
        """Wait until the program exits by itself, and return its exit status."""
        status = self.process.wait(_PATIENCE)
        self.process.communicate()
        return status

    def interrupt(self) -> tuple[int, str]:
        """Send SIGINT, as Ctrl+C in the terminal does; return the exit status and the output to stderr."""
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(_PATIENCE)  # keeps stdin open: the program exits when it closes
        return status, self.process.communicate()[1]

    def kill(self) -> None:
        """Kill the program, as a crash does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.kill()
