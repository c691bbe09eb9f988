"""The update plan as a Qt model."""

from heatstudio.ui.preview.plan_tree import BlockedRow, ChangeRow, DetailKind, EachRow, EqualRows, ReasonRow, RefusalRow
from heatstudio.ui.widgets.outcome import icon_of, title_of
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import NO_CELL, Cell, TreeModel
from heatstudio.update.plan.outcome import Outcome

_KEYS = "Enter goes to the line; Shift+Enter shows the baseline."
_KEYS_OF_ERROR = "Enter goes to the line."
_KEYS_OF_SUBJECT = "Enter goes to the definition; Shift+Enter shows the resource in the baseline."


class UpdatePlanModel(TreeModel):
    """The model of an update plan: rows of `ReasonRow` below rows of `ChangeRow`."""

    def __init__(self) -> None:
        super().__init__(("Change",))

    def cell(self, value: object, _column: int) -> Cell:
        """Return the cell of a resource with its outcome, or of a reason."""
        match value:
            case ChangeRow():
                return _change_cell(value)
            case ReasonRow():
                return _reason_cell(value)
            case EqualRows():
                return _equals_cell(value)
            case RefusalRow(refusal=refusal):
                tip = f"{refusal}\n{_KEYS_OF_ERROR}" if refusal.span else str(refusal)
                return Cell(str(refusal), ("severity-error", Color.ERROR), wraps=True, tip=tip)
            case BlockedRow() | EachRow():
                return Cell(value.text, accent=Color.MUTED)
            case _:
                return NO_CELL


def _change_cell(row: ChangeRow) -> Cell:
    icon = icon_of(row.outcome, certain=row.change.certain)
    word = title_of(row.outcome, certain=row.change.certain)
    return Cell(
        str(row.change.name),
        icon,
        row.change.type,
        (word, icon[1]),
        strong=row.outcome is not Outcome.WITHOUT_EFFECT,
        tip=f"{row.change.name} ({row.change.type})\n{_KEYS}",
        spoken=f"{word}: {row.change.name}, {row.change.type}",
    )


def _equals_cell(row: EqualRows) -> Cell:
    first, count = row.rows[0], len(row.rows)
    word = title_of(first.outcome, certain=first.change.certain)
    badge = f"{count} {first.outcome.word}", icon_of(first.outcome)[1]
    words = f"{word}: {count} resources of type {first.change.type}: {row.names}"
    return _change_cell(first)._replace(text=row.names, badge=badge, tip=words, spoken=words)


def _reason_cell(row: ReasonRow) -> Cell:
    keys = _KEYS_OF_SUBJECT if row.subject is not None else _KEYS if row.cause is not None else ""
    icon = {DetailKind.BECAUSE: "link", DetailKind.NOTE: "severity-information"}.get(row.kind)
    return Cell(
        row.text,
        (icon, Color.MUTED) if icon is not None else None,
        accent=row.color,
        wraps=True,
        tip=f"{row.text}\n{keys}" if keys else row.text,
    )
