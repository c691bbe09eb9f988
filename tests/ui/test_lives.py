"""The program itself, started, killed and started again: what was typed and where one was comes back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

LIFE = """
import json, os, signal, sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from heatstudio.ui import app
from heatstudio.ui.window import Window

deeds, files = json.loads(sys.argv[1]), sys.argv[2:]

def window():
    return next(one for one in QApplication.topLevelWidgets() if isinstance(one, Window))

def told():
    one = window()
    documents = one.session.documents
    return {
        "files": [document.title for document in documents],
        "texts": [document.text for document in documents],
        "modified": [document.modified for document in documents],
        "places": [tuple(place) for _, place in one.area.places()],
        "current": one.session.current.title if one.session.current else "",
        "size": [one.width(), one.height()],
        "panes": [dock.windowTitle() for dock in one.docks.docks if not dock.isHidden()],
        "banner": one.area.banner.sentence,
    }

def act():
    one = window()
    if not one.is_furnished:
        return
    if deeds:
        wait, words = deeds.pop(0)
        exec(words, {"window": one, "editor": one.area.editor})
        timer.start(wait)
    else:
        print(json.dumps(told()), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)

def make_application(make=app.make_application):
    global timer
    made, timer = make(), QTimer(interval=20)
    timer.timeout.connect(act)
    timer.start()
    return made

app.make_application = make_application
sys.exit(app.run(files))
"""
LONG = "heat_template_version: 2021-04-16\n" + "".join(f"# line {line} {'-' * 200}\n" for line in range(500))
Told = dict[str, object]
Live = Callable[..., Told]


@pytest.fixture
def live(tmp_path: Path) -> Live:
    """Runs the program, does some deeds in it and hears what it tells before it is killed as by a crash."""
    homes = {f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("CACHE", "CONFIG", "DATA", "STATE")}
    environment = os.environ | homes | {"QT_QPA_PLATFORM": "offscreen"}

    def run(deeds: Sequence[tuple[int, str]], *files: Path) -> Told:
        command = [sys.executable, "-c", LIFE, json.dumps(deeds), *map(str, files)]
        done = subprocess.run(command, capture_output=True, env=environment, check=False, timeout=60)
        assert done.returncode == -signal.SIGKILL, done.stderr.decode()[-2000:]
        told: Told = json.loads(done.stdout)
        return told

    return run


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    first, second = tmp_path / "first.yaml", tmp_path / "second.yaml"
    first.write_text("heat_template_version: 2021-04-16\nresources: {}\n", "utf-8")
    second.write_text(LONG, "utf-8")
    return first, second


def test_killed_program_loses_less_than_a_second_of_typing(live: Live, files: tuple[Path, Path]) -> None:
    first, _ = files
    before = first.read_text("utf-8")
    live([(1000, "editor.editor.insertPlainText('# typed a second ago\\n')")], first)
    assert first.read_text("utf-8") == before
    told = live([(100, "")])
    assert told["texts"] == [f"# typed a second ago\n{before}"]
    assert told["modified"] == [True]
    assert "first.yaml is here again" in str(told["banner"])
    assert first.read_text("utf-8") == before


def test_killed_program_comes_back_as_it_was(live: Live, files: tuple[Path, Path]) -> None:
    deeds = [
        (100, "window.resize(760, 560); window.outline_dock.hide()"),
        (100, "editor.editor.scroll_to(300, 120)"),
        (100, "editor.editor.setTextCursor(editor.editor.text_document.cursor(5, 5))"),
        (100, "editor.editor.scroll_to(300, 120)"),
        (1000, "window.area.step(1); window.area.step(1)"),
    ]
    before = live(deeds, *files)
    after = live([(100, "")])
    assert after["places"] == before["places"] == [[0, 0, 0], [5, 300, 120]]
    for kind in ("files", "current", "size", "panes", "texts", "modified"):
        assert after[kind] == before[kind], kind
    assert after["size"] == [760, 560]
    assert "Outline" not in str(after["panes"])
    assert after["banner"] == ""


def test_two_programs_on_one_file_do_not_overwrite_each_other(live: Live, files: tuple[Path, Path]) -> None:
    first, _ = files
    other = f"from pathlib import Path; Path({str(first)!r}).write_text('# from the other program\\n')"
    deeds = [
        (0, "editor.editor.insertPlainText('# mine\\n')"),
        (0, f"{other}; window.actions_by_name['save'].trigger()"),
    ]
    told = live(deeds, first)
    assert first.read_text("utf-8") == "# from the other program\n"
    assert str(told["texts"]).startswith("['# mine")
    assert told["modified"] == [True]
    assert "first.yaml" in str(told["banner"])


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
