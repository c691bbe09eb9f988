"""Explanation pages: each code has a complete one."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from heatstudio.analysis.pages import heat_sources, pages

PAGES = pages()
OF_SYNTAX = (
    "yaml-syntax",
    "duplicate-key",
    "no-version",
    "jinja-template",
    "too-deep",
    "too-large",
    "control-character",
    "unknown-tag",
    "complex-key",
    "merge-key",
    "invalid-value",
    "not-a-mapping",
    "empty-section",
    "client-syntax",
)


@pytest.mark.parametrize("code", sorted(PAGES))
def test_page_has_problem_reason_example_and_fix(code: str) -> None:
    page = PAGES[code]
    title, _, rest = page.partition("\n")
    assert title.startswith("# ")
    assert title[2].isupper()
    headings = [line for line in rest.splitlines() if line.startswith("## ")]
    assert headings == [
        "## Why",
        "## Example",
        "## How to fix it",
        "## Safety of the fix",
        "## In Heat",
        "## How to suppress it",
    ]
    what, *parts = [part.strip("\n") for part in rest.split("\n## ")]
    assert what.strip().endswith((".", "you."))
    why, example, way_out, safety, heat, mute = (part.partition("\n")[2].strip("\n") for part in parts)
    assert why.rstrip().endswith(".")
    assert way_out.rstrip().endswith(".")
    assert safety.rstrip().endswith(".")
    assert example
    assert all(line.startswith("    ") or not line for line in example.splitlines())
    assert heat.startswith(("- `heat/", "- `heatclient/", "Heat does not report this"))
    assert f"# heatstudio: ignore[{code}]" in mute
    assert max(map(len, page.splitlines())) <= 120


def test_sources_of_heat_are_on_a_page() -> None:
    assert set(heat_sources()) <= set(PAGES)


def test_sources_on_a_page_exist_in_heat(heat_python: str) -> None:
    command = [heat_python, "-c", "import heat; print(heat.__file__)"]
    root = Path(subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()).parents[1]
    for source in {source for sources in heat_sources().values() for source in sources}:
        file, _, function = source.partition(", ")
        if not file.endswith(".py"):
            assert (root / file).is_dir()
            continue
        text = (root / file).read_text("utf-8")
        for name in function.split(".") if function else ():
            assert re.search(rf"^ *(?:def|class) {name}\b", text, re.MULTILINE), source


@pytest.mark.parametrize("code", OF_SYNTAX)
def test_codes_of_the_parser_have_a_page(code: str) -> None:
    assert code in PAGES
