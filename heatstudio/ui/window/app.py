"""Start the window. Only this module imports late: the engine and the workbench, after the first paint."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.service.engine import Engine
    from heatstudio.service.worker_process import WorkerProcess
    from heatstudio.ui.window.window import Window
    from heatstudio.ui.workspace.first_analysis import FirstAnalysis
    from heatstudio.ui.workspace.recovery import Recovery
    from heatstudio.ui.workspace.session import Session

ONE_FRAME = 4
"""Milliseconds that the first paint has to leave for the screen before anything else begins."""
_FIRST_PATIENCE, _GLANCE = 0.5, 4
"""Seconds for which the engine waits for the first analysis at most, and milliseconds between two glances at it."""
_PATIENCE, _LOOK = 2000, 20
"""Milliseconds that the workbench waits for the engine at most, and between two checks."""
_ONCE = Qt.ConnectionType.SingleShotConnection
NO_DISPLAY = 3
"""The exit status when there is no screen to show a window on."""
INTERRUPTED = 130
"""The exit status that shells give what Ctrl+C ended."""
_ENGINE = (
    *("yaml", "heatstudio.template", "heatstudio.catalog.schema", "heatstudio.catalog", "heatstudio.stack.functions"),
    *("heatstudio.stack.definition.source", "heatstudio.stack.definition.knowledge", "heatstudio.update.plan_update"),
    *("heatstudio.analysis.scope.scope", "heatstudio.analysis.checks", "heatstudio.analysis", "heatstudio.cloud"),
)
_WORKBENCH = (
    *("heatstudio.ui.commands.assistant", "heatstudio.ui.commands.fix_controller", "heatstudio.ui.cloud"),
    *("heatstudio.ui.browser", "heatstudio.ui.preview", "heatstudio.ui.graph", "heatstudio.ui.editor.compare"),
    *("heatstudio.ui.window.cloud_controller", "heatstudio.ui.window.stack_panes"),
)
"""What both are made of, in pieces: between two of them the window has its turn."""
_NO_DISPLAY_SENTENCE = (
    "heatstudio: cannot open a window without a display; set DISPLAY or WAYLAND_DISPLAY, "
    "or use `heatstudio check FILE` in the terminal.\n"
)


def run(arguments: Sequence[str], worker: WorkerProcess | None = None) -> int:
    """The exit status of the window, opened on the files that the arguments name; `worker` analyzes the current one."""
    if not has_display(sys.platform, os.environ):
        if worker is not None:
            worker.kill()
        if sys.stderr is not None:  # it may be closed
            sys.stderr.write(_NO_DISPLAY_SENTENCE)
        return NO_DISPLAY
    try:
        Path.cwd()
    except FileNotFoundError:  # it was removed, and no file can be named in it
        os.chdir(Path.home())
    application = make_application()
    from heatstudio.ui.documents.settings import Settings
    from heatstudio.ui.widgets.appearance import Appearance, Scheme
    from heatstudio.ui.window.window import Window
    from heatstudio.ui.workspace.session import Session

    settings = Settings(QSettings())
    scheme = settings.scheme
    appearance = Appearance(application, Scheme(scheme) if scheme in set(Scheme) else Scheme.SYSTEM)
    session = Session(settings, load_engine, worker)
    analysis = analyze_first(session, arguments)
    window = Window(session, appearance)
    is_first = not arguments and not settings.files and settings.take_first_start()
    if arguments:
        window.files.open(arguments)
        window.memory.keep_current()
    elif is_first:
        window.files.open_sample()
    else:
        window.memory.reopen()

    endings: list[Callable[[], None]] = []
    steps = begin(session, window, analysis, endings, is_first=is_first)
    window.painted.connect(lambda: QTimer.singleShot(0, lambda: begin_soon(steps)))  # when all of it is painted
    application.lastWindowClosed.connect(application.exit)  # Qt forgets to quit if a window is closed while it fills
    window.show()
    status = application.exec()
    for end in endings:
        end()
    session.stop()
    return status


def analyze_first(session: Session, arguments: Sequence[str]) -> FirstAnalysis:
    """Ask about the file that will be current: the last one of the arguments, or that of the last session."""
    from heatstudio.ui.workspace.first_analysis import FirstAnalysis

    analysis = FirstAnalysis(session)
    settings = session.settings
    kept = [settings.current_file] if settings.current_file in settings.files else []
    names = reversed(arguments or kept) if session.worker.is_running else ()
    if not any(analysis.ask(Path(name).absolute()) for name in names):
        analysis.stop()
    return analysis


def begin(
    session: Session,
    window: Window,
    analysis: FirstAnalysis,
    endings: list[Callable[[], None]],
    *,
    is_first: bool = False,
) -> Iterator[int]:
    """Start, step by step, all that the first paint need not wait for; `endings` get what ends it.

    Each step gives the milliseconds until the next one. The list of problems comes first; then, when the worker has
    analyzed the first file, the engine, in a thread; then the workbench, which imports what the engine is made of.
    """
    from heatstudio.ui.problems import ProblemsPane
    from heatstudio.ui.window.interrupts import Interrupts
    from heatstudio.ui.workspace.folder_problems import FolderProblems
    from heatstudio.ui.workspace.recovery import Recovery, state_folder

    folder_problems = FolderProblems(session)
    problems = ProblemsPane(session, window.appearance, folder_problems)
    window.docks.problems.fill(problems)
    yield 0
    endings.append(Interrupts(lambda: end_at_once(session, window), window).stop)
    set_window_icon()
    recovery = Recovery(session, state_folder())
    endings.append(lambda: recovery.stop(agreed=window.is_closed))
    recovery.failed.connect(partial(window.area.banner.say, stays=True))
    unsaved = recovery.take()
    recovery.note_start(is_over=False)
    if recovery.did_start_fail:
        session.pause_checking()
    report_last_session(session, window, recovery)
    window.memory.restore(unsaved)
    session.checking_resumed.connect(lambda: take_in_turns(end_start(session, recovery)))
    patience = time.monotonic() + _FIRST_PATIENCE
    while analysis.is_under_way and time.monotonic() < patience:
        yield _GLANCE
    session.start()
    yield from wait_until(lambda: session.engine is not None)
    for name in _WORKBENCH:
        import_module(name)
        yield 0
    from heatstudio.ui.window.workbench import Workbench

    workbench = Workbench(window, folder_problems, problems)
    if is_first:
        workbench.take_first_steps()
    yield from end_start(session, recovery)


def wait_until(is_there: Callable[[], bool]) -> Iterator[int]:
    """Look for something again and again, but not for ever."""
    for _ in range(_PATIENCE // _LOOK):
        if is_there():
            return
        yield _LOOK


def end_start(session: Session, recovery: Recovery) -> Iterator[int]:
    """Wait until every open document was checked once: then the start has ended well."""
    recovery.note_start(is_over=False)
    yield _LOOK
    while session.is_analyzing:
        yield _LOOK
    recovery.note_start(is_over=True)


def report_last_session(session: Session, window: Window, recovery: Recovery) -> None:
    """Say what went wrong before this start, until it is dismissed."""
    say = partial(window.area.banner.say, stays=True)
    if recovery.unreadable:
        files = ", ".join(map(str, recovery.unreadable))
        say(f"Cannot restore unsaved changes of the last session. They are kept in {files}.")
    if recovery.report:
        copy = partial(QApplication.clipboard().setText, recovery.report)
        say("Heat Studio had an internal error in its last session.", ("Copy Report", copy))
    if recovery.did_start_fail:
        words = "Heat Studio crashed during startup. Checks are paused, because a template may be the cause."
        say(words, ("Check Templates", session.check))


def end_at_once(session: Session, window: Window) -> None:
    """End the window without a question, because who asks for it looks elsewhere; the next start brings all back."""
    window.memory.keep()
    window.is_closed = not any(document.modified for document in session.documents)
    QApplication.exit(INTERRUPTED)


def begin_soon(steps: Iterator[int]) -> None:
    """Take the steps when the screen had its frame."""
    QTimer.singleShot(ONE_FRAME, lambda: take_in_turns(steps))


def take_in_turns(steps: Iterator[int]) -> None:
    """Take one step after the other; what the user does in between goes first."""
    wait = next(steps, None)
    if wait is not None:
        QTimer.singleShot(wait, lambda: take_in_turns(steps))


def has_display(platform: str, environment: Mapping[str, str]) -> bool:
    """Return whether Qt will find a screen; without one it ends the process with a core dump."""
    if not platform.startswith("linux"):
        return True
    return any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def make_application() -> QApplication:
    """Return the application with the names by which the desktop and the settings know it."""
    QApplication.setApplicationName("heatstudio")
    QApplication.setApplicationDisplayName("Heat Studio")
    QApplication.setOrganizationName("heatstudio")
    QApplication.setDesktopFileName("heatstudio")
    return QApplication([*sys.argv[:1], "-style", "Fusion"])  # the same everywhere; palettes make it ours


def set_window_icon() -> None:
    """Show the icon of the program on its windows; for that Qt looks through all its plug-ins for pictures."""
    from PySide6.QtGui import QIcon

    from heatstudio.assets import icon_path

    QApplication.setWindowIcon(QIcon(str(icon_path("heatstudio"))))


def load_engine() -> Engine:
    """The engine; loading takes time, so only the analysis thread calls this."""
    from heatstudio.text import checkpoint

    for name in _ENGINE:
        import_module(name)
        checkpoint()
    from heatstudio.service.engine import Engine

    engine = Engine()
    for name in engine.catalog.names():  # the list of types needs all of them, and the window must not wait for that
        engine.catalog.get(name)
        checkpoint()
    return engine
