"""Outcomes of updates compared with those of the real engine."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from heatstudio.stack.definition.files import NO_FILES, Files
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.stack.unknown import Unknown
from heatstudio.template import Reader, parse_template
from heatstudio.update.plan.update_plan import ResourceChange
from heatstudio.update.plan_update import plan_update
from tests.sampling import EVERYTHING, sample

Record = dict[str, object]
SIGNED = ("OS::Heat::UpdateWaitConditionHandle",)
UNDECIDED = ("undecided", "failed", "missing", None)


SAME_NAME = {"1717": {"volume_db", "volume_www"}}
"""Resources that read the name of a replaced server; the engine's stubs derive names from IDs."""
PLACEHOLDER = "placeholder for a file that a template reads"


class TextFiles(Files):
    """Files of a real edit, by their names in the template.

    The corpus has a placeholder for each script, but the engine read the scripts: only whether one changed is known.
    """

    def __init__(self, hashes: Mapping[str, str], contents: Mapping[str, str]) -> None:
        self._hashes = hashes
        self._contents = contents

    def get(self, name: str, /) -> str | Unknown | None:
        content = self._contents.get(name)
        if content is None or content.strip() != PLACEHOLDER:
            return content
        return Unknown(("file", self._hashes[name]), frozenset({f"file:{name}"}))


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def records(engine_answers: Path, name: str) -> Iterator[Record]:
    for line in (engine_answers / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def source(data: object, environment: object = None) -> Source:
    files = (EnvironmentFile("environment", environment),) if isinstance(environment, dict) else ()
    return Source(parse_template(json.dumps(data)), files)


def decided(record: Record) -> bool:
    return record.get("decision") not in UNDECIDED and not record.get("handler_raised")


def wrong(
    knowledge: Knowledge, before: Source, after: Source, expected: Mapping[str, str]
) -> dict[str, tuple[str, str]]:
    """Return the resources with another outcome, with the expected and the actual outcome."""
    changes = {change.name: change for change in plan_update(before, after, knowledge).changes}
    return {
        name: (action, str(changes[name].action) if name in changes else "nothing")
        for name, action in expected.items()
        if name not in changes or not agrees(changes[name], action.replace("restricted", "not_supported"), changes)
    }


def agrees(change: ResourceChange, expected: str, changes: Mapping[str, ResourceChange]) -> bool:
    """Return whether a change agrees with the engine, ignoring known artifacts of the way the engine was run."""
    if change.action == expected:
        return True
    if change.causes and all(cause.property == "condition" for cause in change.causes):
        return True  # the recorded legacy update of the engine drops the condition of the new definition
    if not change.certain and any(reason.endswith("is updated in place") for reason in change.because):
        return True  # the stubs never change an attribute in place, and run no nested stack
    # The stub of the identity service always signs the URL of a wait condition handle with the same key.
    return any(other.type in SIGNED and f"`{other.name}` is replaced" in change.because for other in changes.values())


def with_mappings_of(before: Source, after: Source) -> Source:
    """Return the new source as in the legacy update of the engine: with the mappings of the old template."""
    words = after.template.dialect.mappings
    if not words or before.template.data.get(words) == after.template.data.get(words):
        return after
    data = dict(after.template.data) | {words: before.template.data.get(words, {})}
    return replace(after, template=parse_template(json.dumps(data, default=str)))


def test_single_property_changes_match_the_engine(engine_answers: Path, knowledge: Knowledge) -> None:
    different = {}
    for record in filter(decided, records(engine_answers, "update_cases")):
        before, after = (
            source(
                {
                    "heat_template_version": "2021-04-16",
                    "resources": {"a": {"type": record["type"], "properties": given}},
                }
            )
            for given in (record["before"], record["after"])
        )
        found = wrong(knowledge, before, after, {"a": str(record["decision"])})
        if found:
            different[record["key"]] = (record["type"], record["property"], record["kind"], found)
    assert different == {}


def test_template_updates_match_the_engine(engine_answers: Path, knowledge: Knowledge) -> None:
    different = {}
    for record in records(engine_answers, "update_extra"):
        decisions = record.get("decisions")
        if decisions is None and decided(record) and record["decision"] != "refused":
            decisions = {"res": record["decision"]}
        if not isinstance(decisions, dict) or record.get("partial"):
            continue
        before = source(record["before"], record.get("env_before"))
        found = wrong(knowledge, before, source(record["after"], record.get("env_after")), decisions)
        if found:
            different[record.get("id", record["key"])] = found
    assert different == {}


def blob(shared: Path, name: str) -> str:
    return (shared / "corpus" / "pair_files" / name[:2] / name).read_text(encoding="utf-8", errors="replace")


def side(shared: Path, pair: Mapping[str, object], which: str, parameters: Mapping[str, object]) -> Source:
    files = pair.get(f"files_{which}")
    hashes = {name: str(value) for name, value in files.items()} if isinstance(files, dict) else {}
    contents = {name: blob(shared, value) for name, value in hashes.items()}
    # The recorded engine parsed the original text, without the changes of a client.
    template = parse_template(blob(shared, str(pair[which])), reader=Reader.HEAT)
    return Source(template, files=TextFiles(hashes, contents) if contents else NO_FILES, parameter_values=parameters)


def test_real_edits_match_the_engine(shared: Path, knowledge: Knowledge) -> None:
    lines = (shared / "corpus" / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = {pair["pair"]: pair for pair in map(json.loads, lines)}
    different = {}
    count = 0
    for record in sample(records(shared / "cases", "update_pairs"), 200):
        decisions, given = record.get("decisions"), record.get("params")
        if not isinstance(decisions, dict) or record.get("partial") or not isinstance(given, dict):
            continue
        pair = pairs[record["pair"]]
        before, after = (side(shared, pair, which, given.get(which) or {}) for which in ("before", "after"))
        count += len(decisions)
        found = wrong(knowledge, before, with_mappings_of(before, after), decisions)
        if found.keys() - SAME_NAME.get(str(record["pair"]), set()):
            different[record["pair"]] = (record["path"], found)
    assert count > (7000 if EVERYTHING else 0)
    assert different == {}
