"""What is read from a file is written back byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heatstudio.ui.file_text import decode, encode

LINES = st.lists(st.tuples(st.text(st.sampled_from("ab é\u00a0\u2028"), max_size=3), st.sampled_from(["\n", "\r\n"])))


@pytest.mark.parametrize(
    "data", [b"", b"a", b"a\n", b"a\r\nb\r\n", b"\xef\xbb\xbfa: 1\n", b"a\r\nb\nc\rd", b"\r", b"\n\n"]
)
def test_untouched_file_keeps_its_bytes(data: bytes) -> None:
    file = decode(data)
    assert encode(file, file.text) == data
    assert "\r" not in file.text


@given(LINES)
def test_any_mixture_of_line_ends_keeps_its_bytes(lines: list[tuple[str, str]]) -> None:
    data = "".join(line + end for line, end in lines).encode()
    file = decode(data)
    assert encode(file, file.text) == data


@given(LINES, LINES)
def test_edited_file_has_the_edited_text(before: list[tuple[str, str]], after: list[tuple[str, str]]) -> None:
    file = decode("".join(line + end for line, end in before).encode())
    text = "\n".join(line for line, _ in after)
    assert decode(encode(file, text)).text == text


def test_line_ends_of_untouched_lines_stay() -> None:
    file = decode(b"one\r\ntwo\nthree\r\nfour\n")
    assert encode(file, "one\ntwo\nnew\nthree\nfour\n") == b"one\r\ntwo\nnew\r\nthree\r\nfour\n"
    assert file.newline_word == "mixed line ends"


def test_no_utf_8_is_refused() -> None:
    with pytest.raises(UnicodeDecodeError):
        decode(b"\xff\xfe")
