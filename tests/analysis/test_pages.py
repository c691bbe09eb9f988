"""Every code has a page that tells all there is to tell."""

from __future__ import annotations

import pytest

from heatstudio.analysis.checks import pages

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
)


@pytest.mark.parametrize("code", sorted(PAGES))
def test_a_page_says_what_why_how_and_the_way_out(code: str) -> None:
    page = PAGES[code]
    title, _, rest = page.partition("\n")
    assert title.startswith("# ")
    assert title[2].isupper()
    headings = [line for line in rest.splitlines() if line.startswith("## ")]
    assert headings == ["## Why", "## Example", "## The way out", "## How to mute it"]
    what, *parts = [part.strip("\n") for part in rest.split("\n## ")]
    assert what.strip().endswith((".", "you."))
    why, example, way_out, mute = (part.partition("\n")[2].strip("\n") for part in parts)
    assert why.rstrip().endswith(".")
    assert way_out.rstrip().endswith(".")
    assert example
    assert all(line.startswith("    ") or not line for line in example.splitlines())
    assert f"# heatstudio: ignore[{code}]" in mute
    assert max(map(len, page.splitlines())) <= 120


@pytest.mark.parametrize("code", OF_SYNTAX)
def test_what_the_reading_says_has_a_page_too(code: str) -> None:
    assert code in PAGES
