"""The outcomes of an update: a symbol, a color and a word for each, never one of them alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING

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
_ONLY_WRITTEN = (("properties",), ("type",))
"""The paths of causes that are written in another way while every value stays."""


def outcome_of_action(action: str) -> Outcome:
    """The outcome that an action is, whatever it changes."""
    return _BY_ACTION[action]


def outcome_of(change: ResourceChange) -> Outcome:
    """The outcome of a change."""
    outcome = _BY_ACTION[str(change.action)]
    if outcome is Outcome.UPDATED and not change.members and change.causes:
        written = all(cause.path in _ONLY_WRITTEN for cause in change.causes)
        return Outcome.WITHOUT_EFFECT if written else outcome
    return outcome


def count_outcomes(changes: Iterable[ResourceChange]) -> dict[Outcome, int]:
    """How many changes there are of each outcome; zeros too."""
    counts = Counter(outcome_of(change) for change in changes)
    return {outcome: counts[outcome] for outcome in Outcome}


def totals_line(counts: dict[Outcome, int]) -> str:
    """One line that counts each kind of change separately."""
    order = (Outcome.ADDED, Outcome.UPDATED, Outcome.REPLACED, Outcome.DELETED, Outcome.NOT_SUPPORTED)
    quiet = (Outcome.WITHOUT_EFFECT,) if counts[Outcome.WITHOUT_EFFECT] else ()
    return " · ".join(f"{counts[outcome]} {outcome.counted}" for outcome in (*order, *quiet))
