"""Functions, parameters and their availability compared with the recorded results of the real engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from heatstudio.catalog.load import Catalog, load_catalog
from tests.stack.function_cases import Cases, is_right

OTHERWISE = {"custom.unknown"}
"""Cases with another result: an unknown custom constraint may belong to a plug-in, so that no error is reported."""


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture(scope="module")
def cases(engine_answers: Path, catalog: Catalog) -> Cases:
    return Cases(engine_answers, catalog)


def test_values_and_errors_match_the_engine(cases: Cases) -> None:
    wrong = []
    for case in cases.cases:
        answer = cases.answer(case)
        if not is_right(case, answer):
            wrong.append((case["kind"], case.get("id") or case.get("function"), case["version"], answer))
    assert [name for _, name, _, _ in wrong if name not in OTHERWISE] == []


def test_dependencies_match_the_engine(cases: Cases) -> None:
    wrong = []
    for case in cases.cases:
        if case["kind"] != "evaluate" or "refs" not in case:
            continue
        answer = cases.answer(case)
        if "refs" not in answer:
            continue
        if answer["refs"] != sorted(case["refs"]) or answer["dep_attrs"] != case["dep_attrs"]:
            wrong.append((case["id"], answer["refs"], case["refs"], answer["dep_attrs"], case["dep_attrs"]))
    assert wrong == []


def test_messages_match_the_engine(cases: Cases) -> None:
    different = []
    for case in cases.cases:
        if "error" in case:
            said = cases.answer(case).get("error")
            if said != case["error"]["message"]:
                different.append((case["id"], said, case["error"]["message"]))
    assert [difference for difference in different if difference[0] not in OTHERWISE] == []
