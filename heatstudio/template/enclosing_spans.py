"""Nested syntax ranges around an offset, for expanding the selection."""

from heatstudio.template.syntax.lookup import Part
from heatstudio.template.template import Template
from heatstudio.text import Span
from heatstudio.text.words import word_around


def enclosing_spans(template: Template, offset: int) -> list[Span]:
    """Return the ranges around an offset from the whole text inward: pairs, values, and the word."""
    text, place = template.text, template.path_at(offset)
    start = text.rfind("\n", 0, offset) + 1
    word = word_around(text[start : text.find("\n", offset) % (len(text) + 1)], offset - start)
    spans: list[Span] = []
    for length in range(1, len(place.path) + 1):
        parts = (Part.PAIR, Part.VALUE) if length < len(place.path) or place.part is not Part.KEY else (Part.PAIR,)
        spans += (template.locate(place.path[:length], part) for part in parts)
    found = [Span(0, len(text))]
    for span in (*spans, place.span, *([Span(start + word[0], start + word[1])] if word else ())):
        is_inside = found[-1].start <= span.start <= offset <= span.end <= found[-1].end
        if is_inside and span.start < span.end and span != found[-1]:
            found.append(span)
    return found
