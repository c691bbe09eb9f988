"""The outline of a template as a Qt model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt

from heatstudio.text import Severity
from heatstudio.ui.outline.item import Mark, OutlineRow, severities_inside
from heatstudio.ui.theme import Color
from heatstudio.ui.tree_model import BADGE_ROLE, DETAIL_ROLE, ICON_ROLE, STRONG_ROLE, Branch, TreeModel

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis.assistance import OutlineItem
    from heatstudio.analysis.finding import Diagnostic

_KIND_LOOK = {
    "section": ("kind-section", Color.MUTED),
    "resource": ("kind-resource", Color.RESOURCE_TYPE),
    "parameter": ("kind-parameter", Color.KEY),
    "output": ("kind-output", Color.FUNCTION),
    "condition": ("kind-condition", Color.REFERENCE),
}
_OTHER_LOOK = ("kind-property", Color.MUTED)
_SEVERITY_BADGE = {Severity.ERROR: Color.ERROR, Severity.WARNING: Color.WARNING}


class OutlineModel(TreeModel):
    """Rows of `OutlineRow`; sections that hold something wrong say how much."""

    def __init__(self) -> None:
        super().__init__(("Name",))

    def text(self, value: object, _column: int) -> str:
        """The name."""
        return str(value.item.name) if isinstance(value, OutlineRow) else ""

    def look(self, value: object, _column: int, role: int) -> object:
        """The kind's icon, the type as detail, and the number of problems."""
        if not isinstance(value, OutlineRow):
            return None
        if role == ICON_ROLE:
            return _KIND_LOOK.get(str(value.item.kind), _OTHER_LOOK)
        if role == DETAIL_ROLE:
            return value.item.detail
        if role == STRONG_ROLE:
            return str(value.item.kind) == "section"
        if role == BADGE_ROLE and value.gravest is not None and value.gravest in _SEVERITY_BADGE:
            words = f"{value.problems} {value.gravest.word}{'s' if value.problems > 1 else ''}"
            return words, _SEVERITY_BADGE[value.gravest]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{value.item.kind} {value.item.name} {value.item.detail}".strip()
        return None

    def show(self, items: Iterable[OutlineItem], diagnostics: Iterable[Diagnostic], query: str) -> None:
        """Shows the items that contain the query, with all that leads to them."""
        words = query.casefold().split()
        marks = sorted((diagnostic.span.start, diagnostic.severity) for diagnostic in diagnostics)
        self.set_branches(branch for item in items if (branch := _branch(item, words, marks)) is not None)

    def index_at(self, offset: int) -> QModelIndex:
        """The innermost row whose text contains the offset; invalid if there is none."""
        found = QModelIndex()
        for index in self.indexes():
            row = self.value(index)
            if isinstance(row, OutlineRow) and offset in row.item.span:
                found = index
        return found


def _branch(item: OutlineItem, words: list[str], marks: list[Mark]) -> Branch | None:
    said = f"{item.name} {item.detail}".casefold()
    if all(word in said for word in words):
        words = []
    children = tuple(branch for child in item.children if (branch := _branch(child, words, marks)) is not None)
    if words and not children:
        return None
    return Branch(_row(item, marks), children)


def _row(item: OutlineItem, marks: list[Mark]) -> OutlineRow:
    inside = severities_inside(item.span, marks)
    gravest = min(inside, default=None)
    return OutlineRow(item, gravest, sum(severity is gravest for severity in inside))
