"""The stacks of a cloud as a Qt model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from heatstudio.ui.theme import Color
from heatstudio.ui.tree_model import BADGE_ROLE, DETAIL_ROLE, ICON_ROLE, Branch, TreeModel

if TYPE_CHECKING:  # the room of the cloud is imported when somebody asks for a cloud
    from heatstudio.cloud import StackSummary


def status_words(status: str) -> str:
    """`CREATE_COMPLETE` as people say it: `create complete`."""
    return status.replace("_", " ").lower()


def status_look(status: str) -> tuple[str, Color]:
    """The icon and the color of a status of a stack or a resource."""
    if status.endswith("FAILED"):
        return "severity-error", Color.ERROR
    if status.endswith("IN_PROGRESS"):
        return "refresh", Color.INFORMATION
    return "check", Color.ADDED


class StacksModel(TreeModel):
    """One row a stack."""

    def __init__(self) -> None:
        super().__init__(("Stack",))

    def show(self, stacks: Iterable[StackSummary]) -> None:
        """Shows these stacks."""
        self.set_branches(Branch(stack) for stack in stacks)

    def text(self, value: object, _column: int) -> str:
        """The name."""
        return getattr(value, "name", "")

    def look(self, value: object, _column: int, role: int) -> object:
        """The status in an icon and in words, and when it changed last."""
        status, reason = getattr(value, "status", ""), getattr(value, "reason", "")
        moment = str(getattr(value, "updated", "") or getattr(value, "created", "")).replace("T", " ").removesuffix("Z")
        if role == ICON_ROLE:
            return status_look(status)
        if role == DETAIL_ROLE:
            return getattr(value, "description", "")
        if role == BADGE_ROLE:
            return status_words(status), status_look(status)[1]
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{status_words(status)}, {moment} UTC\n{reason}".strip()
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self.text(value, 0)}, {status_words(status)}"
        return None
