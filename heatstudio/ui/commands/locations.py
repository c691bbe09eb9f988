"""Places in the text that the window points at."""

from __future__ import annotations

from heatstudio.stack.path import Path
from heatstudio.template import Part, Template
from heatstudio.text import Span
from heatstudio.ui.documents.document import Document


def place_of_resource(document: Document, name: str) -> Span | None:
    """The key of a resource in the text as it was analyzed last; None if it is not there."""
    if document.analysis is None:
        return None
    template = document.analysis.template
    section = template.dialect.resources
    return template.locate((section, name), Part.KEY) if name in template.entries(section) else None


def place_of_path(document: Document, path: Path) -> Span | None:
    """The innermost key of a path that is written; its first step is the word that HOT has for a section."""
    return place_in_template(document.analysis.template, path) if document.analysis is not None else None


def place_in_template(template: Template, path: Path) -> Span | None:
    """The innermost key of a path that is written; its first step is the word that HOT has for a section."""
    words = (getattr(template.dialect, str(path[0]), path[0]), *path[1:]) if path else ()
    for length in range(len(words), 0, -1):
        if template.find(words[:length]) is not None:
            return template.locate(words[:length], Part.KEY)
    return None


def crumbs_at(document: Document, offset: int) -> list[tuple[str, Span]]:
    """The path of an offset from the outermost step to the innermost, each step with its place."""
    if document.analysis is None:
        return []
    template = document.analysis.template
    path = template.path_at(offset).path
    places = (template.locate(path[: depth + 1], Part.KEY) for depth in range(len(path)))
    return [(str(step), Span(place.start, place.start)) for step, place in zip(path, places, strict=True)]
