"""Text edits, and the quick fixes that consist of them."""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from itertools import pairwise
from typing import NamedTuple, Protocol, TypeVar

from heatstudio.text.span import Span


class TextEdit(NamedTuple):
    """The replacement of the characters of a span with another text."""

    span: Span
    text: str


class Applicability(IntEnum):
    """The applicability of a fix, ordered from the least to the most safe."""

    DECISION = 0
    """Needs the user's decision: never applied together with others."""
    UNSAFE = 1
    """May change the meaning of the template: applied only on its own."""
    SAFE = 2
    """Removes its diagnostic, adds none, and changes nothing else."""

    @property
    def word(self) -> str:
        """The name used in reports."""
        return self.name.lower()


class Fix(NamedTuple):
    """A quick fix of a diagnostic: edits that are applied together in one undo step."""

    title: str
    edits: tuple[TextEdit, ...]
    applicability: Applicability = Applicability.SAFE
    preferred: bool = False


class _Offer(Protocol):
    """A fix, with or without its edits."""

    @property
    def applicability(self) -> Applicability: ...

    @property
    def preferred(self) -> bool: ...


_OfferT = TypeVar("_OfferT", bound=_Offer)


def preferred_fix(fixes: Sequence[_OfferT]) -> _OfferT | None:
    """Return the preferred or only fix, unless it needs a decision; None if there is no such fix."""
    wanted = [fix for fix in fixes if fix.preferred or len(fixes) == 1]
    return wanted[0] if wanted and wanted[0].applicability is not Applicability.DECISION else None


class OverlappingEditsError(ValueError):
    """An error for two edits that change the same characters."""


def ordered_edits(edits: Iterable[TextEdit]) -> list[TextEdit]:
    """Return the edits in text order.

    Raise OverlappingEditsError if two of them change the same characters.
    """
    ordered = sorted(edits)
    for first, second in pairwise(ordered):
        if first.span.end > second.span.start:
            raise OverlappingEditsError(f"edits overlap at {second.span.start}")
    return ordered


def apply_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """Return the text after all edits; their spans refer to the original text.

    Raise OverlappingEditsError if two of them change the same characters.
    """
    pieces: list[str] = []
    at = 0
    for edit in ordered_edits(edits):
        pieces += (text[at : edit.span.start], edit.text)
        at = edit.span.end
    pieces.append(text[at:])
    return "".join(pieces)
