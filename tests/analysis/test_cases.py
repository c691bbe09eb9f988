"""The verdict on whole templates, held against the answers of the real engine."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from heatstudio.analysis import Analysis, Diagnostic, analyze
from heatstudio.stack.knowledge import Knowledge, load_knowledge
from heatstudio.stack.load import load_source
from heatstudio.text import DocumentError, Severity

LEVEL = "full"
"""What a stack create refuses."""
VENDOR = ("OS::", "AWS::")


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def cases(shared: Path, name: str) -> Iterator[tuple[dict[str, object], dict[str, str] | None]]:
    """Each case that rests on the template alone, and why Heat refuses it, None if it does not."""
    for line in (shared / "cases" / f"{name}.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        answer = case[LEVEL]
        if answer == "not reached" and isinstance(case["parse"], dict):
            answer = case["parse"]
        doubtful = isinstance(answer, dict) and any(answer.get(key) for key in ("noise", "dummy_suspect", "offline"))
        if not case.get("client") and not doubtful:
            yield case, None if answer == "ok" else answer


def look(shared: Path, case: dict[str, object], knowledge: Knowledge) -> Analysis:
    corpus = shared / "corpus"
    file, environments = str(case["file"]), case.get("env") or []
    assert isinstance(environments, list)
    root = corpus / "files" if "id" in case else corpus.joinpath(*file.split("/")[:2])
    return analyze(load_source(corpus / file, [corpus / name for name in environments], root=root), knowledge)


def errors(analysis: Analysis) -> list[Diagnostic]:
    return [each for each in analysis.diagnostics if each.severity is Severity.ERROR]


def is_refused(shared: Path, case: dict[str, object], knowledge: Knowledge) -> bool:
    try:
        return bool(errors(look(shared, case, knowledge)))
    except DocumentError:
        return True


def test_templates_of_other_people(shared: Path, knowledge: Knowledge) -> None:
    false_alarms, missed = [], []
    total = 0
    for case, answer in cases(shared, "validate"):
        total += 1
        refused = is_refused(shared, case, knowledge)
        if refused and answer is None:
            false_alarms.append(case["file"])
        elif answer is not None and not refused:
            missed.append(answer["message"])
    assert total > 2000
    assert false_alarms == []
    of_plugins = [message for message in missed if _is_of_a_plugin(message)]
    assert len(missed) - len(of_plugins) <= total * 0.005, [m for m in missed if m not in of_plugins]


def _is_of_a_plugin(message: str) -> bool:
    """Types of other namespaces are mentioned, not refused: they may exist in the user's cloud."""
    _, separator, rest = message.partition("The Resource Type (")
    return bool(separator) and "::" in rest and not rest.startswith(VENDOR)


def test_templates_with_one_planted_fault(shared: Path, knowledge: Knowledge) -> None:
    wrong = []
    places: Counter[bool] = Counter()
    for case, answer in cases(shared, "mutants"):
        analysis = look(shared, case, knowledge)
        found = errors(analysis)
        if bool(found) is not (answer is not None):
            wrong.append(case["file"])
        if found:
            places[any(_stands_at(each, case["place"]) for each in found)] += 1
    assert wrong == []
    assert places[True] >= 0.95 * places.total()


def _stands_at(diagnostic: Diagnostic, place: object) -> bool:
    """Whether a finding stands at the planted fault, or at what is directly around it or in it."""
    assert isinstance(place, list)
    if diagnostic.finding is None:
        return True
    planted = tuple(map(str, place))
    paths = (diagnostic.finding.place.path, *(also.path for also in diagnostic.finding.also))
    return any(
        path and all(mine == theirs for mine, theirs in zip(map(str, path), planted, strict=False)) for path in paths
    )


def test_everything_on_its_way_out_is_told_and_nothing_else(shared: Path, knowledge: Knowledge) -> None:
    corpus = shared / "corpus"
    told: Counter[tuple[str, ...]] = Counter()
    expected: Counter[tuple[str, ...]] = Counter()
    with (corpus / "deprecated_use.tsv").open(encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            expected[row["file"], row["what"], row["type"], row["path"].replace(".*", "")] += 1
    for file in sorted({key[0] for key in expected}):
        told.update((file, *use) for use in _uses(analyze(load_source(corpus / file), knowledge)))
    assert told == expected


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
