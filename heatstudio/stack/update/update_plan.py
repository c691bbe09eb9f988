"""What a stack update would do: the answer of `plan_update`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from functools import cached_property

from msgspec import Struct

from heatstudio.stack.path import Path
from heatstudio.stack.update.reason import Reason


class Action(StrEnum):
    """What happens to a resource; ordered from the outcome to look at first."""

    NOT_SUPPORTED = "not_supported"
    """Heat refuses: the stack update will fail."""
    REPLACED = "replaced"
    """A new one is created first, then the old one is deleted."""
    DELETED = "deleted"
    ADDED = "added"
    UPDATED = "updated"
    """In place."""
    UNCHANGED = "unchanged"

    @property
    def symbol(self) -> str:
        """The sign that stands before a row."""
        return _SYMBOLS[self]

    @property
    def word(self) -> str:
        """What a person calls it."""
        return _WORDS[self]


_SYMBOLS = {
    Action.NOT_SUPPORTED: "!",
    Action.REPLACED: "+/-",
    Action.DELETED: "-",
    Action.ADDED: "+",
    Action.UPDATED: "~",
    Action.UNCHANGED: "=",
}
_WORDS = {
    Action.NOT_SUPPORTED: "not supported",
    Action.REPLACED: "replaced",
    Action.DELETED: "deleted",
    Action.ADDED: "added",
    Action.UPDATED: "updated in place",
    Action.UNCHANGED: "unchanged",
}
ORDER = tuple(Action)
_ONLY_WRITTEN = (("properties",), ("type",))
"""The paths of causes that are written in another way while every value stays."""


class Cause(Struct, frozen=True):
    """One difference between the old and the new resource, and what it leads to."""

    property: str
    """The name of the property, or of another part of the resource such as `metadata`."""
    before: object
    after: object
    effect: Action
    sentence: str = ""
    """Heat's sentence on updates of this property, or the reason of a special rule."""
    path: Path = ()
    """Where the value stands in both templates, as far as it does."""
    because: tuple[Reason, ...] = ()
    """What the new value comes from: parameters that changed, resources that are replaced."""
    secret: bool = False
    """Whether a hidden parameter is in a value, which therefore must not be shown."""


class ResourceChange(Struct, frozen=True):
    """What happens to one resource."""

    name: str
    type: str
    action: Action
    certain: bool = True
    causes: tuple[Cause, ...] = ()
    because: tuple[Reason, ...] = ()
    """The chain that leads here, from the first cause to the last."""
    notes: tuple[str, ...] = ()
    """What else to know: why it is not certain, what a deletion policy keeps, what Heat always does to this type."""
    members: tuple[ResourceChange, ...] = ()
    """What happens inside a nested stack."""
    outputs: tuple[str, ...] = ()
    """The outputs of the nested stack that have, or may have, another value than before."""

    @property
    def has_effect(self) -> bool:
        """Whether anything is another than before: Heat also submits again what only is written in another way."""
        if self.action is not Action.UPDATED or self.outputs:
            return self.action is not Action.UNCHANGED
        if not all(cause.path in _ONLY_WRITTEN for cause in self.causes):
            return True
        return any(member.has_effect for member in self.members) or not (self.members or self.causes)

    @property
    def inner(self) -> Iterator[ResourceChange]:
        """What happens inside, however deep."""
        for member in self.members:
            yield member
            yield from member.inner

    @property
    def is_refused(self) -> bool:
        """Whether Heat refuses it, or something inside."""
        return self.action is Action.NOT_SUPPORTED or any(member.is_refused for member in self.members)


class UpdatePlan(Struct, frozen=True, dict=True):
    """What an update does to every resource of both sides."""

    changes: tuple[ResourceChange, ...] = ()
    refusals: tuple[str, ...] = ()
    """Why Heat refuses the whole update before it looks at resources."""
    unread: str = ""
    """Which side cannot be read, so that nothing is known: `old` or `new`; empty if both can."""

    @cached_property
    def summary(self) -> dict[Action, int]:
        """How many resources have each outcome; zeros too."""
        counted = Counter(change.action for change in self.changes)
        return {action: counted[action] for action in ORDER}

    @property
    def fails(self) -> bool | None:
        """Whether the whole update fails, because Heat refuses some of it; None if it may."""
        refused = [change for change in self.changes if change.is_refused]
        if self.refusals or any(change.certain for change in refused):
            return True
        return None if refused else False

    def get(self, name: str) -> ResourceChange | None:
        """The change of one resource."""
        return next((change for change in self.changes if change.name == name), None)
