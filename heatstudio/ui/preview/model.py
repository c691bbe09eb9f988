"""The update plan as a Qt model."""

from collections.abc import Iterable

from PySide6.QtWidgets import QTreeView

from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.outcome import icon_of, title_of
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import NO_CELL, Branch, Cell, TreeModel
from heatstudio.update.plan.outcome import Outcome
from heatstudio.update.plan.plan_rows import (
    BlockedRow,
    ChangeRow,
    DetailKind,
    EachRow,
    EqualRows,
    PlanBranch,
    ReasonRow,
)
from heatstudio.update.plan.property_lines import PropertyLine, line_diff
from heatstudio.update.plan.update_plan import Refusal

_KEYS = "Enter goes to the line; Shift+Enter shows the baseline."
_KEYS_OF_ERROR = "Enter goes to the line."
_KEYS_OF_SUBJECT = "Enter goes to the definition; Shift+Enter shows the resource in the baseline."
_DIFFERENT_LINES = "Different lines"
_ICONS = {DetailKind.BECAUSE: "link", DetailKind.NOTE: "severity-information"}


class UpdatePlanModel(TreeModel):
    """The model of an update plan: rows of `ReasonRow` below rows of `ChangeRow`."""

    def __init__(self) -> None:
        super().__init__(("Change",))

    def set_plan(self, branches: Iterable[PlanBranch], view: QTreeView) -> None:
        """Replace the rows, and expand those in the view that are no explanations."""
        self.set_branches(map(_branch, branches))
        for index in self.indexes():
            view.setExpanded(index, _is_expanded(self.value(index), self.value(index.parent())))

    def cell(self, value: object, _column: int) -> Cell:
        """Return the cell of a resource with its outcome, or of a reason."""
        match value:
            case ChangeRow():
                return _change_cell(value)
            case ReasonRow(line=PropertyLine() as line):
                return _property_cell(line)
            case ReasonRow():
                return _reason_cell(value)
            case EqualRows():
                return _equals_cell(value)
            case Refusal():
                tip = f"{value}\n{_KEYS_OF_ERROR}" if value.span else str(value)
                return Cell(str(value), ("severity-error", Color.ERROR), wraps=True, tip=tip)
            case BlockedRow() | EachRow():
                return Cell(value.text, accent=Color.MUTED)
            case _:
                return NO_CELL


def _branch(branch: PlanBranch) -> Branch:
    return Branch(branch.row, tuple(map(_branch, branch.below)))


def _is_expanded(row: object, above: object) -> bool:
    """Return whether a row is expanded at first: neither an explanation, nor explained by the row above."""
    if isinstance(row, EqualRows):
        return not isinstance(above, ChangeRow) and _is_expanded(row.rows[0], None)
    if isinstance(row, ChangeRow):
        is_idle = row.outcome in (Outcome.WITHOUT_EFFECT, Outcome.UNCHANGED) and not row.change.hooks
        return not row.is_quiet and not is_idle
    return isinstance(row, BlockedRow)


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


def _property_cell(line: PropertyLine) -> Cell:
    text = line.text()
    return Cell(
        line.name,
        badge=(line.tag, icon_of(line.outcome)[1]),
        change=(line.before, line.after, line.words),
        tip=without_marks("\n".join(filter(None, (text, line.cause.sentence, *line.cause.because, _KEYS)))),
        spoken=f"{text}, {line.tag}",
    )


def _reason_cell(row: ReasonRow) -> Cell:
    if row.kind is DetailKind.DIFF and row.cause is not None:
        return Cell(_DIFFERENT_LINES, lines=tuple(line_diff(row.cause)), tip=_KEYS)
    keys = _KEYS_OF_SUBJECT if row.subject is not None else _KEYS if row.cause is not None else ""
    is_property, icon = row.kind is DetailKind.PROPERTY, _ICONS.get(row.kind)
    text = row.text if is_property else f"{row.text[:1].upper()}{row.text[1:]}"
    return Cell(
        text,
        (icon, Color.MUTED) if icon is not None else None,
        accent=Color.TEXT if is_property else Color.MUTED,
        wraps=True,
        tip=without_marks(f"{text}\n{keys}" if keys else text),
    )
