"""Changes of a template as data, and their rendering as text edits.

Every path refers to the template before all changes. Rendering parses the edited text again, and fails if its data
is not exactly the data after the changes.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import Self

from msgspec import Struct

from heatstudio.template.editing.editor import Editor
from heatstudio.template.editing.rendering_plan import (
    CannotEditError,
    Change,
    Plan,
    changed_data,
    data_at,
    plan_changes,
    same_data,
)
from heatstudio.template.editing.writer import Writer
from heatstudio.template.syntax.nodes import BLOCK_STYLES, ScalarNode
from heatstudio.template.template import Template, parse_template
from heatstudio.text import Applicability, Fix, OverlappingEditsError, Severity, TextEdit, apply_edits, ordered_edits


class DataFix(Struct, frozen=True):
    """A quick fix of a diagnostic, described by its changes."""

    title: str
    changes: tuple[Change, ...]
    applicability: Applicability = Applicability.SAFE
    preferred: bool = False

    @classmethod
    def likely(cls, title: str, *changes: Change) -> Self:
        """Return the fix that is probably meant, which changes what the template means."""
        return cls(title, changes, Applicability.UNSAFE, preferred=True)


def render(template: Template, changes: Iterable[Change]) -> tuple[TextEdit, ...]:
    """Return the edits that make the changes, in text order; raise CannotEditError with the reason."""
    if not template.complete:
        raise CannotEditError("The text has syntax errors; fix them first.")
    plan = plan_changes(template.data, tuple(changes))
    expected = changed_data(template.data, plan)
    after = template
    # A new block scalar may lose its last line break at the end of the text; quotes keep it.
    for writer in (Writer(template), Writer(template, verbatim=False), Writer(template, blocks=False)):
        edits = _edits(template, plan, writer)
        after = parse_template(apply_edits(template.text, edits), template, template.reader)
        if _is_right(template, after, expected):
            return edits
    raise CannotEditError(_refusal(after, expected))


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


def _is_right(template: Template, after: Template, expected: object) -> bool:
    before = sum(problem.severity is Severity.WARNING for problem in template.problems)
    warnings = sum(problem.severity is Severity.WARNING for problem in after.problems)
    return after.complete and warnings <= before and same_data(after.data, expected)


def _refusal(after: Template, expected: object) -> str:
    path, _, node, _ = after.path_at(len(after.text.rstrip()))
    if isinstance(node, ScalarNode) and node.style in BLOCK_STYLES:
        with suppress(CannotEditError):
            if data_at(expected, path) != node.value:
                return f"`{path[-1]}` would lose its last line break at the end of the text. Edit it by hand."
    return "This text cannot be changed safely. Edit it by hand."
