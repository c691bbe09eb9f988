"""The page of a resource type as a Qt model."""

from __future__ import annotations

from PySide6.QtCore import Qt

from heatstudio.ui.browser.type_tree import FactRow
from heatstudio.ui.tree_model import (
    ACCENT_ROLE,
    BADGE_ROLE,
    DETAIL_ROLE,
    ICON_ROLE,
    STRONG_ROLE,
    WRAP_ROLE,
    TreeModel,
)


class FactModel(TreeModel):
    """Rows of `FactRow`."""

    def __init__(self) -> None:
        super().__init__(("Fact",))

    def text(self, value: object, _column: int) -> str:
        """The words."""
        return value.text if isinstance(value, FactRow) else ""

    def look(self, value: object, _column: int, role: int) -> object:
        """Everything else that a row says about itself."""
        if not isinstance(value, FactRow):
            return None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            badge = value.badge[0] if value.badge else ""
            return " ".join(part for part in (value.text, value.detail, badge) if part)
        return {
            ICON_ROLE: value.icon,
            DETAIL_ROLE: value.detail,
            BADGE_ROLE: value.badge,
            STRONG_ROLE: value.strong,
            WRAP_ROLE: value.wrap,
            ACCENT_ROLE: value.color,
        }.get(role)
