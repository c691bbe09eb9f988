"""The plan of a stack update: the result of `plan_update`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.stack.definition.secrets import Secrets
from heatstudio.template import TreePath
from heatstudio.text import Span
from heatstudio.update.plan.demand import Demand


class SubjectKind(StrEnum):
    """The kinds of elements that a reason names."""

    PARAMETER = "parameter"
    CONDITION = "condition"
    FILE = "file"
    MAPPING = "mapping"
    RESOURCE = "resource"


class Subject(NamedTuple):
    """The element of a template or environment that a reason names."""

    kind: SubjectKind
    name: str


class Reason(str):
    """The text of a reason, with the element that the text names.

    A reason may also be an origin of an unknown value, which passes the reasons of an owner to its nested stack.
    """

    subject: Subject | None
    """None if the reason names no element."""
    rank: int
    """The position among the reasons of the owner, for a reason that is an origin: origins are unordered."""

    def __new__(cls, words: str, subject: Subject | None = None, rank: int = 0) -> Reason:
        """Create a reason. Do not modify a reason after its creation."""
        reason = super().__new__(cls, words)
        reason.subject = subject
        reason.rank = rank
        return reason


class Action(StrEnum):
    """The effects of an update on a resource, most severe first."""

    NOT_SUPPORTED = "not_supported"
    """Heat rejects the change, and the stack update fails."""
    REPLACED = "replaced"
    """Heat creates a new resource, then deletes the old resource."""
    DELETED = "deleted"
    ADDED = "added"
    UPDATED = "updated"
    """Updated in place."""
    UNCHANGED = "unchanged"


ORDER = tuple(Action)
_ONLY_WRITTEN = (("properties",), ("type",), ("condition",))
"""The paths of causes that change only the notation of values, or the condition of a resource that stays."""


class Cause(Struct, frozen=True):
    """One difference between the old and the new resource, and its effect."""

    property: str
    """The name of the property, or of another part of the resource such as `metadata`."""
    before: object
    after: object
    effect: Action
    sentence: str = ""
    """The explanation of the effect, from the property schema or from a rule of the type."""
    path: TreePath = ()
    """The path of the value in the resource definition, on either side."""
    because: tuple[Reason, ...] = ()
    """The reasons for the difference, such as changed parameters and replaced resources."""
    secret: bool = False
    """Whether a value contains a hidden parameter and must not be shown."""


class ResourceChange(Struct, frozen=True):
    """The change of one resource."""

    name: str
    type: str
    action: Action
    certain: bool = True
    causes: tuple[Cause, ...] = ()
    because: tuple[Reason, ...] = ()
    """The chain of reasons, in causal order."""
    notes: tuple[str, ...] = ()
    """Further notes, for example on an uncertain outcome, on a deletion policy or on the behavior of the type."""
    members: tuple[ResourceChange, ...] = ()
    """The changes inside the nested stack."""
    members_known: bool = False
    """Whether `members` has all changes inside the nested stack; the nested stack may be empty."""
    outputs: tuple[str, ...] = ()
    """The outputs of the nested stack whose values change or may change."""
    breaks: bool = False
    """Whether Heat accepts the new definition, but fails when it creates or updates the resource."""
    may_fail: bool = False
    """Whether creating or updating the resource may fail; the notes say why."""
    hooks: tuple[str, ...] = ()
    """The hooks at which the update waits, also if the resource is unchanged."""
    renamed: str = ""
    """The new name of a deleted resource, or the old name of an added one, if both are nearly equal."""
    takes: Demand = ()
    """What the new resource takes of the quota, with the nested stack unless `members` has its changes."""
    gives: Demand = ()
    """What the old resource gives back, or, if it is updated, what it has taken so far."""
    alike: int = 0
    """The number of further members of a group that change in the same way and are not listed."""

    @property
    def has_effect(self) -> bool:
        """Whether any value changes; Heat also updates resources whose definitions differ only in notation."""
        if self.action is not Action.UPDATED or self.outputs:
            return self.action is not Action.UNCHANGED
        if not all(cause.path in _ONLY_WRITTEN for cause in self.causes):
            return True
        is_known = self.members_known or self.members or self.causes
        return any(member.has_effect for member in self.members) or not is_known

    @property
    def further_reasons(self) -> tuple[Reason, ...]:
        """The reasons that belong to none of the causes."""
        reported = {reason for cause in self.causes for reason in cause.because}
        return tuple(reason for reason in self.because if reason not in reported)

    @property
    def inner(self) -> Iterator[ResourceChange]:
        """The changes of all members, at any depth."""
        for member in self.members:
            yield member
            yield from member.inner

    def failures(self, *owners: str) -> Iterator[Failure]:
        """Yield the failures: this resource, or else the failing resources of its nested stack."""
        if self.action is Action.NOT_SUPPORTED or self.breaks:
            yield Failure((*owners, self.name), self.certain)
            return
        if self.may_fail:
            yield Failure((*owners, self.name), certain=False)
        for member in self.members:
            yield from member.failures(*owners, self.name)

    def without(self, secrets: Secrets | None) -> ResourceChange:
        """Return the change with all causes marked that contain hidden texts; None marks no cause."""
        causes = tuple(
            replace(one, secret=secrets is not None and (one.secret or secrets.hides((one.before, one.after))))
            for one in self.causes
        )
        notes = tuple(map(secrets.mask, self.notes)) if secrets is not None else self.notes
        members = tuple(member.without(secrets) for member in self.members)
        return replace(self, causes=causes, notes=notes, members=members)


class Failure(Struct, frozen=True):
    """A resource at which the update fails, or may fail."""

    names: tuple[str, ...]
    """The owners of the nested stacks around the resource, the outermost first, and the resource."""
    certain: bool


class Refusal(Struct, frozen=True):
    """A reason why Heat rejects the whole update before changing any resource."""

    message: str
    span: Span | None = None
    """The position of the error in the new template; None if the template itself is valid."""
    line: int = 0
    """The line of the error, starting at 1."""
    resource: str = ""
    """The resource with the error."""

    def __str__(self) -> str:
        return f"Line {self.line}: {self.message}" if self.line else self.message


class Verdict(StrEnum):
    """The result of the whole update."""

    REFUSED = "refused"
    """Heat rejects the update and changes nothing."""
    FAILS = "fails"
    MAY_FAIL = "may_fail"
    RUNS = "runs"
    CHANGES_NOTHING = "changes_nothing"


class UpdatePlan(Struct, frozen=True, dict=True):
    """The effects of an update on every resource of both sides."""

    changes: tuple[ResourceChange, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    """The reasons why Heat rejects the whole update before changing any resource."""
    unread: str = ""
    """The unreadable side, `old` or `new`, which makes the plan empty; `""` if both sides are readable."""

    @property
    def accepted_changes(self) -> tuple[ResourceChange, ...]:
        """The changes that Heat starts to make: empty if Heat rejects the update."""
        return () if self.refusals else self.changes

    @property
    def is_creation(self) -> bool:
        """Whether every resource is new: the stack does not exist yet, or is empty."""
        return bool(self.changes) and all(change.action is Action.ADDED for change in self.changes)

    @cached_property
    def summary(self) -> dict[Action, int]:
        """The number of accepted changes of each action, including zeros."""
        counted = Counter(change.action for change in self.accepted_changes)
        return {action: counted[action] for action in ORDER}

    @property
    def failures(self) -> list[Failure]:
        """The resources at which the update fails or may fail, certain failures first."""
        found = [failure for change in self.accepted_changes for failure in change.failures()]
        return sorted(found, key=lambda failure: not failure.certain)

    @property
    def verdict(self) -> Verdict:
        """The result of the whole update."""
        if self.refusals:
            return Verdict.REFUSED
        if failures := self.failures:
            return Verdict.FAILS if failures[0].certain else Verdict.MAY_FAIL
        has_effect = any(change.has_effect for change in self.changes)
        return Verdict.RUNS if has_effect else Verdict.CHANGES_NOTHING

    def get(self, name: str) -> ResourceChange | None:
        """Return the change of a resource, or None."""
        return next((change for change in self.changes if change.name == name), None)
