"""Highlight one line of YAML or JSON, given the state of the line before it, without Qt."""

import re
from enum import IntEnum
from typing import Final, NamedTuple

from heatstudio.ui.highlight import yaml_patterns as pattern
from heatstudio.ui.highlight.line_state import INITIAL, Construct, Expected, LineState


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


LONGEST_LINE: Final = 20_000
"""The maximum number of highlighted characters in a line."""


def highlight_line(text: str, state: int) -> tuple[list[Run], int]:
    """Return the roles of a line and its end state; the first line of a text starts with `INITIAL`."""
    scan = _Scan(text[:LONGEST_LINE], LineState.decode(state))
    return scan.runs, scan.state.encode()


class _Scan:
    """The scan of one line; `state` is the state at the start of the next line."""

    __slots__ = ("at", "runs", "state", "text")

    def __init__(self, text: str, state: LineState) -> None:
        self.text = text
        self.state = state
        self.runs: list[Run] = []
        self.at = _end_of_spaces(text, 0)
        if self.at < len(text):
            self._scan_line()
        if "{" in text and (jinja := pattern.JINJA.search(text)):
            while jinja:
                self._mark(jinja.start(), jinja.end(), TokenRole.JINJA)
                jinja = pattern.JINJA.search(text, jinja.end())

    def _mark(self, start: int, end: int, role: TokenRole) -> None:
        if end > start:
            self.runs.append(Run(start, end - start, role))

    def _scan_line(self) -> None:
        state, indent = self.state, self.at
        if state.kind is Construct.BLOCK:
            if indent >= state.indent:
                self._mark(indent, len(self.text), TokenRole.STRING)
                if not state.is_settled:
                    self.state = state._replace(indent=indent, is_settled=True)
                return
            self.state = INITIAL
        elif state.kind in (Construct.SINGLE, Construct.DOUBLE):
            self._continue_quoted('"' if state.kind is Construct.DOUBLE else "'")
            return
        elif state.kind is Construct.PLAIN:
            self.state = INITIAL
            if self._continues_plain(indent, state.indent):
                self._scan_plain(Expected.NOTHING, state.indent)
                return
        if self.state.depth:
            self._scan_flow()
        else:
            self._scan_block(indent)

    def _continues_plain(self, indent: int, parent: int) -> bool:
        if indent <= parent or self.text[indent] == "#" or self.text.startswith("- ", indent):
            return False
        return pattern.PLAIN_KEY.match(self.text, indent) is None

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
        while text.startswith(("- ", "-\t", "? "), self.at) or text[self.at :] in ("-", "?"):
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
        self._scan_value(pattern.EXPECTED.get(name.strip("\"'"), Expected.NOTHING), start)

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
        match = pattern.QUOTED_KEY.match(self.text, start) if is_quoted else pattern.PLAIN_KEY.match(self.text, start)
        return (match[1], match.end()) if match else None

    def _key_role(self, name: str, column: int) -> TokenRole:
        if name in pattern.FUNCTIONS or name.startswith("Fn::"):
            return TokenRole.FUNCTION
        return TokenRole.SECTION if column == 0 else TokenRole.KEY

    def _scan_value(self, expected: Expected, parent: int) -> None:
        """Scan a value of block style from `at`, which belongs to the key or dash in column `parent`."""
        text = self.text
        while self.at < len(text) and (match := pattern.PROPERTY.match(text, self.at)):
            role = TokenRole.ANCHOR if match[0][0] != "!" else TokenRole.FUNCTION
            self._mark(self.at, match.end(), role)
            expected = pattern.EXPECTED.get(match[0], expected)
            self.at = _end_of_spaces(text, match.end())
        if self.at >= len(text):
            if expected:
                self.state = LineState(expected=expected, indent=max(parent, 0))
            return
        first = text[self.at]
        if first == "#" and (self.at == 0 or text[self.at - 1] in " \t"):
            if expected:
                self.state = LineState(expected=expected, indent=max(parent, 0))
            self._scan_rest()
        elif first in "|>" and (header := pattern.BLOCK_HEADER.match(text, self.at)):
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
        given = header[1] or header[2]
        indent = max(parent, 0) + int(given) if given else parent + 1
        self.state = LineState(Construct.BLOCK, indent, is_settled=bool(given))
        self.at = _end_of_spaces(self.text, header.end())
        self._scan_rest()

    def _scan_plain(self, expected: Expected, parent: int) -> None:
        match = pattern.PLAIN.match(self.text, self.at)
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
        match = pattern.QUOTED[quote].match(self.text, inside)
        end = match.end() if match else len(self.text)
        if match and match[1]:
            content = self.text[inside : end - 1]
            self._mark(start, end, TokenRole.TYPE if pattern.TYPE.match(content) else role)
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
            elif match := pattern.PROPERTY.match(text, self.at):
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
        match = pattern.QUOTED[quote].match(self.text, self.at + 1)
        colon = pattern.COLON_BEHIND_JSON_KEY.match(self.text, match.end()) if match and match[1] else None
        if match and colon:
            self._mark_flow_key(self.text[self.at + 1 : match.end() - 1], match.end(), colon.end())
            return
        expected = self.state.expected
        self._scan_quoted(quote, self.at, self.at + 1, TokenRole.REFERENCE if expected else TokenRole.STRING)
        self._use_name()

    def _scan_flow_plain(self) -> None:
        match = pattern.FLOW_PLAIN.match(self.text, self.at)
        end = match.end() if match else self.at + 1
        word = self.text[self.at : end]
        if colon := pattern.COLON_BEHIND_FLOW_KEY.match(self.text, end):
            self._mark_flow_key(word, end, colon.end())
            return
        self._mark(self.at, end, _scalar_role(word, self.state.expected))
        self._use_name()
        self.at = _end_of_spaces(self.text, end)

    def _mark_flow_key(self, name: str, end: int, behind: int) -> None:
        is_function = name in pattern.FUNCTIONS or name.startswith("Fn::")
        self._mark(self.at, end, TokenRole.FUNCTION if is_function else TokenRole.KEY)
        self._mark(behind - 1, behind, TokenRole.PUNCTUATION)
        self.state = self.state._replace(expected=pattern.EXPECTED.get(name, Expected.NOTHING))
        self.at = _end_of_spaces(self.text, behind)

    def _use_name(self) -> None:
        if self.state.expected is Expected.FIRST_NAME:
            self.state = self.state._replace(expected=Expected.NOTHING)


def _scalar_role(word: str, expected: Expected) -> TokenRole:
    if pattern.TYPE.match(word):
        return TokenRole.TYPE
    if expected:
        return TokenRole.REFERENCE
    return TokenRole.NUMBER if pattern.NUMBER.match(word) else TokenRole.STRING


def _end_of_spaces(text: str, start: int) -> int:
    match = pattern.SPACES.match(text, start)
    return match.end() if match else start
