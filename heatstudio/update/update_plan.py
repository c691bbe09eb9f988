"""The update plan: the result of `plan_update`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from heatstudio.stack.definition.reading import ReadKind
from heatstudio.stack.path import Path
from heatstudio.text import Span


class Subject(NamedTuple):
    """The element of a template that a reason names."""

    kind: ReadKind
    """A parameter, a condition, a file, a mapping or a resource."""
    name: str


class Reason(str):
    """The text of a reason, which is shown and compared, and the elements that it names.

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


class Action(StrEnum):
    """The action on a resource; ordered from the most important outcome."""

    NOT_SUPPORTED = "not_supported"
    """Heat rejects: the stack update will fail."""
    REPLACED = "replaced"
    """A new one is created first, then the old one is deleted."""
    DELETED = "deleted"
    ADDED = "added"
    UPDATED = "updated"
    """In place."""
    UNCHANGED = "unchanged"


ORDER = tuple(Action)
_ONLY_WRITTEN = (("properties",), ("type",))
"""The paths of causes that are written in another way while every value stays."""


class Cause(Struct, frozen=True):
    """One difference between the old and the new resource, and its effect."""

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
    """The change of one resource."""

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
    members_known: bool = False
    """Whether `members` are all that is inside a nested stack, which may be nothing."""
    outputs: tuple[str, ...] = ()
    """The outputs of the nested stack that have, or may have, another value than before."""

    @property
    def has_effect(self) -> bool:
        """Whether anything is another than before: Heat also submits again what only is written in another way."""
        if self.action is not Action.UPDATED or self.outputs:
            return self.action is not Action.UNCHANGED
        if not all(cause.path in _ONLY_WRITTEN for cause in self.causes):
            return True
        is_known = self.members_known or self.members or self.causes
        return any(member.has_effect for member in self.members) or not is_known

    @property
    def inner(self) -> Iterator[ResourceChange]:
        """What happens inside, however deep."""
        for member in self.members:
            yield member
            yield from member.inner

    def failures(self, *owners: str) -> Iterator[Failure]:
        """The resources whose update fails: this one, or those of its nested stack."""
        if self.action is Action.NOT_SUPPORTED:
            yield Failure((*owners, self.name), self.certain)
            return
        for member in self.members:
            yield from member.failures(*owners, self.name)


class Failure(Struct, frozen=True):
    """A resource at which the update fails, or may fail."""

    names: tuple[str, ...]
    """The resource and the owners of the nested stacks around it, the outermost first."""
    certain: bool


class Refusal(Struct, frozen=True):
    """Why Heat rejects the whole update before it changes any resource."""

    message: str
    span: Span | None = None
    """The error in the new template; None for what is wrong with the update alone."""
    line: int = 0
    """The line of the error, counted from 1."""
    resource: str = ""
    """The resource that the error is in."""

    def __str__(self) -> str:
        return f"Line {self.line}: {self.message}" if self.line else self.message


class Verdict(StrEnum):
    """The result of the whole update."""

    REFUSED = "refused"
    """Heat rejects it and changes nothing."""
    FAILS = "fails"
    MAY_FAIL = "may_fail"
    RUNS = "runs"
    CHANGES_NOTHING = "changes_nothing"


class UpdatePlan(Struct, frozen=True, dict=True):
    """The outcome of an update for every resource of both sides."""

    changes: tuple[ResourceChange, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    """Why Heat rejects the whole update before it changes any resource."""
    unread: str = ""
    """Which side cannot be read, so that nothing is known: `old` or `new`; empty if both can."""

    @property
    def accepted_changes(self) -> tuple[ResourceChange, ...]:
        """The changes that Heat begins with: none if it rejects the update."""
        return () if self.refusals else self.changes

    @cached_property
    def summary(self) -> dict[Action, int]:
        """The number of accepted changes of each action; zeros too."""
        counted = Counter(change.action for change in self.accepted_changes)
        return {action: counted[action] for action in ORDER}

    @property
    def failures(self) -> list[Failure]:
        """The resources at which the update fails or may fail, the certain ones first."""
        found = [failure for change in self.accepted_changes for failure in change.failures()]
        return sorted(found, key=lambda failure: not failure.certain)

    @property
    def verdict(self) -> Verdict:
        """How the update ends."""
        if self.refusals:
            return Verdict.REFUSED
        if failures := self.failures:
            return Verdict.FAILS if failures[0].certain else Verdict.MAY_FAIL
        has_effect = any(change.has_effect for change in self.changes)
        return Verdict.RUNS if has_effect else Verdict.CHANGES_NOTHING

    def get(self, name: str) -> ResourceChange | None:
        """The change of one resource."""
        return next((change for change in self.changes if change.name == name), None)
