"""Real templates, and the paths in them, to type again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from csv import DictReader
from pathlib import Path

from heatstudio.template import TreePath


def corpus_files(shared: Path) -> list[tuple[str, Path]]:
    """Return the YAML templates for Heat in the corpus, each with its repository."""
    with (shared / "corpus" / "index.tsv").open(encoding="utf-8") as table:
        rows = [
            row for row in DictReader(table, delimiter="\t") if row["syntax"] == "yaml" and row["kind"] != "cfn-aws"
        ]
    return sorted((re.split("[@+]", row["repo"])[0], shared / "corpus" / row["file"]) for row in rows)


def paths_of(data: object, path: TreePath) -> Iterator[TreePath]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield (*path, name)
            yield from paths_of(value, (*path, name))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from paths_of(value, (*path, index))


def value_at(data: object, path: TreePath) -> object:
    for step in path:
        data = data[step]  # type: ignore[index]
    return data
