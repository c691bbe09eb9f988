"""The lexer of a line of YAML or JSON, given the state at the end of the line before it."""

from __future__ import annotations

import json
import re
from enum import IntEnum
from functools import lru_cache
from typing import Final, NamedTuple

from heatstudio.assets import resource_path

_INDENT_BITS = 12
_DEPTH_BITS = 8
_MOST_INDENT = (1 << _INDENT_BITS) - 1
_MOST_DEPTH = (1 << _DEPTH_BITS) - 1


class Construct(IntEnum):
    """The construct that is open at the end of a line."""

    NONE = 0
    SINGLE = 1
    DOUBLE = 2
    BLOCK = 3
    PLAIN = 4


class Expected(IntEnum):
    """The names expected next: none, one, or several."""

    NOTHING = 0
    FIRST_NAME = 1
    NAMES = 2


class LineState(NamedTuple):
    """The state at the start of the next line.

    `indent` is the minimum indentation of a block scalar's lines (of its first line until `is_settled`), or else the
    column of the key or dash of the open value. `depth` is the number of open flow brackets.
    """

    kind: Construct = Construct.NONE
    indent: int = 0
    depth: int = 0
    expected: Expected = Expected.NOTHING
    is_settled: bool = False

    def is_script(self, line: str, column: int | None = None) -> bool:
        """Return whether the next line is text of a block scalar; an empty line is as deep as `column`, if given."""
        depth = len(line) - len(line.lstrip(" ")) if line.strip() else column
        return self.kind is Construct.BLOCK and (depth is None or depth >= self.indent)

    def is_text(self, line: str, column: int | None = None) -> bool:
        """Return whether the next line starts inside a block scalar or a quoted string."""
        return self.kind in (Construct.SINGLE, Construct.DOUBLE) or self.is_script(line, column)

    def encode(self) -> int:
        """Return the state as a non-negative integer of 26 bits."""
        indent = max(0, min(self.indent, _MOST_INDENT))
        depth = min(self.depth, _MOST_DEPTH)
        return self.kind | self.expected << 3 | self.is_settled << 5 | indent << 6 | depth << 6 + _INDENT_BITS

    @classmethod
    def decode(cls, state: int) -> LineState:
        """Return the state of an integer; negative ones, which Qt uses before the first line, are `INITIAL`."""
        return _decode(state) if state > 0 else INITIAL


INITIAL = LineState()


@lru_cache(maxsize=4096)
def _decode(state: int) -> LineState:
    return LineState(
        Construct(state & 7),
        state >> 6 & _MOST_INDENT,
        state >> 6 + _INDENT_BITS & _MOST_DEPTH,
        Expected(state >> 3 & 3),
        bool(state >> 5 & 1),
    )


_FUNCTIONS: Final = frozenset(json.loads(resource_path("functions.json").read_text(encoding="utf-8")))
"""The keys that are function calls anywhere, besides every key with `Fn::`."""

_EXPECTED: Final = {
    **dict.fromkeys(("get_resource", "get_param", "Ref", "depends_on", "DependsOn", "condition"), Expected.NAMES),
    **dict.fromkeys(("get_attr", "Fn::GetAtt", "if", "Fn::If", "!GetAtt", "!If"), Expected.FIRST_NAME),
    "!Ref": Expected.NAMES,
}
_TYPE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:::[A-Za-z0-9_]+)+$")
_NUMBER: Final = re.compile(
    r"(?:[-+]?(?:0x[0-9a-fA-F]+|0o[0-7]+|[0-9][0-9_]*(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|\.inf|\.nan)"
    r"|true|false|yes|no|on|off|null|~|[0-9]{4}-[0-9]{2}-[0-9]{2})$",
    re.IGNORECASE,
)
_QUOTED: Final = {'"': re.compile(r'(?:[^"\\]|\\.)*("?)', re.DOTALL), "'": re.compile(r"(?:[^']|'')*('?)(?!')")}
QUOTED_KEY: Final = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*:(?=\s|$)""")
PLAIN_KEY: Final = re.compile(
    r"((?:[^\s,\[\]{}#&*!|>'\"%@`?:-]|[?:-](?=\S))(?:[^\s:#]|:(?=\S)|(?<!\s)#|\s++(?!#|:(?:\s|$)))*)\s*:(?=\s|$)"
)
_BLOCK_HEADER: Final = re.compile(r"[|>](?![1-9][+-]?[1-9])([1-9])?([+-]?)([1-9])?(?=\s*(?:$|#))")
"""The header of a block scalar: the second group is the chomping indicator, the others the indentation indicator."""
_PROPERTY: Final = re.compile(r"[&!][^\s,\[\]{}]*|\*[^\s,\[\]{}]+")
_PLAIN: Final = re.compile(r"(?:[^\s#]|(?<!\s)#|\s++(?!#|$))+")
_FLOW_PLAIN: Final = re.compile(
    r"(?:[^\s,\[\]{}:#]|:(?![\s,\[\]{}]|$)|(?<!\s)#|[ \t](?![\s#]|[,\[\]{}]|:(?:[\s,\[\]{}]|$)))+"
)
_COLON_BEHIND_FLOW_KEY: Final = re.compile(r"\s*:(?=[\s,\[\]{}]|$)")
_COLON_BEHIND_JSON_KEY: Final = re.compile(r"\s*:")
_JINJA: Final = re.compile(
    r"\{\{(?:[^{}]|\{(?!\{)|\}(?!\}))*+\}\}"
    r"|\{%(?:[^%{]|%(?!\})|\{(?!%))*+%\}"
    r"|\{\#(?:[^#{]|\#(?!\})|\{(?!\#))*+\#\}"
)
_SPACES: Final = re.compile(r"[ \t]*")


class TokenRole(IntEnum):
    """The syntactic role of a piece of text."""

    SECTION = 0
    KEY = 1
    TYPE = 2
    FUNCTION = 3
    REFERENCE = 4
    STRING = 5
    NUMBER = 6
    COMMENT = 7
    ANCHOR = 8
    JINJA = 9
    PUNCTUATION = 10


class Run(NamedTuple):
    """The role of `length` code points from `start` in a line; later runs override earlier ones."""

    start: int
    length: int
    role: TokenRole


_INDICATORS: Final = ("-", "?", ":")
"""The signs that start an item, a key or the value of such a key, before a blank or the end of the line."""
_BLANKS: Final = ("", " ", "\t")
_DASHES, _CLOSING = ("- ", "-\t", "-"), ("]", "}")
"""The starts of lines that may have the same indentation as their key."""
_FARTHEST: Final = 200
"""The maximum distance of a line from the start of an open construct to read the lines between them."""
LONGEST_LINE: Final = 20_000
"""The maximum number of characters of a line that are read."""


def lex_line(text: str, state: int) -> tuple[list[Run], int]:
    """Return the roles of a line and its end state; the first line of a text starts with `INITIAL`."""
    scan = _Scan(text[:LONGEST_LINE], LineState.decode(state))
    return scan.runs, scan.state.encode()


def state_at(text: str, offset: int) -> LineState:
    """Return the state at the start of the line of an offset.

    A construct that is open there starts in a line below which the line is indented; of the other lines, only those
    between the two are read, up to a maximum distance.
    """
    start = at = text.rfind("\n", 0, offset) + 1
    owners: list[int] = []
    least = len(text), True
    while at > 0 and least > (0, False):
        end, at = at - 1, text.rfind("\n", 0, at - 1) + 1
        if owners and text.startswith(" " * (least[0] + 1), at):
            continue
        words = text[at:end].lstrip(" ")
        depth = end - at - len(words), words.rstrip("\r")[:2] in _DASHES or words[:1] in _CLOSING
        if words.strip() and words[0] != "#" and depth < least:
            owners.append(at)
            least = depth
    state = INITIAL.encode()
    for owner in reversed(owners):
        behind = text.find("\n", owner) + 1
        _, state = lex_line(text[owner : behind - 1].rstrip("\r"), state)
        if state and text.count("\n", behind, start) < _FARTHEST:
            for line in text[behind:start].replace("\r\n", "\n").split("\n")[:-1]:
                _, state = lex_line(line, state)
            break
    return LineState.decode(state)


class _Scan:
    """The scan of one line; `state` is the state at the start of the next line."""

    def __init__(self, text: str, state: LineState) -> None:
        self.text = text
        self.state = state
        self.runs: list[Run] = []
        self.at = _end_of_spaces(text, 0)
        if state.kind is Construct.BLOCK:
            self._continue_block()
        if self.at < len(text):
            self._scan_line()
        for jinja in _JINJA.finditer(text) if "{" in text else ():
            self._mark(jinja.start(), jinja.end(), TokenRole.JINJA)

    def _mark(self, start: int, end: int, role: TokenRole) -> None:
        if end > start:
            self.runs.append(Run(start, end - start, role))

    def _continue_block(self) -> None:
        """Read the line if it belongs to the block scalar; the first line with text decides on the indentation."""
        state, spaces = self.state, len(self.text) - len(self.text.lstrip(" "))
        is_blank = spaces == len(self.text)
        if spaces < state.indent and not is_blank:
            self.state = INITIAL
            return
        if not state.is_settled:
            self.state = state._replace(indent=max(spaces, state.indent), is_settled=not is_blank)
        self._mark(spaces, len(self.text), TokenRole.STRING)
        self.at = len(self.text)

    def _scan_line(self) -> None:
        state, indent = self.state, self.at
        if state.kind in (Construct.SINGLE, Construct.DOUBLE):
            self._continue_quoted('"' if state.kind is Construct.DOUBLE else "'")
            return
        if state.kind is Construct.PLAIN:
            self.state = INITIAL
            is_key = PLAIN_KEY.match(self.text, indent) is not None
            if indent > state.indent and self.text[indent] != "#" and not is_key:
                self._scan_plain(Expected.NOTHING, state.indent)
                return
        if self.state.depth:
            self._scan_flow()
        else:
            self._scan_block(indent)

    def _continue_quoted(self, quote: str) -> None:
        expected = self.state.expected
        self.state = self.state._replace(kind=Construct.NONE)
        self._scan_quoted(quote, self.at, self.at, TokenRole.REFERENCE if expected else TokenRole.STRING)
        if self.state.kind is Construct.NONE:
            if self.state.depth:
                self._scan_flow()
            else:
                self.state = INITIAL
                self._scan_rest()

    def _scan_block(self, indent: int) -> None:
        text = self.text
        expected = self._expected_of_item(indent)
        if indent == 0 and text.startswith(("---", "...", "%")):
            self._mark(0, 3 if text[0] != "%" else len(text), TokenRole.PUNCTUATION)
            self.at = _end_of_spaces(text, 3)
            self._scan_value(Expected.NOTHING, -1) if text[0] == "-" else self._scan_rest()
            return
        parent = indent - 1
        while text[self.at : self.at + 1] in _INDICATORS and text[self.at + 1 : self.at + 2] in _BLANKS:
            self._mark(self.at, self.at + 1, TokenRole.PUNCTUATION)
            parent = self.at
            self.at = _end_of_spaces(text, self.at + 1)
        start = self.at
        key = self._key_at(start)
        if key is None:
            self._scan_value(expected, parent)
            return
        name, end = key
        self._mark(start, start + len(name), self._key_role(name.strip("\"'"), start))
        self._mark(end - 1, end, TokenRole.PUNCTUATION)
        self.at = _end_of_spaces(text, end)
        self._scan_value(_EXPECTED.get(name.strip("\"'"), Expected.NOTHING), start)

    def _expected_of_item(self, indent: int) -> Expected:
        """Return what the key above expects of an item in the list below it."""
        state = self.state
        self.state = INITIAL
        if not state.expected or self.text[indent] == "#":
            if state.expected:
                self.state = state
            return Expected.NOTHING
        if indent < state.indent or not self.text.startswith("- ", indent):
            return state.expected if indent > state.indent else Expected.NOTHING
        if state.expected is Expected.NAMES:
            self.state = state
        return state.expected

    def _key_at(self, start: int) -> tuple[str, int] | None:
        if start >= len(self.text):
            return None
        is_quoted = self.text[start] in "\"'"
        match = QUOTED_KEY.match(self.text, start) if is_quoted else PLAIN_KEY.match(self.text, start)
        return (match[1], match.end()) if match else None

    def _key_role(self, name: str, column: int) -> TokenRole:
        if name in _FUNCTIONS or name.startswith("Fn::"):
            return TokenRole.FUNCTION
        return TokenRole.SECTION if column == 0 else TokenRole.KEY

    def _scan_value(self, expected: Expected, parent: int) -> None:
        """Scan a value of block style from `at`, which belongs to the key or dash in column `parent`."""
        text = self.text
        while self.at < len(text) and (match := _PROPERTY.match(text, self.at)):
            role = TokenRole.ANCHOR if match[0][0] != "!" else TokenRole.FUNCTION
            self._mark(self.at, match.end(), role)
            expected = _EXPECTED.get(match[0], expected)
            self.at = _end_of_spaces(text, match.end())
        first = text[self.at : self.at + 1]
        if not first or (first == "#" and (self.at == 0 or text[self.at - 1] in " \t")):
            if expected:
                self.state = LineState(expected=expected, indent=max(parent, 0))
            self._scan_rest()
        elif first in "|>" and (header := _BLOCK_HEADER.match(text, self.at)):
            self._scan_block_header(header, parent)
        elif first in "\"'":
            self.state = self.state._replace(indent=max(parent, 0))
            self._scan_quoted(first, self.at, self.at + 1, TokenRole.REFERENCE if expected else TokenRole.STRING)
            if self.state.kind is Construct.NONE:
                self.state = INITIAL
                self._scan_rest()
        elif first in "[{":
            self.state = LineState(expected=expected)
            self._scan_flow()
        else:
            self._scan_plain(expected, parent)

    def _scan_block_header(self, header: re.Match[str], parent: int) -> None:
        self._mark(self.at, header.end(), TokenRole.PUNCTUATION)
        given = header[1] or header[3]
        indent = max(parent, 0) + int(given) if given else max(parent + 1, 1)
        self.state = LineState(Construct.BLOCK, indent, is_settled=bool(given))
        self.at = _end_of_spaces(self.text, header.end())
        self._scan_rest()

    def _scan_plain(self, expected: Expected, parent: int) -> None:
        match = _PLAIN.match(self.text, self.at)
        if match is None:
            return self._scan_rest()
        self._mark(self.at, match.end(), _scalar_role(match[0], expected))
        self.at = _end_of_spaces(self.text, match.end())
        if self.at < len(self.text):
            return self._scan_rest()
        if parent >= 0 and not self.state.expected:
            self.state = LineState(Construct.PLAIN, parent)
        return None

    def _scan_rest(self) -> None:
        """Scan the text after a complete value: a comment, or an error."""
        if self.text.startswith("#", self.at):
            self._mark(self.at, len(self.text), TokenRole.COMMENT)
        self.at = len(self.text)

    def _scan_quoted(self, quote: str, start: int, inside: int, role: TokenRole) -> None:
        match = _QUOTED[quote].match(self.text, inside)
        end = match.end() if match else len(self.text)
        if match and match[1]:
            content = self.text[inside : end - 1]
            self._mark(start, end, TokenRole.TYPE if _TYPE.match(content) else role)
        else:
            end = len(self.text)
            self._mark(start, end, role)
            self.state = self.state._replace(kind=Construct.DOUBLE if quote == '"' else Construct.SINGLE)
        self.at = _end_of_spaces(self.text, end)

    def _scan_flow(self) -> None:
        """Scan flow style from `at` until its last bracket closes or the line ends."""
        text, length = self.text, len(self.text)
        while self.at < length and self.state.kind is Construct.NONE:
            first = text[self.at]
            if first in "[{":
                self._punctuate(depth=1)
            elif first in "]}":
                self._punctuate(depth=-1)
                self.state = self.state._replace(expected=Expected.NOTHING)
                if not self.state.depth:
                    self.state = INITIAL
                    return self._scan_rest()
            elif first == "," or (first == ":" and (self.at + 1 == length or text[self.at + 1] in " \t,[]{}")):
                self._punctuate()
            elif first == "#" and (self.at == 0 or text[self.at - 1] in " \t"):
                return self._scan_rest()
            elif first in "\"'":
                self._scan_flow_quoted(first)
            elif match := _PROPERTY.match(text, self.at):
                self._mark(self.at, match.end(), TokenRole.ANCHOR if first != "!" else TokenRole.FUNCTION)
                self.at = _end_of_spaces(text, match.end())
            else:
                self._scan_flow_plain()
        return None

    def _punctuate(self, depth: int = 0) -> None:
        self._mark(self.at, self.at + 1, TokenRole.PUNCTUATION)
        self.state = self.state._replace(depth=max(0, self.state.depth + depth))
        self.at = _end_of_spaces(self.text, self.at + 1)

    def _scan_flow_quoted(self, quote: str) -> None:
        match = _QUOTED[quote].match(self.text, self.at + 1)
        colon = _COLON_BEHIND_JSON_KEY.match(self.text, match.end()) if match and match[1] else None
        if match and colon:
            self._mark_flow_key(self.text[self.at + 1 : match.end() - 1], match.end(), colon.end())
            return
        expected = self.state.expected
        self._scan_quoted(quote, self.at, self.at + 1, TokenRole.REFERENCE if expected else TokenRole.STRING)
        self._use_name()

    def _scan_flow_plain(self) -> None:
        match = _FLOW_PLAIN.match(self.text, self.at)
        end = match.end() if match else self.at + 1
        word = self.text[self.at : end]
        if colon := _COLON_BEHIND_FLOW_KEY.match(self.text, end):
            self._mark_flow_key(word, end, colon.end())
            return
        self._mark(self.at, end, _scalar_role(word, self.state.expected))
        self._use_name()
        self.at = _end_of_spaces(self.text, end)

    def _mark_flow_key(self, name: str, end: int, behind: int) -> None:
        is_function = name in _FUNCTIONS or name.startswith("Fn::")
        self._mark(self.at, end, TokenRole.FUNCTION if is_function else TokenRole.KEY)
        self._mark(behind - 1, behind, TokenRole.PUNCTUATION)
        self.state = self.state._replace(expected=_EXPECTED.get(name, Expected.NOTHING))
        self.at = _end_of_spaces(self.text, behind)

    def _use_name(self) -> None:
        if self.state.expected is Expected.FIRST_NAME:
            self.state = self.state._replace(expected=Expected.NOTHING)


def block_header(text: str, at: int = 0) -> re.Match[str] | None:
    """Return the header of the block scalar that starts at an offset, with or without an anchor and a tag, or None."""
    while property_ := _PROPERTY.match(text, at):
        at = _end_of_spaces(text, property_.end())
    return _BLOCK_HEADER.match(text, at)


def _scalar_role(word: str, expected: Expected) -> TokenRole:
    if _TYPE.match(word):
        return TokenRole.TYPE
    if expected:
        return TokenRole.REFERENCE
    return TokenRole.NUMBER if _NUMBER.match(word) else TokenRole.STRING


def _end_of_spaces(text: str, start: int) -> int:
    match = _SPACES.match(text, start)
    return match.end() if match else start
