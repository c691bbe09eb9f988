"""Reads YAML into nodes, by the events of libyaml: Heat's parser, without its composer that crashes on deep nesting.

What libyaml refuses, Heat and python-heatclient read once more by PyYAML's own parser, to say more of the error. Some
texts that one accepts (heat/common/template_format.py, simple_parse).
"""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol, cast

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from heatstudio.template.nodes import AliasNode, MappingNode, Node, ScalarNode, SequenceNode, Tree
from heatstudio.template.problem import SyntaxProblem
from heatstudio.template.yaml_error import explain, unreadable_character
from heatstudio.text import Span, checkpoint

DEPTH_LIMIT = 200
"""Heat itself fails on little more: its evaluation recurses several times a level."""

TOO_DEEP = f"This is nested more than {DEPTH_LIMIT} levels deep, too deep for Heat."

_BLOCK_STYLES = frozenset("|>")
_BLANKS = " \t\r\n"
_ONLY_OF_LIBYAML = frozenset(
    {
        "found unexpected ':'",
        "found a tab character where an indentation space is expected",
        "found unknown directive name",
    }
)
_ONLY_TO_LIBYAML = re.compile(r"\ufeff|\?\s*[,\]}]")
"""What is a part of plain scalars for PyYAML: a byte order mark, and a question mark before a bracket."""
UNREADABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What libyaml's reader refuses (YAML 1.1, c-printable)."""


def read_yaml(text: str, *, foreign_anchors: bool = False) -> Tree:
    """The nodes of the one document in a text, or of all that stands before its first error.

    With `foreign_anchors` an alias may refer to an anchor that is not in the text.
    """
    builder = _Builder(text, foreign_anchors=foreign_anchors)
    try:
        builder.read(yaml.CSafeLoader(text))
    except (yaml.reader.ReaderError, UnicodeEncodeError):
        found = UNREADABLE.search(text)
        builder.problem = unreadable_character(text, found.start() if found else len(text))
    except yaml.MarkedYAMLError as error:
        if error.problem in _ONLY_OF_LIBYAML or _ONLY_TO_LIBYAML.search(text):
            second = _Builder(text, foreign_anchors=foreign_anchors)
            with suppress(yaml.YAMLError):
                second.read(yaml.SafeLoader(text))
                return second.tree()
        builder.problem = explain(text, error)
    return builder.tree()


class _Mark(Protocol):
    index: int


class _Event(Protocol):
    """An event of libyaml; each kind has those of these attributes that it needs."""

    start_mark: _Mark
    end_mark: _Mark
    anchor: str | None
    tag: str | None
    value: str
    style: str | None
    flow_style: bool


class _Builder:
    """Turns events into nodes, with the open collections on a stack of its own.

    `_nodes` are the nodes of the innermost open collection so far, for a map keys and values in turn; the stack has
    the collections around it, each with the event that opened the next one.
    """

    def __init__(self, text: str, *, foreign_anchors: bool) -> None:
        self._text = text
        self._foreign_anchors = foreign_anchors
        self._nodes: list[Node] = []
        self._stack: list[tuple[list[Node], _Event]] = []
        self._anchors: dict[str, Node] = {}
        self._declared: set[str] = set()
        self._aliased = False
        self.problem: SyntaxProblem | None = None

    def read(self, parser: yaml.CSafeLoader | yaml.SafeLoader) -> None:
        """Read all events, up to the first problem; raises the errors of the parser."""
        get_event = cast("Callable[[], _Event]", parser.get_event)
        nodes = self._nodes
        try:
            while self.problem is None:
                event = get_event()
                kind: type[object] = type(event)
                if kind is ScalarEvent:
                    end = event.end_mark.index
                    style = event.style or ""
                    if style in _BLOCK_STYLES:
                        end = self._end_of_block(event.start_mark.index, end)
                    nodes.append(ScalarNode(event.start_mark.index, end, event.value, style, event.tag))
                    if event.anchor is not None and self._declares(event):
                        self._anchors[event.anchor] = nodes[-1]
                elif kind is MappingEndEvent or kind is SequenceEndEvent:
                    checkpoint()
                    nodes = self._close(nodes, event.end_mark.index)
                elif kind is StreamEndEvent:
                    return
                else:
                    nodes = self._start(kind, event, nodes)
        finally:
            self._nodes = nodes
            parser.dispose()

    def _start(self, kind: type[object], event: _Event, nodes: list[Node]) -> list[Node]:
        """What an event starts that is no scalar; the nodes of the collection that is the innermost then."""
        if kind is MappingStartEvent or kind is SequenceStartEvent:
            if self._opens(event):
                self._stack.append((nodes, event))
                return []
        elif kind is AliasEvent:
            nodes.append(self._alias(event))
        elif kind is DocumentStartEvent and nodes:
            self._stop("yaml-syntax", event, "Heat reads one document only: remove this line and what follows it.")
        return nodes

    def tree(self) -> Tree:
        """What has been read, with everything closed that an error left open."""
        while self._stack:
            end = self._nodes[-1].end if self._nodes else self._stack[-1][1].end_mark.index
            self._nodes = self._close(self._nodes, end)
        shared = self._aliased or bool(self._declared)
        return Tree(self._nodes[0] if self._nodes else None, self._anchors, self.problem, shared)

    def _end_of_block(self, start: int, end: int) -> int:
        while end > start and self._text[end - 1] in _BLANKS:
            end -= 1
        return end

    def _stop(self, code: str, event: _Event, message: str) -> None:
        self.problem = SyntaxProblem(code, message, Span(event.start_mark.index, event.end_mark.index))

    def _opens(self, event: _Event) -> bool:
        if len(self._stack) >= DEPTH_LIMIT:
            self._stop("too-deep", event, TOO_DEEP)
            return False
        return event.anchor is None or self._declares(event)

    def _declares(self, event: _Event) -> bool:
        anchor = event.anchor or ""
        if anchor in self._declared:
            self._stop("yaml-syntax", event, f"The anchor `&{anchor}` already exists. Choose another name.")
            return False
        self._declared.add(anchor)
        return True

    def _alias(self, event: _Event) -> AliasNode:
        anchor = event.anchor or ""
        if anchor not in self._declared and not self._foreign_anchors:
            message = f"Unknown anchor `&{anchor}`. If the value is plain text, quote it."
            self._stop("yaml-syntax", event, message)
        self._aliased = True
        return AliasNode(event.start_mark.index, event.end_mark.index, anchor)

    def _close(self, nodes: list[Node], end: int) -> list[Node]:
        """Close the innermost collection, of which `nodes` are the nodes; the nodes of the one around it."""
        outer, event = self._stack.pop()
        start, flow = event.start_mark.index, event.flow_style
        if not flow:
            # libyaml ends a block collection at the next token, comments and blank lines included.
            end = nodes[-1].end if nodes else start
        tag = event.tag if event.tag != "!" else None
        node: Node
        if isinstance(event, MappingStartEvent):
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
