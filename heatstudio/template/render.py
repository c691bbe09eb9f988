"""Renders the plan of changes into edits, and reads the edited text again to be sure of it."""

from __future__ import annotations

from heatstudio.template.changed_data import changed_data, same_data
from heatstudio.template.editor import Editor
from heatstudio.template.rendering_plan import CannotEditError, Plan
from heatstudio.template.template import Template, parse_template
from heatstudio.template.writer import Writer
from heatstudio.text import OverlappingEditsError, Severity, TextEdit, apply_edits, ordered_edits

__all__ = ["CannotEditError", "render_plan"]


def render_plan(template: Template, plan: Plan) -> tuple[TextEdit, ...]:
    """The edits that the plan asks for; raises CannotEditError."""
    if not template.complete:
        raise CannotEditError("The text has syntax errors; fix them first.")
    expected = changed_data(template.data, plan)
    for verbatim in (True, False):
        edits = _edits(template, plan, Writer(template, verbatim=verbatim))
        if _says(template, edits, expected):
            return edits
    raise CannotEditError("This text cannot be changed safely. Edit it by hand.")


def _edits(template: Template, plan: Plan, writer: Writer) -> tuple[TextEdit, ...]:
    try:
        return tuple(ordered_edits(Editor(template, writer).edits(plan)))
    except OverlappingEditsError as error:
        raise CannotEditError("Two of the changes overlap.") from error


def _says(template: Template, edits: tuple[TextEdit, ...], expected: object) -> bool:
    after = parse_template(apply_edits(template.text, edits), template)
    before = sum(problem.severity is Severity.WARNING for problem in template.problems)
    warnings = sum(problem.severity is Severity.WARNING for problem in after.problems)
    return after.complete and warnings <= before and same_data(after.data, expected)
