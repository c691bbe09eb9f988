"""Which characters? Spans, edits, documents: what a text is, without knowing what it means."""

from heatstudio.text.edit import Applicability, Fix, OverlappingEditsError, TextEdit, apply_edits, ordered_edits
from heatstudio.text.severity import Severity
from heatstudio.text.span import LineIndex, Position, Span

__all__ = [
    "Applicability",
    "Fix",
    "LineIndex",
    "OverlappingEditsError",
    "Position",
    "Severity",
    "Span",
    "TextEdit",
    "apply_edits",
    "ordered_edits",
]
