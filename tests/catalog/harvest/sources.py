"""Detection of changes in Heat's code since the last review of the manually maintained rules."""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from tests.catalog.harvest.protocols import PluginClass

HASHES = Path(__file__).with_name("sources.json")
_KEPT = ("groups/*.json", "update/*.json", "reads/*.json", "dependencies/*.json", "attributes/*.json")
_PLUGINS = "heat.engine.resources"
_NAMED = re.compile(r"(?<![\w/])heat/[\w/]+\.py\b")


def kept_rules(resources: Path) -> dict[str, list[str]]:
    """Return the files with rules for each resource type, relative to the folder `resources`."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(path for pattern in _KEPT for path in resources.glob(pattern)):
        data = json.loads(path.read_text("utf-8"))
        for name in data.get("types", data):
            found[name].append(path.relative_to(resources).as_posix())
    return dict(found)


def code_by_source(top: Path) -> dict[str, list[str]]:
    """Return the files of the program, relative to `top`, by the files of Heat that they name as their sources."""
    found: dict[str, list[str]] = defaultdict(list)
    files = [*(top / "heatstudio").rglob("*.py"), *(top / "resources").rglob("*.json")]
    for path in sorted(files):
        for name in sorted(set(_NAMED.findall(path.read_text("utf-8")))):
            found[name].append(path.relative_to(top).as_posix())
    return dict(sorted(found.items()))


def file_hashes(names: Iterable[str]) -> dict[str, str]:
    """Return a hash of each file of Heat that exists."""
    spec = find_spec("heat")
    assert spec is not None
    assert spec.origin is not None
    paths = {name: Path(spec.origin).parents[1] / name for name in names}
    return {name: sha256(path.read_bytes()).hexdigest()[:16] for name, path in paths.items() if path.is_file()}


def source_hashes(types: Mapping[str, PluginClass], names: Mapping[str, object]) -> dict[str, str]:
    """Return a hash of the code of each type that Heat has: its class and that class's bases among the plug-ins."""
    return {name: _hash(types[name]) for name in sorted(names) if name in types}


def changed_rules(hashes: Mapping[str, str], before: Mapping[str, str], rules: Mapping[str, list[str]]) -> list[str]:
    """Return a line for each type or file of Heat whose code changed, with the files to review."""
    names = [name for name in sorted(rules) if hashes.get(name) != before.get(name)]
    return [f"{name}: {', '.join(rules[name])}" for name in names]


def _hash(plugin: PluginClass) -> str:
    code = [_code(one) for one in plugin.__mro__ if one.__module__.startswith(_PLUGINS)]
    return sha256("\n".join(code).encode()).hexdigest()[:16]


def _code(one: type) -> str:
    """Return the source of a class; inspect does not find it, because Heat loads plug-ins under other module names."""
    spec = find_spec(one.__module__)
    assert spec is not None
    assert spec.origin is not None
    text = Path(spec.origin).read_text("utf-8")
    classes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef))
    return next(ast.get_source_segment(text, node) or "" for node in classes if node.name == one.__name__)
