"""The syntactic context inside flow collections."""

import re

from msgspec import Struct

from heatstudio.template.nodes import Path

_TOKEN = re.compile(
    r"""\s+|\#[^\n]*|"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?|[\[\]{},]|:(?=[\s,\[\]{}"']|$)|(?:[^\s:\[\]{},]|:(?=\S))+"""
)


class Context(Struct, frozen=True):
    """The context at the caret: a key of the map at `path`, the value of `path`, or both.

    Both are true if the text does not decide, as on an empty line below a key.
    """

    path: Path
    prefix: str
    """The text typed so far, without quotes."""
    is_key: bool
    is_value: bool


class _Bracket(Struct):
    is_map: bool
    name: str | int | None


def flow_context(text: str, base: Path) -> Context:
    """Return the context at the end of a text that starts with the opening bracket of the value at `base`."""
    brackets: list[_Bracket] = []
    pending = ""
    for found in _TOKEN.finditer(text):
        sign = found.group()
        if sign in "{[":
            brackets.append(_Bracket(sign == "{", None if sign == "{" else 0))
            pending = ""
        elif sign in "}]":
            if brackets:
                brackets.pop()
            pending = ""
            if not brackets:
                return Context(base, "", is_key=False, is_value=False)
        elif sign == ",":
            _next(brackets)
            pending = ""
        elif sign == ":":
            if brackets and brackets[-1].is_map:
                brackets[-1].name = unquoted(pending)
            pending = ""
        elif not sign.startswith("#"):
            pending += sign
    path = base + tuple(bracket.name for bracket in brackets if bracket.name is not None)
    is_key = bool(brackets) and brackets[-1].name is None
    return Context(path, unquoted(pending), is_key=is_key, is_value=bool(brackets) and not is_key)


def _next(brackets: list[_Bracket]) -> None:
    if not brackets:
        return
    name = brackets[-1].name
    brackets[-1].name = name + 1 if isinstance(name, int) else None


def unquoted(written: str) -> str:
    """Return a possibly unfinished scalar without its quotes."""
    written = written.strip()
    if written[:1] in {'"', "'"}:
        quote = written[0]
        return written[1:-1] if len(written) > 1 and written.endswith(quote) else written[1:]
    return written
