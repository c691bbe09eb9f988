"""Detection of diagnostics that a syntax error may cause, which are not reported."""

import re
from collections.abc import Collection
from functools import cached_property

from heatstudio.analysis.scope import Diagnostic
from heatstudio.template import Part, Template, TreePath
from heatstudio.text import Severity

_OF_NAMES = frozenset(
    {"unknown-resource", "unknown-parameter", "invalid-condition", "invalid-function", "invalid-output"}
)
"""The codes of diagnostics about unknown names."""
_SLIPS = frozenset({"yaml-syntax", "control-character", "too-deep"})
_JINJA = "jinja-template"
_UNKNOWN = frozenset({"too-large", "merge-key"})
"""The codes of problems with aliases and merge keys that make the content of the template unknown."""
_QUOTES = "\"'"
_LINE_START = re.compile(r"^[ \t]*[\"']?([\w.-]+)[\"']?[ \t]*(?::|\r?$)", re.MULTILINE)


class UnreadableParts:
    """The parts of a template that are incomplete because of a syntax error."""

    def __init__(self, template: Template) -> None:
        self._template = template
        jinja = [one for one in template.problems if one.code == _JINJA]
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
