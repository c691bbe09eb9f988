"""Completion and hover in annotated texts.

In a file of `cases`, lines that begin with `|` are a template with the mark `‸` at the cursor, and lines that begin
with `>` below them are what is expected there, with ` | ` between items. Lines below `=== head` are put above the
templates that follow, after the version unless they have one; `=== file NAME` and `=== environment NAME` are beside
them. A new case is a new template.

- `first`, `only`: the first, or all, suggestions in order; `typed`: all that open without a key
- `has`, `lacks`: suggestions that are, or are not, there; `details`: with the detail; `best`: what Enter inserts
- `inserts`: suggestions with the inserted text in «», in which `⏎` is a line break
- `title`, `lines`: the hover; `says`: lines of it; `hides`: texts that it does not have
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from heatstudio.analysis.assist.completion import complete
from heatstudio.analysis.assist.hover import hover
from heatstudio.analysis.scope.semantic_model import SemanticModel
from tests.analysis.semantic_models import HOT, model_at

Case = tuple[dict[str, str], str, dict[str, list[str]]]


def cases() -> Iterator[object]:
    """Yield the head and files, the text and the expectations of each case."""
    for path in sorted((Path(__file__).parent / "cases").glob("*.txt")):
        around, part, text, expected = dict[str, str](), "head", "", dict[str, list[str]]()
        for number, line in enumerate([*path.read_text("utf-8").splitlines(), "=== head"], 1):
            if expected and not line.startswith(">"):
                yield pytest.param((dict(around), text, expected), id=f"{path.stem}:{number - 1}")
                text, expected = "", {}
            if line.startswith("=== "):
                part = line.removeprefix("=== ")
                around = {**(around if part != "head" else {}), part: ""}
            elif line.startswith("|"):
                text += line[1:] + "\n"
            elif line.startswith(">"):
                name, _, items = line[1:].partition(":")
                expected[name.strip()] = items.strip().split(" | ") if items.strip() else []
            else:
                around[part] += line + "\n"


@pytest.mark.parametrize("case", list(cases()))
def test_text(case: Case) -> None:
    around, text, expected = case
    files, environments = (
        {name.partition(" ")[2]: one for name, one in around.items() if name.startswith(kind)}
        for kind in ("file ", "environment ")
    )
    whole = (around.get("head", "") + text).removesuffix("\n")
    is_versioned = not whole or whole.startswith(("heat_template_version", "AWS", "{", "‸"))
    model, offset = model_at(whole if is_versioned else HOT + whole, files, environments)
    for name, items in expected.items():
        assert (of_hover if name in HOVER else of_completion)(model, offset, name, items) == items, name


HOVER = ("title", "lines", "says", "hides")


def of_completion(model: SemanticModel, offset: int, name: str, items: list[str]) -> list[str]:
    """Return the suggestions in the form of an expectation; without the items that are not there."""
    found = complete(model, offset, name not in ("typed", "best"))
    labels = [one.label for one in found]
    if name in ("first", "only", "typed"):
        return labels[: len(items)] if name == "first" else labels
    texts = {
        "has": labels,
        "details": [f"{one.label}: {one.detail}" for one in found],
        "inserts": [f"{one.label} «{one.insert_text}»".replace("\n", "⏎") for one in found],
    }
    if name in texts:
        return [item for item in items if item in texts[name]] if set(items) <= set(texts[name]) else texts[name]
    best = [one.insert_text.replace("\n", "⏎") for one in found if one.best]
    return {"best": best, "lacks": [item for item in items if item not in labels]}[name]


def of_hover(model: SemanticModel, offset: int, name: str, items: list[str]) -> list[str]:
    """Return the hover in the form of an expectation; without the items that are not there."""
    found = hover(model, offset)
    if found is None or name == "title":
        return [found.title] if found is not None else []
    hidden = [item for item in items if item not in str(found)]
    there = [item for item in items if item in found.lines]
    return {"lines": [line for line in found.lines if line], "says": there, "hides": hidden}[name]
