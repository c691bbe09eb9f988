"""Count how many public repositories use each resource type and property, and write `resources/usage.json`."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from heatstudio.analysis.assist.expectation import Role, expectation_at
from heatstudio.analysis.assist.starter import renamed
from heatstudio.assets import resource_path
from heatstudio.template import TreePath
from tests.analysis.retyping import corpus_files, paths_of, value_at
from tests.analysis.semantic_models import knowledge, model_of

LEAST = 2
"""The least number of repositories that counts."""

Usage = dict[str, dict[str, object]]


def usage(files: Iterable[tuple[str, Path]]) -> Usage:
    """Return the numbers of repositories by type, and by property of each type, the most used first."""
    used: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    catalog = knowledge().catalog
    for repository, file in files:
        model = model_of(file.read_text(encoding="utf-8", errors="replace"))
        words = model.template.dialect
        for path in paths_of(model.template.data.get(words.resources), (words.resources,)):
            here, value = expectation_at(model, path), value_at(model.template.data, path)
            if here.role is Role.TYPE and isinstance(value, str) and catalog.get(value) is not None:
                used[value, ""].add(repository)
            elif here.owner is not None and here.call is None and len(path) > len(here.owner.path):
                inner: TreePath = path[len(here.owner.path) :]
                first = renamed(here.owner.type).get(str(inner[0]), str(inner[0]))
                is_known = here.role is Role.PROPERTY and here.schema is not None and path[-1] == here.schema.name
                if is_known:
                    name = ".".join([first, *(step for step in inner[1:] if isinstance(step, str))])
                    used[here.owner.type.name, name].add(repository)
    found: Usage = {}
    for (name, part), repositories in sorted(used.items(), key=lambda one: (-len(one[1]), one[0])):
        if not part and len(repositories) >= LEAST:
            found[name] = {"repositories": len(repositories), "properties": {}}
    for (name, part), repositories in sorted(used.items(), key=lambda one: (-len(one[1]), one[0])):
        properties = found.get(name, {}).get("properties")
        if part and isinstance(properties, dict) and len(repositories) >= LEAST:
            properties[part] = len(repositories)
    return found


if __name__ == "__main__":
    counted = usage(corpus_files(Path(__file__).parents[3] / "shared"))
    lines = (f"{json.dumps(name)}: {json.dumps(numbers)}" for name, numbers in counted.items())
    resource_path("usage.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
