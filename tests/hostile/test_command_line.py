"""Commands on hostile inputs: no exception, a problem for each input that Heat rejects, and bounded work."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.ask import BASELINE, Answer
from tests.hostile.inputs import INPUTS
from tests.sampling import sample

SAMPLE = 25
MOST_WORK = 8
"""The maximum CPU time, relative to the check of an ordinary template with 400 resources and 400 errors."""
MOST_MEMORY = 300_000
"""The maximum memory in kilobytes above that for the ordinary template."""
ONE_MESSAGE = (
    "laughs", "laughs in a property", "merges", "a list in itself", "a mapping merged in itself", "two in each other",
    "a merge of a text", "a merge of texts",
)  # fmt: skip
ASKED = tuple(dict.fromkeys((*ONE_MESSAGE, *sample(INPUTS, SAMPLE))))


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[Answer]:
    return ask_apart(tmp_path_factory.mktemp("hostile"), *ASKED)


def ask_apart(folder: Path, *names: str) -> list[Answer]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile.ask", str(folder), *names], cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    assert not list(folder.glob("**/ran"))
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_no_input_raises_an_exception(answers: list[Answer]) -> None:
    assert {answer["name"] for answer in answers} == {BASELINE, *ASKED}
    wrong = [answer for answer in answers if answer["status"] not in (0, 1, 2) or "Traceback" in answer["errors"]]
    assert wrong == []


def test_problem_is_reported_for_each_input_that_heat_rejects(answers: list[Answer]) -> None:
    checked = [answer for answer in answers if answer["verb"] == "check" and answer["name"] in INPUTS]
    silent = [answer for answer in checked if not answer["output"] and answer["status"] != 2]
    assert [answer["name"] for answer in silent if INPUTS[answer["name"]].refused] == []


@pytest.mark.parametrize("name", ONE_MESSAGE)
def test_problem_of_aliases_is_reported_once(answers: list[Answer], name: str) -> None:
    answer = next(answer for answer in answers if (answer["name"], answer["verb"]) == (name, "check"))
    assert len(answer["output"].splitlines()) == 1


def too_much(answers: list[Answer]) -> list[Answer]:
    ordinary = next(answer for answer in answers if (answer["name"], answer["verb"]) == (BASELINE, "check"))
    seconds, kilobytes = ordinary["seconds"] * MOST_WORK, ordinary["kilobytes"] + MOST_MEMORY
    return [answer for answer in answers if answer["seconds"] > seconds or answer["kilobytes"] > kilobytes]


def test_work_is_bounded(answers: list[Answer], tmp_path: Path) -> None:
    again = {answer["name"] for answer in too_much(answers)}  # the load of the machine may be the reason
    assert not again or too_much(ask_apart(tmp_path, *again)) == []
