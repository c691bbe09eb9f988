"""The problems as a Qt model."""

from __future__ import annotations

from PySide6.QtCore import Qt

from heatstudio.text import Severity
from heatstudio.ui.problems.grouping import ProblemGroup, ProblemRow, RelatedPlace
from heatstudio.ui.theme import Color
from heatstudio.ui.tree_model import ACCENT_ROLE, BADGE_ROLE, DETAIL_ROLE, ICON_ROLE, STRONG_ROLE, TreeModel

SEVERITY_LOOK = {
    Severity.ERROR: ("severity-error", Color.ERROR),
    Severity.WARNING: ("severity-warning", Color.WARNING),
    Severity.INFORMATION: ("severity-information", Color.INFORMATION),
    Severity.HINT: ("severity-hint", Color.HINT),
}
"""The shape and the color of each severity."""
MESSAGE, PLACE, LINE = range(3)


class ProblemsModel(TreeModel):
    """Rows of `ProblemRow` below rows of `ProblemGroup`, and below them the places where else to look."""

    def __init__(self) -> None:
        super().__init__(("Problem", "Where", "Line"))

    def text(self, value: object, column: int) -> str:
        """The message, the place and the line."""
        if isinstance(value, ProblemRow):
            return (value.diagnostic.message, value.where, str(value.line))[column]
        if isinstance(value, RelatedPlace):
            return (value.related.words, value.problem.file.name, str(value.related.line))[column]
        if isinstance(value, ProblemGroup) and column == MESSAGE:
            return value.title
        return ""

    def look(self, value: object, column: int, role: int) -> object:
        """The look of a cell, and its words for a screen reader."""
        if isinstance(value, ProblemGroup):
            return self._of_group(value, role) if column == MESSAGE else None
        if not isinstance(value, ProblemRow | RelatedPlace):
            return None
        if column == MESSAGE:
            return self._of_message(value, role) if isinstance(value, ProblemRow) else self._of_related(value, role)
        if role == ACCENT_ROLE:
            return Color.MUTED
        if role == Qt.ItemDataRole.TextAlignmentRole and column == LINE:
            return Qt.AlignmentFlag.AlignRight
        return None

    def _of_group(self, group: ProblemGroup, role: int) -> object:
        if role == DETAIL_ROLE:
            return str(group.size)
        if role == ICON_ROLE:
            return SEVERITY_LOOK[group.gravest]
        return True if role == STRONG_ROLE else None

    def _of_related(self, value: RelatedPlace, role: int) -> object:
        if role == ICON_ROLE:
            return "jump", Color.MUTED
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{value.related.words}\nEnter goes there."
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"Where else to look, line {value.related.line}: {value.related.words}"
        return None

    def _of_message(self, row: ProblemRow, role: int) -> object:
        diagnostic = row.diagnostic
        if role == ICON_ROLE:
            return SEVERITY_LOOK[diagnostic.severity]
        if role == DETAIL_ROLE:
            return diagnostic.code
        if role == BADGE_ROLE and diagnostic.has_fixes:
            return ("fix", Color.ACCENT)
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{diagnostic.message}\nHeat says: {diagnostic.heat}" if diagnostic.heat else diagnostic.message
        if role == Qt.ItemDataRole.AccessibleTextRole:
            file = f"{row.file.name}, " if row.file.is_said else ""
            return f"{diagnostic.severity.word}, {file}line {row.line}: {diagnostic.message}"
        return None
