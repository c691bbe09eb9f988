"""The harvest of a real Heat gives the very facts that are kept here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from heatstudio.assets import resource_path
from heatstudio.catalog import Catalog
from heatstudio.catalog.prose import facts_path, harvest_command, read_prose

PROBE = "from importlib.metadata import version; print(version('openstack-heat'))"


@pytest.fixture(scope="module")
def interpreter(catalog: Catalog) -> str:
    """A Python that has the Heat of the catalog: this one, or the one that HEAT_PYTHON names."""
    candidate = os.environ.get("HEAT_PYTHON", sys.executable)
    probe = subprocess.run([candidate, "-c", PROBE], capture_output=True, text=True, check=False)
    if probe.stdout.strip() != catalog.heat_version:
        pytest.skip(
            f"openstack-heat {catalog.heat_version} is not installed (HEAT_PYTHON may name a Python that has it)"
        )
    return candidate


def test_harvest_of_a_real_heat(interpreter: str, catalog: Catalog, tmp_path: Path) -> None:
    done = subprocess.run(
        harvest_command(tmp_path, catalog.heat_version, interpreter), cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    harvested = facts_path(tmp_path, catalog.heat_version).read_text(encoding="utf-8")
    assert harvested == resource_path("catalog", "heat.json").read_text(encoding="utf-8")
    prose = read_prose(tmp_path, catalog.heat_version)
    assert prose is not None
    worded = catalog.with_prose(prose).get("OS::Nova::Server")
    assert worded is not None
    assert worded.description
    assert worded.properties["flavor"].description
    assert worded.attributes["show"].description


def test_kept_facts_are_facts_only() -> None:
    kept = resource_path("catalog", "heat.json").read_text(encoding="utf-8")
    assert '"message"' not in kept
    assert not [line for line in kept.splitlines() if "Use property" in line or " is deprecated" in line]
