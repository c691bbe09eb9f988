from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import convert
from pytestqt.qtbot import QtBot

from heatstudio.catalog import prose
from heatstudio.catalog.words import Prose
from heatstudio.ui.tasks.heat_descriptions import HeatDescriptions
from heatstudio.ui.tasks.jobs import Jobs

USER = "heatstudio.ui.tasks.heat_descriptions"
SLOW = "import time; time.sleep(60)"
WORDS = {"types": {"OS::Heat::Value": {"description": "A value."}}}


@pytest.fixture
def jobs(qtbot: QtBot) -> Iterator[Jobs]:
    jobs = Jobs()
    yield jobs
    jobs.stop()


def test_without_an_installed_heat_nothing_happens(
    qtbot: QtBot, jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{USER}.installed_heat", lambda: None)
    words = HeatDescriptions(tmp_path, jobs)
    with qtbot.assertNotEmitted(words.ready, wait=100), qtbot.assertNotEmitted(words.failed, wait=100):
        words.start()


def test_words_that_are_kept_are_read_at_once(
    qtbot: QtBot, jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{USER}.installed_heat", lambda: "27.0.1")
    prose.prose_path(tmp_path, "27.0.1").write_text(json.dumps(WORDS), encoding="utf-8")
    words = HeatDescriptions(tmp_path, jobs)
    with qtbot.waitSignal(words.ready) as ready:
        words.start()
    assert ready.args == [convert(WORDS, Prose)]


def test_otherwise_another_process_fetches_them(
    qtbot: QtBot, jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = prose.prose_path(tmp_path, "27.0.1")
    program = f"open({str(path)!r}, 'w').write({json.dumps(WORDS)!r})"
    monkeypatch.setattr(f"{USER}.installed_heat", lambda: "27.0.1")
    monkeypatch.setattr(f"{USER}.harvest_command", lambda *_: [sys.executable, "-c", program])
    words = HeatDescriptions(tmp_path, jobs)
    with qtbot.waitSignal(words.ready) as ready:
        words.start()
    assert ready.args == [convert(WORDS, Prose)]


def test_a_heat_that_cannot_be_read_is_told(
    qtbot: QtBot, jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{USER}.installed_heat", lambda: "27.0.1")
    monkeypatch.setattr(
        f"{USER}.harvest_command",
        lambda *_: [sys.executable, "-c", "raise SystemExit(1)"],
    )
    words = HeatDescriptions(tmp_path, jobs)
    said: list[str] = []
    words.failed.connect(said.append)
    words.start()
    qtbot.waitUntil(lambda: bool(said))
    assert "Cannot read the installed Heat" in said[-1]


def test_the_user_sees_it_and_may_stop_it(
    qtbot: QtBot, jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{USER}.installed_heat", lambda: "27.0.1")
    monkeypatch.setattr(f"{USER}.harvest_command", lambda *_: [sys.executable, "-c", SLOW])
    words = HeatDescriptions(tmp_path, jobs)
    with qtbot.assertNotEmitted(words.ready), qtbot.assertNotEmitted(words.failed):
        words.start()
        qtbot.waitUntil(lambda: [job.name for job in jobs.shown] == ["Loading descriptions from the installed Heat"])
        jobs.stop_shown()
        assert jobs.shown == ()
