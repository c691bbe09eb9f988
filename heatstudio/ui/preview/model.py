"""The update plan as a Qt model."""

from __future__ import annotations

from PySide6.QtCore import Qt

from heatstudio.ui.outcome import Outcome
from heatstudio.ui.preview.plan_tree import ChangeRow, LineKind, ReasonRow, RefusalRow
from heatstudio.ui.theme import Color
from heatstudio.ui.tree_model import (
    ACCENT_ROLE,
    BADGE_ROLE,
    DETAIL_ROLE,
    ICON_ROLE,
    STRONG_ROLE,
    WRAP_ROLE,
    TreeModel,
)

_KEYS = "Enter goes to its line; Shift+Enter shows it as it was before."
_KEYS_OF_SUBJECT = "Enter goes to what is named here; Shift+Enter shows the resource as it was before."


class UpdatePlanModel(TreeModel):
    """Rows of `ReasonRow` below rows of `ChangeRow`."""

    def __init__(self) -> None:
        super().__init__(("Change",))

    def text(self, value: object, _column: int) -> str:
        """The name of a resource, or a reason."""
        if isinstance(value, ChangeRow):
            return str(value.change.name)
        return value.text if isinstance(value, ReasonRow | RefusalRow) else ""

    def look(self, value: object, _column: int, role: int) -> object:
        """The symbol, the word and the color of an outcome."""
        if isinstance(value, ChangeRow):
            return self._of_change(value, role)
        if isinstance(value, ReasonRow):
            return self._of_reason(value, role)
        if isinstance(value, RefusalRow):
            return self._of_refusal(role)
        return None

    def _of_change(self, row: ChangeRow, role: int) -> object:
        word = row.outcome.word if row.change.certain else f"May be: {row.outcome.word.lower()}"
        if role == ICON_ROLE:
            return (row.outcome.icon, row.outcome.color) if row.change.certain else ("update-may", row.outcome.color)
        if role == DETAIL_ROLE:
            return row.change.type
        if role == BADGE_ROLE:
            return word, row.outcome.color
        if role == STRONG_ROLE:
            return row.outcome is not Outcome.WITHOUT_EFFECT
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{row.change.name} ({row.change.type})\n{_KEYS}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{word}: {row.change.name}, {row.change.type}"
        return None

    def _of_reason(self, row: ReasonRow, role: int) -> object:
        if role == WRAP_ROLE:
            return True
        if role == ACCENT_ROLE:
            return row.color
        if role == Qt.ItemDataRole.ToolTipRole:
            keys = _KEYS_OF_SUBJECT if row.subject is not None else _KEYS if row.cause is not None else ""
            return f"{row.text}\n{keys}" if keys else row.text
        if role == ICON_ROLE:
            return {LineKind.BECAUSE: ("link", Color.MUTED), LineKind.NOTE: ("severity-information", Color.MUTED)}.get(
                row.kind
            )
        return None

    def _of_refusal(self, role: int) -> object:
        return {
            WRAP_ROLE: True,
            ACCENT_ROLE: Color.NOT_SUPPORTED,
            ICON_ROLE: (Outcome.NOT_SUPPORTED.icon, Color.NOT_SUPPORTED),
        }.get(role)
