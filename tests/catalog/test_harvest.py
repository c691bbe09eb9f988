"""The harvest of an installed Heat reproduces the bundled catalog."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from heatstudio.assets import resource_path
from heatstudio.catalog.load import Catalog
from heatstudio.catalog.schema import ResourceType
from tests.catalog.harvest.__main__ import rendered, take
from tests.catalog.harvest.older import older_facts
from tests.catalog.harvest.sources import changed_rules, kept_rules

PROBE = "from importlib.metadata import version; print(version('openstack-heat'))"
TOP = Path(__file__).parents[2]
LITTLE_WORDS = frozenset(("a", "an", "the", "of", "for", "in", "to", "this", "is"))


@pytest.fixture(scope="module")
def interpreter(heat_python: str, catalog: Catalog) -> str:
    """Return the Python with the real Heat; fail if it is another version than the catalog's."""
    probe = subprocess.run([heat_python, "-c", PROBE], capture_output=True, text=True, check=False)
    assert probe.stdout.strip() == catalog.heat_version, "HEAT_PYTHON names a Python that has another Heat"
    return heat_python


def test_harvest_of_the_same_heat_changes_nothing(interpreter: str, tmp_path: Path) -> None:
    resources = tmp_path / "resources"
    shutil.copytree(resource_path(), resources)
    command = [interpreter, "-m", "tests.catalog.harvest", "--resources", str(resources)]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    for kept in resource_path("catalog").rglob("*.json"):
        taken = resources / kept.relative_to(resource_path())
        assert taken.read_text("utf-8") == kept.read_text("utf-8")


def test_rule_with_changed_source_is_reported_with_its_files() -> None:
    rules = kept_rules(resource_path())
    assert "groups/neutron.json" in rules["OS::Neutron::Port"]
    before = dict.fromkeys(rules, "same")
    now = before | {"OS::Neutron::Port": "other"}
    assert changed_rules(now, before, rules) == [f"OS::Neutron::Port: {', '.join(rules['OS::Neutron::Port'])}"]


def test_harvest_of_newer_heat_keeps_the_previous_catalog_as_differences(tmp_path: Path) -> None:
    resources = tmp_path / "resources"
    shutil.copytree(resource_path("catalog"), resources / "catalog")
    known = json.loads(resource_path("catalog", "heat.json").read_text("utf-8"))
    gone = "OS::Heat::RandomString"
    series = int(known["heat"].partition(".")[0])
    newer = {**known, "heat": f"{series + 1}.0.0", "types": {**known["types"], "OS::Heat::New": {}}}
    del newer["types"][gone]
    take(newer, resources)
    assert (resources / "catalog" / "heat.json").read_text("utf-8") == rendered(newer)
    assert (resources / "catalog" / "older" / f"{series}.json").read_text("utf-8") == rendered(
        older_facts(known, newer)
    )
    now, before = (
        json.loads((folder / "catalog" / "changes.json").read_bytes()) for folder in (resources, resource_path())
    )
    assert [name for name in now if now[name] != before.get(name)] == [gone]
    assert "resource type removed" in str(now[gone])


def test_descriptions_are_not_copied_from_heat(interpreter: str, catalog: Catalog) -> None:
    command = [interpreter, "-m", "tests.catalog.harvest.descriptions"]
    heats = json.loads(subprocess.run(command, cwd=TOP, capture_output=True, check=True).stdout)
    types = filter(None, map(catalog.get, catalog.visible_names))
    pairs = [(ours, heats[made.name].get(path, "")) for made in types for path, ours in described(made)]
    assert len([heat for _ours, heat in pairs if heat]) > 1_800
    assert [ours for ours, heat in pairs if ours and heat and significant(ours) == significant(heat)] == []


def described(made: ResourceType) -> Iterator[tuple[str, str]]:
    """Yield the descriptions of a type and each of its parts with their dotted paths."""
    yield "", made.description
    yield from ((f"attributes.{name}", one.description) for name, one in made.attributes.items())
    waiting = [(f"properties.{name}", one) for name, one in made.properties.items()]
    waiting += [(f"update_policy.{name}", one) for name, one in made.update_policy.items()]
    while waiting:
        path, schema = waiting.pop()
        yield path, schema.description
        waiting += [(path if name == "*" else f"{path}.{name}", one) for name, one in schema.children.items()]


def significant(text: str) -> list[str]:
    """Return the sorted words of a text without stop words."""
    return sorted(word for word in re.findall(r"[a-z0-9]+", text.casefold()) if word not in LITTLE_WORDS)


def test_catalog_contains_no_messages_of_heat() -> None:
    kept = resource_path("catalog", "heat.json").read_text(encoding="utf-8")
    assert '"message"' not in kept
    assert not [line for line in kept.splitlines() if "Use property" in line or " is deprecated" in line]
