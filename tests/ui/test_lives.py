"""Starts, crashes and restarts of the program: typed text and positions are restored."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

from heatstudio.ui.editor.text.code_page import TEXT_SIZE
from tests.ui.lives import ProgramRun, WindowState

LONG = "heat_template_version: 2021-04-16\n" + "".join(f"# line {line} {'-' * 200}\n" for line in range(500))


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    first, second = tmp_path / "first.yaml", tmp_path / "second.yaml"
    first.write_text("heat_template_version: 2021-04-16\nresources: {}\n", "utf-8")
    second.write_text(LONG, "utf-8")
    return first, second


def test_file_that_cannot_be_opened_at_the_start_is_reported_until_the_user_dismisses_it(tmp_path: Path) -> None:
    with ProgramRun(tmp_path, tmp_path / "none.yaml") as life:
        life.wait_until("bench is not None and editor is None")
        assert "no such file" in life.state()["banner"]


def wait_until_forgotten(home: Path) -> None:
    """Wait until all stored crash reports are cleared."""
    while any(log.stat().st_size for log in home.rglob("crash.log")):
        sleep(0.05)


def test_report_of_an_exception_is_offered_at_the_next_start_and_quotes_no_text(
    tmp_path: Path, files: tuple[Path, Path]
) -> None:
    with ProgramRun(tmp_path, files[0]) as life:
        life.wait_until_started()
        life.do("QTimer.singleShot(0, lambda: int('secret'))")  # the excepthook of the test exits
        assert life.end() == 70
    with ProgramRun(tmp_path) as life:
        life.wait_until_started()
        assert life.state()["banner"] == "Heat Studio had an internal error in its last session."
        life.press("Copy Report")
        report = life.do("QApplication.clipboard().text()")
        wait_until_forgotten(tmp_path)  # otherwise the next start would offer it again
    assert isinstance(report, str)
    assert "ValueError in MainThread" in report
    assert "secret" not in report
    with ProgramRun(tmp_path) as life:
        assert life.state()["banner"] == ""


def test_crash_in_native_code_is_reported_too(tmp_path: Path, files: tuple[Path, Path]) -> None:
    with ProgramRun(tmp_path, files[0]) as life:
        life.wait_until_started()
        life.type_in("x")
        life.wait_until_kept(1)
        life.process.send_signal(signal.SIGSEGV)
        life.end()
    with ProgramRun(tmp_path) as life:
        life.press("Keep")
        life.press("Copy Report")
        assert "Segmentation fault" in str(life.do("QApplication.clipboard().text()"))


def test_start_after_a_failed_start_does_not_check_automatically(tmp_path: Path, files: tuple[Path, Path]) -> None:
    kept = {"title": "first.yaml", "text": "resources: {}\n", "path": str(files[0]), "modified": 0}
    left = tmp_path / "STATE" / "heatstudio" / "unsaved" / "left"
    left.mkdir(parents=True)
    (left / "1.json").write_text(json.dumps(kept), "utf-8")
    (left / "2.json").write_text("[" * 100_000, "utf-8")
    (left / "starting").touch()
    with ProgramRun(tmp_path) as life:
        assert life.state()["texts"] == ["resources: {}\n"]
        life.press("Keep")
        assert "Checks are paused" in life.state()["banner"]
        life.type_in("# more\n")
        life.wait_until_kept(1)
        assert life.do("window.session.current.state is None and not window.session.is_analyzing")
        life.do("window.actions_by_name['check'].trigger()")
        life.wait_until("window.session.current.state is not None and window.session.current.state.plan is not None")
        assert "They are kept in" in life.state()["banner"]
        life.wait_until_started()
    assert (left.parent / "2.json.unreadable").read_text("utf-8") == "[" * 100_000


def is_running(process: int) -> bool:
    """Return whether a process runs; a zombie process does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


CHILDREN = "[int(one) for file in Path('/proc/self').glob('task/*/children') for one in file.read_text().split()]"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="nothing else tells which processes were started")
def test_worker_processes_end_with_a_killed_window(tmp_path: Path, files: tuple[Path, Path]) -> None:
    with ProgramRun(tmp_path, files[0].parent) as life:
        life.do("bench.problems.bar.scopes.setCurrentText('Open folder')")
        life.wait_until(CHILDREN)
        workers = life.do(CHILDREN)
        life.kill()
    assert isinstance(workers, list)
    while any(map(is_running, workers)):
        sleep(0.05)


def test_lost_display_loses_no_text(tmp_path: Path, files: tuple[Path, Path]) -> None:
    first, _ = files
    with ProgramRun(tmp_path, first) as life:
        life.type_in("# mine\n")
        life.do("QTimer.singleShot(0, lambda: QApplication.exit(1))")  # as Qt does if the display server exits
        assert life.end() == 1
    with ProgramRun(tmp_path) as life:
        reported = life.state()
        assert reported["texts"] == ["# mine\n" + first.read_text("utf-8")]
        assert reported["modified"] == [True]
        life.do("QTimer.singleShot(0, window.close)")
        life.wait_until("QApplication.activeModalWidget() is not None")
        life.press_keys("Key_Right", "Key_Space")  # Discard
        assert life.end() == 0
    with ProgramRun(tmp_path) as life:
        assert life.state()["modified"] == [False]


def by_file(reported: WindowState) -> dict[str, tuple[str, list[int]]]:
    return dict(zip(reported["files"], zip(reported["texts"], reported["places"], strict=True), strict=True))


def test_kill_at_any_moment_keeps_files_complete_and_earlier_backups(tmp_path: Path, files: tuple[Path, Path]) -> None:
    first, _ = files
    before = first.read_text("utf-8")
    with ProgramRun(tmp_path, first) as life:
        life.type_in("x\n")
        life.wait_until_kept(1)
        for _ in range(random.randrange(100)):
            life.type_in("x\n")
        life.kill()
    assert first.read_text("utf-8") == before
    with ProgramRun(tmp_path) as life:
        reported = life.state()
    assert reported["files"] == ["first.yaml"]
    assert "first.yaml after an unexpected exit" in reported["banner"]
    (text,) = reported["texts"]
    kept = text.count("x\n")
    assert text == "x\n" * kept + before
    assert kept >= 1
    assert first.read_text("utf-8") == before


def test_killed_program_is_restored(tmp_path: Path, files: tuple[Path, Path]) -> None:
    with ProgramRun(tmp_path, *files) as life:
        life.do("window.resize(760, 560); window.actions_by_name['bottom'].trigger()")
        life.do("text.setTextCursor(text.text_document.cursor(5, 5))")
        life.do("text.scroll_to(300, 120)")
        life.do("window.actions_by_name['zoom-in'].trigger()")
        life.do("window.area.step(1)")
        life.wait_until_written()
        before = life.state()
        life.kill()
    with ProgramRun(tmp_path) as life:
        after = life.state()
    assert after["places"] == before["places"] == [[0, 0, 0], [5, 300, 120]]
    assert after == before
    assert after["size"] == [760, 560]
    assert after["text_size"] == TEXT_SIZE + 1
    assert "Problems" not in after["panes"]
    assert after["banner"] == ""


def test_unsaved_texts_are_restored_with_their_cursors(tmp_path: Path, files: tuple[Path, Path]) -> None:
    with ProgramRun(tmp_path, *files) as life:
        life.do("text.scroll_to(300, 0)")
        life.do("text.setTextCursor(text.text_document.cursor(*[len(text.toPlainText())] * 2))")
        life.type_in("# behind all that the file has\n")
        life.do("window.actions_by_name['new'].trigger()")
        life.do("text.moveCursor(text.textCursor().MoveOperation.End)")
        life.type_in("  web:\n")
        life.do("window.area.step(1)")
        life.type_in("# above\n")
        life.wait_until_written()
        before = life.state()
        life.kill()
    for _ in range(2):  # restored texts survive another kill
        with ProgramRun(tmp_path) as life:
            after = life.state()
            life.kill()
        assert by_file(after) == by_file(before)
        assert after["modified"] == [True, True, True]
        assert after["current"] == before["current"] == "first.yaml"
        assert "after an unexpected exit" in after["banner"]


def test_file_of_the_command_line_is_shown_before_restored_ones(tmp_path: Path, files: tuple[Path, Path]) -> None:
    first, second = files
    with ProgramRun(tmp_path, first) as life:
        life.type_in("# mine\n")
        life.do("window.actions_by_name['new'].trigger()")
        life.type_in("# new\n")
        life.wait_until_written()
        life.kill()
    with ProgramRun(tmp_path, second) as life:
        assert life.state()["current"] == "second.yaml"
        assert life.do("text.toPlainText()") == LONG
        assert set(life.state()["files"]) == {"first.yaml", "untitled-1.yaml", "second.yaml"}
        assert "after an unexpected exit" in life.state()["banner"]
    with ProgramRun(tmp_path, first) as life:
        assert life.state()["current"] == "first.yaml"


def test_undo_survives_tab_changes_and_backups_keep_the_cursor(tmp_path: Path, files: tuple[Path, Path]) -> None:
    with ProgramRun(tmp_path, *files) as life:
        life.do("text.setTextCursor(text.text_document.cursor(20, 3))")
        life.do("text.scroll_to(100, 0)")
        life.do("window.area.step(1)")
        before = life.state()["texts"][0]
        life.type_in("# mine\n")
        where = life.do("text.textCursor().position()")
        life.wait_until_kept(1)
        assert life.do("text.textCursor().position()") == where
        life.save()
        assert life.do("text.textCursor().position()") == where
        life.do("window.area.step(1)")
        assert life.do("[text.textCursor().anchor(), text.textCursor().position()]") == [20, 3]
        assert life.do("text.firstVisibleBlock().blockNumber()") == 100
        life.do("window.area.step(1)")
        life.do("[window.actions_by_name['undo'].trigger() for _ in range(20)] and None")
        assert life.state()["texts"][0] == before


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("is_asked", [False, True])
def test_ctrl_c_in_the_terminal_exits_and_keeps_unsaved_changes(
    tmp_path: Path, files: tuple[Path, Path], is_asked: bool
) -> None:
    with ProgramRun(tmp_path, *files) as life:
        life.do("window.area.step(1)")
        life.type_in("# mine")
        if is_asked:  # with an open question about unsaved changes
            life.do("QTimer.singleShot(0, window.close)")
            life.wait_until("QApplication.activeModalWidget() is not None")
        before = life.do("text.toPlainText()")
        status, errors = life.interrupt()
    assert status == 130
    assert "Traceback" not in errors
    assert "Error" not in errors
    with ProgramRun(tmp_path) as life:
        assert before in life.state()["texts"]
        assert life.state()["current"] == "first.yaml"
        assert "after an unexpected exit" in life.state()["banner"]


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_leaves_no_backups_if_all_is_saved(tmp_path: Path, files: tuple[Path, Path]) -> None:
    with ProgramRun(tmp_path, *files) as life:
        life.type_in("# mine")
        life.wait_until_kept(1)
        life.save()
        assert life.interrupt()[0] == 130
    assert not list(tmp_path.glob("STATE/heatstudio/unsaved/*"))


STARTING = """
import os, sys
from heatstudio import __main__

class Interrupting:
    # Presses Ctrl+C while Qt is imported.

    def find_spec(self, name, path=None, target=None):
        if name == "PySide6":
            os.kill(os.getpid(), 2)

sys.meta_path.insert(0, Interrupting())
__main__.main()
"""


@pytest.mark.usefixtures("interruptible")
@pytest.mark.skipif(sys.platform == "win32", reason="nothing sends signals there")
def test_ctrl_c_before_the_window_exists_exits_without_output(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", STARTING], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == -signal.SIGINT
    assert done.stderr == ""


PAINTING = """
import json, os, sys
from PySide6.QtWidgets import QApplication
from heatstudio.ui.window import app

def instead_of_loop(*_):
    QApplication.processEvents()
    print(json.dumps(sorted(sys.modules)), flush=True)
    os._exit(0)

QApplication.exec = instead_of_loop
app.run(sys.argv[1:])
"""
AFTER_THE_PAINT = (
    *("analysis", "catalog", "cli", "cloud", "stack", "template"),
    *("ui.browser", "ui.explain", "ui.graph", "ui.outline", "ui.parameters", "ui.preview", "ui.problems"),
    *("ui.commands.assistant", "ui.commands.fix_controller", "ui.commands.navigation"),
    *("ui.editor.compare", "ui.editor.completion.completion", "ui.editor.hover"),
    *("ui.editor.search.search_bar", "ui.target.target_controller"),
    *("ui.widgets.announcer", "ui.widgets.picker", "ui.window.welcome", "ui.workspace.recovery"),
)
"""Packages and modules that must not be imported before the first paint."""
SLOW = ("asyncio", "difflib", "email", "importlib.metadata", "msgspec", "pygments", "uuid", "yaml", "yaql")


def test_first_paint_imports_only_necessary_modules(tmp_path: Path, files: tuple[Path, Path]) -> None:
    homes = {f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("CACHE", "CONFIG", "DATA", "STATE")}
    environment = os.environ | homes | {"QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", PAINTING, str(files[1])]
    done = subprocess.run(command, capture_output=True, env=environment, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    imported = set(json.loads(done.stdout))
    assert "heatstudio.ui.window.window" in imported
    assert sorted(imported & {f"heatstudio.{name}" for name in AFTER_THE_PAINT}) == []
    assert sorted(imported.intersection(SLOW)) == []


SHOWN_LATER = ("cloud.connection", "ui.cloud", "ui.editor.compare", "ui.explain", "ui.graph", "ui.parameters")


def test_started_window_imports_no_pane_that_is_not_shown(tmp_path: Path, files: tuple[Path, Path]) -> None:
    with ProgramRun(tmp_path, files[0]) as life:
        life.wait_until("window.session.current.state is not None and window.session.current.state.plan is not None")
        assert life.do(f"[name for name in {SHOWN_LATER} if f'heatstudio.{{name}}' in sys.modules]") == []
        assert life.do("len(__import__('linecache').cache) < 100")  # PySide reads the source of each module


BEGINNING = """
import sys
from PySide6.QtWidgets import QApplication
from heatstudio.ui.window import app

asked = []
app.begin = lambda *_, is_first: asked.append(is_first) or iter(())
QApplication.exec = lambda *_: 0
app.run(sys.argv[1:])
print(*asked)
"""


@pytest.mark.parametrize(("arguments", "is_first"), [((), "True"), (("a.yaml",), "False"), ((".",), "False")])
def test_tour_starts_only_without_arguments(tmp_path: Path, arguments: tuple[str, ...], is_first: str) -> None:
    homes = {f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("CACHE", "CONFIG", "DATA", "STATE")}
    environment = os.environ | homes | {"QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", BEGINNING, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)
    assert done.stdout.strip() == is_first, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a folder that is in use cannot be removed there")
def test_program_starts_in_a_removed_folder(tmp_path: Path) -> None:
    homes = {f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("CACHE", "CONFIG", "DATA", "STATE")}
    gone = tmp_path / "gone"
    gone.mkdir()
    leave = f"import os; os.chdir({str(gone)!r}); os.rmdir({str(gone)!r})\n"
    command = [sys.executable, "-P", "-c", leave + PAINTING, "missing.yaml"]
    environment = os.environ | homes | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, capture_output=True, env=environment, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()[-2000:]


ENDING = """
import sys
from PySide6.QtCore import QSettings
from heatstudio.ui.window.app import make_application
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.workspace.session import Session
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.window.window import Window
from tests.ui.bench import make_bench

application = make_application()
settings = Settings(QSettings(sys.argv[1] + "/settings.ini", QSettings.Format.IniFormat))
window = Window(Session(settings, lambda: None), Appearance(application))
make_bench(window)
window.show()
application.processEvents()
"""


def test_script_that_ends_with_an_open_window_exits_without_output(tmp_path: Path) -> None:
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", ENDING, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)
    assert done.returncode == 0
    assert "Error" not in done.stderr
