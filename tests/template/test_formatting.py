"""Formatting changes blanks and nothing else, and a second run has nothing to do."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
import yaml

from heatstudio.template.formatting import format_text
from heatstudio.text import apply_edits
from tests.corpus import written_files
from tests.sampling import sample

CASES = {
    "blanks": ("a :   1  \nb:\n  -   x: 1 \n      y:  2\n", "a: 1\n\nb:\n  - x: 1\n    y: 2\n"),
    "steps": ("a:\n    b:\n        c: 1\n    d:\n      e: 2\n", "a:\n    b:\n        c: 1\n    d:\n        e: 2\n"),
    "lists": ("a:\n- 1\nb:\n- 2\nc:\n  - 3\n", "a:\n- 1\n\nb:\n- 2\n\nc:\n- 3\n"),
    "nested lists": ("a:\n  -   -  1\n      -  2\n", "a:\n  - - 1\n    - 2\n"),
    "sections": (
        "a: 1\nb:\n  c: 1\n\n\n\n  d: 2\n# of e\ne:\n  f: 1\n\n\n",
        "a: 1\n\nb:\n  c: 1\n\n  d: 2\n\n# of e\ne:\n  f: 1\n",
    ),
    "block scalars": (
        "a:\n  b: |\n       x  \n         y\n\n       z\n\n\n  c: 1\n",
        "a:\n  b: |\n    x  \n      y\n\n    z\n\n  c: 1\n",
    ),
    "kept ends": ("a:\n  b: |+\n     x\n\n\n  c: 1", "a:\n  b: |+\n    x\n\n\n  c: 1\n"),
    "given indentation": ("a:\n   b: |1\n      x\n   c:\n     d: 1\n   e:\n      f: 1\n", None),
    "no end": ("a: |\n  x", "a: |\n  x"),
    "flow": ("a:\n   b: {x:   1,\n       y: 2}\n", "a:\n   b: {x:   1,\n       y: 2}\n"),
    "quoted": ('a:  "x  \n   y  "  \nb: 1\n', 'a: "x  \n   y  "\nb: 1\n'),
    "plain": ("a:   x\n      y\n\n\n      z\nb: 1\n", None),
    "comments": (
        "a:\n    # of b\n    b:   # beside\n      - 1\n      # of 2\n      - 2\n# last\n",
        "a:\n    # of b\n    b:   # beside\n      - 1\n      # of 2\n      - 2\n# last\n",
    ),
    "line ends of Windows": ("a:  1 \r\nb:\r\n  - 1\r\n", "a: 1\r\n\r\nb:\r\n  - 1\r\n"),
    "empty": ("", ""),
}


def formatted(text: str) -> str:
    found = format_text(text)
    assert found.refusal == ""
    return apply_edits(text, found.edits)


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES)
def test_layout(before: str, after: str | None) -> None:
    result = formatted(before)
    assert after is None or result == after
    assert yaml.safe_load(result) == yaml.safe_load(before)
    assert formatted(result) == result


def test_only_chosen_lines_are_formatted() -> None:
    text = "a:   1\nb:   2\nc:   3\n"
    assert apply_edits(text, format_text(text, range(1, 2)).edits) == "a:   1\nb: 2\nc:   3\n"


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ('{"a": 1}', "JSON is not formatted."),
        ("a: 1\nb: [\n", "Line 3 has a syntax error."),
        ("a:  1\r\nb: 2\n", "Its lines end in different ways."),
        ("a: {% x %}", "Line 1 has a syntax error."),
        ("a: \x00", "The text is too large, or has characters that YAML does not allow."),
    ],
)
def test_unreadable_text_is_left_alone(text: str, refusal: str) -> None:
    found = format_text(text)
    assert (found.edits, found.refusal) == ((), refusal)


def test_real_templates_keep_data_and_comments_and_are_stable(shared: Path) -> None:
    refused = 0
    for path in sample(written_files(shared, (".yaml", ".yml", ".template")), 40):
        text = path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
        found = format_text(text)
        refused += "more than blanks" in found.refusal
        if found.refusal:
            continue
        result = apply_edits(text, found.edits)
        assert formatted(result) == result, path
        assert "".join(result.split()) == "".join(text.split()), path
        assert result == text or events(result) == events(text), path
    assert refused == 0


def events(text: str) -> list[str]:
    """Return what PyYAML's own parser sees, or libyaml, which accepts more tabs, without positions."""
    try:
        return [repr(event) for event in yaml.parse(text, yaml.SafeLoader)]
    except yaml.YAMLError:
        return [repr(event) for event in yaml.parse(text, yaml.CSafeLoader)]


def test_damaged_templates_keep_their_data(shared: Path) -> None:
    paths = sorted((shared / "corpus" / "files" / "openstack+heat-templates").rglob("*.yaml"))
    random = Random()
    for path in sample(paths, 20):
        lines = path.read_text(encoding="utf-8").split("\n")
        for _ in range(3):
            at = random.randrange(len(lines))
            lines[at] = random.choice((" ", "  ", "")) + lines[at] + random.choice(("", "  ", "\n"))
        text = "\n".join(lines)
        found = format_text(text)
        if found.edits:
            assert events(apply_edits(text, found.edits)) == events(text), path
