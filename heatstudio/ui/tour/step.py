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
    Step(
        Place.TEXT,
        "Welcome to Heat Studio",
        "Two minutes, and you know your way around. The cards wait while you work: try what they tell.",
    ),
    Step(
        Place.PROBLEMS,
        "What is wrong, while you type",
        "Everything that Heat would refuse or regret is listed here, without a cloud. {F8} goes to the next problem.",
    ),
    Step(
        Place.PROBLEM,
        "Most problems bring their way out",
        "Press {Alt+Enter} here: every fix shows what it would change before you take it.",
    ),
    Step(
        Place.CARET,
        "Let it write, and ask it",
        "{Ctrl+Space} offers what fits at the caret. {Ctrl+I} tells what the word there means "
        "and what an update would do to it.",
    ),
    Step(
        Place.TYPES,
        "Everything Heat can make",
        "Type a name, a property or a few words of a description. Enter inserts the resource, valid at once.",
    ),
    Step(
        Place.PREVIEW,
        "What an update would do",
        "Change something in the text and see here what is changed in place, replaced or refused, and why.",
    ),
    Step(
        Place.COMMANDS,
        "One key for everything else",
        "{Ctrl+Shift+P} finds every command by a few letters, and {F6} leads from one part of the window to the next. "
        "This tour waits in the Help menu.",
    ),
)
