"""Why something changes: a sentence that knows what it names."""

from __future__ import annotations

from typing import NamedTuple

from heatstudio.stack.definition.reading import ReadKind


class Subject(NamedTuple):
    """What a reason names, as far as a template can define it."""

    kind: ReadKind
    """A parameter, a condition, a file, a mapping or a resource."""
    name: str


class Reason(str):
    """The words, which are all that is shown and compared, and what they name.

    As a text it is also one of the origins of an unknown value: that is how a nested stack learns the reasons of its
    owner.
    """

    __slots__ = ("rank", "subject")

    subject: Subject | None
    """None for what no template defines."""
    rank: int
    """As an origin, how many reasons of the owner lead to it: origins have no order of their own."""

    def __new__(cls, words: str, subject: Subject | None = None, rank: int = 0) -> Reason:
        """A reason; it is not to be changed."""
        reason = super().__new__(cls, words)
        reason.subject = subject
        reason.rank = rank
        return reason
