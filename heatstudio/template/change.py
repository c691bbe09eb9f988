"""Changes of a template as data, and their rendering into edits of its text.

Every path means the template as it is before all changes. What is rendered has been read again: the edited text says
exactly what the changes ask for, or there are no edits.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from heatstudio.template.nodes import Path
from heatstudio.template.render import CannotEditError, render_plan
from heatstudio.template.rendering_plan import (
    AddEntry,
    AddItem,
    Change,
    DeleteEntry,
    Existing,
    RenameKey,
    SetValue,
    plan_changes,
)
from heatstudio.template.template import Template
from heatstudio.text import Applicability, Fix, TextEdit

__all__ = [
    "AddEntry",
    "AddItem",
    "CannotEditError",
    "Change",
    "DeleteEntry",
    "Existing",
    "Path",
    "Remedy",
    "RenameKey",
    "SetValue",
    "render",
    "render_fix",
]


class Remedy(Struct, frozen=True):
    """A way out of a finding, described by the changes it makes."""

    title: str
    changes: tuple[Change, ...]
    applicability: Applicability = Applicability.SAFE
    preferred: bool = False


def render(template: Template, changes: Iterable[Change]) -> tuple[TextEdit, ...]:
    """The edits that make the changes, in text order; raises CannotEditError with the reason."""
    return render_plan(template, plan_changes(template.data, tuple(changes)))


def render_fix(template: Template, remedy: Remedy) -> Fix | None:
    """The fix that a remedy is; None if its changes cannot be made in this text."""
    try:
        edits = render(template, remedy.changes)
    except CannotEditError:
        return None
    return Fix(remedy.title, edits, remedy.applicability, remedy.preferred)
