"""The outcomes of an update: a symbol, a color and a word for each, never one of them alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from heatstudio.ui.theme import Color

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.stack.update.update_plan import ResourceChange


class Outcome(Enum):
    """In the order in which they matter to whoever presses the button."""

    NOT_SUPPORTED = ("not_supported", "Update not supported", "not supported", "update-not-supported", "⊘")
    REPLACED = ("replaced", "Replaced", "to replace", "update-replaced", "+/-")
    DELETED = ("deleted", "Deleted", "to delete", "update-deleted", "-")
    UPDATED = ("updated", "Updated in place", "in place", "update-in-place", "~")
    WITHOUT_EFFECT = ("updated", "Updated without effect", "without effect", "check", "=")
    ADDED = ("added", "Added", "to add", "update-added", "+")
    UNCHANGED = ("unchanged", "Unchanged", "unchanged", "update-unchanged", "=")

    def __init__(self, action: str, word: str, counted: str, icon: str, symbol: str) -> None:
        self.action = action
        self.word = word
        self.counted = counted
        self.icon = icon
        self.symbol = symbol

    @property
    def color(self) -> Color:
        """The meaning of its color."""
        return _COLORS[self]


_COLORS = {
    Outcome.NOT_SUPPORTED: Color.NOT_SUPPORTED,
    Outcome.REPLACED: Color.REPLACED,
    Outcome.DELETED: Color.DELETED,
    Outcome.UPDATED: Color.UPDATED,
    Outcome.WITHOUT_EFFECT: Color.MUTED,
    Outcome.ADDED: Color.ADDED,
    Outcome.UNCHANGED: Color.UNCHANGED,
}
_BY_ACTION = {outcome.action: outcome for outcome in reversed(Outcome)}


def outcome_of_action(action: str) -> Outcome:
    """The outcome that an action is, whatever it changes."""
    return _BY_ACTION[action]


def outcome_of(change: ResourceChange) -> Outcome:
    """The outcome of a change."""
    outcome = _BY_ACTION[str(change.action)]
    is_idle = outcome is Outcome.UPDATED and not change.has_effect
    return Outcome.WITHOUT_EFFECT if is_idle else outcome


class Count(NamedTuple):
    """How many resources of a template have an outcome, and how many inside of groups and nested stacks."""

    here: int = 0
    inside: int = 0

    def words(self, counted: str) -> str:
        """What is counted, in words that tell the two apart."""
        if not self.inside:
            return f"{self.here} {counted}"
        from heatstudio.stack.update import plan_text

        return plan_text.counted(self.here, self.inside, counted)

    @property
    def short(self) -> str:
        """Both together, where there is no room for words."""
        return str(self.here + self.inside)


def count_outcomes(changes: Iterable[ResourceChange]) -> dict[Outcome, Count]:
    """How many changes there are of each outcome; zeros too."""
    here: Counter[Outcome] = Counter()
    inside: Counter[Outcome] = Counter()
    for change in changes:
        here[outcome_of(change)] += 1
        inside.update(outcome_of(inner) for inner in change.inner if inner.has_effect)
    return {outcome: Count(here[outcome], inside[outcome]) for outcome in Outcome}


def changes_line(counts: dict[Outcome, Count]) -> str:
    """One line that counts each kind of change that there is."""
    told = [counts[one].words(one.counted) for one in Outcome if one is not Outcome.UNCHANGED and any(counts[one])]
    return " · ".join(told) or "No resource changes."


def totals_line(counts: dict[Outcome, Count]) -> str:
    """One line that counts each kind of change separately."""
    order = (Outcome.ADDED, Outcome.UPDATED, Outcome.REPLACED, Outcome.DELETED, Outcome.NOT_SUPPORTED)
    quiet = (Outcome.WITHOUT_EFFECT,) if any(counts[Outcome.WITHOUT_EFFECT]) else ()
    return " · ".join(counts[outcome].words(outcome.counted) for outcome in (*order, *quiet))
