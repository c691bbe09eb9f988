"""The architecture that README.md describes: the location and size of modules, and forbidden constructs."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

from heatstudio import COMMANDS
from tests.sources import MODULES, PACKAGES, TOP, name_of, trees

README = (TOP / "README.md").read_text("utf-8")

ENTRIES = {
    ".ci", ".git", ".github", ".gitignore", "LICENSE", "README.md", "heatstudio", "icons", "pyproject.toml",
    "resources", "tests",
}  # fmt: skip
NAMELESS = {"utils", "util", "common", "misc", "core", "helpers", "base", "manager"}
"""Module names that do not describe their content."""
NEVER = re.compile(
    r"\b(TODO|FIXME|XXX|HACK)\b|raise NotImplementedError|type: ignore|# noqa|pragma: no|except Exception"
)
MOST_MODULES = 12
"""The maximum number of modules in a folder with subfolders."""
NETWORK = {"PySide6.QtNetwork", "http.client", "http.server", "socket", "ssl", "urllib.request"}


def imports_of(name: str) -> Iterator[str]:
    """Yield the modules that a module imports: at the top level, in functions and for type checking."""
    for node in ast.walk(trees()[name]):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            below = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (module if module in trees() or module in NETWORK else node.module for module in below)


def test_top_level_has_only_the_listed_entries() -> None:
    ignored = [line.rstrip("/") for line in (TOP / ".gitignore").read_text("utf-8").splitlines() if line]
    found = {entry.name for entry in TOP.iterdir()}
    assert {name for name in found - ENTRIES if not any(fnmatch(name, pattern) for pattern in ignored)} == set()


def test_every_file_in_resources_is_data() -> None:
    assert list((TOP / "resources").rglob("*.py")) == []


def test_readme_names_every_package() -> None:
    assert [package.name for package in PACKAGES if f"`heatstudio/{package.name}/`" not in README] == []


def test_readme_names_only_existing_packages() -> None:
    named = set(re.findall(r"`heatstudio/([a-z_]+)/`", README))
    assert named - {package.name for package in PACKAGES} == set()


def test_readme_names_only_existing_files() -> None:
    named = set(re.findall(r"\b(?:resources|icons)/[\w/.-]+\.\w+", README))
    assert {name for name in named if not (TOP / name).is_file()} == set()


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_readme_shows_every_command(command: str) -> None:
    assert re.search(rf"`heatstudio {command}\b", README)


def test_every_module_is_tidy() -> None:
    faults = [f"{name_of(path)}: {fault}" for path in MODULES for fault in untidy(path)]
    assert faults == []


def test_folders_with_subfolders_hold_few_modules() -> None:
    folders = {path.parent for path in MODULES}
    inner = {folder.parent for folder in folders}
    counts = {name_of(path): len(list(path.glob("*.py"))) for path in folders & inner}
    assert {name: count for name, count in counts.items() if count > MOST_MODULES} == {}


def untidy(path: Path) -> Iterator[str]:
    """Yield the faults of a module: a vague name, excessive length, or a forbidden marker such as `# noqa`."""
    text = path.read_text("utf-8")
    if not NAMELESS.isdisjoint(path.relative_to(TOP).with_suffix("").parts):
        yield "its name answers no question"
    if text.count("\n") > 500:
        yield "it is too long to read"
    functions = [node for node in ast.walk(trees()[name_of(path)]) if isinstance(node, ast.FunctionDef)]
    yield from (f"{one.name} is too long" for one in functions if (one.end_lineno or 0) - one.lineno >= 60)
    if NEVER.search(text):
        yield "something is put off or silenced"


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_package_init_only_exports_its_modules(package: Path) -> None:
    tree = trees()[f"heatstudio.{package.name}"]
    assert ast.get_docstring(tree)
    shown: set[str] = set()
    for node in tree.body[1:]:
        match node:
            case ast.ImportFrom(module="__future__"):
                pass
            case ast.ImportFrom(module=str(module), names=names):
                assert module.startswith(f"heatstudio.{package.name}.")
                shown |= {alias.asname or alias.name for alias in names}
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                assert set(ast.literal_eval(value)) == shown
            case _:
                pytest.fail(f"line {node.lineno} does more than show what is inside")


def test_only_the_cloud_package_imports_network_modules() -> None:
    users = {name for name in trees() if NETWORK.intersection(imports_of(name))}
    assert {name for name in users if not name.startswith("heatstudio.cloud")} == set()


def test_classes_have_names_of_their_own() -> None:
    classes = Counter(node.name for tree in trees().values() for node in tree.body if isinstance(node, ast.ClassDef))
    assert {name for name, count in classes.items() if count > 1} == set()


OF_QT = {"clone", "data", "event", "index", "paint", "parent", "pixmap", "run"}
"""Qt methods whose names are all lowercase."""


def test_public_methods_of_the_window_have_docstrings() -> None:
    unexplained = [
        f"{name}:{method.lineno}"
        for name, tree in trees().items()
        if name.startswith("heatstudio.ui.")
        for owner in ast.walk(tree)
        if isinstance(owner, ast.ClassDef) and not owner.name.startswith("_")
        for method in owner.body
        if isinstance(method, ast.FunctionDef) and method.name.islower() and not method.name.startswith("_")
        if method.name not in OF_QT
        if not (ast.get_docstring(method) or any("setter" in ast.unparse(one) for one in method.decorator_list))
    ]
    assert unexplained == []


RICH_TEXT = {
    "QLabel": {"heatstudio.ui.widgets.plain_text", "heatstudio.ui.widgets.html_label"},
    "QTextBrowser": {"heatstudio.ui.explain.page_browser"},
    "QTextEdit": set(), "setMarkdown": {"heatstudio.ui.explain.page_browser"},
    "RichText": {"heatstudio.ui.widgets.html_label"}, "fromHtml": {"heatstudio.ui.widgets.html_label"},
    "AutoText": set(), "MarkdownText": set(), "setHtml": set(), "insertHtml": set(), "insertMarkdown": set(),
    "openUrl": {"heatstudio.ui.commands.file_operations", "heatstudio.ui.window.cloud_controller"},
    "fromMarkdown": set(), "setOpenExternalLinks": set(), "setTextFormat": set(), "setWhatsThis": set(),
}  # fmt: skip
"""Names of Qt that interpret text, or load what it names, and the modules that may use each."""
MARKUP = {"heatstudio.text.markup", "heatstudio.analysis.pages", "heatstudio.ui.explain.page_browser"}
"""Modules that turn text into markup: the escapes, and pages that come with the program."""
GUESSING = {"setToolTip": -1, "setTabToolTip": -1, "showText": 1, "setInformativeText": 0, "question": 2, "getText": 2}
"""Qt methods that detect HTML in their text, and the index of the text among the arguments."""


def test_only_widgets_of_markup_interpret_text() -> None:
    used = [
        (word, name)
        for name, tree in trees().items()
        for node in ast.walk(tree)
        for part in (*getattr(node, "bases", ()), getattr(node, "func", None), node)
        for word in {getattr(part, "id", "") if part is not node else "", getattr(part, "attr", "")}
        if word in RICH_TEXT and name not in RICH_TEXT[word]
    ]
    assert used == []


def test_markup_is_written_in_the_source() -> None:
    """Every other text is inserted by `fill`, `join`, `code` or `sentence`, which escape it."""
    converted = [
        f"{name}:{node.lineno}"
        for name, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and name not in MARKUP
        if node.func.id in {"Html", "Markdown", "Xml", "Annotation", "Mermaid"} and not is_literal(node.args[0])
    ]
    assert converted == []


def test_text_that_qt_may_take_for_html_is_escaped() -> None:
    guessed = [
        f"{name}:{node.lineno}"
        for name, tree in trees().items()
        for node in ast.walk(tree)
        if name.startswith("heatstudio.ui.") and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if node.func.attr in GUESSING and node.args and not is_plain(node.args[GUESSING[node.func.attr]])
    ]
    assert guessed == []


def is_literal(text: ast.expr) -> bool:
    parts = (text.body, text.orelse) if isinstance(text, ast.IfExp) else (text,)
    return all(isinstance(part, ast.Constant) for part in parts)


def is_plain(text: ast.expr) -> bool:
    is_escaped = isinstance(text, ast.Call) and isinstance(text.func, ast.Name) and text.func.id == "plain"
    return is_escaped or isinstance(text, ast.Constant)


def test_modules_have_no_circular_imports() -> None:
    waiting = {name: {module for module in imports_of(name) if module in trees()} for name in trees()}
    while free := {name for name, needed in waiting.items() if not needed}:
        waiting = {name: needed - free for name, needed in waiting.items() if name not in free}
    assert sorted(waiting) == []


def test_qt_version_that_loses_references_of_none_is_excluded() -> None:
    """PySide6 6.12.0 on Python 3.11 aborts the process after some 5,000 calls."""
    project = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
    assert "PySide6-Essentials>=6.8,!=6.12.0; python_version < '3.12'" in project["dependencies"]
