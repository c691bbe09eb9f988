"""Random use of the real window, followed by a check that the window still works and equals a new one."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog

from heatstudio.ui.window.window import Window
from tests.ui.endurance.cold_start import differences
from tests.ui.endurance.monkey import Monkey, type_character
from tests.ui.endurance.program import answer_file_dialogs, run_program, use_home
from tests.ui.endurance.samples import write_files
from tests.ui.endurance.watch import Watch
from tests.ui.ownership import strays

_LOOK = 20


def use_at_random(seconds: float, seed: int, home: Path) -> int:
    """Use the window and return the number of faults; print the seed first, and the last steps before a fault."""
    report(f"seed {seed}")
    use_home(home)
    folder, chance = home / "templates", random.Random(seed)
    write_files(folder)
    answer_file_dialogs(
        lambda: chance.choice(sorted(folder.iterdir())), lambda: folder / f"saved-{chance.randint(1, 4)}.yaml", folder
    )
    faults: list[str] = []

    def begin(window: Window) -> None:
        watch = Watch()
        monkey = Monkey(window, chance, folder, watch.beat)
        window.activateWindow()

        def end() -> None:
            if close_what_is_open() or window.session.is_analyzing or window.session.jobs.shown:
                QTimer.singleShot(_LOOK, end)
                return
            watch.stop()
            if not watch.faults:
                watch.faults += [*dead_editors(window), *strays(), *differences(window, home)]
            faults.extend(watch.faults)
            report(*(f"\nFAULT: {fault}" for fault in faults))
            if faults:
                report("The last steps:", *monkey.last_steps)
            if watch.longest_stack:
                report("During the longest gap:", watch.longest_stack)
            report(
                f"seed {seed}: {monkey.count} steps, {len(faults)} faults, longest gap {watch.longest * 1000:.0f} ms"
            )
            window.is_closed = True
            QApplication.exit(0)

        monkey.use(seconds, lambda: bool(watch.faults), end)

    run_program([folder / name for name in ("shop.yaml", "nested.yaml")], begin)
    return len(faults)


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
