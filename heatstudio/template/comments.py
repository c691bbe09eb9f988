"""The comments in a part of a text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from heatstudio.template.lookup import Located
from heatstudio.template.nodes import ScalarNode, walk
from heatstudio.text import Span

_COMMENT = re.compile(r"(?:(?<=\s)|^)#[^\r\n]*", re.MULTILINE)
_BEHIND = re.compile(r"[ \t]+#[^\r\n]*")


def comments_within(text: str, span: Span, located: Located) -> Iterator[Span]:
    """The comments between two places around a value, in text order; what scalars hold is none."""
    nodes = (node for part in (located.key, located.node) if part is not None for node in walk(part))
    scalars = [(node.start + located.shift, node.end + located.shift) for node in nodes if isinstance(node, ScalarNode)]
    for found in _COMMENT.finditer(text, span.start, span.end):
        if not any(start <= found.start() < end for start, end in scalars):
            yield Span(*found.span())


def comment_behind(text: str, located: Located) -> Span | None:
    """The comment behind a value of one line, with the blanks before it; None if something else follows."""
    span = located.span()
    found = _BEHIND.match(text, span.end) if "\n" not in text[span.start : span.end] else None
    return Span(*found.span()) if found is not None else None
