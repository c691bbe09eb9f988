"""Extract a value, or all equal values, into a parameter."""

from collections.abc import Iterator
from functools import partial

from heatstudio.analysis.assist.extract import extract_parameter
from heatstudio.analysis.refactorings.refactoring import Refactoring, RefactoringKind, RefactoringPlace, edited
from heatstudio.analysis.scope.semantic_model import SemanticModel


def offers(model: SemanticModel, place: RefactoringPlace) -> Iterator[Refactoring]:
    """Yield the extraction of the value, and that of all equal values if there are others."""
    titles = set[str]()
    for everywhere in (False, True):
        fix = extract_parameter(model, place.offset, all_occurrences=everywhere)
        if not isinstance(fix, str) and fix.title not in titles:
            titles.add(fix.title)
            yield Refactoring(fix.title, RefactoringKind.EXTRACT, partial(edited, model.template, fix.changes))
