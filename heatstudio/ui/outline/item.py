"""A row of the outline."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from heatstudio.text import Severity, Span

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis.assistance import OutlineItem

Mark = tuple[int, Severity]
"""Where a diagnostic starts, and how grave it is."""


class OutlineRow(Struct, frozen=True):
    """An item with what is wrong inside of it."""

    item: OutlineItem
    gravest: Severity | None
    problems: int
    """How many diagnostics of the gravest severity there are."""


def severities_inside(span: Span, marks: Sequence[Mark]) -> list[Severity]:
    """The severities of the marks, which are in text order, inside a span."""
    first = bisect_left(marks, (span.start, Severity.ERROR))
    last = bisect_right(marks, (span.end, Severity.HINT))
    return [severity for _, severity in marks[first:last]]
