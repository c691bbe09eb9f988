"""The syntactic context at the caret, derived from indentation and brackets, so that it works in invalid text."""

import re

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.template.syntax.nodes import TreePath
from heatstudio.text.yaml_lexer import block_header

_KEY = re.compile(
    r"""("(?:[^"\\]|\\.)*"[ \t]*|'(?:[^']|'')*'[ \t]*|[^\s#"'\[\]{},&*!|>%@`-][^#]*?|-[^\s#][^#]*?):(?=\s|$)"""
)
_DASH = re.compile(r"-(?:[ \t]+|$)")


_TOKEN = re.compile(
    r"""\s+|\#[^\n]*|"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?|[\[\]{},]|:(?=[\s,\[\]{}"']|$)|(?:[^\s:\[\]{},]|:(?=\S))+"""
)


class Context(Struct, frozen=True):
    """The context at the caret: a key of the map at `path`, the value of `path`, or both.

    Both are true if the text does not decide, as on an empty line below a key.
    """

    path: TreePath
    prefix: str
    """The text typed so far, without quotes."""
    is_key: bool
    is_value: bool


class _Level(Struct, frozen=True):
    """A key or a dash: its column, the rest of its line, and the offset of that rest."""

    column: int
    name: str | int
    value: str
    value_start: int

    @property
    def is_dash(self) -> bool:
        return isinstance(self.name, int)


def context_at(text: str, offset: int) -> Context:
    """Return the context at an offset."""
    offset = max(0, min(offset, len(text)))
    body = len(text) - len(text.lstrip("\ufeff \t\r\n"))
    if text[body : body + 1] == "{":
        return flow_context(text[body : max(offset, body)], ())
    start = text.rfind("\n", 0, offset) + 1
    typed = text[start:offset]
    here = _levels(typed, start)
    column = _indentation(typed)
    above = _levels_above(text, start, column, starts_item=bool(here) and here[0].is_dash)
    levels = [*above, *here]
    inside = _inside(text, offset, above)
    if inside is not None:
        return inside
    path = tuple(level.name for level in _numbered(text, levels))
    if here and not here[-1].is_dash:
        value = text[here[-1].value_start : offset]
        if value[:1] in {"{", "["}:
            return flow_context(value, path)
        return Context(path, unquoted(value), is_key=False, is_value=True)
    prefix = text[here[-1].value_start : offset] if here else typed.strip("\ufeff \t\r")
    if prefix[:1] in {"{", "["}:
        return flow_context(prefix, path)
    line_end = text.find("\n", offset)
    written = _levels(text[start : line_end if line_end >= 0 else len(text)], start)
    if len(written) > len(here):
        return Context(path, unquoted(prefix), is_key=True, is_value=False)
    is_value = bool(here) or (bool(levels) and not _has_siblings(text, start, column))
    return Context(path, unquoted(prefix), is_key=True, is_value=is_value)


def _inside(text: str, offset: int, levels: list[_Level]) -> Context | None:
    """Return the context if the caret is in a block scalar, or in brackets that a line above opens."""
    start = text.rfind("\n", 0, offset) + 1
    for index, level in enumerate(levels):
        path: TreePath = tuple(item.name for item in _numbered(text, levels[: index + 1]))
        if block_header(level.value):
            return Context(path, text[start:offset].strip(), is_key=False, is_value=True)
        if level.value[:1] in {"{", "["}:
            context = flow_context(text[level.value_start : offset], path)
            if context.is_key or context.is_value:
                return context
    return None


def _levels_above(text: str, start: int, column: int, *, starts_item: bool) -> list[_Level]:
    """Return the open keys and dashes around a column, the outermost first."""
    found: list[_Level] = []
    limit, same_allowed = column, starts_item
    at = start
    while at > 0 and (limit > 0 or same_allowed):
        line_start = text.rfind("\n", 0, at - 1) + 1
        if text.startswith(" " * (limit + same_allowed), line_start):
            at = line_start
            continue
        for level in reversed(_levels(text[line_start : at - 1], line_start)):
            if level.column < limit or (same_allowed and level.column == limit and not level.is_dash):
                found.insert(0, level)
                limit, same_allowed = level.column, level.is_dash
        at = line_start
    return found


def _levels(line: str, start: int) -> list[_Level]:
    """Return the dashes and the key of a line."""
    at = _indentation(line)
    levels: list[_Level] = []
    while (dash := _DASH.match(line, at)) is not None:
        levels.append(_Level(at, 0, line[dash.end() :], start + dash.end()))
        at = dash.end()
    key = _KEY.match(line, at)
    if key is not None:
        value = line[key.end() :]
        blanks = len(value) - len(value.lstrip(" \t"))
        levels.append(_Level(at, unquoted(key.group(1)), value.strip(), start + key.end() + blanks))
    return levels


def _numbered(text: str, levels: list[_Level]) -> list[_Level]:
    """Return the levels with the index of each dash in its list."""
    return [replace(level, name=_position(text, level)) if level.is_dash else level for level in levels]


def _position(text: str, dash: _Level) -> int:
    """Return the index of a dash in its list."""
    count = 0
    at = text.rfind("\n", 0, max(dash.value_start - 1, 0)) + 1
    while at > 0:
        line_start = text.rfind("\n", 0, at - 1) + 1
        line = text[line_start : at - 1]
        levels = _levels(line, line_start)
        at = line_start
        if not line.strip() or line.lstrip().startswith("#") or _indentation(line) > dash.column:
            continue
        same = next((level for level in levels if level.column == dash.column and level.is_dash), None)
        count += same is not None
        if same is None or _indentation(line) < dash.column:
            break
    return count


def _has_siblings(text: str, start: int, column: int) -> bool:
    """Return whether the next non-blank line below, or the last one above, has a key in this column."""
    before = [line for line in text[:start].split("\n") if line.strip()][-1:]
    behind = [line for line in text[start:].split("\n")[1:] if line.strip()][:1]
    return any(level.column == column and not level.is_dash for line in before + behind for level in _levels(line, 0))


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip("\ufeff ")) - line.startswith("\ufeff")


class _Bracket(Struct):
    is_map: bool
    name: str | int | None


def flow_context(text: str, base: TreePath) -> Context:
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
