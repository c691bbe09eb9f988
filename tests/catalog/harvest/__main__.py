"""`python -m tests.catalog.harvest`: writes the facts of the installed Heat to the catalog.

A newer release becomes the catalog, and the differences of the previous one are written to a separate file. The command
lists the manually maintained rules whose source in Heat changed: review each, then run it again with `--reviewed`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from heatstudio.assets import resource_path
from heatstudio.catalog.load import catalogs, load_catalog
from heatstudio.catalog.release import load_releases, release_of
from tests.catalog.harvest.changes import catalog_changes
from tests.catalog.harvest.engine import start_engine
from tests.catalog.harvest.facts import catalog_facts
from tests.catalog.harvest.older import older_facts, whole_facts
from tests.catalog.harvest.sources import HASHES, changed_rules, code_by_source, file_hashes, kept_rules, source_hashes

Facts = dict[str, object]
"""Facts as JSON data; facts with their default value are omitted."""


def rendered(facts: Mapping[str, object]) -> str:
    """Return compact JSON with one line for each entry of each part, so that a diff is readable."""
    parts = ",\n".join(f"{json.dumps(name)}: {_rendered_part(part)}" for name, part in facts.items())
    return f"{{\n{parts}\n}}\n"


def _rendered_part(part: object) -> str:
    if isinstance(part, dict):
        lines = ",\n".join(f"{json.dumps(name)}: {_compact(entry)}" for name, entry in part.items())
        return f"{{\n{lines}\n}}"
    if isinstance(part, list):
        lines = ",\n".join(_compact(entry) for entry in part)
        return f"[\n{lines}\n]"
    return _compact(part)


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def take(facts: Facts, resources: Path) -> None:
    """Write the facts as the catalog in the folder `resources`, and the differences of the previous Heat."""
    newest = resources / "catalog" / "heat.json"
    known: Facts = json.loads(newest.read_text("utf-8"))
    series, before = (str(one["heat"]).partition(".")[0] for one in (facts, known))
    older = resources / "catalog" / "older" / f"{before}.json"
    if series == before:
        older = older.with_name(f"{int(series) - 1}.json")
        known = whole_facts(json.loads(older.read_text("utf-8")), known)
    write_whole(older, rendered(older_facts(known, facts)))
    write_whole(newest, rendered(facts))
    known_catalogs = catalogs(load_catalog(newest), older.parent)
    write_whole(newest.with_name("changes.json"), rendered(catalog_changes(known_catalogs)))


def write_whole(path: Path, text: str) -> None:
    """Write a file atomically: another process may be reading it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.unfinished")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


def main() -> None:
    """Write the facts of the installed Heat to the catalog, and print the rules to review."""
    parser = argparse.ArgumentParser("tests.catalog.harvest", description="Take an installed Heat into the catalog.")
    parser.add_argument("--resources", type=Path, default=resource_path(), help="the program's data")
    parser.add_argument("--reviewed", action="store_true", help="the rules kept by hand agree with this Heat")
    arguments = parser.parse_args()
    engine = start_engine()
    if release_of(load_releases(), engine.version) is None:
        parser.error(f"add Heat {engine.version} to resources/catalog/releases.json first")
    take(catalog_facts(engine), arguments.resources)
    types, files = kept_rules(arguments.resources), code_by_source(Path(__file__).parents[3])
    rules = types | files
    hashes = source_hashes(engine.types, types) | file_hashes(files)
    if arguments.reviewed:
        write_whole(HASHES, json.dumps(hashes, indent=0) + "\n")
    for line in changed_rules(hashes, json.loads(HASHES.read_text("utf-8")), rules):
        sys.stdout.write(f"changed in Heat: {line}\n")


if __name__ == "__main__":
    main()
