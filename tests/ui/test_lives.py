"""The program itself, started, killed and started again: what was typed and where one was comes back."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from heatstudio.ui.editor.code_page import TEXT_SIZE
from heatstudio.ui.recovery import PAUSE
from tests.ui.lives import Life, Told

LONG = "heat_template_version: 2021-04-16\n" + "".join(f"# line {line} {'-' * 200}\n" for line in range(500))
SETTLED = 1.0
"""Seconds after which everything is written down."""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    first, second = tmp_path / "first.yaml", tmp_path / "second.yaml"
    first.write_text("heat_template_version: 2021-04-16\nresources: {}\n", "utf-8")
    second.write_text(LONG, "utf-8")
    return first, second


def test_program_that_loses_its_screen_loses_no_text(tmp_path: Path, files: tuple[Path, Path]) -> None:
    first, _ = files
    with Life(tmp_path, first) as life:
        life.type_in("# mine\n")
        life.do("QTimer.singleShot(0, lambda: QApplication.exit(1))")  # as Qt does when the server of the screen dies
        assert life.end() == 1
    with Life(tmp_path) as life:
        told = life.tell()
        assert told["texts"] == ["# mine\n" + first.read_text("utf-8")]
        assert told["modified"] == [True]
        life.do("QTimer.singleShot(0, window.close)")
        life.wait_until("QApplication.activeModalWidget() is not None")
        life.press_keys("Key_Right", "Key_Space")  # Discard
        assert life.end() == 0
    with Life(tmp_path) as life:
        assert life.tell()["modified"] == [False]


def by_file(told: Told) -> dict[str, tuple[str, list[int]]]:
    return dict(zip(told["files"], zip(told["texts"], told["places"], strict=True), strict=True))


def test_kill_at_any_moment_takes_less_than_a_second_of_typing(tmp_path: Path, files: tuple[Path, Path]) -> None:
    first, _ = files
    before = first.read_text("utf-8")
    typed: list[float] = []
    with Life(tmp_path, first) as life:
        until = time.monotonic() + random.uniform(0.8, 1.8)
        while time.monotonic() < until:
            life.type_in("x\n")
            typed.append(time.monotonic())
        killed = time.monotonic()
        life.kill()
    assert first.read_text("utf-8") == before
    with Life(tmp_path) as life:
        told = life.tell()
    assert told["files"] == ["first.yaml"]
    assert "first.yaml is here again" in told["banner"]
    (text,) = told["texts"]
    kept = text.count("x\n")
    assert text == "x\n" * kept + before
    assert [at for at in typed[kept:] if at < killed - 1] == []
    assert first.read_text("utf-8") == before


def test_killed_program_comes_back_as_it_was(tmp_path: Path, files: tuple[Path, Path]) -> None:
    with Life(tmp_path, *files) as life:
        life.do("window.resize(760, 560); window.outline_dock.hide()")
        life.do("text.setTextCursor(text.text_document.cursor(5, 5))")
        life.do("text.scroll_to(300, 120)")
        life.do("window.actions_by_name['zoom-in'].trigger()")
        life.do("window.area.step(1)")
        time.sleep(SETTLED)
        before = life.tell()
        life.kill()
    with Life(tmp_path) as life:
        after = life.tell()
    assert after["places"] == before["places"] == [[0, 0, 0], [5, 300, 120]]
    assert after == before
    assert after["size"] == [760, 560]
    assert after["text_size"] == TEXT_SIZE + 1
    assert "Outline" not in after["panes"]
    assert after["banner"] == ""


def test_texts_that_were_not_saved_come_back_with_their_carets(tmp_path: Path, files: tuple[Path, Path]) -> None:
    with Life(tmp_path, *files) as life:
        life.do("text.scroll_to(300, 0)")
        life.do("text.setTextCursor(text.text_document.cursor(*[len(text.toPlainText())] * 2))")
        life.type_in("# behind all that the file has\n")
        life.do("window.actions_by_name['new'].trigger()")
        life.do("text.moveCursor(text.textCursor().MoveOperation.End)")
        life.type_in("  web:\n")
        life.do("window.area.step(1)")
        life.type_in("# above\n")
        time.sleep(SETTLED)
        before = life.tell()
        life.kill()
    for _ in range(2):  # what comes back is killed at once, and comes back again
        with Life(tmp_path) as life:
            after = life.tell()
            life.kill()
        assert by_file(after) == by_file(before)
        assert after["modified"] == [True, True, True]
        assert after["current"] == before["current"] == "first.yaml"
        assert "is here again" in after["banner"]


def test_undo_outlives_tabs_and_what_is_kept_never_moves_the_caret(tmp_path: Path, files: tuple[Path, Path]) -> None:
    with Life(tmp_path, *files) as life:
        life.do("text.setTextCursor(text.text_document.cursor(20, 3))")
        life.do("text.scroll_to(100, 0)")
        life.do("window.area.step(1)")
        before = life.tell()["texts"][0]
        life.type_in("# mine\n")
        where = life.do("text.textCursor().position()")
        time.sleep(PAUSE / 1000 + 0.2)
        assert list(tmp_path.glob("STATE/heatstudio/unsaved/*/*.json"))
        assert life.do("text.textCursor().position()") == where
        life.do("window.actions_by_name['save'].trigger()")
        assert life.do("text.textCursor().position()") == where
        life.do("window.area.step(1)")
        assert life.do("[text.textCursor().anchor(), text.textCursor().position()]") == [20, 3]
        assert life.do("text.firstVisibleBlock().blockNumber()") == 100
        life.do("window.area.step(1)")
        life.do("[window.actions_by_name['undo'].trigger() for _ in range(20)] and None")
        assert life.tell()["texts"][0] == before


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("is_asked", [False, True])
def test_ctrl_c_in_the_terminal_ends_the_window_and_keeps_what_is_not_saved(
    tmp_path: Path, files: tuple[Path, Path], is_asked: bool
) -> None:
    with Life(tmp_path, *files) as life:
        life.do("window.area.step(1)")
        life.type_in("# mine")
        if is_asked:  # whether to save it: nobody has to answer
            life.do("QTimer.singleShot(0, window.close)")
            life.wait_until("QApplication.activeModalWidget() is not None")
        before = life.do("text.toPlainText()")
        status, errors = life.interrupt()
    assert status == 130
    assert "Traceback" not in errors
    assert "Error" not in errors
    with Life(tmp_path) as life:
        assert before in life.tell()["texts"]
        assert life.tell()["current"] == "first.yaml"
        assert "is here again" in life.tell()["banner"]


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_leaves_nothing_to_give_back_where_all_is_saved(tmp_path: Path, files: tuple[Path, Path]) -> None:
    with Life(tmp_path, *files) as life:
        life.type_in("# mine")
        life.wait_until_kept(1)
        life.do("window.actions_by_name['save'].trigger()")
        assert life.interrupt()[0] == 130
    assert not list(tmp_path.glob("STATE/heatstudio/unsaved/*"))


STARTING = """
import os, sys
from heatstudio import __main__
from heatstudio.ui import import_qt

import_qt.import_qt = lambda: os.kill(os.getpid(), 2)  # while Qt is read
__main__.main()
"""


@pytest.mark.usefixtures("interruptible")
@pytest.mark.skipif(sys.platform == "win32", reason="nothing sends signals there")
def test_ctrl_c_before_the_window_is_there_ends_the_program_in_silence(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", STARTING], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == -signal.SIGINT
    assert done.stderr == ""


PAINTING = """
import json, os, sys
from PySide6.QtWidgets import QApplication
from heatstudio.ui import app

def instead_of_loop(*_):
    QApplication.processEvents()
    print(json.dumps(sorted(sys.modules)), flush=True)
    os._exit(0)

QApplication.exec = instead_of_loop
app.run(sys.argv[1:])
"""
AFTER_THE_PAINT = (
    *("analysis", "catalog", "cli", "cloud", "stack", "template", "ui.analyst", "ui.assistant", "ui.browser"),
    *("ui.editor.compare", "ui.editor.completion", "ui.editor.hover", "ui.editor.search_bar", "ui.editor.snippet"),
    *("ui.explain", "ui.fixing", "ui.graph", "ui.heat_prose", "ui.navigation", "ui.outline", "ui.parameters"),
    *("ui.picker", "ui.preview", "ui.problems", "ui.recovery", "ui.targeting", "ui.tour", "ui.voice", "ui.welcome"),
)
"""Rooms and modules that the first paint can do without."""
SLOW = ("asyncio", "difflib", "email", "importlib.metadata", "msgspec", "pygments", "uuid", "yaml", "yaql")


def test_first_paint_waits_for_nothing_that_it_can_do_without(tmp_path: Path, files: tuple[Path, Path]) -> None:
    homes = {f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("CACHE", "CONFIG", "DATA", "STATE")}
    environment = os.environ | homes | {"QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", PAINTING, str(files[1])]
    done = subprocess.run(command, capture_output=True, env=environment, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    imported = set(json.loads(done.stdout))
    assert "heatstudio.ui.window" in imported
    assert sorted(imported & {f"heatstudio.{name}" for name in AFTER_THE_PAINT}) == []
    assert sorted(imported.intersection(SLOW)) == []


ENDING = """
import sys
from PySide6.QtCore import QSettings
from heatstudio.ui.app import make_application
from heatstudio.ui.appearance import Appearance
from heatstudio.ui.session import Session
from heatstudio.ui.settings import Settings
from heatstudio.ui.window import Window

application = make_application()
settings = Settings(QSettings(sys.argv[1] + "/settings.ini", QSettings.Format.IniFormat))
window = Window(Session(settings, lambda: None), Appearance(application))
window.furnish()
window.show()
application.processEvents()
"""


def test_script_that_ends_with_the_window_open_ends_in_silence(tmp_path: Path) -> None:
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", ENDING, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)
    assert done.returncode == 0
    assert "Error" not in done.stderr
