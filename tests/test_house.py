"""The house is as README.md draws it: what lies where, how big it is, and what it never says."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

from heatstudio.__main__ import COMMANDS

TOP = Path(__file__).parents[1]
PACKAGE = TOP / "heatstudio"
MODULES = sorted(PACKAGE.rglob("*.py"))
ROOMS = sorted(folder for folder in PACKAGE.iterdir() if (folder / "__init__.py").is_file())
README = (TOP / "README.md").read_text("utf-8")

ENTRIES = {
    ".ci", ".git", ".github", ".gitignore", "LICENSE", "README.md", "heatstudio", "icons", "pyproject.toml",
    "resources", "tests",
}  # fmt: skip
NAMELESS = {"utils", "util", "common", "misc", "core", "helpers", "base", "manager"}
"""Names that answer no question: what they hold belongs somewhere."""
NEVER = re.compile(
    r"\b(TODO|FIXME|XXX|HACK)\b|raise NotImplementedError|type: ignore|# noqa|pragma: no|except Exception"
)
SHARED = {"heatstudio.ui.highlight"}
"""Folders of the window that panes may use; they know no pane."""
NETWORK = {"PySide6.QtNetwork", "http.client", "http.server", "socket", "ssl", "urllib.request"}


def name_of(module: Path) -> str:
    """The dotted name by which a module of the package is imported."""
    parts = module.relative_to(TOP).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


TREES = {name_of(module): ast.parse(module.read_text("utf-8")) for module in MODULES}


def imports_of(name: str) -> Iterator[str]:
    """The modules that a module imports anywhere: at its top, in functions, for types alone."""
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            below = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (module if module in TREES or module in NETWORK else node.module for module in below)


def test_top_level_holds_only_what_the_map_names() -> None:
    ignored = [line.rstrip("/") for line in (TOP / ".gitignore").read_text("utf-8").splitlines() if line]
    found = {entry.name for entry in TOP.iterdir()}
    assert {name for name in found - ENTRIES if not any(fnmatch(name, pattern) for pattern in ignored)} == set()


def test_every_file_in_resources_is_data() -> None:
    assert list((TOP / "resources").rglob("*.py")) == []


def test_readme_names_every_room() -> None:
    assert [room.name for room in ROOMS if f"`heatstudio/{room.name}/`" not in README] == []


def test_readme_names_no_room_that_is_not_there() -> None:
    named = set(re.findall(r"`heatstudio/([a-z_]+)/`", README))
    assert named - {room.name for room in ROOMS} == set()


def test_readme_names_no_file_that_is_not_there() -> None:
    named = set(re.findall(r"\b(?:resources|icons)/[\w/.-]+\.\w+", README))
    assert {name for name in named if not (TOP / name).is_file()} == set()


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_readme_shows_every_command(command: str) -> None:
    assert re.search(rf"`heatstudio {command}\b", README)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_name_answers_a_question(path: Path) -> None:
    assert NAMELESS.isdisjoint(path.relative_to(TOP).with_suffix("").parts)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_is_short_enough_to_read(path: Path) -> None:
    assert path.read_text("utf-8").count("\n") <= 500


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_function_is_short_enough_to_read(path: Path) -> None:
    functions = [node for node in ast.walk(TREES[name_of(path)]) if isinstance(node, ast.FunctionDef)]
    assert [node.name for node in functions if (node.end_lineno or 0) - node.lineno >= 60] == []


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_nothing_is_put_off_or_silenced(path: Path) -> None:
    assert NEVER.search(path.read_text("utf-8")) is None


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_door_of_a_room_only_shows_what_is_inside(room: Path) -> None:
    tree = TREES[f"heatstudio.{room.name}"]
    assert ast.get_docstring(tree)
    shown: set[str] = set()
    for node in tree.body[1:]:
        match node:
            case ast.ImportFrom(module="__future__"):
                pass
            case ast.ImportFrom(module=str(module), names=names):
                assert module.startswith(f"heatstudio.{room.name}.")
                shown |= {alias.asname or alias.name for alias in names}
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                assert set(ast.literal_eval(value)) == shown
            case _:
                pytest.fail(f"line {node.lineno} does more than show what is inside")


def test_only_the_cloud_imports_what_opens_sockets() -> None:
    users = {name for name in TREES if NETWORK.intersection(imports_of(name))}
    assert {name for name in users if not name.startswith("heatstudio.cloud")} == set()


def test_panes_are_strangers_to_each_other() -> None:
    folders = [name_of(path) for path in sorted((PACKAGE / "ui").glob("*/__init__.py"))]
    panes = [folder for folder in folders if folder not in SHARED]
    meetings = [
        f"{name} imports {imported}"
        for name in TREES
        for imported in imports_of(name)
        for pane in folders
        if name.startswith(f"{pane}.") and imported.startswith("heatstudio.ui.")
        if any(imported == other or imported.startswith(f"{other}.") for other in panes if other != pane)
    ]
    assert meetings == []


def test_modules_import_each_other_in_no_circle() -> None:
    waiting = {name: {module for module in imports_of(name) if module in TREES} for name in TREES}
    while free := {name for name, needed in waiting.items() if not needed}:
        waiting = {name: needed - free for name, needed in waiting.items() if name not in free}
    assert sorted(waiting) == []


def test_qt_that_loses_references_of_none_is_shut_out() -> None:
    """PySide6 6.12.0 on Python 3.11 ends the process after some 5,000 calls."""
    project = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
    assert "PySide6-Essentials>=6.8,!=6.12.0; python_version < '3.12'" in project["dependencies"]
