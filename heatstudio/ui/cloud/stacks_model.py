"""The stacks of a cloud as a Qt model."""

from heatstudio.cloud.stacks import StackSummary
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import NO_CELL, Cell


def status_words(status: str) -> str:
    """Return a status in lower-case words: `CREATE_COMPLETE` becomes `create complete`."""
    return status.replace("_", " ").lower()


def status_icon(status: str) -> tuple[str, Color]:
    """Return the icon and the color for the status of a stack or a resource."""
    if status.endswith("FAILED"):
        return "severity-error", Color.ERROR
    if status.endswith("IN_PROGRESS"):
        return "refresh", Color.INFORMATION
    if status.startswith("INIT"):  # the creation has not begun
        return "severity-hint", Color.MUTED
    if status.startswith("ROLLBACK"):  # the rollback is complete because the operation failed
        return "severity-warning", Color.WARNING
    return "check", Color.ADDED


def moment_words(moment: str) -> str:
    """Return a time of Heat for display: `2026-03-02T09:30:00Z` becomes `2026-03-02 09:30:00 UTC`."""
    return f"{moment.replace('T', ' ').removesuffix('Z')} UTC" if moment else ""


def cell_of_stack(value: object, _column: int) -> Cell:
    """Return the cell of a stack: its name, its status as icon and words, and the time of its last change."""
    if not isinstance(value, StackSummary):
        return NO_CELL
    status = status_words(value.status)
    moment = moment_words(value.updated or value.created)
    return Cell(
        value.name,
        status_icon(value.status),
        value.description,
        (status, status_icon(value.status)[1]),
        tip=f"{value.name}\n{status}, {moment}\n{value.reason}".strip(),
        spoken=f"{value.name}, {status}",
    )
