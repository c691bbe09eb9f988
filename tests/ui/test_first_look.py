"""The first look: another process tells what is wrong before the window has its engine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from heatstudio.text import Severity, Span
from heatstudio.ui import first_look
from heatstudio.ui.app import begin_to_look
from heatstudio.ui.first_answer import answer
from heatstudio.ui.first_look import FirstLook
from heatstudio.ui.heat_engine import HeatEngine
from heatstudio.ui.looking import Looking
from heatstudio.ui.session import Session
from heatstudio.ui.sight import Sight, read_question, read_sights, write_question, write_sights
from heatstudio.ui.snapshot import Snapshot
from heatstudio.ui.target import Target
from heatstudio.ui.window import Window

WRONG = """\
heat_template_version: 2018-08-31
resources:
  net: {type: OS::Neutron::Net, properties: {nme: café 🍀}}
"""


class FakeLook(FirstLook):
    """Answers at once, with what the test wants."""

    def __init__(self, given: bytes) -> None:
        self.given = given
        self.asked: list[bytes] = []

    def ask(self, question: bytes) -> bytes:
        self.asked.append(question)
        return self.given

    def stop(self) -> None:
        pass


@pytest.fixture(autouse=True)
def two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_look, "cores", lambda: 2)


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    path = tmp_path / "wrong.yaml"
    path.write_text(WRONG, "utf-8")
    return path


@pytest.fixture
def seen(heat: HeatEngine, wrong: Path) -> bytes:
    return answer(heat, write_question(Snapshot(WRONG, wrong)))


def looked_at(qtbot: QtBot, look: FirstLook, session: Session, path: Path) -> None:
    looking = Looking(look, session)
    looking.ask(path)
    session.open(path)
    qtbot.waitUntil(lambda: not looking.is_under_way)


def test_question_arrives_as_it_was_asked(tmp_path: Path) -> None:
    asked = Snapshot(
        "é\ud800 🍀", tmp_path / "a.yaml", (tmp_path / "e.yaml",), tmp_path, target=Target("Rocky", {"nova": "2"})
    )
    assert read_question(write_question(asked)) == asked
    assert read_question(write_question(Snapshot(""))) == Snapshot("")


def test_other_process_says_what_the_engine_says(heat: HeatEngine, wrong: Path) -> None:
    snapshot = Snapshot(WRONG, wrong)
    look = FirstLook()
    sights = read_sights(look.ask(write_question(snapshot)))
    diagnostics = heat.analyze(snapshot, None).diagnostics
    assert [(one.code, one.message, one.span, one.has_fixes) for one in sights] == [
        (one.code, one.message, one.span, one.has_fixes) for one in diagnostics
    ]
    assert sights[0].code == "unknown-property"
    assert look.ask(b"again") == b""


def test_engine_of_the_other_process_brings_no_qt() -> None:
    script = "import sys, heatstudio.ui.heat_engine; print('PySide6' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_process_that_is_not_asked_ends() -> None:
    look = FirstLook()
    look.stop()
    assert look._process is not None
    assert look._process.is_ended


def test_without_another_process_nothing_is_seen_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert FirstLook().ask(b"{}") == b""


def test_program_of_one_file_does_not_start_itself_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert FirstLook()._process is None


def test_findings_are_shown_before_there_is_an_engine(qtbot: QtBot, window: Window, wrong: Path, seen: bytes) -> None:
    looked_at(qtbot, FakeLook(seen), window.session, wrong)
    assert [one.code for one in window.problems.diagnostics()] == ["unknown-property"]
    assert window.status.counts.text() == "1 error 0 warnings"
    assert window.area.editor
    assert len(window.area.editor.editor.marks) == 1
    window.problems.view.setCurrentIndex(next(iter(window.problems._problem_rows())))
    window.problems.fix_selected()
    window.problems.mute_selected()


def test_nothing_wrong_is_said_too(qtbot: QtBot, window: Window, wrong: Path) -> None:
    looked_at(qtbot, FakeLook(write_sights([])), window.session, wrong)
    assert window.status.counts.text() == "0 errors 0 warnings"


@pytest.mark.parametrize("garbage", [b"", b"[", b"{}x"])
def test_no_answer_is_not_taken_for_a_good_one(qtbot: QtBot, window: Window, wrong: Path, garbage: bytes) -> None:
    looked_at(qtbot, FakeLook(garbage), window.session, wrong)
    assert window.status.counts.text() == "not checked yet"


def test_text_that_moved_on_is_not_spoken_of(qtbot: QtBot, window: Window, wrong: Path, seen: bytes) -> None:
    session = window.session
    looking = Looking(FakeLook(seen), session)
    looking.ask(wrong)
    session.open(wrong).change(WRONG.replace("nme", "name"))
    qtbot.waitUntil(lambda: not looking.is_under_way)
    assert session.current
    assert session.current.sights is None


def test_what_was_seen_is_forgotten_with_the_text(qtbot: QtBot, window: Window, wrong: Path, seen: bytes) -> None:
    looked_at(qtbot, FakeLook(seen), window.session, wrong)
    assert window.session.current
    window.session.current.change("a: 1\n")
    assert window.session.current.problems is None


def test_engine_has_the_last_word(qtbot: QtBot, real: Window, wrong: Path) -> None:
    document = real.session.open(wrong)
    qtbot.waitUntil(lambda: document.analysis is not None)
    document.sights = (Sight("other", Severity.ERROR, "no more", Span(0, 1)),)
    assert [one.code for one in document.problems or ()] == ["unknown-property"]


def test_file_that_is_checked_with_another_is_left_to_the_engine(session: Session, wrong: Path, tmp_path: Path) -> None:
    session.settings.set_environments(tmp_path / "other.yaml", (wrong,))
    look = FakeLook(b"")
    assert not Looking(look, session).ask(wrong)
    assert not Looking(look, session).ask(tmp_path / "missing.yaml")
    session.jobs.stop()
    assert look.asked == []


def test_process_is_not_kept_for_nothing(session: Session, tmp_path: Path) -> None:
    look = FirstLook()
    begin_to_look(look, session, [str(tmp_path / "missing.yaml")])
    assert look._process is not None
    assert look._process.is_ended


def test_last_file_that_can_be_read_is_looked_at(qtbot: QtBot, session: Session, wrong: Path, tmp_path: Path) -> None:
    look = FakeLook(b"")
    begin_to_look(look, session, [str(wrong), str(tmp_path / "missing.yaml")])
    qtbot.waitUntil(lambda: [read_question(one).path for one in look.asked] == [wrong])


def test_one_processor_is_left_to_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_look, "cores", lambda: 1)
    assert FirstLook()._process is None
