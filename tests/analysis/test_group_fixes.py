"""Quick fixes of violated property groups: each satisfies the group and keeps all other text."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from heatstudio.analysis import Analysis, Diagnostic, analyze
from heatstudio.analysis.scope import Options
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.text import Fix, apply_edits
from tests.sampling import sample
from tests.stack.group_cases import NEWEST, read_cases

SETTINGS = Options(client_versions=NEWEST)
NEIGHBORS = "  srv: {type: OS::Heat::Value}  # stays\n"


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def text_of(case: dict[str, object]) -> str:
    properties = case["properties"]
    assert isinstance(properties, dict)
    lines = [f"      {name}: {json.dumps(value)}  # {name}" for name, value in properties.items()]
    head = f"heat_template_version: 2021-04-16\nresources:\n{NEIGHBORS}  res:\n    type: {case['type']}\n"
    return head + "\n".join(["    properties:" if lines else "    properties: {}", *lines, ""])


def look(text: str, knowledge: Knowledge) -> Analysis:
    return analyze(Source(parse_template(text)), knowledge, SETTINGS)


def broken(analysis: Analysis) -> list[Diagnostic]:
    return [one for one in analysis.diagnostics if one.code == "property-group"]


def changed_properties(before: str, after: str) -> set[str]:
    """Return the names of the changed properties; fail if any other part of the template changed."""
    old, new = parse_template(before).data, parse_template(after).data
    assert isinstance(old["resources"], dict)
    assert isinstance(new["resources"], dict)
    was, now = (dict(side.pop("properties")) for side in (old["resources"]["res"], new["resources"]["res"]))
    assert old == new
    return {str(name) for name in {*was, *now} if was.get(name) != now.get(name) or (name in was) != (name in now)}


def assert_nothing_else(before: str, after: str, fix: Fix) -> None:
    """Check that a fix keeps all other lines, and changes only properties that its title names."""
    assert NEIGHBORS in after
    for line in before.splitlines():
        name = line.strip().partition(":")[0]
        if line.startswith("      ") and name not in changed_properties(before, after):
            assert line in after.splitlines()
    unnamed = [name for name in changed_properties(before, after) if name not in fix.title]
    resources = parse_template(after).data["resources"]
    assert isinstance(resources, dict)
    written = resources["res"]["properties"]
    containers = [name for name in unnamed if isinstance(written.get(name), dict | list)]
    assert fix.title.startswith("Keep only") or unnamed == containers, fix.title


@pytest.mark.parametrize("part", range(4))
def test_every_fix_satisfies_the_group(knowledge: Knowledge, engine_answers: Path, part: int) -> None:
    cases = [case for case in read_cases(engine_answers / "group_cases.jsonl") if not case["valid"]]
    without: Counter[str] = Counter()
    count = 0
    for case in sample(cases[part::4], 70):
        text = text_of(case)
        analysis = look(text, knowledge)
        found = broken(analysis)
        for diagnostic in found:
            fixes = analysis.fixes(diagnostic)
            assert len({fix.title for fix in fixes}) == len(fixes)
            if not fixes:
                without[f"{case['type']}: {diagnostic.message}"] += 1
            for fix in fixes:
                after = apply_edits(text, fix.edits)
                assert parse_template(after).complete, fix.title
                assert_nothing_else(text, after, fix)
                left = [one.message for one in broken(look(after, knowledge))]
                same = [one.message for one in found]
                assert len(left) < len(same) or fix.title.startswith("Add"), (text, fix.title, left)
                assert left.count(diagnostic.message) < same.count(diagnostic.message), (text, fix.title)
                count += 1
    assert count > 50
    assert without == Counter()


def test_fix_of_two_boot_sources_empties_no_item(knowledge: Knowledge) -> None:
    devices = [{"volume_id": "a"}, {"volume_id": "b"}]
    text = text_of({"type": "OS::Nova::Server", "properties": {"flavor": "f", "block_device_mapping_v2": devices}})
    analysis = look(text, knowledge)
    (found,) = broken(analysis)
    assert found.message == "More than one bootable source; set `boot_index: -1` in the items that are not bootable."
    fixes = analysis.fixes(found)
    assert [fix.title for fix in fixes] == [
        "Set `boot_index` of item 2 of `block_device_mapping_v2` to -1",
        "Set `boot_index` of item 1 of `block_device_mapping_v2` to -1",
        "Remove item 2 of `block_device_mapping_v2`",
        "Remove item 1 of `block_device_mapping_v2`",
    ]
    for fix in fixes:
        assert broken(look(apply_edits(text, fix.edits), knowledge)) == []


def test_server_without_boot_source_gets_all_fixes_and_a_clear_message(knowledge: Knowledge) -> None:
    text = text_of({"type": "OS::Nova::Server", "properties": {"flavor": "f"}})
    analysis = look(text, knowledge)
    (found,) = broken(analysis)
    assert found.message == (
        "At least one of `image`, an item of `block_device_mapping` whose `device_name` is `vda` or an item of "
        "`block_device_mapping_v2` with `volume_id`, `snapshot_id` or `image` is required."
    )
    fixes = {fix.title: apply_edits(text, fix.edits) for fix in analysis.fixes(found)}
    assert list(fixes) == [
        "Add `image`",
        "Add `block_device_mapping_v2` with `volume_id`",
        "Add `block_device_mapping_v2` with `snapshot_id`",
        "Add `block_device_mapping_v2` with `image`",
    ]
    for after in fixes.values():
        assert broken(look(after, knowledge)) == []
    item = "      block_device_mapping_v2:\n        - volume_id: <volume_id>\n"
    assert fixes["Add `block_device_mapping_v2` with `volume_id`"] == text + item


@pytest.mark.parametrize(
    ("properties", "message", "first"),
    [
        ({}, "Missing `size`; set it, or one of `snapshot_id`, `source_volid` or `backup_id`.", "Add `size`"),
        ({"image": "i"}, "Missing required property `size`.", "Add `size`"),
        ({"snapshot_id": "s", "source_volid": "v"}, "Exactly one of `snapshot_id` or `source_volid` ", "Keep only "),
    ],
)
def test_most_common_fix_comes_first(
    properties: dict[str, object], message: str, first: str, knowledge: Knowledge
) -> None:
    analysis = look(text_of({"type": "OS::Cinder::Volume", "properties": properties}), knowledge)
    (found,) = broken(analysis)
    titles = [fix.title for fix in analysis.fixes(found)]
    assert found.message.startswith(message)
    assert titles[0].startswith(first)
    assert all(title.partition(" ")[0] in {"Add", "Keep"} for title in titles)
