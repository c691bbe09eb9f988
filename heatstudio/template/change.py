"""Changes of a template as data, and their rendering as text edits.

Every path refers to the template before all changes. Rendering parses the edited text again, and fails if its data
is not exactly the data after the changes.
"""

from collections.abc import Iterable

from msgspec import Struct

from heatstudio.template.changed_data import changed_data, same_data
from heatstudio.template.editor import Editor
from heatstudio.template.rendering_plan import CannotEditError, Change, Plan, plan_changes
from heatstudio.template.template import Template, parse_template
from heatstudio.template.writer import Writer
from heatstudio.text import Applicability, Fix, OverlappingEditsError, Severity, TextEdit, apply_edits, ordered_edits


class DataFix(Struct, frozen=True):
    """A quick fix of a diagnostic, described by its changes."""

    title: str
    changes: tuple[Change, ...]
    applicability: Applicability = Applicability.SAFE
    preferred: bool = False


def render(template: Template, changes: Iterable[Change]) -> tuple[TextEdit, ...]:
    """Return the edits that make the changes, in text order; raise CannotEditError with the reason."""
    plan = plan_changes(template.data, tuple(changes))
    if not template.complete:
        raise CannotEditError("The text has syntax errors; fix them first.")
    expected = changed_data(template.data, plan)
    for verbatim in (True, False):
        edits = _edits(template, plan, Writer(template, verbatim=verbatim))
        if _means(template, edits, expected):
            return edits
    raise CannotEditError("This text cannot be changed safely. Edit it by hand.")


def render_fix(template: Template, fix: DataFix) -> Fix | None:
    """Return a fix as text edits; None if its changes cannot be applied to this text."""
    try:
        edits = render(template, fix.changes)
    except CannotEditError:
        return None
    return Fix(fix.title, edits, fix.applicability, fix.preferred)


def _edits(template: Template, plan: Plan, writer: Writer) -> tuple[TextEdit, ...]:
    try:
        return tuple(ordered_edits(Editor(template, writer).edits(plan)))
    except OverlappingEditsError as error:
        raise CannotEditError("Two of the changes overlap.") from error


def _means(template: Template, edits: tuple[TextEdit, ...], expected: object) -> bool:
    after = parse_template(apply_edits(template.text, edits), template)
    before = sum(problem.severity is Severity.WARNING for problem in template.problems)
    warnings = sum(problem.severity is Severity.WARNING for problem in after.problems)
    return after.complete and warnings <= before and same_data(after.data, expected)
