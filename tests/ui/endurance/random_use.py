"""Random use of the real window, followed by a check that the window still works and equals a new one."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog

from heatstudio.ui.window.window import Window
from tests.ui.bench import bench
from tests.ui.endurance.cold_start import differences
from tests.ui.endurance.hand import Hand, XHand, type_character
from tests.ui.endurance.monkey import Monkey
from tests.ui.endurance.program import answer_file_dialogs, run_program, use_home
from tests.ui.endurance.samples import write_files
from tests.ui.endurance.settling import Settling
from tests.ui.endurance.watch import Watch
from tests.ui.fresh_paint import find_difference
from tests.ui.ownership import strays

_LOOK = 20
_LAST_STEPS = 40


class RandomUse:
    """A simulated user of the program, and what went wrong."""

    def __init__(self, seed: int, home: Path, *, seconds: float, steps: int | None, server: int | None) -> None:
        self.faults: list[str] = []
        self._seed, self._home, self._server = seed, home, server
        self._seconds, self._most = seconds, steps
        self._folder = home / "templates"
        self._found = Path(tempfile.gettempdir(), f"heatstudio-{seed}")
        """The folder for the pictures and the steps of a run with faults."""

    def run(self) -> None:
        """Use the program; print the last steps before a fault."""
        write_files(self._folder)
        chance = random.Random(self._seed)
        answer_file_dialogs(
            lambda: chance.choice(sorted(self._folder.iterdir())),
            lambda: self._folder / f"saved-{chance.randint(1, 4)}.yaml",
            self._folder,
        )
        self.faults, self.reported = ["The program ended by itself."], 0
        run_program([self._folder / name for name in ("shop.yaml", "nested.yaml")], self._begin)

    def _begin(self, window: Window) -> None:
        is_real = self._server is not None
        self._window, self._watch, self._pictures = window, Watch(self._server), 0
        hand = XHand() if is_real else Hand()
        self._monkey = Monkey(
            window,
            hand,
            self._seed,
            self._folder,
            is_settled=Settling(hand).is_over if is_real else hand.is_done,
            is_idle=lambda: not is_busy(window),
            beat=self._watch.beat,
            look=self._look if is_real else self._watch.resume,
        )
        if is_real:
            QApplication.setCursorFlashTime(0)  # the caret does not blink
        until = time.monotonic() + self._seconds
        window.activateWindow()

        def is_enough() -> bool:
            is_over = time.monotonic() > until if self._most is None else self._monkey.count >= self._most
            return is_over or bool(self._watch.faults)

        self._monkey.use(is_enough, self._end)

    def _look(self) -> None:
        """Compare the screen with a fresh paint, outside of the time that is measured."""
        found = find_difference()
        self._pictures += 1
        if found is not None:
            found.save(self._found)
            rect = found.rect
            self._watch.faults.append(
                f"The screen is not a fresh paint at {rect.x()}, {rect.y()}, {rect.width()} x {rect.height()}, "
                f"in {found.widget}."
            )
        self._watch.resume()

    def _end(self) -> None:
        """End the program when no dialog is open and nothing is computed."""
        if close_what_is_open() or is_busy(self._window):
            QTimer.singleShot(_LOOK, self._end)
            return
        watch, monkey = self._watch, self._monkey
        watch.stop()
        if not watch.faults:
            watch.faults += [*dead_editors(self._window), *strays(), *differences(self._window, self._home)]
        self.faults = watch.faults
        self.reported = len(self.faults)
        report(*(f"\nFAULT: {fault}" for fault in self.faults))
        if self.faults:
            self._found.mkdir(exist_ok=True)
            (self._found / "steps.txt").write_text("\n".join(monkey.steps), "utf-8")
            report(f"The last steps, all in {self._found}:", *monkey.steps[-_LAST_STEPS:])
        if watch.longest_stack:
            report("During the longest gap:", watch.longest_stack)
        report(", ".join(f"{kind} {count}" for kind, count in monkey.counts.items()))
        report(
            f"seed {self._seed}: {monkey.count} steps, {self._pictures} pictures compared, "
            f"{len(self.faults)} faults, longest gap {watch.longest * 1000:.0f} ms"
        )
        self._window.is_closed = True
        QApplication.exit(0)


def use_at_random(seed: int, home: Path, *, seconds: float, steps: int | None, server: int | None) -> int:
    """Use the window and return the number of faults; print the seed first.

    With the process ID of its X server, the window gets real keys and a real mouse, and is compared with a fresh paint
    after each step.
    """
    report(f"seed {seed}")
    use_home(home)
    use = RandomUse(seed, home, seconds=seconds, steps=steps, server=server)
    use.run()
    report(*(f"FAULT at the end: {fault}" for fault in use.faults[use.reported :]))
    return len(use.faults)


def is_busy(window: Window) -> bool:
    """Return whether the window analyzes a text, or runs a task."""
    session = window.session
    return session.is_analyzing or bool(session.jobs.shown) or bench(window).folder_problems.is_under_way


def close_what_is_open() -> bool:
    """Close one menu or dialog, which may run a nested event loop; return whether there was one."""
    popup, modal = QApplication.activePopupWidget(), QApplication.activeModalWidget()
    if popup is not None:
        popup.close()
    elif isinstance(modal, QDialog):
        modal.reject()
    elif modal is not None:
        modal.close()
    return popup is not None or modal is not None


def dead_editors(window: Window) -> list[str]:
    """Return a message for each document whose editor does not receive keys."""
    found = []
    for document in window.session.documents:
        window.session.make_current(document)
        before, editor = document.text, window.area.editor_of(document)
        type_character(editor.editor, "x")
        if document.text == before and not document.is_read_only:
            found.append(f"No key arrives in {document.title}.")
    return found


def report(*lines: str) -> None:
    """Print lines and flush the output, for other processes that read it."""
    sys.stdout.write("\n".join([*lines, ""]))
    sys.stdout.flush()
