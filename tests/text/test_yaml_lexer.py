from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.lexers import YamlLexer
from pygments.token import Comment, Name

from heatstudio.text.yaml_lexer import INITIAL, LONGEST_LINE, Construct, Expected, LineState, TokenRole, lex_line


def roles(text: str) -> list[list[tuple[str, str]]]:
    """Return the pieces of each line with their roles."""
    lines, state = [], INITIAL.encode()
    for line in text.split("\n"):
        runs, state = lex_line(line, state)
        lines.append([(line[start : start + length], role.name.lower()) for start, length, role in runs])
    return lines


def last(text: str) -> list[tuple[str, str]]:
    """Return the pieces of the last line, without punctuation."""
    return [piece for piece in roles(text)[-1] if piece[1] != "punctuation"]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("resources:", [("resources", "section")]),
        ("  server:", [("server", "key")]),
        ("    type: OS::Nova::Server", [("type", "key"), ("OS::Nova::Server", "type")]),
        ('    "Type": "AWS::EC2::Instance"', [('"Type"', "key"), ('"AWS::EC2::Instance"', "type")]),
        ("  a: {get_param: b}", [("a", "key"), ("get_param", "function"), ("b", "reference")]),
        ("  a: {get_attr: [b, c]}", [("a", "key"), ("get_attr", "function"), ("b", "reference"), ("c", "string")]),
        ("  - Ref: b", [("Ref", "function"), ("b", "reference")]),
        ("  a: !Ref b", [("a", "key"), ("!Ref", "function"), ("b", "reference")]),
        ("  a: &x 5 # c", [("a", "key"), ("&x", "anchor"), ("5", "number"), ("# c", "comment")]),
        ("  a: *x", [("a", "key"), ("*x", "anchor")]),
        ("  a: it's#no # c", [("a", "key"), ("it's#no", "string"), ("# c", "comment")]),
        ("  a: http://b:80/c", [("a", "key"), ("http://b:80/c", "string")]),
        ("  a: 'it''s' # c", [("a", "key"), ("'it''s'", "string"), ("# c", "comment")]),
        ("  'a b' : true", [("'a b'", "key"), ("true", "number")]),
        ('{"a": [1, "b"]}', [('"a"', "key"), ("1", "number"), ('"b"', "string")]),
        ("depends_on:\n  - server", [("server", "reference")]),
        ("  depends_on:\n  - a\n  - server", [("server", "reference")]),
        ("get_attr:\n  - server\n  - name", [("name", "string")]),
        ("get_resource:\n  server", [("server", "reference")]),
        ("a: [b,\n  c: d] # e", [("c", "key"), ("d", "string"), ("# e", "comment")]),
    ],
)
def test_roles_of_the_last_line(text: str, pieces: list[tuple[str, str]]) -> None:
    assert last(text) == pieces


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("a: |\n  x: y # z", [("x: y # z", "string")]),
        ("a: |\n    x\n\n    y: z", [("y: z", "string")]),
        ("a: |\n  x\nb: c", [("b", "section"), ("c", "string")]),
        ("a: |\n    x\n  # c", [("# c", "comment")]),
        ("a: |1\n  x\n y: z", [("y: z", "string")]),
        ("- a: >-\n    x: y", [("x: y", "string")]),
        ("- |\n  x: y", [("x: y", "string")]),
        ("- a: |\n  b: c", [("b", "key"), ("c", "string")]),
        ("- - |\n  - b: c", [("b", "key"), ("c", "string")]),
        ("- - |\n   b: c", [("b: c", "string")]),
        ("a:\n  |\n  b: c", [("b: c", "string")]),
        ('a: "b\n  c: d # e', [("c: d # e", "string")]),
        ('a: "b\n  c" # e', [('c"', "string"), ("# e", "comment")]),
        ("a: 'b\n\n  it''s: c", [("it''s: c", "string")]),
        ("a: b\n  c # d", [("c", "string"), ("# d", "comment")]),
        ("a: b\n  'c", [("'c", "string")]),
        ("a: b\nc: d", [("c", "section"), ("d", "string")]),
    ],
)
def test_multiline_scalars_and_comments(text: str, pieces: list[tuple[str, str]]) -> None:
    assert last(text) == pieces


def test_jinja_takes_precedence() -> None:
    assert roles("  a: {{ b }}")[0][-1] == ("{{ b }}", "jinja")


def test_a_very_long_line_is_cut() -> None:
    runs, _ = lex_line("a: " + "x" * 10 * LONGEST_LINE, 0)
    assert sum(run.length for run in runs) <= LONGEST_LINE


@given(
    st.builds(
        LineState, st.sampled_from(Construct), st.integers(0, 4095), st.integers(0, 255), st.sampled_from(Expected)
    )
)
def test_line_state_is_restored_from_its_number(state: LineState) -> None:
    assert LineState.decode(state.encode()) == state


YAML_TEXT = st.text(st.sampled_from("ab:-|>'\"[]{},#&*!?% \n\té🚀1"), max_size=80)


@given(YAML_TEXT)
def test_runs_of_any_text_stay_inside_their_lines(text: str) -> None:
    state = INITIAL.encode()
    for line in text.split("\n"):
        runs, state = lex_line(line, state)
        assert state >= 0
        assert all(start >= 0 and length > 0 and start + length <= len(line) for start, length, _ in runs)


def by_pygments(text: str) -> list[tuple[set[int], set[int]]]:
    """Return for each line the columns inside block scalars, and inside comments."""
    lines: list[tuple[set[int], set[int]]] = [(set(), set())]
    column = 0
    for token, value in YamlLexer(stripnl=False, ensurenl=False).get_tokens(text):
        for character in value:
            if character == "\n":
                lines.append((set(), set()))
                column = 0
                continue
            if character not in " \t":
                if token in Name.Constant:
                    lines[-1][0].add(column)
                if token in Comment:
                    lines[-1][1].add(column)
            column += 1
    return lines


def by_us(text: str) -> list[tuple[set[int], set[int]]]:
    lines, state = [], INITIAL.encode()
    for line in text.split("\n"):
        is_block = LineState.decode(state).kind is Construct.BLOCK
        runs, state = lex_line(line, state)
        columns: dict[TokenRole, set[int]] = {TokenRole.STRING: set(), TokenRole.COMMENT: set()}
        for start, length, role in runs:
            if role in columns:
                columns[role] |= {at for at in range(start, start + length) if line[at] not in " \t"}
        is_block = is_block and LineState.decode(state).kind is Construct.BLOCK and len(runs) > 0
        is_block = is_block and {run.role for run in runs} <= {TokenRole.STRING, TokenRole.JINJA}
        lines.append((columns[TokenRole.STRING] if is_block else set(), columns[TokenRole.COMMENT]))
    return lines


def test_block_scalars_and_comments_match_pygments(shared: Path) -> None:
    paths = sorted((shared / "corpus" / "files" / "openstack+heat-templates").rglob("*.yaml"))[:150]
    compared = different = 0
    for path in paths:
        text = path.read_text(encoding="utf-8").expandtabs().replace("\r", "")
        with warnings.catch_warnings():
            theirs = by_pygments(text)
        for ours, other in zip(by_us(text), theirs, strict=False):
            compared += 1
            different += ours != other
    assert compared > 5_000
    assert different == 0
