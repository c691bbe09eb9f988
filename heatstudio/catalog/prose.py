"""Heat's own words on its resource types, taken from a Heat of the user by another process and kept in a folder.

Not at the door of the room: finding installed packages costs a start more than the whole catalog does.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from msgspec import json

from heatstudio.catalog.words import Prose

_DISTRIBUTION, _PACKAGE = "openstack-heat", "heat"
_RUN = "import runpy, sys; sys.path.append(sys.argv.pop(1)); runpy.run_module(sys.argv.pop(1), run_name='__main__')"
_HARVEST = "heatstudio.catalog.harvest"
_SOURCE = Path(__file__).resolve().parents[2]


def installed_heat() -> str | None:
    """The version of the Heat that this interpreter has; looks at the package, imports nothing."""
    if find_spec(_PACKAGE) is None:
        return None
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(_DISTRIBUTION)
    except PackageNotFoundError:
        return None


def prose_path(folder: Path, heat_version: str) -> Path:
    """Where the words of a version of Heat are kept."""
    return folder / f"heat-{heat_version}-prose.json"


def facts_path(folder: Path, heat_version: str) -> Path:
    """Where the facts of a version of Heat are kept: a catalog for `load_catalog`."""
    return folder / f"heat-{heat_version}.json"


def harvest_command(folder: Path, heat_version: str, interpreter: str = sys.executable) -> list[str]:
    """The command that fills both places; takes some seconds, needs no cloud, exits with 0 if it did it.

    The interpreter has to have that Heat; it needs nothing else of this program.
    """
    facts, prose = facts_path(folder, heat_version), prose_path(folder, heat_version)
    return [interpreter, "-c", _RUN, str(_SOURCE), _HARVEST, str(facts), "--prose", str(prose)]


def parse_prose(content: bytes) -> Prose | None:
    """The words for `Catalog.with_prose`; None if it is not what the harvest writes."""
    try:
        prose = json.decode(content, type=Prose)
    except (ValueError, RecursionError):
        return None
    return prose if prose.types else None


def read_prose(folder: Path, heat_version: str) -> Prose | None:
    """The words that are kept; None if there are none yet or they cannot be read."""
    try:
        return parse_prose(prose_path(folder, heat_version).read_bytes())
    except OSError:
        return None
