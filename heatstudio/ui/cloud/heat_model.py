"""Results of the real Heat as rows: validation, comparison of previews, events of a stack."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from heatstudio.stack.path import Path
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import NO_CELL, Branch, Cell, TreeModel


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


class HeatModel(TreeModel):
    """The model of Heat's results: rows of `AnswerRow`, with their explanations below them."""

    def __init__(self) -> None:
        super().__init__(("Heat says",))

    def show(self, rows: Iterable[AnswerRow]) -> None:
        """Show rows."""
        self.set_branches(Branch(row, _explained(row)) for row in rows)

    def cell(self, value: object, _column: int) -> Cell:
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


def _explained(row: AnswerRow) -> tuple[Branch, ...]:
    explanation = AnswerRow(row.explanation, resource=row.resource, path=row.path, wraps=True)
    rows = (*((explanation,) if row.explanation else ()), *row.below)
    return tuple(Branch(one, _explained(one)) for one in rows)
