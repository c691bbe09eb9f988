"""What may be completed, and which of it fits what was typed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from heatstudio.analysis.assist import Completion
from heatstudio.ui.widgets.fuzzy import WHOLE, FuzzyMatch, fuzzy_match

MOST_SHOWN = 200


TakeCompletions = Callable[[Sequence["Completion"]], object]
CompletionProvider = Callable[[int, bool, TakeCompletions], object]
"""Gives the proposals at a code point offset, at once or later; the flag says whether they were asked for by key."""


class Candidate(Struct, frozen=True):
    """A proposal that fits."""

    completion: Completion
    match: FuzzyMatch


def fitting(completions: Iterable[Completion], text: str, caret: int) -> list[Candidate]:
    """The proposals that fit what stands before the caret.

    What is written already comes first, then what fits best, and the deprecated ones last. What is foreign stands
    behind the others that have the letters in one piece, or apart from each other, as it has them itself.
    """

    def rank(candidate: Candidate) -> tuple[bool, bool, bool, bool, int, str, str]:
        completion = candidate.completion
        typed = text[completion.replace.start : caret]
        is_back = completion.foreign and not (typed and completion.label.casefold().startswith(typed.casefold()))
        is_scattered = candidate.match.score < WHOLE
        order = -candidate.match.score, completion.sort_key, completion.label
        return typed != completion.label, completion.deprecated, is_scattered, is_back, *order

    candidates = []
    for completion in completions:
        match = fuzzy_match(text[completion.replace.start : caret], completion.label)
        if match is not None:
            candidates.append(Candidate(completion, match))
    candidates.sort(key=rank)
    return candidates[:MOST_SHOWN]
