"""Jobs: long ones are shown, report their progress, and can be canceled."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from heatstudio.service.engine import Engine
from heatstudio.service.workspace.job import Job
from heatstudio.ui.tasks.jobs import InterpreterYield, Jobs
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.window.status import JobIndicator
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.session import Session


@pytest.fixture
def jobs(qtbot: QtBot) -> Iterator[Jobs]:
    jobs = Jobs()
    yield jobs
    jobs.stop()


@pytest.fixture
def indicator(qtbot: QtBot, jobs: Jobs, appearance: Appearance) -> JobIndicator:
    indicator = JobIndicator(jobs, appearance)
    qtbot.addWidget(indicator)
    return indicator


def test_short_job_is_not_shown(qtbot: QtBot, jobs: Jobs) -> None:
    done: list[str] = []
    with qtbot.assertNotEmitted(jobs.changed):
        jobs.start("Blinking", lambda _job: "done", done.append)
        qtbot.waitUntil(lambda: done == ["done"])


def test_long_job_reports_progress(qtbot: QtBot, jobs: Jobs, indicator: JobIndicator) -> None:
    go_on, done = threading.Event(), []

    def work(job: Job) -> None:
        job.advance(3, 12)
        go_on.wait()

    jobs.start("Fixing 12 files", work, lambda _: done.append(threading.current_thread()))
    assert indicator.isHidden()
    qtbot.waitUntil(lambda: not indicator.isHidden())
    assert indicator.words.text() == "Fixing 12 files: 3 of 12"
    assert (indicator.bar.value(), indicator.bar.maximum()) == (3, 12)
    other = jobs.begin("Reading")
    go_on.set()
    qtbot.waitUntil(lambda: indicator.words.text() == "Reading…")
    assert done == [threading.main_thread()]
    jobs.end(other)
    assert indicator.isHidden()


def test_canceled_job_ends_without_a_result(qtbot: QtBot, jobs: Jobs, indicator: JobIndicator) -> None:
    ended = threading.Event()
    done: list[str] = []
    reported: list[str] = []

    def work(job: Job) -> None:
        try:
            while True:
                job.advance(0, 0)
        finally:
            ended.set()

    jobs.start("Turning round", work, lambda _: done.append("done"), lambda: reported.append("stopped"))
    qtbot.waitUntil(lambda: not indicator.isHidden())
    indicator.stop.click()
    assert indicator.isHidden()
    assert reported == ["stopped"]
    assert ended.wait(2)
    jobs.stop()
    assert done == []


def test_job_waits_for_the_engine(qtbot: QtBot, session: Session) -> None:
    done: list[object] = []

    def work(engine: Engine, _job: Job) -> Engine:
        return engine

    session.run("Waiting", work, done.append)
    session.run("Not waiting", work, done.append).stop()
    session.start()
    qtbot.waitUntil(lambda: bool(done))
    assert done == [session.engine]


def test_window_shows_running_jobs_and_a_key_cancels_them(qtbot: QtBot, window: Window) -> None:
    job = window.session.jobs.begin("Asking the cloud")
    indicator = window.status.jobs
    qtbot.waitUntil(indicator.isVisible)
    assert indicator.words.text() == "Asking the cloud…"
    window.actions_by_name["stop"].trigger()
    assert job.is_stopped
    assert not indicator.isVisible()


def test_analysis_is_a_job_that_can_be_canceled(qtbot: QtBot, session: Session) -> None:
    document = session.new("heat_template_version: 2021-04-16\n")
    with qtbot.waitSignal(session.checking_stopped) as stopped, session.workspace._analyzing:  # the analysis waits
        session.start()
        qtbot.waitUntil(lambda: [job.name for job in session.jobs.shown] == ["Checking untitled-1.yaml"])
        session.jobs.stop_shown()
    assert stopped.args == [document]
    assert document.state is None
    with qtbot.waitSignal(session.analysis_changed):
        session.check()
    assert session.jobs.shown == ()


def test_stopped_jobs_do_not_follow_the_event_loop(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[bool] = []

    class Observed(InterpreterYield):
        def _work(self) -> None:
            called.append(True)

    monkeypatch.setattr("heatstudio.ui.tasks.jobs.InterpreterYield", Observed)
    jobs = Jobs()
    qtbot.wait(20)
    assert called
    jobs.stop()
    called.clear()
    qtbot.wait(20)
    assert not called
