"""The start of the window; the engine and the workbench are imported only after the first paint."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from linecache import clearcache
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, QSocketNotifier, Qt, QTimer
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.service.engine import Engine
    from heatstudio.ui.documents.settings import Settings
    from heatstudio.ui.window.window import Window
    from heatstudio.ui.workspace.recovery import Recovery
    from heatstudio.ui.workspace.session import Session

ONE_FRAME = 4
"""Milliseconds between the first paint and the next step, so that the screen can show it."""
_ENGINE_TIMEOUT, _POLL_INTERVAL = 2000, 20
"""The timeout and the polling interval of the wait for the engine, in milliseconds."""
_ONCE = Qt.ConnectionType.SingleShotConnection
NO_DISPLAY = 3
"""The exit status without a display."""
INTERRUPTED = 130
"""The exit status after Ctrl+C, as in shells."""
_ENGINE = (
    *("yaml", "heatstudio.template", "heatstudio.catalog.schema", "heatstudio.catalog.load"),
    *("heatstudio.stack.functions", "heatstudio.stack.definition.source", "heatstudio.stack.definition.knowledge"),
    *("heatstudio.update.plan_update", "heatstudio.analysis.scope.scope", "heatstudio.analysis.checks"),
    *("heatstudio.analysis", "heatstudio.cloud"),
)
_WORKBENCH = (
    *("heatstudio.analysis.refactorings", "heatstudio.service.workspace.language_service"),
    *("heatstudio.ui.widgets.picker", "heatstudio.ui.commands.assistant", "heatstudio.ui.commands.fix_controller"),
    *("heatstudio.ui.commands.text_commands", "heatstudio.ui.target.target_controller"),
    *("heatstudio.ui.commands.change_navigation", "heatstudio.ui.window.workbench"),
)
"""The modules of engine and workbench, imported in turns between which the window handles events."""
_NO_DISPLAY_SENTENCE = (
    "heatstudio: cannot open a window without a display; set DISPLAY or WAYLAND_DISPLAY, "
    "or use `heatstudio check FILE` in the terminal.\n"
)


def run(arguments: Sequence[str]) -> int:
    """Run the window with files and return its exit status."""
    if not has_display(sys.platform, os.environ):
        if sys.stderr is not None:  # None if it is closed
            sys.stderr.write(_NO_DISPLAY_SENTENCE)
        return NO_DISPLAY
    try:
        Path.cwd()
    except FileNotFoundError:  # the current folder was removed
        os.chdir(Path.home())
    application = make_application()
    from heatstudio.ui.documents.settings import Settings
    from heatstudio.ui.widgets.appearance import Appearance, Scheme
    from heatstudio.ui.window.window import Window
    from heatstudio.ui.workspace.session import Session

    settings = Settings(QSettings())
    scheme = settings.scheme
    known = Scheme(scheme) if scheme in set(Scheme) else Scheme.SYSTEM
    appearance = Appearance(application, known, settings.scale)
    session = Session(settings, load_engine)
    window = Window(session, appearance)
    is_first = shows_first_steps(arguments, settings)
    if is_first:
        window.files.open_sample()  # a copy, as the tasks end with saving
        window.sides.show_pane("Preview")  # from the first paint on, so that the text does not move
    elif arguments:
        window.files.open(arguments)
        window.memory.keep_current()
    else:
        window.memory.reopen()

    endings: list[Callable[[], None]] = []
    steps = begin(session, window, endings, is_first=is_first)
    window.painted.connect(lambda: QTimer.singleShot(0, lambda: begin_soon(steps)))  # after the whole paint event
    application.lastWindowClosed.connect(application.exit)  # Qt does not quit if a window is closed during start-up
    window.memory.show_window()
    status = application.exec()
    for end in endings:
        end()
    session.stop()
    return status


def shows_first_steps(arguments: Sequence[str], settings: Settings) -> bool:
    """Return whether this is the first start, without files or with the bundled sample, as in README.md."""
    from heatstudio.assets import resource_path
    from heatstudio.ui.commands.files import SAMPLE

    sample = resource_path(*SAMPLE)
    only_sample = all(Path(name).absolute() == sample for name in arguments)  # without a look at the disk
    return only_sample and not settings.files and settings.take_first_start()


def begin(
    session: Session, window: Window, endings: list[Callable[[], None]], *, is_first: bool = False
) -> Iterator[int]:
    """Start everything that the first paint does not need, step by step; `endings` collects the clean-up functions.

    Each step yields the milliseconds until the next. The engine starts in a thread; then the panes are built.
    """
    yield from imported(("heatstudio.ui.widgets.tree_model", "heatstudio.ui.widgets.row_delegate"))
    from heatstudio.ui.problems.pane import ProblemsPane
    from heatstudio.ui.workspace.folder_problems import FolderProblems

    yield 0
    folder_problems = FolderProblems(session)
    problems = ProblemsPane(session, window.appearance, folder_problems)
    yield 0
    window.sides.fill({"Problems": problems})
    yield 0
    yield from imported(("msgspec",))
    from heatstudio.ui.workspace.recovery import Recovery, state_folder

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
    window.prepare_welcome()
    session.checking_resumed.connect(recovery.watch_start)
    session.start()
    yield from wait_until(lambda: session.engine is not None)
    yield from imported(_WORKBENCH)
    from heatstudio.ui.window.workbench import Workbench

    workbench = Workbench(window, folder_problems, problems)
    while window.sides.make_next():
        yield 0
    if is_first:
        workbench.begin_first_steps()  # for the sample, which may be edited already
    recovery.watch_start()


def imported(modules: Iterable[str]) -> Iterator[int]:
    """Import modules with all that they need, one in each step."""
    for name in modules:
        import_part(name)
        yield 0


def wait_until(is_there: Callable[[], bool]) -> Iterator[int]:
    """Poll a condition until it holds or the timeout is over."""
    for _ in range(_ENGINE_TIMEOUT // _POLL_INTERVAL):
        if is_there():
            return
        yield _POLL_INTERVAL


def report_last_session(session: Session, window: Window, recovery: Recovery) -> None:
    """Report errors of the last session in the banner."""
    say = partial(window.area.banner.say, stays=True)
    if recovery.unreadable:
        files = ", ".join(map(str, recovery.unreadable))
        say(f"Cannot restore unsaved changes from the last session. They are kept in {files}.")
    if recovery.report:
        copy = partial(QApplication.clipboard().setText, recovery.report)
        say("Heat Studio had an internal error in its last session.", ("Copy Report", copy))
    if recovery.did_start_fail:
        words = "Heat Studio crashed during startup. Checks are paused, because a template may be the cause."
        say(words, ("Check Templates", session.check), about=[session])
        session.checking_resumed.connect(window.area.banner.forget)


def end_at_once(session: Session, window: Window) -> None:
    """End the program without a question after Ctrl+C; the next start restores unsaved changes."""
    window.memory.keep()
    window.is_closed = not any(document.modified for document in session.documents)
    QApplication.exit(INTERRUPTED)


def begin_soon(steps: Iterator[int]) -> None:
    """Begin the steps after the first frame."""
    QTimer.singleShot(ONE_FRAME, lambda: take_in_turns(steps))


def take_in_turns(steps: Iterator[int]) -> None:
    """Run one step after the other, with user input handled in between."""
    wait = next(steps, None)
    if wait is not None:
        QTimer.singleShot(wait, lambda: take_in_turns(steps))


def has_display(platform: str, environment: Mapping[str, str]) -> bool:
    """Return whether there is a display; without one Qt aborts the process."""
    if not platform.startswith("linux"):
        return True
    return any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def make_application() -> QApplication:
    """Create the application with the names used by desktop and settings."""
    QApplication.setApplicationName("heatstudio")
    QApplication.setApplicationDisplayName("Heat Studio")
    QApplication.setOrganizationName("heatstudio")
    QApplication.setDesktopFileName("heatstudio")
    return QApplication([*sys.argv[:1], "-style", "Fusion"])  # the same style on every platform; palettes adapt it


def set_window_icon() -> None:
    """Set the icon of all windows, late, as Qt searches its image plug-ins for that."""
    from PySide6.QtGui import QIcon

    from heatstudio.assets import icon_path

    QApplication.setWindowIcon(QIcon(str(icon_path("heatstudio"))))


def import_part(name: str) -> None:
    """Import a module with all that it needs, without keeping the sources, which PySide reads into `linecache`."""
    import_module(name)
    clearcache()


def load_engine() -> Engine:
    """Load the engine; slow, therefore called in the analysis thread."""
    from heatstudio.text import checkpoint

    for name in _ENGINE:
        import_part(name)
        checkpoint()
    from heatstudio.service.engine import Engine

    engine = Engine()
    for name in engine.catalog.names():  # the list of types needs all types; the window must not wait for them
        engine.catalog.get(name)
        checkpoint()
    return engine


class Interrupts(QObject):
    """A handler of Ctrl+C, which ends the window properly; a second Ctrl+C terminates the program."""

    def __init__(self, end: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._end = end
        self._before = signal.getsignal(signal.SIGINT)
        self._pipe: tuple[int, ...] = ()
        if self._before in (signal.SIG_IGN, None):  # as shells start background processes
            return
        signal.signal(signal.SIGINT, self._note)
        if sys.platform == "win32":  # a pipe cannot wake Qt on Windows; the next event does
            return
        # Python handles a signal only when it runs bytecode, and Qt may block for hours.
        self._pipe = reading, writing = os.pipe()
        for end_of_pipe in self._pipe:
            os.set_blocking(end_of_pipe, False)
        self._wakes = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        self._notifier = QSocketNotifier(reading, QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._drain)

    def stop(self) -> None:
        """Restore the previous signal handlers."""
        if self._before not in (signal.SIG_IGN, None):
            signal.signal(signal.SIGINT, self._before)
        if self._pipe:
            self._notifier.setEnabled(False)
            signal.set_wakeup_fd(self._wakes)
            for end_of_pipe in self._pipe:
                os.close(end_of_pipe)
            self._pipe = ()

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        QTimer.singleShot(0, self, self._end)

    def _drain(self) -> None:
        with suppress(BlockingIOError):
            os.read(self._pipe[0], 64)
