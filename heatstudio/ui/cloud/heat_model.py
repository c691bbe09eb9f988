"""Results of the real Heat as rows: validation, comparison of previews, events of a stack."""

from __future__ import annotations

from msgspec import Struct

from heatstudio.stack.path import Path
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import NO_CELL, Branch, Cell


class AnswerRow(Struct, frozen=True):
    """One row: a text and its target."""

    text: str
    icon: tuple[str, Color] | None = None
    detail: str = ""
    badge: tuple[str, Color] | None = None
    resource: str = ""
    """The resource in the template to which the row links, if any."""
    path: Path = ()
    """The path in the template to which the row links, if not to a whole resource."""
    wraps: bool = False
    explanation: str = ""
    """The text of a row below this one."""
    below: tuple[AnswerRow, ...] = ()
    """More rows below this one."""

    @property
    def branch(self) -> Branch:
        """The row with its explanation and the other rows below it."""
        explanation = AnswerRow(self.explanation, resource=self.resource, path=self.path, wraps=True)
        rows = (explanation, *self.below) if self.explanation else self.below
        return Branch(self, tuple(one.branch for one in rows))


def cell_of_answer(value: object, _column: int) -> Cell:
    """Return the cell of a row."""
    if not isinstance(value, AnswerRow):
        return NO_CELL
    return Cell(
        value.text,
        value.icon,
        value.detail,
        value.badge,
        Color.MUTED if value.icon is None else None,
        wraps=value.wraps,
        tip="\n".join(filter(None, (value.text, value.detail))),
        spoken=", ".join(filter(None, (value.text, value.detail, value.badge[0] if value.badge else ""))),
    )
