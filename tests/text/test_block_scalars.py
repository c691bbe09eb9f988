"""The lexer agrees with PyYAML about which lines are inside block scalars, wherever PyYAML can read the text."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from heatstudio.text import DocumentError, LineIndex, read_document
from heatstudio.text.yaml_lexer import INITIAL, LineState, lex_line, state_at
from tests.corpus import written_files
from tests.sampling import sample

SUFFIXES = {".yaml", ".yml", ".hot", ".env", ".template"}
OTHER_BREAKS = "\x85\u2028\u2029\ufeff"
KEYS = ("a:", "b: c", "d: e # f", "'q' : x", "k: &x y", "k: *x", "- a: b", "- c", "-", "- - c", "- k:", "a: {b: [c,")
HEADERS = ("a: |", "b: >-", "c: |2", "d: >+1", "e: &x |", "f: !!str >", "g: !t &y |-  # h", "- |", "- &x >", "- - |")
FALSE_HEADERS = ("a: b |", "a: '|'", "a: b | c", "b: |c", "c: |#d", "d:|", "e: # |", 'f: "g: |"', "- 'h' |", "'i: |'")
OTHERS = ("#!/bin/sh", "# c", "text", "x: y", "", "  ", "      ", "'a", "b'", '"a', 'b"', "\tx", " \t", "|", "d]}")
INDENTS = st.sampled_from((0, 2, 4, 6, 1, 3, 8))


@pytest.fixture(scope="module")
def texts(shared: Path) -> list[str]:
    found = []
    for path in written_files(shared, SUFFIXES):
        if path.stat().st_size < 100_000:
            try:
                found.append(read_document(path).text.replace("\r\n", "\n"))
            except DocumentError:
                continue
    return [text for text in found if not any(sign in text for sign in (*OTHER_BREAKS, "\r"))]


def by_pyyaml(text: str) -> set[int] | None:
    """Return the numbers of the lines with text inside block scalars; None if PyYAML cannot read the text."""
    try:
        for _ in yaml.parse(text, yaml.CSafeLoader):
            pass
        tokens = list(yaml.scan(text, yaml.CSafeLoader))
    except yaml.YAMLError:
        return None
    inside: set[int] = set()
    for token in tokens:
        if isinstance(token, yaml.ScalarToken) and token.style in ("|", ">"):
            end = token.end_mark
            inside.update(range(token.start_mark.line + 1, end.line + (end.column > 0)))
    return {number for number, line in enumerate(text.split("\n")) if number in inside and line.strip()}


def by_lexer(text: str) -> set[int]:
    inside, state = set(), INITIAL.encode()
    for number, line in enumerate(text.split("\n")):
        if line.strip() and LineState.decode(state).is_script(line):
            inside.add(number)
        _, state = lex_line(line, state)
    return inside


def test_lines_of_real_files(texts: list[str]) -> None:
    chance, count = Random(9), 0
    for text in sample(texts, 120):
        wanted = by_pyyaml(text)
        if wanted is not None:
            count += len(wanted)
            assert by_lexer(text) == wanted
            lines = LineIndex(text)
            for number in chance.sample(range(len(lines)), min(len(lines), 10)):
                span = lines.line_span(number)
                line = text[span.start : span.end]
                assert (state_at(text, span.end).is_script(line) and bool(line.strip())) is (number in wanted)
    assert count


def test_lines_of_cut_files(texts: list[str]) -> None:
    chance = Random(9)
    count = 0
    for text in sample(texts, 60):
        for _ in range(4):
            start = chance.randrange(len(text) + 1)
            end = chance.choice((start + chance.randrange(200), len(text)))
            cut = text[:start] + text[end:]
            wanted = by_pyyaml(cut)
            if wanted is not None:
                count += 1
                assert by_lexer(cut) == wanted
    assert count


@st.composite
def yaml_texts(draw: st.DrawFn) -> str:
    """Return a map of lines, most of which PyYAML can read; a value stands on the line of its key."""
    lines = ["top:"]
    for _ in range(draw(st.integers(1, 6))):
        content = draw(st.sampled_from(draw(st.sampled_from((KEYS, HEADERS, FALSE_HEADERS, OTHERS)))))
        lines.append(" " * (2 + draw(INDENTS)) + content)
    return "\n".join(lines)


@settings(max_examples=600)
@given(yaml_texts())
def test_lines_of_generated_texts(text: str) -> None:
    wanted = by_pyyaml(text)
    if wanted is not None and not _has_value_below_its_key(text):
        assert by_lexer(text) == wanted


def _has_value_below_its_key(text: str) -> bool:
    """Return whether a value is on another line than its key or dash, so that its own line does not tell its depth."""
    return any(
        isinstance(before, yaml.ValueToken | yaml.BlockEntryToken)
        and isinstance(token, yaml.ScalarToken)
        and token.start_mark.line != before.start_mark.line
        for before, token in pairwise(yaml.scan(text, yaml.CSafeLoader))
    )
