"""Lines that are shown separately have the same colors as in their text."""

from __future__ import annotations

from pathlib import Path

import pytest

from heatstudio.assets import resource_path
from heatstudio.ui.highlight.highlight_line import Run, TokenRole, highlight_line
from heatstudio.ui.highlight.lines_above import states_above

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
        found, state = highlight_line(line, state)
        runs.append(found)
    return runs


def test_every_line_has_the_same_colors_as_in_its_text() -> None:
    lines = TEXT.split("\n")
    for number, runs in enumerate(wanted(TEXT)):
        state = states_above(lines, {number})[number]
        assert (highlight_line(lines[number], state)[0], number) == (runs, number)


@pytest.mark.parametrize("path", sorted(resource_path("samples").rglob("*.yaml")), ids=lambda path: path.name)
def test_every_line_of_a_sample_has_the_same_colors(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    states = states_above(lines, range(len(lines)))
    for number, runs in enumerate(wanted(text)):
        assert (highlight_line(lines[number], states[number])[0], number) == (runs, number)


def test_end_of_a_long_script_is_a_string() -> None:
    script = [f"        echo: {number}" for number in range(5_000)]
    lines = ["resources:", "  a:", "    user_data: |", "      first", *script, "x: 1"]
    states = states_above(lines, {4_000, len(lines) - 1})
    assert [one.role for one in highlight_line(lines[4_000], states[4_000])[0]] == [TokenRole.STRING]
    assert states[len(lines) - 1] == 0
