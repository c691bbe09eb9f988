"""The thread of analyses: order, pause, cancellation, and a bug in one analysis."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue

import pytest

from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.service.workspace.job import Job
from heatstudio.service.workspace.scheduler import Scheduler
from heatstudio.service.workspace.workspace import OpenText, TextState, Workspace

HOT = "heat_template_version: 2021-04-16\n"
PATIENCE = 30.0


class Recorder:
    """A client that records what it is told."""

    def __init__(self) -> None:
        self.load = threading.Event()
        self.begun: list[str] = []
        self.ended: Queue[str] = Queue()
        self.states: list[TextState] = []
        self.make_job: Callable[[str], Job] = Job
        self.on_report: Callable[[], None] = lambda: None
        self.on_end: Callable[[], None] = lambda: None

    def load_engine(self) -> None:
        self.load.wait(PATIENCE)

    def begin(self, key: str) -> Job | None:
        self.begun.append(key)
        return self.make_job(key)

    def report(self, _job: Job, state: TextState, *, is_planned: bool) -> None:
        self.states.append(state)
        if not is_planned:
            self.on_report()

    def end(self, job: Job) -> None:
        self.on_end()
        self.ended.put(job.name)


@pytest.fixture
def workspace(heat: Engine) -> Workspace[str]:
    workspace = Workspace[str](heat)
    for name in "abc":
        workspace.put(name, OpenText(0, Snapshot(HOT, Path(f"/{name}.yaml")), Path(f"/{name}.yaml")))
    return workspace


@pytest.fixture
def client() -> Recorder:
    return Recorder()


@pytest.fixture
def scheduler(workspace: Workspace[str], client: Recorder) -> Iterator[Scheduler[str, Job]]:
    scheduler = Scheduler(workspace, client)
    scheduler.start()
    yield scheduler
    client.load.set()
    scheduler.stop()


def ended(client: Recorder, count: int) -> list[str]:
    client.load.set()
    return [client.ended.get(timeout=PATIENCE) for _ in range(count)]


def test_urgent_text_is_first_and_the_last_requested_next(scheduler: Scheduler[str, Job], client: Recorder) -> None:
    scheduler.urgent = "a"
    scheduler.request(["a"], pause=0)
    scheduler.request(["b"], pause=0)
    scheduler.request(["c"], pause=0)
    assert scheduler.is_pending("b")
    assert ended(client, 3) == ["a", "c", "b"]


def test_forgotten_and_closed_texts_are_not_analyzed(
    scheduler: Scheduler[str, Job], client: Recorder, workspace: Workspace[str]
) -> None:
    scheduler.request("abc", pause=0)
    scheduler.forget("b")
    workspace.close("a")
    assert sorted(ended(client, 2)) == ["a", "c"]
    assert [one.new.path for one in client.states] == [Path("/c.yaml")]


def test_plan_follows_the_analysis(scheduler: Scheduler[str, Job], client: Recorder, workspace: Workspace[str]) -> None:
    workspace.put("a", workspace.texts["a"]._replace(baseline=Snapshot("", Path("/a.yaml"))))
    scheduler.request(["a"], pause=0)
    ended(client, 1)
    assert [one.plan is not None for one in client.states] == [False, True]


class StoppedJob(Job):
    """A job that the user stops at its first checkpoint."""

    def check(self) -> None:
        self.is_stopped = True
        super().check()


def test_stopped_job_reports_nothing(scheduler: Scheduler[str, Job], client: Recorder) -> None:
    client.make_job = StoppedJob
    scheduler.request(["a"], pause=0)
    assert ended(client, 1) == ["a"]
    assert client.states == []
    assert not scheduler.is_pending("a")


def test_nothing_is_pending_when_the_last_analysis_ends(scheduler: Scheduler[str, Job], client: Recorder) -> None:
    found: list[bool] = []
    client.on_end = lambda: found.append(scheduler.is_busy or scheduler.is_pending("a"))
    scheduler.request(["a"], pause=0)
    ended(client, 1)
    assert found == [False]


def test_text_that_changed_meanwhile_is_analyzed_again(
    scheduler: Scheduler[str, Job], client: Recorder, workspace: Workspace[str]
) -> None:
    def change() -> None:
        if len(client.states) == 1:
            workspace.put("a", OpenText(1, Snapshot(HOT + "# more\n", Path("/a.yaml")), Path("/a.yaml")))

    client.on_report = change
    scheduler.request(["a"], pause=0)
    assert ended(client, 2) == ["a", "a"]
    assert [one.version for one in client.states] == [0, 1]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_bug_in_one_analysis_does_not_end_the_others(scheduler: Scheduler[str, Job], client: Recorder) -> None:
    def fail() -> None:
        if len(client.states) == 1:
            raise ZeroDivisionError

    client.on_report = fail
    scheduler.request(["a"], pause=0)
    ended(client, 1)
    scheduler.request(["b"], pause=0)
    assert ended(client, 1) == ["b"]
