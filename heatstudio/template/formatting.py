"""Formatting of YAML: indentation, blanks and blank lines, proven in each run to change nothing else."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

import yaml
from msgspec import Struct

from heatstudio.template.syntax.parse import SIZE_LIMIT
from heatstudio.template.syntax.yaml_reader import UNREADABLE
from heatstudio.text import LineIndex, TextEdit, apply_edits, yaml_lexer
from heatstudio.text.line_diff import line_edits

_STEP: Final = 2
"""The indentation of a text without nested maps, and that of a map behind a dash."""
_DASHES = re.compile(r"(?:-(?:[ \t]+|$))*")
_QUOTES = (yaml_lexer.Construct.SINGLE, yaml_lexer.Construct.DOUBLE)


class Formatted(Struct, frozen=True):
    """The edits that format a text, or the reason why it is left alone."""

    edits: tuple[TextEdit, ...] = ()
    refusal: str = ""


class _Kind(Enum):
    BLANK = auto()
    COMMENT = auto()
    NODE = auto()
    MORE = auto()
    """A further line of a plain or quoted scalar, or of a flow collection."""
    BODY = auto()
    """A line of a block scalar."""


class _Line(NamedTuple):
    text: str
    kind: _Kind
    is_open: bool
    """Whether a quoted scalar is open at the end."""

    @property
    def indent(self) -> int:
        return len(self.text) - len(self.text.lstrip(" "))


class _Collection(NamedTuple):
    """A collection with its column in the old and the new text."""

    is_list: bool
    old: int
    new: int


def format_text(text: str, lines: range | None = None) -> Formatted:
    """Return the edits that format a text, or only some of its lines; a second run has nothing to do.

    The indentation of maps and lists is the one that the text has most often.
    """
    if text.lstrip().startswith("{"):
        return Formatted(refusal="JSON is not formatted.")
    if "\r" in text and {text.count("\r"), text.count("\n")} != {text.count("\r\n")}:
        return Formatted(refusal="Its lines end in different ways.")
    if len(text) > SIZE_LIMIT or UNREADABLE.search(text):
        return Formatted(refusal="The text is too large, or has characters that YAML does not allow.")
    try:
        events = _events(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        return Formatted(refusal=f"Line {mark.line + 1} has a syntax error." if mark else "It has a syntax error.")
    new = _Layout(text.replace("\r\n", "\n")).formatted()
    new = new.replace("\n", "\r\n") if "\r\n" in text else new
    line = LineIndex(text).position
    edits = tuple(
        edit
        for edit in line_edits(text, new)
        if lines is None or (line(edit.span.start).line in lines and line(edit.span.end).line <= lines.stop)
    )
    result = apply_edits(text, edits)
    try:
        is_same = _words(text) == _words(result) and _comments(text) == _comments(result) and events == _events(result)
    except yaml.YAMLError:
        is_same = False
    return Formatted(edits) if is_same else Formatted(refusal="Formatting would change more than blanks.")


def _events(text: str) -> list[tuple[object, ...]]:
    """Return everything that a YAML parser sees: values, styles, anchors, tags and their order, without positions."""
    return [
        (type(event).__name__, *((name, value) for name, value in vars(event).items() if not name.endswith("_mark")))
        for event in yaml.parse(text, yaml.CSafeLoader)
    ]


def _words(text: str) -> str:
    return "".join(text.split())


def _comments(text: str) -> list[str]:
    """Return all comments in order."""
    state, found = yaml_lexer.INITIAL.encode(), list[str]()
    for line in text.split("\n"):
        runs, state = yaml_lexer.lex_line(line, state)
        found += [line[run.start :].strip() for run in runs if run.role is yaml_lexer.TokenRole.COMMENT]
    return found


def _classified(texts: Iterable[str]) -> Iterator[_Line]:
    code = yaml_lexer.INITIAL.encode()
    for text in texts:
        before = yaml_lexer.LineState.decode(code)
        _, code = yaml_lexer.lex_line(text, code)
        yield _Line(text, _kind_of(text, before), yaml_lexer.LineState.decode(code).kind in _QUOTES)


def _kind_of(text: str, before: yaml_lexer.LineState) -> _Kind:
    words = text.lstrip(" ")
    indent = len(text) - len(words)
    if before.kind is yaml_lexer.Construct.BLOCK and (not words or indent >= before.indent):
        return _Kind.BODY
    if before.kind in _QUOTES:
        return _Kind.MORE
    if not words.strip():
        return _Kind.BLANK
    is_plain = before.kind is yaml_lexer.Construct.PLAIN and indent > before.indent and words[0] != "#"
    if before.depth or (is_plain and not yaml_lexer.PLAIN_KEY.match(words)):
        return _Kind.MORE
    return _Kind.COMMENT if words[0] == "#" else _Kind.NODE


class _Layout:
    """The new lines of a text, written one after another."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = list(_classified(text.removesuffix("\n").split("\n")))
        self._steps: Counter[int] = Counter()
        self._dashes: Counter[int] = Counter()
        self._step = self._dash = _STEP
        self._start()

    def formatted(self) -> str:
        """Return the new text, with the indentation that the old one has most often."""
        self._write()
        self._step, self._dash = _commonest(self._steps), _commonest(self._dashes)
        self._start()
        self._write()
        is_block = self._lines[-1].kind is _Kind.BODY and not self._text.endswith("\n")
        return "\n".join(self._new) + ("" if is_block or not self._new else "\n")

    def _start(self) -> None:
        self._new: list[str] = []
        self._levels: list[_Collection] = []
        self._waiting: list[_Line] = []
        """The comments and blank lines before the next line of another kind."""
        self._by = 0
        """The distance by which the further lines of a scalar or flow collection move."""
        self._owner = _Collection(False, 0, 0)
        """The collection with the last scalar."""
        self._header: re.Match[str] | None = None
        """The header of the last block scalar."""
        self._ceiling: int | None = None
        """The column of the text of the block scalar above, which a comment does not reach."""

    def _write(self) -> None:
        at = 0
        while at < len(self._lines):
            line = self._lines[at]
            if line.kind is _Kind.BODY:
                stop = next((n for n in range(at, len(self._lines)) if self._lines[n].kind is not _Kind.BODY), None)
                body = self._lines[at:stop]
                self._write_body(body)
                at += len(body)
                continue
            if line.kind in (_Kind.BLANK, _Kind.COMMENT):
                self._waiting.append(line)
            elif line.kind is _Kind.MORE:
                self._new += ["" for _ in self._waiting]
                self._waiting = []
                blanks = " " * max(line.indent + self._by, 0) if line.text.strip() else ""
                self._new.append(blanks + _without_end(line, line.text.lstrip(" ")))
            else:
                self._write_node(line)
            at += 1
        self._write_waiting(0, 0)
        while self._new and not self._new[-1] and self._lines[-1].kind is not _Kind.BODY:
            self._new.pop()

    def _write_node(self, line: _Line) -> None:
        """Write a line that starts with a dash, a key, or a scalar below them."""
        content, column, new = line.text.lstrip(" "), line.indent, 0
        levels = [*self._levels]
        dashes = _DASHES.match(content)
        signs = dashes[0] if dashes else ""
        begin: int | None = None
        for at in (found.start() for found in re.finditer("-", signs)):
            new = self._place(column + at, is_list=True)
            begin = new if begin is None else begin
            self._owner = self._levels[-1]
        rest, inside = content[len(signs) :], column + len(signs)
        key = (yaml_lexer.QUOTED_KEY if rest[:1] in "\"'" else yaml_lexer.PLAIN_KEY).match(rest) if rest else None
        if rest and (key or not signs):
            new = self._place(inside, is_list=False)
            begin = new if begin is None else begin
            self._owner = self._levels[-1]
        elif signs:
            new += 2
        self._by = new - inside
        value = rest[key.end() :].lstrip(" \t") if key else rest
        if key and value[:1] != "#":
            rest = f"{key[1]}: {value}" if value else f"{key[1]}:"
        is_section = key is not None and not value and not signs and begin == 0
        self._header, start = yaml_lexer.block_header(value), begin or 0
        self._write_waiting(column, start, levels, parts=is_section)
        self._new.append(_without_end(line, " " * start + "- " * signs.count("-") + rest))
        self._ceiling = None

    def _place(self, column: int, *, is_list: bool) -> int:
        """Return the new column of a list or map in an old column."""
        levels = self._levels
        while levels and (levels[-1].old > column or (levels[-1].old == column and levels[-1].is_list > is_list)):
            levels.pop()
        if levels and levels[-1].old == column and levels[-1].is_list == is_list:
            return levels[-1].new
        if not levels:
            new = column
        elif levels[-1].is_list:
            new = levels[-1].new + _STEP
        else:
            (self._dashes if is_list else self._steps)[column - levels[-1].old] += 1
            new = levels[-1].new + (self._dash if is_list else self._step)
        levels.append(_Collection(is_list, column, new))
        return new

    def _write_body(self, body: Sequence[_Line]) -> None:
        """Write a block scalar; blank lines at its end may leave, unless they are part of it."""
        own, header = self._owner, self._header
        first = next((line.indent for line in body if line.text.strip()), None)
        given = header is not None and (header[1] or header[3])
        keeps = header is not None and header[2] == "+"
        by = own.new - own.old
        if first is not None and not given:
            by = own.new + (_STEP if own.is_list else self._step) - first
        end = len(body)
        while end and not keeps and not body[end - 1].text[first or 0 :]:
            end -= 1
        for line in body[:end]:
            self._new.append(" " * max(line.indent + by, 0) + line.text.lstrip(" ") if line.text[first or 0 :] else "")
        self._waiting = [line._replace(text="", kind=_Kind.BLANK) for line in body[end:]]
        self._ceiling = first + by if first is not None else None

    def _write_waiting(self, column: int, new: int, levels: Sequence[_Collection] = (), *, parts: bool = False) -> None:
        """Write comments, in the column of the line or collection to which they belong, and single blank lines.

        With `parts`, a blank line separates the next line from those above.
        """
        if parts and self._new and self._new[-1] and all(line.kind is _Kind.COMMENT for line in self._waiting):
            self._new.append("")
        for line in self._waiting:
            if line.kind is _Kind.COMMENT:
                own = next((level for level in reversed(levels) if level.old <= line.indent), None)
                at = own.new + line.indent - own.old if own else line.indent
                at = new if line.indent == column else at
                at = at if self._ceiling is None else min(at, self._ceiling - 1)
                self._new.append(" " * max(at, 0) + line.text.strip())
            elif self._new and self._new[-1]:
                self._new.append("")
        self._waiting = []


def _without_end(line: _Line, text: str) -> str:
    """Return a text without blanks at its end, unless they are quoted."""
    return text if line.is_open else text.rstrip(" \t")


def _commonest(found: Counter[int]) -> int:
    return min(found, key=lambda number: (-found[number], number), default=_STEP)
