"""The worker analyzes the first file before the window has its engine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from heatstudio.service.diagnostic_summary import DiagnosticSummary
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot, Target
from heatstudio.service.wire import TextQuestion, pack, unpack
from heatstudio.service.worker import Worker
from heatstudio.service.worker_process import WorkerProcess
from heatstudio.text import Severity, Span
from heatstudio.ui.window.app import analyze_first
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.first_analysis import FirstAnalysis
from heatstudio.ui.workspace.session import Session
from tests.ui.bench import bench

Summaries = tuple[DiagnosticSummary, ...]
WRONG = """\
heat_template_version: 2018-08-31
resources:
  net: {type: OS::Neutron::Net, properties: {nme: café 🍀}}
"""


class FakeWorker(WorkerProcess):
    """A worker that immediately returns a given answer."""

    def __init__(self, given: tuple[DiagnosticSummary, ...] | None) -> None:
        super().__init__()
        self.given = given
        self.asked: list[TextQuestion] = []

    @property
    def is_running(self) -> bool:
        return True

    def summarize(self, question: TextQuestion) -> tuple[DiagnosticSummary, ...] | None:
        self.asked.append(question)
        return self.given


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    path = tmp_path / "wrong.yaml"
    path.write_text(WRONG, "utf-8")
    return path


@pytest.fixture(scope="module")
def found() -> tuple[DiagnosticSummary, ...]:
    return Worker().summarize(TextQuestion(WRONG, Path("wrong.yaml")))


def analyzed(qtbot: QtBot, session: Session, path: Path, given: tuple[DiagnosticSummary, ...] | None) -> None:
    session.worker = FakeWorker(given)
    analysis = FirstAnalysis(session)
    analysis.ask(path)
    session.open(path)
    qtbot.waitUntil(lambda: not analysis.is_under_way)


def test_question_is_serialized_unchanged(tmp_path: Path) -> None:
    target = Target("Rocky", {"nova": "2"})
    asked = TextQuestion("é 🍀", tmp_path / "a.yaml", (tmp_path / "e.yaml",), tmp_path, target)
    assert unpack(pack(asked), TextQuestion) == asked


def test_worker_has_the_same_results_as_the_engine(heat: Engine, wrong: Path) -> None:
    worker = WorkerProcess()
    worker.start()
    summaries = worker.summarize(TextQuestion(WRONG, wrong))
    diagnostics = heat.analyze(Snapshot(WRONG, wrong), None).diagnostics
    assert summaries is not None
    assert [(one.code, one.message, one.span, one.has_fixes) for one in summaries] == [
        (one.code, one.message, one.span, one.has_fixes) for one in diagnostics
    ]
    assert summaries[0].code == "unknown-property"
    assert worker.is_running
    worker.kill()
    assert not worker.is_running
    assert worker.summarize(TextQuestion(WRONG, wrong)) is None


def test_text_that_cannot_be_sent_is_analyzed_in_the_window(wrong: Path) -> None:
    worker = WorkerProcess()
    worker.start()
    assert worker.summarize(TextQuestion("\ud800", wrong)) is None
    worker.kill()


def test_worker_process_does_not_import_qt() -> None:
    script = "import sys, heatstudio.service.engine; print('PySide6' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_no_early_results_without_a_worker_process(monkeypatch: pytest.MonkeyPatch, wrong: Path) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    worker = WorkerProcess()
    worker.start()
    assert not worker.is_running
    assert worker.summarize(TextQuestion(WRONG, wrong)) is None


def test_single_file_program_does_not_start_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    worker = WorkerProcess()
    worker.start()
    assert not worker.is_running


def test_problems_are_shown_before_the_engine_is_loaded(
    qtbot: QtBot, window: Window, wrong: Path, found: Summaries
) -> None:
    analyzed(qtbot, window.session, wrong, found)
    assert [one.code for one in bench(window).problems.diagnostics()] == ["unknown-property"]
    assert window.status.counts.text() == "1 error, 0 warnings"
    assert window.area.editor
    assert len(window.area.editor.editor.marks) == 1
    bench(window).problems.view.setCurrentIndex(next(iter(bench(window).problems._problem_rows())))
    bench(window).problems.fix_selected()
    bench(window).problems.mute_selected()


def test_empty_result_is_shown(qtbot: QtBot, window: Window, wrong: Path) -> None:
    analyzed(qtbot, window.session, wrong, ())
    assert window.status.counts.text() == "0 errors, 0 warnings"


def test_missing_answer_is_not_shown_as_no_problems(qtbot: QtBot, window: Window, wrong: Path) -> None:
    analyzed(qtbot, window.session, wrong, None)
    assert window.status.counts.text() == "not checked yet"


def test_changed_text_is_not_announced(qtbot: QtBot, window: Window, wrong: Path, found: Summaries) -> None:
    session = window.session
    session.worker = FakeWorker(found)
    analysis = FirstAnalysis(session)
    analysis.ask(wrong)
    session.open(wrong).change(WRONG.replace("nme", "name"))
    qtbot.waitUntil(lambda: not analysis.is_under_way)
    assert session.current
    assert session.current.summaries is None


def test_early_results_are_removed_with_the_text(qtbot: QtBot, window: Window, wrong: Path, found: Summaries) -> None:
    analyzed(qtbot, window.session, wrong, found)
    assert window.session.current
    window.session.current.change("a: 1\n")
    assert window.session.current.problems is None


def test_results_of_the_engine_replace_early_ones(qtbot: QtBot, real: Window, wrong: Path) -> None:
    document = real.session.open(wrong)
    qtbot.waitUntil(lambda: document.analysis is not None)
    document.summaries = (DiagnosticSummary("other", Severity.ERROR, "no more", Span(0, 1)),)
    assert [one.code for one in document.problems or ()] == ["unknown-property"]


def test_environment_file_is_left_to_the_engine(session: Session, wrong: Path, tmp_path: Path) -> None:
    session.settings.set_environments(tmp_path / "other.yaml", (wrong,))
    worker = session.worker = FakeWorker(())
    assert not FirstAnalysis(session).ask(wrong)
    assert not FirstAnalysis(session).ask(tmp_path / "missing.yaml")
    session.jobs.stop()
    assert worker.asked == []


def test_worker_process_ends_without_a_question(session: Session, tmp_path: Path) -> None:
    session.worker.start()
    analyze_first(session, [str(tmp_path / "missing.yaml")])
    assert not session.worker.is_running


def test_last_readable_file_is_analyzed(qtbot: QtBot, session: Session, wrong: Path, tmp_path: Path) -> None:
    worker = session.worker = FakeWorker(())
    analyze_first(session, [str(wrong), str(tmp_path / "missing.yaml")])
    qtbot.waitUntil(lambda: [one.path for one in worker.asked] == [wrong])
