"""The problems of a document as markers of its editor."""

import re

from heatstudio.text import Severity
from heatstudio.ui.documents.document import Document
from heatstudio.ui.editor import Mark

_SUBJECT = re.compile(r"[A-Z][a-z]*(?: [a-z]+)? `([^`]+)` (?:is |was |has been )?(.+)")


def marks_of(document: Document) -> list[Mark]:
    """Return the problems of a document as markers, and related positions as lighter ones."""
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
    """Return a message without the subject if that is marked: "Property `a` is not known." becomes "Not known"."""
    found = _SUBJECT.fullmatch(message)
    if found is None or found[1] != marked.strip("'\""):
        return message
    return found[2][:1].upper() + found[2][1:].removesuffix(".")
