"""Simulated editing in rounds that each restore the initial state, to detect growth of memory and other resources."""

from __future__ import annotations

import gc
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from heatstudio.ui.window.window import Window
from tests.ui.endurance.hand import type_character
from tests.ui.endurance.program import answer_file_dialogs, run_program, use_home
from tests.ui.endurance.random_use import report
from tests.ui.endurance.samples import FILES, write_files
from tests.ui.endurance.watch import Watch
from tests.ui.ownership import qt_objects

_RESOURCE = "\n  added:\n    type: OS::Neutron::Port\n    properties:\n      network: {get_resource: network}\n"
_KEY_PAUSE, _LOOK = 30, 50
"""Milliseconds between two keys, and between two polls."""
_PANES = ("show-outline", "show-types", "show-type-page", "show-graph", "show-parameters", "show-problems", "preview")
_WARM_UP = 0.2
"""The share of the time after which every part has been used, so that nothing should grow any more."""


class Sample(NamedTuple):
    """The resources of the process at one time."""

    seconds: float
    rounds: int
    megabytes: float
    threads: int
    descriptors: int
    timers: int
    objects: int
    """The number of Qt objects with a Python wrapper."""

    @property
    def line(self) -> str:
        """The sample as a row of the table."""
        return (
            f"{self.seconds:7.0f} s {self.rounds:6d} {self.megabytes:8.1f} MB {self.threads:4d} threads "
            f"{self.descriptors:4d} descriptors {self.timers:4d} timers {self.objects:6d} Qt objects"
        )


class Editor:
    """A simulated user who edits in a window; each step runs in its own iteration of the event loop."""

    def __init__(self, window: Window, folder: Path, chance: random.Random) -> None:
        self.rounds = 0
        self._window, self._folder, self._chance = window, folder, chance

    def work(self) -> Iterator[int]:
        """Run rounds forever; yield after each step the milliseconds until the next step."""
        while True:
            name = self._chance.choice(list(FILES))
            yield from self._open(name)
            yield from self._chance.choice((self._type, self._search, self._look_around, self._fix, self._save))()
            yield from self._close()
            self.rounds += 1

    def _open(self, name: str) -> Iterator[int]:
        self._window.files.open([str(self._folder / name)])
        yield from self._until_checked()

    def _type(self) -> Iterator[int]:
        """Type a resource with automatic completion, and undo all changes."""
        editor = self._window.area.editor
        assert editor is not None
        before = editor.text()
        line = self._chance.randrange(max(1, editor.editor.blockCount()))
        editor.go_to_line(line)
        for character in _RESOURCE:
            type_character(QApplication.focusWidget() or editor.editor, character)
            yield _KEY_PAUSE
        QTest.keyClick(editor.editor, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
        yield 200
        QTest.keyClick(editor.editor, Qt.Key.Key_Escape)
        yield from self._until_checked()
        while editor.text() != before:
            self._window.actions_by_name["undo"].trigger()
            yield _KEY_PAUSE
        yield from self._until_checked()

    def _search(self) -> Iterator[int]:
        for name in ("find", "find-next", "find-previous"):
            self._window.actions_by_name[name].trigger()
            yield _KEY_PAUSE
            focus = QApplication.focusWidget()
            if name == "find" and focus is not None:
                QTest.keyClicks(focus, "name")
                yield 200
        QTest.keyClick(QApplication.focusWidget() or self._window, Qt.Key.Key_Escape)
        yield _LOOK

    def _look_around(self) -> Iterator[int]:
        for name in _PANES:
            self._window.actions_by_name[name].trigger()
            yield 100
        for name in ("next-problem", "explain", "fix", "hover", "symbol", "command-palette"):
            self._window.actions_by_name[name].trigger()
            yield 100
            QTest.keyClick(QApplication.focusWidget() or self._window, Qt.Key.Key_Escape)
            yield _LOOK
        self._window.area.focus_text()

    def _fix(self) -> Iterator[int]:
        for name in ("fix-all", "undo", "convert", "close", "new", "close"):
            self._window.actions_by_name[name].trigger()
            yield 100
            yield from self._until_checked()

    def _save(self) -> Iterator[int]:
        document = self._window.session.current
        assert document is not None
        editor = self._window.area.editor_of(document)
        type_character(editor.editor, " ")
        yield 500  # until the text is backed up
        self._window.actions_by_name["undo"].trigger()
        self._window.actions_by_name["save"].trigger()
        yield from self._until_checked()

    def _close(self) -> Iterator[int]:
        """Close all tabs without saving."""
        while (document := self._window.session.current) is not None:
            self._window.session.close(document)
            yield _LOOK

    def _until_checked(self) -> Iterator[int]:
        yield _LOOK
        while self._window.session.is_analyzing:
            yield _LOOK


def edit(minutes: float, seed: int, home: Path) -> int:
    """Edit for some minutes and return the number of faults; print samples of the process at intervals."""
    report(f"seed {seed}")
    use_home(home)
    folder = home / "templates"
    write_files(folder)
    answer_file_dialogs(lambda: folder / "shop.yaml", lambda: folder / "saved.yaml", folder)
    faults: list[str] = []

    def begin(window: Window) -> None:
        watch, editor = Watch(), Editor(window, folder, random.Random(seed))
        began, seconds, samples = time.monotonic(), minutes * 60, list[Sample]()
        steps, next_sample = editor.work(), 0.0

        def step() -> None:
            nonlocal next_sample
            now = time.monotonic() - began
            if now >= next_sample and window.session.current is None:
                samples.append(take_sample(now, editor.rounds))
                report(samples[-1].line)
                next_sample = now + seconds / 60
            if watch.faults or now > seconds:
                watch.stop()
                faults.extend([*watch.faults, *growth(samples)])
                report(*(f"\nFAULT: {fault}" for fault in faults))
                report(f"seed {seed}: {editor.rounds} rounds, longest gap {watch.longest * 1000:.0f} ms")
                for document in window.session.documents:
                    window.session.close(document)
                window.close()
                return
            QTimer.singleShot(next(steps), step)

        step()

    run_program([folder / "shop.yaml"], begin)
    return len(faults)


def take_sample(seconds: float, rounds: int) -> Sample:
    """Return the resources of this process after a garbage collection."""
    gc.collect()
    known = qt_objects()
    timers = sum(isinstance(one, QTimer) for one in known)
    resident = Path("/proc/self/statm").read_text("ascii").split()[1]
    megabytes = int(resident) * os.sysconf("SC_PAGE_SIZE") / 1e6
    threads, descriptors = (len(list(Path("/proc/self", name).iterdir())) for name in ("task", "fd"))
    return Sample(seconds, rounds, megabytes, threads, descriptors, timers, len(known))


def growth(samples: list[Sample]) -> list[str]:
    """Return the resources that grew between the two halves of the samples after the warm-up."""
    warm = samples[int(len(samples) * _WARM_UP) :]
    half = len(warm) // 2
    if half < 2:
        return ["There are too few samples: let it run longer."]
    found = []
    for name, bound in (("megabytes", 8.0), ("threads", 2), ("descriptors", 4), ("timers", 4), ("objects", 40)):
        first, last = (sorted(getattr(one, name) for one in part)[half // 2] for part in (warm[:half], warm[half:]))
        if last - first > bound:
            found.append(f"{name} grew from {first} to {last}.")
    return found
