"""The stacks of a cloud as a Qt model."""

from collections.abc import Iterable

from heatstudio.cloud.stacks import StackSummary
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import Branch, Cell, TreeModel


def status_words(status: str) -> str:
    """Return a status in lower-case words: `CREATE_COMPLETE` becomes `create complete`."""
    return status.replace("_", " ").lower()


def status_icon(status: str) -> tuple[str, Color]:
    """Return the icon and the color for the status of a stack or a resource."""
    if status.endswith("FAILED"):
        return "severity-error", Color.ERROR
    if status.endswith("IN_PROGRESS"):
        return "refresh", Color.INFORMATION
    if status.startswith("ROLLBACK"):  # the rollback is complete because the operation failed
        return "severity-warning", Color.WARNING
    return "check", Color.ADDED


def moment_words(moment: str) -> str:
    """Return a time of Heat for display: `2026-03-02T09:30:00Z` becomes `2026-03-02 09:30:00 UTC`."""
    return f"{moment.replace('T', ' ').removesuffix('Z')} UTC" if moment else ""


class StacksModel(TreeModel):
    """One row for each stack."""

    def __init__(self) -> None:
        super().__init__(("Stack",))

    def show(self, stacks: Iterable[StackSummary]) -> None:
        """Show stacks."""
        self.set_branches(Branch(stack) for stack in stacks)

    def cell(self, value: object, _column: int) -> Cell:
        """Return the cell of a stack: its name, its status as icon and words, and the time of its last change."""
        name, status, reason = (getattr(value, part, "") for part in ("name", "status", "reason"))
        moment = moment_words(getattr(value, "updated", "") or getattr(value, "created", ""))
        return Cell(
            name,
            status_icon(status),
            getattr(value, "description", ""),
            (status_words(status), status_icon(status)[1]),
            tip=f"{name}\n{status_words(status)}, {moment}\n{reason}".strip(),
            spoken=f"{name}, {status_words(status)}",
        )
