"""The appearance of update outcomes: an icon, a color and a word for each."""

from typing import ClassVar

from msgspec import Struct

from heatstudio.text import counted
from heatstudio.ui.widgets.theme import Color
from heatstudio.update.plan.outcome import Outcome

_LOOKS = {
    Outcome.NOT_SUPPORTED: ("update-not-supported", Color.NOT_SUPPORTED),
    Outcome.REPLACED: ("update-replaced", Color.REPLACED),
    Outcome.MAY_BE_REPLACED: ("update-may", Color.REPLACED),
    Outcome.DELETED: ("update-deleted", Color.DELETED),
    Outcome.UPDATED: ("update-in-place", Color.UPDATED),
    Outcome.WITHOUT_EFFECT: ("check", Color.MUTED),
    Outcome.ADDED: ("update-added", Color.ADDED),
    Outcome.UNCHANGED: ("update-unchanged", Color.UNCHANGED),
}


def icon_of(outcome: Outcome, *, certain: bool = True) -> tuple[str, Color]:
    """Return the icon name and the color of an outcome."""
    icon, color = _LOOKS[outcome]
    return (icon if certain else "update-may"), color


def title_of(outcome: Outcome, *, certain: bool = True) -> str:
    """Return the words of an outcome, capitalized."""
    words = outcome.words(certain=certain)
    return words[:1].upper() + words[1:]


class ShownOutcome(Struct, frozen=True):
    """The outcome of an update for a resource, as the window shows it."""

    source: ClassVar[str] = "Preview"
    """Who says so."""
    outcome: Outcome
    certain: bool = True

    @property
    def icon(self) -> tuple[str, Color]:
        """The icon name and the color."""
        return icon_of(self.outcome, certain=self.certain)

    @property
    def word(self) -> str:
        """The words."""
        return title_of(self.outcome, certain=self.certain)

    @property
    def is_change(self) -> bool:
        """Whether the outcome needs attention."""
        return self.outcome not in (Outcome.UNCHANGED, Outcome.WITHOUT_EFFECT)


class ShownTest(Struct, frozen=True):
    """The result of a test of a template, as the window shows it."""

    source: ClassVar[str] = "Test"
    """Who says so."""
    name: str
    failures: int

    @property
    def icon(self) -> tuple[str, Color]:
        """The icon name and the color."""
        return ("close", Color.ERROR) if self.failures else ("check", Color.ADDED)

    @property
    def word(self) -> str:
        """The result and the name."""
        return f"{counted(self.failures, 'failure') if self.failures else 'Passed'}, {self.name}"
