"""Expansion of a selection from the word to the whole text, also in invalid texts."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heatstudio.template import parse_template
from heatstudio.template.enclosing_spans import enclosing_spans

TEXT = """heat_template_version: 2021-04-16
resources:
  server:
    type: OS::Nova::Server
    properties:
      name: my-web server
      networks:
        - network: net-a
          port: {get_param: port}
outputs:
  o: {value: 1}
"""


def grown(text: str, at: str) -> list[str]:
    spans = enclosing_spans(parse_template(text), text.index(at) + 1)
    return [text[span.start : span.end] for span in reversed(spans)]


def test_selection_grows_from_the_word_to_the_value_the_section_and_the_text() -> None:
    steps = grown(TEXT, "web server")
    assert steps[:3] == ["my-web", "my-web server", "name: my-web server"]
    assert steps[3].startswith("name: my-web server\n      networks:")
    assert [step.split()[0] for step in steps[4:]] == [
        "properties:",
        "type:",
        "server:",
        "resources:",
        "heat_template_version:",
    ]
    assert steps[-2].startswith("resources:\n")
    assert steps[-1] == TEXT


def test_selection_grows_to_an_item_of_a_list() -> None:
    steps = grown(TEXT, "port}")
    assert steps[:4] == ["port", "get_param: port", "{get_param: port}", "port: {get_param: port}"]
    assert steps[4] == "network: net-a\n          port: {get_param: port}"
    assert steps[5].startswith("- network: net-a")
    assert steps[6].startswith("networks:")


@pytest.mark.parametrize(
    ("text", "at", "first"),
    [
        (TEXT.replace("net-a", "'net-a"), "server:", ["server", "server:"]),
        (TEXT + "x: [1, two", "1, two", ["1"]),
        (TEXT + "\t- {", "outputs", ["outputs", "outputs:"]),
        ("# a note here", "note", ["note", "# a note here"]),
    ],
)
def test_selection_grows_in_unreadable_texts(text: str, at: str, first: list[str]) -> None:
    steps = grown(text, at)
    assert [step[: len(begin)] for step, begin in zip(steps, first, strict=False)] == first
    assert steps[-1] == text


@given(st.text(alphabet="ab:-{}[]\n \"'|#,\t&*", max_size=60), st.integers(0, 60))
def test_every_step_is_wider_than_the_one_before(text: str, offset: int) -> None:
    offset = min(offset, len(text))
    spans = enclosing_spans(parse_template(text), offset)
    assert spans[0].start == 0
    assert spans[0].end == len(text)
    for outer, inner in pairwise(spans):
        assert outer != inner
        assert outer.start <= inner.start <= offset <= inner.end <= outer.end
