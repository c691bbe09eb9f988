"""Half-typed keys: a word on a line of its own, where a map is expected."""

import re

from heatstudio.analysis.scope import Finding
from heatstudio.template import Template
from heatstudio.text import Span

_MAP_EXPECTED = re.compile(r"must be a map\b|Expected a map\b")
"""The words of all messages, Heat's and our own, about a value that is no map."""
_KEY = re.compile(r"[A-Za-z_][\w-]*")
_BEFORE = " -"
"""The characters before the first key of a line: indentation, and the signs of list items."""


def half_typed_key(template: Template, finding: Finding) -> Span | None:
    """Return the span of the word that a finding expects to be a map; None if it is no half-typed key."""
    found = template.find(finding.place.path) if _MAP_EXPECTED.search(finding.message) else None
    if found is None:
        return None
    span, text = found.span(), template.text
    line = text[text.rfind("\n", 0, span.start) + 1 : span.start]
    return span if not line.strip(_BEFORE) and _KEY.fullmatch(text[span.start : span.end]) else None
