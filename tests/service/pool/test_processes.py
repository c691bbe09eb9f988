"""Processes that check files: the same answers, one lost file after a crash, a low priority beside the window."""

import os
import signal
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from heatstudio.catalog.cloud.known_cloud import CloudCatalog, KnownCloud
from heatstudio.service.pool.file_check import FileChecker
from heatstudio.service.pool.processes import NICENESS, CheckerPool
from heatstudio.service.pool.questions import FileQuestion
from heatstudio.text import LineIndex, cancellation_scope

NO_LINES = LineIndex("")
WRONG = "heat_template_version: 2021-04-16\nresources:\n  net: {type: OS::Our::Thing, properties: {}}\n"


@pytest.fixture
def pool() -> Iterator[CheckerPool]:
    pool = CheckerPool(in_background=True)
    yield pool
    pool.kill()


@pytest.fixture
def questions(tmp_path: Path) -> list[FileQuestion]:
    paths = [tmp_path / f"{name}.yaml" for name in "abcdefgh"]
    for path in paths:
        path.write_text(WRONG)
    return [FileQuestion(path) for path in paths]


def crash_at_c(checker: FileChecker, question: FileQuestion) -> str:
    """End the process at one of the files."""
    if question.path.stem == "c":
        os._exit(1)
    return question.path.stem


def priority(_checker: FileChecker, _question: FileQuestion) -> int:
    return os.getpriority(os.PRIO_PROCESS, 0)


def blocked_signals(_checker: FileChecker, _question: FileQuestion) -> set[int]:
    return set(signal.pthread_sigmask(signal.SIG_BLOCK, ()))


def test_process_has_the_same_answers(pool: CheckerPool, questions: list[FileQuestion], tmp_path: Path) -> None:
    ask = partial(FileChecker.check, texts={})
    checker = FileChecker()
    expected = [ask(checker, one) for one in questions]
    answers = [answer for _, answer in pool.answers(ask, questions) if answer is not None]
    assert [one._replace(lines=NO_LINES) for one in answers] == [one._replace(lines=NO_LINES) for one in expected]
    for one in answers:
        assert one.lines.position(one.diagnostics[0].span.start).line == 2


def test_crash_loses_only_one_file(pool: CheckerPool, questions: list[FileQuestion]) -> None:
    answers = {one.path.stem: answer for one, answer in pool.answers(crash_at_c, questions)}
    assert answers == {**dict(zip("abcdefgh", "abcdefgh", strict=True)), "c": None}


def test_process_knows_the_types_of_the_cloud(questions: list[FileQuestion], tmp_path: Path) -> None:
    cloud = KnownCloud("ours", CloudCatalog("ours", types={"OS::Our::Thing": {"properties": {}, "attributes": {}}}))
    pool = CheckerPool(cloud)
    (_, answer), *_ = pool.answers(partial(FileChecker.check, texts={}), questions[:1])
    pool.kill()
    assert answer is not None
    assert answer.diagnostics == ()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other priorities")
def test_background_process_has_a_low_priority(pool: CheckerPool, questions: list[FileQuestion]) -> None:
    assert all((answer or 0) >= NICENESS for _, answer in pool.answers(priority, questions[:1]))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows blocks no signals")
def test_ctrl_c_reaches_no_process_of_the_pool(pool: CheckerPool, questions: list[FileQuestion]) -> None:
    assert [signal.SIGINT in (blocked or ()) for _, blocked in pool.answers(blocked_signals, questions[:1])] == [True]
    assert signal.SIGINT not in blocked_signals(FileChecker(), questions[0])


def test_checkpoint_ends_the_wait_for_an_answer(pool: CheckerPool, questions: list[FileQuestion]) -> None:
    def stop() -> None:
        raise InterruptedError

    with cancellation_scope(stop), pytest.raises(InterruptedError):
        list(pool.answers(crash_at_c, questions))
