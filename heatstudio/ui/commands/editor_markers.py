"""What an analysis and an update plan say, as marks of the editor."""

from __future__ import annotations

import re

from heatstudio.text import Severity
from heatstudio.ui.commands.locations import place_of_resource
from heatstudio.ui.documents.document import Document
from heatstudio.ui.editor import ChangeKind, Mark
from heatstudio.update.outcome import Outcome, outcome_of
from heatstudio.update.update_plan import ResourceChange

_SUBJECT = re.compile(r"[A-Z][a-z]*(?: [a-z]+)? `([^`]+)` (?:is )?(.+)")
_KIND_OF_ACTION = {
    "not_supported": ChangeKind.NOT_SUPPORTED,
    "replaced": ChangeKind.REPLACED,
    "deleted": ChangeKind.DELETED,
    "added": ChangeKind.ADDED,
    "updated": ChangeKind.IN_PLACE,
}


def marks_of(document: Document) -> list[Mark]:
    """The problems of a document as marks, and the places where else to look as lighter ones."""
    inactive = document.analysis.inactive if document.analysis is not None else ()
    marks = [Mark(span, Severity.HINT, reason, is_inactive=True) for span, reason in inactive]
    for found in document.problems or ():
        if found.elsewhere is not None:
            continue
        own = (found.span, *found.also)
        for span in own:
            short = in_short(found.message, document.text[span.start : span.end])
            marks.append(Mark(span, found.severity, found.message, found.code, found.has_fixes, short=short))
        marks += [
            Mark(span, Severity.HINT, f"{words}: {found.message}", found.code, found.has_fixes, related=True)
            for words, span in found.related
            if span not in own
        ]
    return marks


def in_short(message: str, marked: str) -> str:
    """The message without its subject where that is what is marked: "Property `a` is not known." says "Not known"."""
    found = _SUBJECT.fullmatch(message)
    if found is None or found[1] != marked.strip("'\""):
        return message
    return found[2][:1].upper() + found[2][1:].removesuffix(".")


def change_marks_of(document: Document) -> dict[int, ChangeKind]:
    """What an update does, by the line of the resource, counted from 0."""
    if document.analysis is None or document.plan is None:
        return {}
    lines = document.lines
    marks: dict[int, ChangeKind] = {}
    for change in document.plan.accepted_changes:
        span = place_of_resource(document, change.name)
        kind = _kind_of(change)
        if span is not None and kind is not None:
            marks[lines.position(span.start).line] = kind
    return marks


def _kind_of(change: ResourceChange) -> ChangeKind | None:
    if outcome_of(change) is Outcome.WITHOUT_EFFECT:
        return None
    kind = _KIND_OF_ACTION.get(str(change.action))
    return kind if kind is None or change.certain else ChangeKind.MAY
