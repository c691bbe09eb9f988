"""A row of the outline."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from msgspec import Struct

from heatstudio.analysis.assist import OutlineItem
from heatstudio.text import Severity, Span, counted

_MOST_NAMED = 8
Mark = tuple[int, Severity]
"""Where a diagnostic starts, and how grave it is."""


class OutlineRow(Struct, frozen=True):
    """An item with the problems inside it."""

    item: OutlineItem
    gravest: Severity | None
    problems: int
    """How many diagnostics of the most severe severity there are."""
    needs: tuple[str, ...] = ()
    """The resources that it depends on."""
    needed_by: tuple[str, ...] = ()
    """The resources that depend on it."""

    @property
    def fold_name(self) -> str:
        """By what it is known whether it is folded, in whichever text."""
        return f"{self.item.kind} {self.item.name}"

    @property
    def look(self) -> tuple[object, ...]:
        """All that is seen of it."""
        item = self.item
        return item.name, item.kind, item.detail, self.gravest, self.problems, self.needs, self.needed_by

    @property
    def link_counts(self) -> str:
        """How many resources depend on it, and on how many it depends, as in `\u21902 \u21921`."""
        counts = (("\u2190", len(self.needed_by)), ("\u2192", len(self.needs)))
        return " ".join(f"{arrow}{count}" for arrow, count in counts if count)

    @property
    def link_words(self) -> str:
        """The same as sentences, with names."""
        sentences = []
        if self.needed_by:
            sentences.append(f"Used by {_named(self.needed_by)}.")
        if self.needs:
            sentences.append(f"Depends on {_named(self.needs)}.")
        return "\n".join(sentences)


def _named(names: Sequence[str]) -> str:
    """`2 resources (`a`, `b`)`; of very many only the first are named."""
    shown = ", ".join(f"`{name}`" for name in names[:_MOST_NAMED])
    more = ", \u2026" if len(names) > _MOST_NAMED else ""
    return f"{counted(len(names), 'resource')} ({shown}{more})"


def severities_inside(span: Span, marks: Sequence[Mark]) -> list[Severity]:
    """The severities of the marks, which are in text order, inside a span."""
    first = bisect_left(marks, (span.start, Severity.ERROR))
    last = bisect_right(marks, (span.end, Severity.HINT))
    return [severity for _, severity in marks[first:last]]
