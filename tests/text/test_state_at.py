"""Lines that are shown separately have the same colors as in their text."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

import pytest

from heatstudio.assets import resource_path
from heatstudio.text.yaml_lexer import Run, TokenRole, lex_line, state_at

TEXT = """\
# a comment
heat_template_version: 2021-04-16
description: >
  some: words
    deeper: ones
   less: deep
parameters: {a: {type: string,
  default: "x: 1
    y: 2"}, b: 3}
resources:
  one:
    depends_on:
    - two
# not a line of the list
    - three
    properties:
      name: {get_attr: [
        two,
        name]}
      user_data: |
        #!/bin/sh
        if x; then
          y: z
        fi
      list:
        - get_attr:
          - two
          - name
        - plain
          goes: on
      map: {
        a: b
      }
  two: {type: OS::Nova::Server}
"""


def wanted(text: str) -> list[list[Run]]:
    """Return the runs of each line of a text."""
    runs: list[list[Run]] = []
    state = 0
    for line in text.split("\n"):
        found, state = lex_line(line, state)
        runs.append(found)
    return runs


def runs_of_single_lines(text: str) -> list[list[Run]]:
    """Return the runs of each line of a text, given the state found for that line alone."""
    starts = accumulate(map(len, text.split("\n")[:-1]), lambda start, size: start + size + 1, initial=0)
    lines = text.replace("\r\n", "\n").split("\n")
    return [lex_line(line, state_at(text, at).encode())[0] for line, at in zip(lines, starts, strict=True)]


def test_every_line_has_the_same_colors_as_in_its_text() -> None:
    for text in (TEXT, TEXT.replace("\n", "\r\n")):
        assert runs_of_single_lines(text) == wanted(TEXT)


@pytest.mark.parametrize("path", sorted(resource_path("samples").rglob("*.yaml")), ids=lambda path: path.name)
def test_every_line_of_a_sample_has_the_same_colors(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert runs_of_single_lines(text) == wanted(text)


def test_end_of_a_long_script_is_a_string() -> None:
    script = [f"        echo: {number}" for number in range(5_000)]
    lines = ["resources:", "  a:", "    user_data: |", "      first", *script, "x: 1"]
    text = "\n".join(lines)
    state = state_at(text, len("\n".join(lines[:4_000])) + 1)
    assert [one.role for one in lex_line(lines[4_000], state.encode())[0]] == [TokenRole.STRING]
    last, _ = lex_line("x: 1", state_at(text, len(text)).encode())
    assert last[0].role is TokenRole.SECTION
