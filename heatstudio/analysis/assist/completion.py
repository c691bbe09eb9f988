"""Completion at the caret, including in invalid and incomplete text."""

from collections.abc import Iterator

from heatstudio.analysis.assist.completion_context import CaretContext, writing_at
from heatstudio.analysis.assist.expectation import Expectation, expectation_at
from heatstudio.analysis.assist.key_suggestions import keys_for, properties_below
from heatstudio.analysis.assist.layout import completions_of
from heatstudio.analysis.assist.suggestion import Completion, Suggestion
from heatstudio.analysis.assist.value_suggestions import functions_for, values_for
from heatstudio.analysis.scope.semantic_model import SemanticModel

_TELLING = 3
"""Minimum number of typed letters of a function's name before it is proposed for a plain value."""


def complete(model: SemanticModel, offset: int, explicit: bool) -> list[Completion]:
    """Return the suggestions at an offset, the most likely first.

    `explicit` is whether the user requested completion by a key. The template's own file is not suggested as a type: a
    template that nests itself exceeds Heat's nesting limit unless a condition ends the recursion
    (heat/engine/resources/stack_resource.py, _child_nested_depth).
    """
    writing = writing_at(model, offset)
    if writing is None:
        return []
    expectation = expectation_at(writing.model, writing.path)
    suggestions = _suggestions(writing, expectation, explicit)
    return completions_of((one for one in suggestions if (one.kind, one.label) != ("type", model.source.file)), writing)


def _suggestions(writing: CaretContext, expectation: Expectation, explicit: bool) -> Iterator[Suggestion]:
    below = properties_below(writing, expectation)
    if below is not None:
        yield below
        if not explicit:
            return
    if writing.is_key:
        yield from keys_for(writing, expectation)
    if writing.is_value and writing.path:
        yield from values_for(writing, expectation)
    if (writing.is_key or writing.is_value) and not writing.quote:
        for suggestion in functions_for(writing, expectation):
            if explicit or writing.is_key or _is_meant(suggestion.label, writing.prefix):
                yield suggestion


def _is_meant(name: str, prefix: str) -> bool:
    """Return whether a plain value is probably a call; most values are strings, for which calls would be noise."""
    return len(prefix) >= _TELLING and name.casefold().startswith(prefix.casefold())
