"""YAML parsing into nodes from the events of libyaml, Heat's parser; its composer crashes on deep nesting.

Heat and python-heatclient parse a text that libyaml rejects again with PyYAML's parser for a better message; PyYAML
accepts some of these texts (heat/common/template_format.py, simple_parse).
"""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import yaml
from yaml import events

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.template.syntax.nodes import (
    BLOCK_STYLES,
    AliasNode,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    SyntaxProblem,
    Tree,
)
from heatstudio.text import Span, checkpoint

_KNOWN = read_data(resource_path("yaml_errors.json"), dict[str, str])
"""Replacements of libyaml's messages; the first key that a message contains applies."""
_BEHIND_A_VALUE = ("did not find expected key", "did not find expected '-' indicator")
_ENDED = "Unexpected text after the value. Quote the whole value, or move the text to its own line."
_CLOSERS = ('"', "'", "}", "]")
_COLON = re.compile(r":(?=\s|$)")
_TAB_INDENT = re.compile(r"[ ]*\t")
DEPTH_LIMIT = 200
"""The maximum depth; Heat fails on slightly deeper texts, because its evaluation recurses several times per level."""

TOO_DEEP = f"This is nested more than {DEPTH_LIMIT} levels deep, too deep for Heat."

_BLANKS = " \t\r\n"
_ONLY_OF_LIBYAML = frozenset(
    {
        "found unexpected ':'",
        "found a tab character where an indentation space is expected",
        "found unknown directive name",
    }
)
_ONLY_TO_LIBYAML = re.compile(r"\ufeff|\?\s*[,\]}]")
"""Plain text for PyYAML but not for libyaml: a byte order mark; a question mark before a comma or closing bracket."""
UNREADABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""The characters that libyaml's reader rejects (YAML 1.1, c-printable)."""


def unreadable_character(text: str, offset: int) -> SyntaxProblem:
    """Return the problem of a character that is illegal in YAML."""
    code = f"U+{ord(text[offset]):04X}" if offset < len(text) else "of an unknown kind"
    message = f"The character {code} is not allowed: remove it, or write it as an escape in double quotes."
    return SyntaxProblem("control-character", message, Span(offset, min(offset + 1, len(text))))


def explain(text: str, error: yaml.MarkedYAMLError) -> SyntaxProblem:
    """Convert an error of the loader to a problem."""
    reason = error.problem or ""
    mark, context = error.problem_mark, error.context_mark
    offset = min(mark.index, len(text)) if mark else len(text)
    tab = _tab_that_indents(text, offset)
    if tab is not None:
        return SyntaxProblem("yaml-syntax", "Tabs are not allowed for indentation. Use spaces.", Span(tab, tab + 1))
    if "mapping values are not allowed" in reason:
        found = _misplaced_colon(text, offset)
        if found is not None:
            return found
    if context and mark and context.line < mark.line and _is_caused_by_context(reason, error.context or ""):
        offset = context.index
    message = next((words for sign, words in _KNOWN.items() if sign in reason), f"This is not valid YAML: {reason}.")
    if reason in _BEHIND_A_VALUE and _is_behind_a_value(text, offset):
        message = _ENDED
    return SyntaxProblem("yaml-syntax", message, _rest_of_line(text, offset))


def _misplaced_colon(text: str, colon: int) -> SyntaxProblem | None:
    """Return the problem of a first colon in a line, which the lines above cause; None for any other colon."""
    start = text.rfind("\n", 0, colon) + 1
    key = text[start:colon]
    if _COLON.search(key):
        return None
    above = _written_line_above(text, start)
    before = text[above.start : above.end] if above is not None else ""
    if above is not None and not _COLON.search(before) and before[0] not in "-\"'{[":
        message = "A colon is missing after this key."
        if ":" in before.split(maxsplit=1)[0].strip(":"):
            message = "A space is missing after this colon."
        return SyntaxProblem("yaml-syntax", message, above)
    message = "This line is indented too far. Correct its indentation."
    return SyntaxProblem("yaml-syntax", message, Span(start + len(key) - len(key.lstrip()), colon + 1))


def _written_line_above(text: str, start: int) -> Span | None:
    """Return the span of the nearest line above that is neither empty nor a comment."""
    while start > 0:
        end, start = start - 1, text.rfind("\n", 0, start - 1) + 1
        line = text[start:end]
        content = line.strip()
        if content and not content.startswith("#"):
            at = start + len(line) - len(line.lstrip())
            return Span(at, at + len(content))
    return None


def _is_caused_by_context(reason: str, context: str) -> bool:
    """Return whether to report the start of the unfinished construct instead of where the parser stopped."""
    return "could not find expected ':'" in reason or "quoted scalar" in context or "flow" in context


def _is_behind_a_value(text: str, offset: int) -> bool:
    """Return whether a closing quote or bracket precedes an offset in its line."""
    return text[text.rfind("\n", 0, offset) + 1 : offset].rstrip(" \t").endswith(_CLOSERS)


def _tab_that_indents(text: str, offset: int) -> int | None:
    start = text.rfind("\n", 0, offset) + 1
    found = _TAB_INDENT.match(text, start)
    return found.end() - 1 if found and text[found.end() - 1 :].strip("\t ")[:1] not in ("", "\r", "\n") else None


def _rest_of_line(text: str, offset: int) -> Span:
    if offset >= len(text):
        offset = len(text.rstrip())
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    line = text[start:end]
    if not text[offset:end].strip():
        offset = start + len(line) - len(line.lstrip())
    return Span(min(offset, start + len(line.rstrip())), start + len(line.rstrip()))


def read_yaml(text: str, *, foreign_anchors: bool = False) -> Tree:
    """Parse the single document of a text, up to its first error.

    With `foreign_anchors`, an alias may refer to an anchor outside the text.
    """
    builder = _NodeBuilder(text, foreign_anchors=foreign_anchors)
    try:
        builder.read(yaml.CSafeLoader(text))
    except (yaml.reader.ReaderError, UnicodeEncodeError):
        found = UNREADABLE.search(text)
        builder.problem = unreadable_character(text, found.start() if found else len(text))
    except yaml.MarkedYAMLError as error:
        if error.problem in _ONLY_OF_LIBYAML or _ONLY_TO_LIBYAML.search(text):
            second = _NodeBuilder(text, foreign_anchors=foreign_anchors)
            with suppress(yaml.YAMLError):
                second.read(yaml.SafeLoader(text))
                return second.tree()
        builder.problem = explain(text, error)
    return builder.tree()


class _NodeBuilder:
    """A builder of nodes from events, with an explicit stack of open collections.

    `_nodes` holds the children so far of the innermost open collection, alternating keys and values for a map.
    `_stack` holds the children of the outer collections, each with the event that opened the next collection.
    """

    def __init__(self, text: str, *, foreign_anchors: bool) -> None:
        self._text = text
        self._foreign_anchors = foreign_anchors
        self._nodes: list[Node] = []
        self._stack: list[tuple[list[Node], Any]] = []
        self._anchors: dict[str, Node] = {}
        self._declared: set[str] = set()
        self._aliased = False
        self.problem: SyntaxProblem | None = None

    def read(self, parser: yaml.CSafeLoader | yaml.SafeLoader) -> None:
        """Read all events up to the first problem; raise the parser's errors."""
        get_event: Callable[[], Any] = parser.get_event  # each kind of event has other attributes
        nodes = self._nodes
        try:
            while self.problem is None:
                event = get_event()
                kind: type[object] = type(event)
                if kind is events.ScalarEvent:
                    end = event.end_mark.index
                    style = event.style or ""
                    if style in BLOCK_STYLES:
                        end = self._end_of_block(event.start_mark.index, end, event.value)
                    nodes.append(ScalarNode(event.start_mark.index, end, event.value, style, event.tag))
                    if event.anchor is not None and self._declares(event):
                        self._anchors[event.anchor] = nodes[-1]
                elif kind is events.MappingEndEvent or kind is events.SequenceEndEvent:
                    checkpoint()
                    nodes = self._close(nodes, event.end_mark.index)
                elif kind is events.StreamEndEvent:
                    return
                else:
                    nodes = self._start(kind, event, nodes)
        finally:
            self._nodes = nodes
            parser.dispose()

    def _start(self, kind: type[object], event: Any, nodes: list[Node]) -> list[Node]:
        """Handle any other event; return the children of the collection that is innermost afterwards."""
        if kind is events.MappingStartEvent or kind is events.SequenceStartEvent:
            if self._opens(event):
                self._stack.append((nodes, event))
                return []
        elif kind is events.AliasEvent:
            nodes.append(self._alias(event))
        elif kind is events.DocumentStartEvent and nodes:
            self._stop("yaml-syntax", event, "Heat reads only one document: remove this line and all that follows.")
        return nodes

    def tree(self) -> Tree:
        """Return the tree, closing the collections that an error left open."""
        while self._stack:
            end = self._nodes[-1].end if self._nodes else self._stack[-1][1].end_mark.index
            self._nodes = self._close(self._nodes, end)
        shared = self._aliased or bool(self._declared)
        return Tree(self._nodes[0] if self._nodes else None, self._anchors, self.problem, shared)

    def _end_of_block(self, start: int, limit: int, value: str) -> int:
        """Return the end of a block scalar, with the blank lines below that belong to its value."""
        end = start + len(self._text[start:limit].rstrip(_BLANKS))
        blanks = value[len(value.rstrip(_BLANKS)) :]
        breaks = blanks.removesuffix("\n").count("\n") + (0 < len(value) == len(blanks))
        for _ in range(breaks):
            line = self._text.find("\n", end, limit) + 1 or limit
            end = line + len(self._text[line:limit].partition("\n")[0].rstrip("\r"))
        return end

    def _stop(self, code: str, event: Any, message: str) -> None:
        self.problem = SyntaxProblem(code, message, Span(event.start_mark.index, event.end_mark.index))

    def _opens(self, event: Any) -> bool:
        if len(self._stack) >= DEPTH_LIMIT:
            self._stop("too-deep", event, TOO_DEEP)
            return False
        return event.anchor is None or self._declares(event)

    def _declares(self, event: Any) -> bool:
        anchor = event.anchor or ""
        if anchor in self._declared:
            self._stop("yaml-syntax", event, f"The anchor `&{anchor}` already exists. Choose another name.")
            return False
        self._declared.add(anchor)
        return True

    def _alias(self, event: Any) -> AliasNode:
        anchor = event.anchor or ""
        if anchor not in self._declared and not self._foreign_anchors:
            message = f"`*{anchor}` refers to an unknown anchor `&{anchor}`. If it is plain text, quote it."
            self._stop("yaml-syntax", event, message)
        self._aliased = True
        return AliasNode(event.start_mark.index, event.end_mark.index, anchor)

    def _close(self, nodes: list[Node], end: int) -> list[Node]:
        """Close the innermost collection with its children; return the children of the outer one."""
        outer, event = self._stack.pop()
        start, flow = event.start_mark.index, event.flow_style
        if not flow:
            # libyaml ends a block collection at the next token, comments and blank lines included.
            end = nodes[-1].end if nodes else start
        tag = event.tag if event.tag != "!" else None
        node: Node
        if isinstance(event, events.MappingStartEvent):
            if len(nodes) % 2:
                nodes.append(ScalarNode(nodes[-1].end, nodes[-1].end, ""))
            each = iter(nodes)
            node = MappingNode(start, end, list(zip(each, each, strict=True)), flow, tag)
        else:
            node = SequenceNode(start, end, nodes, flow, tag)
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        outer.append(node)
        return outer
