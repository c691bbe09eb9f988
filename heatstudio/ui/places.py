"""Places in the text that the window points at."""

from __future__ import annotations

from heatstudio.text import Span
from heatstudio.ui.document import Document


def place_of_resource(document: Document, name: str) -> Span | None:
    """The key of a resource in the text as it was analyzed last; None if it is not there."""
    if document.analysis is None:
        return None
    from heatstudio.template import Part

    template = document.analysis.template
    section = template.dialect.resources
    return template.locate((section, name), Part.KEY) if name in template.entries(section) else None


def crumbs_at(document: Document, offset: int) -> list[tuple[str, Span]]:
    """The path of an offset from the outermost step to the innermost, each step with its place."""
    if document.analysis is None:
        return []
    from heatstudio.template import Part

    template = document.analysis.template
    path = template.path_at(offset).path
    places = (template.locate(path[: depth + 1], Part.KEY) for depth in range(len(path)))
    return [(str(step), Span(place.start, place.start)) for step, place in zip(path, places, strict=True)]
