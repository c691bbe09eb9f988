"""The cells of the list of problems."""

from PySide6.QtCore import Qt

from heatstudio.text import counted
from heatstudio.ui.problems.grouping import ProblemGroup, ProblemRow, RelatedPlace
from heatstudio.ui.widgets.theme import SEVERITY_ICONS, Color
from heatstudio.ui.widgets.tree_model import NO_CELL, Cell

COLUMNS = ("Problem", "Where", "Line")
MESSAGE, PLACE, LINE = range(3)


def cell_of_problem(value: object, column: int) -> Cell:
    """Return a cell: the message, the place or the line, with the text for screen readers."""
    if isinstance(value, ProblemGroup):
        if column != MESSAGE:
            return NO_CELL
        spoken = f"{value.title}, {counted(value.size, 'problem')}" if value.is_kind else ""
        return Cell(
            value.title, SEVERITY_ICONS[value.gravest], str(value.size), strong=not value.is_kind, spoken=spoken
        )
    if not isinstance(value, ProblemRow | RelatedPlace):
        return NO_CELL
    if column == MESSAGE:
        return _message_cell(value) if isinstance(value, ProblemRow) else _related_cell(value)
    if column == LINE:
        line = value.line if isinstance(value, ProblemRow) else value.related.line
        return Cell(str(line), accent=Color.MUTED, alignment=Qt.AlignmentFlag.AlignRight)
    return Cell(value.where if isinstance(value, ProblemRow) else value.problem.file.name, accent=Color.MUTED)


def _related_cell(value: RelatedPlace) -> Cell:
    words, line = value.related.words, value.related.line
    spoken = f"Related, line {line}: {words}"
    return Cell(words, ("jump", Color.MUTED), tip=f"{words}\nEnter goes to it.", spoken=spoken)


def _message_cell(row: ProblemRow) -> Cell:
    diagnostic = row.diagnostic
    file = f"{row.file.name}, " if row.file.is_said else ""
    return Cell(
        diagnostic.message,
        SEVERITY_ICONS[diagnostic.severity],
        diagnostic.code,
        ("Fix" if diagnostic.has_preferred_fix else "Fix…", Color.ACCENT) if diagnostic.has_fixes else None,
        tip=f"{diagnostic.message}\nHeat says: {diagnostic.heat}" if diagnostic.heat else diagnostic.message,
        spoken=f"{diagnostic.severity.word}, {file}line {row.line}: {diagnostic.message}",
    )
