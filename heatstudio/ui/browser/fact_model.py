"""The page of a resource type as a Qt model."""

from __future__ import annotations

from heatstudio.ui.browser.type_tree import FactRow
from heatstudio.ui.widgets.tree_model import NO_LOOK, Look, TreeModel


class FactModel(TreeModel):
    """Rows of `FactRow`."""

    def __init__(self) -> None:
        super().__init__(("Fact",))

    def look(self, value: object, _column: int) -> Look:
        """All that a row says about itself."""
        if not isinstance(value, FactRow):
            return NO_LOOK
        spoken = " ".join(part for part in (value.text, value.detail, value.badge[0] if value.badge else "") if part)
        return Look(
            value.text, value.icon, value.detail, value.badge, value.color, value.strong, value.wrap, spoken=spoken
        )
