"""The outline of a template as a Qt model."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from PySide6.QtCore import QModelIndex

from heatstudio.analysis.assist import OutlineItem
from heatstudio.analysis.resource_graph import Links
from heatstudio.analysis.scope import Diagnostic
from heatstudio.text import Severity, Span, checkpoint, counted
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import NO_CELL, Branch, Cell, TreeModel

_KIND_ICONS = {
    "section": ("kind-section", Color.MUTED),
    "resource": ("kind-resource", Color.RESOURCE_TYPE),
    "parameter": ("kind-parameter", Color.KEY),
    "output": ("kind-output", Color.FUNCTION),
    "condition": ("kind-condition", Color.REFERENCE),
}
_OTHER_ICON = ("kind-property", Color.MUTED)
NAME, LINKS = range(2)
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


class OutlineRows(NamedTuple):
    """The rows of an outline, with their widths."""

    branches: tuple[Branch, ...]
    counts: tuple[str, ...]
    """The text of the link column in each row, from top to bottom."""
    folds: tuple[str, ...]
    """The fold names of the rows with children."""


def list_outline(
    items: Iterable[OutlineItem],
    diagnostics: Iterable[Diagnostic],
    query: str,
    links: Mapping[str, Links] | None = None,
) -> OutlineRows:
    """Return the items that match a query, with their ancestors; can be called by any thread."""
    words = query.casefold().split()
    marks = sorted((diagnostic.span.start, diagnostic.severity) for diagnostic in diagnostics)
    known = _ItemFacts(marks, links or {})
    branches = tuple(branch for item in items if (branch := _branch(item, words, known)) is not None)
    return OutlineRows(branches, tuple(_counts(branches)), tuple(_folds(branches)))


def _counts(branches: Iterable[Branch]) -> Iterator[str]:
    for branch in branches:
        yield branch.value.link_counts if isinstance(branch.value, OutlineRow) else ""
        yield from _counts(branch.children)


def _folds(branches: Iterable[Branch]) -> Iterator[str]:
    for branch in branches:
        if branch.children and isinstance(branch.value, OutlineRow):
            yield branch.value.fold_name
            yield from _folds(branch.children)


class _ItemFacts(NamedTuple):
    """The known facts about the items besides the written text."""

    marks: list[Mark]
    links: Mapping[str, Links]


class OutlineModel(TreeModel):
    """The model of the outline: rows of `OutlineRow`, with their numbers of problems."""

    def __init__(self) -> None:
        super().__init__(("Name", "Links"))

    def cell(self, value: object, column: int) -> Cell:
        """Return the cell of a name (icon, type, number of problems) or of its links."""
        if not isinstance(value, OutlineRow):
            return NO_CELL
        return _links_cell(value) if column == LINKS else _name_cell(value)

    def looks_like(self, value: object, other: object) -> bool:
        """Return whether two rows look the same, as if they only moved in the text."""
        return isinstance(value, OutlineRow) and isinstance(other, OutlineRow) and value.visible == other.visible

    def index_at(self, offset: int) -> QModelIndex:
        """Return the innermost row whose text contains an offset, else the last one before it; invalid if none is."""
        found = self.last_of(lambda row: isinstance(row, OutlineRow) and offset in row.item.span)
        if found.isValid():
            return found
        return self.last_of(lambda row: isinstance(row, OutlineRow) and row.item.span.start <= offset)


def _links_cell(value: OutlineRow) -> Cell:
    badge = (value.link_counts, Color.MUTED) if value.link_counts else None
    return Cell(badge=badge, tip=value.link_words, spoken=value.link_words)


def _name_cell(value: OutlineRow) -> Cell:
    counts = ((value.gravest, value.problems),) if value.gravest in (Severity.ERROR, Severity.WARNING) else ()
    said = f"{value.item.kind} {value.item.name} {value.item.detail}".strip()
    said = ", ".join((said, *(counted(number, severity.word) for severity, number in counts)))
    return Cell(
        str(value.item.name),
        _KIND_ICONS.get(str(value.item.kind), _OTHER_ICON),
        value.item.detail,
        counts=counts,
        strong=str(value.item.kind) == "section",
        tip=value.link_words,
        spoken=f"{said}. {value.link_words}" if value.link_words else said,
    )


def _branch(item: OutlineItem, words: list[str], known: _ItemFacts) -> Branch | None:
    checkpoint()
    said = f"{item.name} {item.detail}".casefold()
    if all(word in said for word in words):
        words = []
    children = tuple(branch for child in item.children if (branch := _branch(child, words, known)) is not None)
    return None if words and not children else Branch(_row(item, known), children)


def _row(item: OutlineItem, known: _ItemFacts) -> OutlineRow:
    inside = severities_inside(item.span, known.marks)
    gravest = min(inside, default=None)
    number = sum(severity is gravest for severity in inside)
    links = known.links.get(item.name) if item.kind == "resource" else None
    return OutlineRow(item, gravest, number, links.needs if links else (), links.needed_by if links else ())
