"""What the tour tells, and beside what."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Place(StrEnum):
    """The things of the window that a card stands beside."""

    TEXT = "text"
    PROBLEMS = "problems"
    PROBLEM = "problem"
    CARET = "caret"
    TYPES = "types"
    PREVIEW = "preview"
    COMMANDS = "commands"


class Step(Struct, frozen=True):
    """One card. Keys stand in braces, so that each platform can write them as it does."""

    place: Place
    title: str
    text: str


STEPS = (
    Step(Place.TEXT, "Welcome to Heat Studio", "A two-minute tour. Try each step; the card waits."),
    Step(
        Place.PROBLEMS,
        "Problems as you type",
        "Lists everything Heat would reject, without a cloud. {F8} goes to the next problem.",
    ),
    Step(
        Place.PROBLEM,
        "Most problems come with a fix",
        "Press {Alt+Enter} here. Each fix shows a preview of its changes.",
    ),
    Step(
        Place.CARET,
        "Complete and explain",
        "{Ctrl+Space} suggests what fits at the cursor. {Ctrl+I} explains the word there "
        "and shows what an update would do to it.",
    ),
    Step(Place.TYPES, "All resource types", "Search by name, property or description. Enter inserts a valid resource."),
    Step(
        Place.PREVIEW,
        "Preview an update",
        "Change the template to see which resources are updated in place or replaced, and why.",
    ),
    Step(
        Place.COMMANDS,
        "Every command",
        "{Ctrl+Shift+P} finds any command. {F6} moves to the next part of the window. "
        "Restart this tour from the Help menu.",
    ),
)
