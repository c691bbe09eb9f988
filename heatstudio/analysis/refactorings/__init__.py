"""Refactorings: a module for each, which offers them at a place and makes their text edits."""

from collections.abc import Callable, Iterable

from heatstudio.analysis.refactorings import (
    add_properties,
    conditional,
    extract_parameter,
    group,
    inline_template,
    move_resources,
)
from heatstudio.analysis.refactorings.refactoring import (
    Refactored,
    Refactoring,
    RefactoringKind,
    RefactoringPlace,
    place_of,
)
from heatstudio.analysis.scope.semantic_model import SemanticModel
from heatstudio.text import Span

__all__ = ["Refactored", "Refactoring", "RefactoringKind", "refactorings_at"]

OFFERS: tuple[Callable[[SemanticModel, RefactoringPlace], Iterable[Refactoring]], ...] = (
    extract_parameter.offers,
    add_properties.offers,
    conditional.offers,
    group.offers,
    move_resources.offers,
    inline_template.offers,
)
"""The refactorings in the order of the menu."""


def refactorings_at(model: SemanticModel, span: Span) -> tuple[Refactoring, ...]:
    """Return the refactorings that apply to a selection or cursor; each may still refuse with a reason."""
    place = place_of(model, span)
    return tuple(found for offers in OFFERS for found in offers(model, place)) if place is not None else ()
