"""Heat's own words over the facts."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import convert

from heatstudio.catalog import Catalog, Range
from heatstudio.catalog.prose import harvest_command, installed_heat, parse_prose, prose_path, read_prose
from heatstudio.catalog.words import Prose

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda values: st.lists(values) | st.dictionaries(st.text(), values),
    max_leaves=12,
)

FACTS: dict[str, object] = {
    "heat": "27.0.1",
    "types": {
        "OS::Heat::RandomString": {
            "description": "Makes a text.",
            "properties": {
                "length": {"description": "How long.", "constraints": ["Not that long."]},
                "sequence": {"status": ["", "Say which characters."]},
                "character_classes": {"children": {"*": {"children": {"min": {"description": "At least."}}}}},
            },
            "attributes": {"value": {"description": "The text."}},
        }
    },
    "base_attributes": {"show": {"description": "Everything."}},
}


PROSE = convert(FACTS, Prose)


def test_words_over_facts(catalog: Catalog) -> None:
    made = catalog.with_prose(PROSE).get("OS::Heat::RandomString")
    assert made is not None
    assert made.description == "Makes a text."
    assert made.properties["length"].description == "How long."
    assert made.properties["length"].constraints == (Range(1, 512, "Not that long."),)
    status = made.properties["sequence"].support_status
    assert status.message == ""
    assert status.previous is not None
    assert status.previous.message == "Say which characters."
    element = made.properties["character_classes"].element
    assert element is not None
    assert element.children["min"].description == "At least."
    assert made.attributes["value"].description == "The text."
    assert made.attributes["show"].description == "Everything."


def test_words_change_no_fact_and_not_the_first_catalog(catalog: Catalog) -> None:
    before = catalog.get("OS::Heat::RandomString")
    worded = catalog.with_prose(Prose(types=PROSE.types))
    assert worded.names() == catalog.names()
    assert catalog.get("OS::Heat::RandomString") is before
    assert worded.get("OS::Neutron::Net") == catalog.get("OS::Neutron::Net")


@given(JSON)
def test_words_of_any_shape(catalog: Catalog, prose: object) -> None:
    """What is not of the form of the harvest is no prose, and fetched anew."""
    of_length = {"OS::Heat::RandomString": {"properties": {"length": prose, "sequence": {"status": prose}}}}
    for types in (prose, {"OS::Heat::RandomString": prose}, of_length):
        words = parse_prose(json.dumps({"types": types}).encode())
        assert words is None or catalog.with_prose(words).get("OS::Heat::RandomString") is not None


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"types": []}', '{"types"', "[" * 100_000])
def test_no_prose(content: str) -> None:
    assert parse_prose(content.encode()) is None


def test_kept_prose(tmp_path: Path) -> None:
    assert read_prose(tmp_path, "27.0.1") is None
    prose_path(tmp_path, "27.0.1").write_text(json.dumps(FACTS), encoding="utf-8")
    assert read_prose(tmp_path, "27.0.1") == PROSE
    assert read_prose(tmp_path, "26.0.0") is None
    prose_path(tmp_path, "27.0.1").write_bytes(b"\xff\xfe")
    assert read_prose(tmp_path, "27.0.1") is None


def test_command(tmp_path: Path) -> None:
    command = harvest_command(tmp_path, "27.0.1")
    assert command[0] == sys.executable
    assert str(prose_path(tmp_path, "27.0.1")) in command
    assert harvest_command(tmp_path, "27.0.1", "python-with-heat")[0] == "python-with-heat"


def test_installed_heat_is_found_without_importing_it() -> None:
    found = installed_heat()
    assert found is None or found[0].isdigit()
    assert "heat" not in sys.modules
