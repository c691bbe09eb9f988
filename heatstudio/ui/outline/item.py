"""A row of the outline."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from msgspec import Struct

from heatstudio.analysis.assist import OutlineItem
from heatstudio.text import Severity, Span, counted

_MOST_NAMED = 8
Mark = tuple[int, Severity]
"""The start and the severity of a diagnostic."""


class OutlineRow(Struct, frozen=True):
    """An item with the problems inside it."""

    item: OutlineItem
    gravest: Severity | None
    problems: int
    """The number of diagnostics with the highest severity."""
    needs: tuple[str, ...] = ()
    """The dependencies of a resource."""
    needed_by: tuple[str, ...] = ()
    """The dependents of a resource."""

    @property
    def fold_name(self) -> str:
        """The key under which the fold state is stored, for all texts."""
        return f"{self.item.kind} {self.item.name}"

    @property
    def visible(self) -> tuple[object, ...]:
        """All visible values of the row."""
        item = self.item
        return item.name, item.kind, item.detail, self.gravest, self.problems, self.needs, self.needed_by

    @property
    def link_counts(self) -> str:
        """The numbers of dependents and dependencies, as in `\u21902 \u21921`."""
        counts = (("\u2190", len(self.needed_by)), ("\u2192", len(self.needs)))
        return " ".join(f"{arrow}{count}" for arrow, count in counts if count)

    @property
    def link_words(self) -> str:
        """The dependents and dependencies as sentences, with names."""
        sentences = []
        if self.needed_by:
            sentences.append(f"Used by {_named(self.needed_by)}.")
        if self.needs:
            sentences.append(f"Depends on {_named(self.needs)}.")
        return "\n".join(sentences)


def _named(names: Sequence[str]) -> str:
    """Return the number of resources with the first names: `2 resources (`a`, `b`)`."""
    shown = ", ".join(f"`{name}`" for name in names[:_MOST_NAMED])
    more = ", \u2026" if len(names) > _MOST_NAMED else ""
    return f"{counted(len(names), 'resource')} ({shown}{more})"


def severities_inside(span: Span, marks: Sequence[Mark]) -> list[Severity]:
    """Return the severities of the marks inside a span; marks are in text order."""
    first = bisect_left(marks, (span.start, Severity.ERROR))
    last = bisect_right(marks, (span.end, Severity.HINT))
    return [severity for _, severity in marks[first:last]]
