"""Comparison of the verdicts on whole templates with those of the Heat engine."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from heatstudio.analysis import Analysis, Diagnostic, analyze
from tests.analysis.agreement import FALSE_ALARM, PLUGIN, ROWS, Row, cases, errors, knowledge, look
from tests.load import load_source
from tests.sampling import EVERYTHING, sample

SAMPLE = 300


@pytest.mark.parametrize("row", ROWS)
def test_every_difference_from_the_engine_has_a_reason(shared: Path, row: Callable[[Path, int], Row]) -> None:
    found = row(shared, SAMPLE)
    assert found.cases > (1000 if EVERYTHING else SAMPLE - 1)
    assert [difference for difference in found.differences if difference.reason in ("", FALSE_ALARM)] == []
    of_plugins = sum(difference.reason == PLUGIN for difference in found.differences)
    assert len(found.differences) - of_plugins <= found.cases * 0.01 or not EVERYTHING


def test_planted_fault_is_located(shared: Path) -> None:
    places: Counter[bool] = Counter()
    for case, answer in sample(cases(shared, "mutants"), SAMPLE):
        if answer is not None:
            places[any(_stands_at(each, case["place"]) for each in errors(look(shared, case)))] += 1
    assert places[True] >= 0.95 * places.total()


def _stands_at(diagnostic: Diagnostic, place: object) -> bool:
    """Return whether a diagnostic is at the planted fault, at one of its parents or at a part of it."""
    assert isinstance(place, list)
    if diagnostic.finding is None:
        return True
    planted = tuple(map(str, place))
    paths = (diagnostic.finding.place.path, *(also.path for also in diagnostic.finding.also))
    return any(
        path and all(mine == theirs for mine, theirs in zip(map(str, path), planted, strict=False)) for path in paths
    )


def test_exactly_the_deprecated_and_hidden_uses_are_reported(shared: Path) -> None:
    corpus = shared / "corpus"
    reported: Counter[tuple[str, ...]] = Counter()
    expected: Counter[tuple[str, ...]] = Counter()
    with (corpus / "deprecated_use.tsv").open(encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            expected[row["file"], row["what"], row["type"], row["path"].replace(".*", "")] += 1
    files = sample(sorted({key[0] for key in expected}), SAMPLE)
    for file in files:
        reported.update((file, *use) for use in _uses(analyze(load_source(corpus / file), knowledge())))
    assert reported == {use: count for use, count in expected.items() if use[0] in files}


def _uses(analysis: Analysis) -> Iterator[tuple[str, str, str]]:
    for each in analysis.diagnostics:
        if each.finding is None or not each.code.endswith("-support"):
            continue
        what = each.code.removesuffix("-support")
        if what == "attribute":
            call = _at(analysis.stack.data, each.finding.place.path[:-1])
            assert isinstance(call, list)
            yield what, analysis.stack.resource_definition(call[0]).type, call[1]
        else:
            kind = analysis.stack.resource_definition(each.resource).type
            yield what, kind, each.property or "" if what == "property" else ""


def _at(data: object, path: Sequence[str | int]) -> object:
    for step in path:
        assert isinstance(data, (Mapping, list))
        data = dict(enumerate(data) if isinstance(data, list) else data.items())[step]
    return data
