"""Diagnostics that a syntax error, a Jinja expression or a half-typed key causes: hidden, or in other words."""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from heatstudio.analysis.scope import Diagnostic, Finding
from heatstudio.template import Part, Template, TreePath
from heatstudio.text import Severity, Span

_MAP_EXPECTED = re.compile(r"must be a map\b|Expected a map\b")
"""The words of all messages, Heat's and our own, about a value that is no map."""
_KEY = re.compile(r"[A-Za-z_][\w-]*")
_BEFORE = " -"
"""The characters before the first key of a line: indentation, and the signs of list items."""
CODE = "jinja-template"
_EXPRESSION = re.compile(r"\{\{[^{}\n]*\}\}")
_SHOWN = 2
"""Maximum number of expressions in a message."""

_OF_NAMES = frozenset(
    {"unknown-resource", "unknown-parameter", "invalid-condition", "invalid-function", "invalid-output"}
)
"""The codes of diagnostics about unknown names."""
_SLIPS = frozenset({"yaml-syntax", "control-character", "too-deep"})
_UNKNOWN = frozenset({"too-large", "merge-key"})
"""The codes of problems with aliases and merge keys that make the content of the template unknown."""
_QUOTES = "\"'"
_LINE_START = re.compile(r"^[ \t]*[\"']?([\w.-]+)[\"']?[ \t]*(?::|\r?$)", re.MULTILINE)


class UnreadableParts:
    """The parts of a template that are incomplete because of a syntax error."""

    def __init__(self, template: Template) -> None:
        self._template = template
        jinja = [one for one in template.problems if one.code == CODE]
        is_open = any(one.code in _UNKNOWN for one in template.reading.problems)
        self._is_unknown = is_open or any(one.severity > Severity.ERROR for one in jinja)
        self._expressions = [one.span for one in jinja]
        slips = [one for one in template.problems if one.code in _SLIPS]
        self._from = min((slip.span.start for slip in slips), default=len(template.text))
        self._strays_in: TreePath = ("",)
        """The path of the section that wrongly receives the entries below a broken section name."""
        self._broken = self._find_broken() if slips else {}

    def hides(self, diagnostic: Diagnostic) -> bool:
        """Return whether a syntax error may be the cause of a diagnostic."""
        if diagnostic.finding is None or self._is_unknown:
            return diagnostic.finding is not None
        place = diagnostic.finding.place
        if self._expressions and self._is_expression(place.path):
            return True
        if not self._broken:
            return False
        if place.path[:1] == self._strays_in and diagnostic.span.start >= self._from:
            return True
        end = self._broken.get(place.path[:2], self._broken.get(place.path[:1]))
        return (end is not None and self._is_cut(place.path, end)) or self._is_lost(diagnostic)

    def _is_expression(self, path: TreePath) -> bool:
        """Return whether the value at a path consists of a Jinja expression."""
        located = self._template.find(path)
        span = located.span() if located is not None else None
        return span is not None and any(one.start <= span.start and span.end <= one.end for one in self._expressions)

    def _find_broken(self) -> dict[TreePath, int]:
        """Return the paths of the incomplete entries and sections, with the ends of the parsed text."""
        reading = self._template.reading
        broken: dict[TreePath, int] = {}
        last: tuple[TreePath, int] | None = None
        for section in reading.sections:
            for placed in section.placed:
                path = (str(section.name), str(placed.entry.name))
                if not placed.entry.complete and reading.tree is None:
                    broken[path] = placed.end
                if placed.start <= self._from:
                    last = path, placed.end
            if not section.placed and section.start <= self._from:
                last = (str(section.name),), section.end
        if last is not None:
            broken.setdefault(*last)
            if self._from and self._template.text[self._from - 1] == "\n":
                self._strays_in = last[0][:1]
        return broken

    def _is_cut(self, path: TreePath, end: int) -> bool:
        """Return whether a value is missing or reaches the end of the parsed text."""
        located = self._template.find(path)
        if located is None:
            return True
        span = located.span(Part.PAIR)
        return span.end >= end or span.start >= self._from

    def _is_lost(self, diagnostic: Diagnostic) -> bool:
        """Return whether a line starts with the unknown name, which may be a definition in the unreadable part."""
        span = diagnostic.span
        if diagnostic.code not in _OF_NAMES:
            return False
        name = self._template.text[span.start : span.end].strip(_QUOTES)
        return name in self._line_starts

    @cached_property
    def _line_starts(self) -> Collection[str]:
        return {found[1] for found in _LINE_START.finditer(self._template.text)}


def with_quoted_jinja(text: str, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield the diagnostics, but a single one for all values with a Jinja expression that Heat does not accept."""
    found: list[tuple[Diagnostic, str]] = []
    for diagnostic in diagnostics:
        written = text[diagnostic.span.start : diagnostic.span.end]
        expression = _EXPRESSION.search(diagnostic.message) or ("\n" not in written and _EXPRESSION.search(written))
        is_own = diagnostic.finding is not None and diagnostic.elsewhere is None
        if not (expression and is_own) or diagnostic.severity > Severity.WARNING:
            yield diagnostic
        else:
            found.append((diagnostic, expression[0]))
    found.sort(key=lambda one: one[0].span.start)
    if found:
        first, names = found[0][0], [f"`{name}`" for name in dict.fromkeys(name for _, name in found)]
        shown = names if len(names) <= _SHOWN else [", ".join(names[:_SHOWN]), f"{len(names) - _SHOWN} more"]
        be = "is" if len(names) == 1 else "are"
        message = f"This looks like a Jinja source: {' and '.join(shown)} {be} not rendered."
        severity = min(diagnostic.severity for diagnostic, _ in found)
        also = tuple(diagnostic.span for diagnostic, _ in found[1:])
        yield Diagnostic(None, CODE, severity, message, first.span, also)


def half_typed_key(template: Template, finding: Finding) -> Span | None:
    """Return the span of the word that a finding expects to be a map; None if it is no half-typed key."""
    found = template.find(finding.place.path) if _MAP_EXPECTED.search(finding.message) else None
    if found is None:
        return None
    span, text = found.span(), template.text
    line = text[text.rfind("\n", 0, span.start) + 1 : span.start]
    return span if not line.strip(_BEFORE) and _KEY.fullmatch(text[span.start : span.end]) else None
