"""Edits of a text, and the fixes that consist of them."""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from itertools import pairwise
from typing import NamedTuple

from heatstudio.text.span import Span


class TextEdit(NamedTuple):
    """Replaces the characters of a span by another text."""

    span: Span
    text: str


class Applicability(IntEnum):
    """How freely a fix may be applied; ordered, so that "may I apply this?" is a comparison."""

    DECISION = 0
    """Someone has to choose: shown with its reason, never applied together with others."""
    UNSAFE = 1
    """May change what the template means: applied only when asked for by itself."""
    SAFE = 2
    """Removes its finding, adds none and changes nothing else."""

    @property
    def word(self) -> str:
        """The word that reports use."""
        return self.name.lower()


class Fix(NamedTuple):
    """A way out of a finding: edits that belong together, applied in one undo step."""

    title: str
    edits: tuple[TextEdit, ...]
    applicability: Applicability = Applicability.SAFE
    preferred: bool = False


def preferred_fix(fixes: Sequence[Fix]) -> Fix | None:
    """The fix that may be applied without a question: the preferred one, or the only one, unless it is a decision."""
    wanted = [fix for fix in fixes if fix.preferred or len(fixes) == 1]
    return wanted[0] if wanted and wanted[0].applicability is not Applicability.DECISION else None


class OverlappingEditsError(ValueError):
    """Two edits of one set touch the same characters."""


def ordered_edits(edits: Iterable[TextEdit]) -> list[TextEdit]:
    """The edits in text order.

    Raises OverlappingEditsError if two of them touch the same characters.
    """
    ordered = sorted(edits)
    for first, second in pairwise(ordered):
        if first.span.end > second.span.start:
            raise OverlappingEditsError(f"edits overlap at {second.span.start}")
    return ordered


def apply_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """The text after all edits, which all refer to the text as it was.

    Raises OverlappingEditsError if two of them touch the same characters.
    """
    pieces: list[str] = []
    at = 0
    for edit in ordered_edits(edits):
        pieces += (text[at : edit.span.start], edit.text)
        at = edit.span.end
    pieces.append(text[at:])
    return "".join(pieces)
