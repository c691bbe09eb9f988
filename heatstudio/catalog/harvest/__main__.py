"""`python -m heatstudio.catalog.harvest OUTPUT [--prose FILE]`, run by a Python that has openstack-heat."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from heatstudio.catalog.harvest.engine import start_engine
from heatstudio.catalog.harvest.facts import catalog_facts, catalog_prose
from heatstudio.catalog.harvest.protocols import Facts
from heatstudio.process import end_with_parent


def rendered(facts: Facts) -> str:
    """Compact JSON of which a difference can be read: one line for each entry of each part."""
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


def main() -> None:
    """Write the facts, and the prose if it is asked for."""
    parser = argparse.ArgumentParser("heatstudio.catalog.harvest", description="Read what an installed Heat knows.")
    parser.add_argument("output", type=Path, help="where the facts go")
    parser.add_argument("--prose", type=Path, help="where Heat's own words go")
    arguments = parser.parse_args()
    end_with_parent()
    engine = start_engine()
    _write(arguments.output, catalog_facts(engine))
    if arguments.prose is not None:
        _write(arguments.prose, catalog_prose(engine))


def _write(path: Path, facts: Facts) -> None:
    """Whole or not at all: another process may be reading."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.unfinished")
    unfinished.write_text(rendered(facts), encoding="utf-8")
    unfinished.replace(path)


if __name__ == "__main__":
    main()
