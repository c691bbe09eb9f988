"""The words, symbols and counts of update outcomes, shared by the window and the command line."""

from collections import Counter
from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from heatstudio.update.plan.update_plan import ResourceChange


class Outcome(Enum):
    """The outcomes of a change, most severe first."""

    NOT_SUPPORTED = ("not_supported", "update not supported", "!", ("not supported", "may fail"))
    REPLACED = ("replaced", "replaced", "+/-", ("replaces", "may replace"))
    MAY_BE_REPLACED = ("replaced", "may be replaced", "+/-")
    DELETED = ("deleted", "deleted", "-")
    UPDATED = ("updated", "updated in place", "~", ("in place", "may change"))
    WITHOUT_EFFECT = ("updated", "updated without effect", "=")
    ADDED = ("added", "added", "+")
    UNCHANGED = ("unchanged", "unchanged", "=")

    def __init__(self, action: str, word: str, symbol: str, tags: tuple[str, str] = ("", "")) -> None:
        self.action = action
        self.word = word
        self.symbol = symbol
        self._tags = tags

    def tag(self, *, certain: bool) -> str:
        """Return the effect of a changed property that leads to the outcome, in a word or two."""
        return self._tags[0 if certain else 1]

    def words(self, *, certain: bool) -> str:
        """Return the outcome in words, with `may` if uncertain."""
        if certain or self in (Outcome.MAY_BE_REPLACED, Outcome.WITHOUT_EFFECT):
            return self.word
        return "update may not be supported" if self is Outcome.NOT_SUPPORTED else f"may be {self.word}"


SENTENCES = {
    Outcome.UPDATED: "Can be updated without replacement",
    Outcome.REPLACED: "Updates cause replacement",
    Outcome.NOT_SUPPORTED: "Updates are not supported",
}
"""Heat's sentences for the outcomes of a changed property (doc/source/ext/resources.py)."""
GRAVE = (Outcome.NOT_SUPPORTED, Outcome.REPLACED, Outcome.MAY_BE_REPLACED, Outcome.DELETED)
"""The outcomes that do or may delete a physical resource or reject the update, most severe first."""
_BY_ACTION = {outcome.action: outcome for outcome in reversed(Outcome)}


def outcome_of_action(action: str) -> Outcome:
    """Return the outcome of an action, assuming that the action is certain and has an effect."""
    return _BY_ACTION[action]


def outcome_of(change: ResourceChange) -> Outcome:
    """Return the outcome of a change."""
    outcome = _BY_ACTION[str(change.action)]
    if outcome is Outcome.REPLACED and not change.certain:
        return Outcome.MAY_BE_REPLACED
    is_idle = outcome is Outcome.UPDATED and not change.has_effect
    return Outcome.WITHOUT_EFFECT if is_idle else outcome


class Count(NamedTuple):
    """The number of resources with an outcome: in the template, and inside groups and nested stacks."""

    here: int = 0
    inside: int = 0

    def words(self, word: str) -> str:
        """Return both numbers in words."""
        if not self.inside:
            return f"{self.here} {word}"
        return f"{self.here} {word}, {self.inside} more inside" if self.here else f"{self.inside} {word} inside"

    @property
    def short(self) -> str:
        """The sum of both numbers, for narrow columns."""
        return str(self.here + self.inside)


def count_outcomes(changes: Iterable[ResourceChange]) -> dict[Outcome, Count]:
    """Return the number of changes of each outcome, including zeros."""
    here: Counter[Outcome] = Counter()
    inside: Counter[Outcome] = Counter()
    for change in changes:
        here[outcome_of(change)] += 1
        inside.update(outcome_of(inner) for inner in change.inner if inner.has_effect)
    return {outcome: Count(here[outcome], inside[outcome]) for outcome in Outcome}


def totals_line(counts: dict[Outcome, Count]) -> str:
    """Return one line with the number of changes of each outcome that occurs."""
    found = [counts[o].words(o.word) for o in Outcome if o is not Outcome.UNCHANGED and any(counts[o])]
    return " · ".join(found) or "No resource changes."
