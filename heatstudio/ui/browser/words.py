"""Facts of the catalog in words."""

from __future__ import annotations

import json
from collections.abc import Sequence

from msgspec import Struct

from heatstudio.catalog.property_groups.property_group import Combination, Member, Operator, PropertyGroup
from heatstudio.catalog.release import Release, release_of
from heatstudio.catalog.schema import (
    AllowedPattern,
    AllowedValues,
    Constraint,
    CustomConstraint,
    Length,
    Modulo,
    PropertySchema,
    Range,
)
from heatstudio.catalog.support_status import Status, SupportStatus
from heatstudio.ui.widgets.theme import Color

STATUS_LOOK = {
    Status.SUPPORTED: ("status-supported", Color.ADDED),
    Status.DEPRECATED: ("status-deprecated", Color.WARNING),
    Status.HIDDEN: ("status-hidden", Color.ERROR),
    Status.UNSUPPORTED: ("status-unsupported", Color.NOT_SUPPORTED),
}
_GROUP_SENTENCES = {
    Operator.XOR: "Exactly one of {any} is required.",
    Operator.OR: "At least one of {any} is required.",
    Operator.AND: "{all} are required.",
    Operator.NONE: "None of {any} may be set.",
    Operator.AT_MOST_ONE: "At most one of {any} may be set.",
    Operator.ALL_OR_NONE: "Set all of {all}, or none of them.",
    Operator.DEPENDS_ON: "{first} requires {rest}.",
    Operator.LE: "{all} must be in ascending order.",
    Operator.EQUAL: "{all} must be equal.",
    Operator.UNIQUE: "The values of {all} must be unique.",
    Operator.SUBSET: "Every value of {first} must be in {rest}.",
    Operator.DISJOINT: "{first} and {rest} must not share values.",
}


def status_words(status: SupportStatus) -> str:
    """A badge such as `DEPRECATED since 13.0.0`."""
    return f"{status.status} since {status.version}" if status.version else str(status.status)


def status_sentence(status: SupportStatus) -> str:
    """The badge with what to use instead."""
    words = status_words(status)
    if status.successor or status.substitute:
        words += f"; use {status.successor or status.substitute}"
    return words + (f". {status.message}" if status.message else "")


class LifeState(Struct, frozen=True):
    """One state in the life of a resource type."""

    status: Status
    since: str
    """The Heat that it came with, such as `since 13.0.0`."""
    release: str
    """The OpenStack release of that Heat, such as `Train`; empty where none is known."""

    def __str__(self) -> str:
        return f"{self.status} {self.since}" + (f" ({self.release})" if self.release else "")


def life(status: SupportStatus, releases: Sequence[Release]) -> tuple[LifeState, ...]:
    """The states that something went through, the oldest first."""
    return tuple(_life_state(state, releases) for state in reversed(list(status.chain())))


def _life_state(state: SupportStatus, releases: Sequence[Release]) -> LifeState:
    if not state.version:
        return LifeState(state.status, "since the first release", "")
    release = release_of(releases, state.version)
    return LifeState(state.status, f"since {state.version}", release.name if release is not None else "")


def update_words(schema: PropertySchema) -> str:
    """What an update of a property does, in a word or two."""
    if schema.update_allowed:
        return "in place"
    return "no updates" if schema.immutable else "replaces"


def constraint_words(constraint: Constraint) -> str:
    """A constraint as a phrase."""
    match constraint:
        case Range(minimum, maximum):
            return _limits("from", minimum, maximum)
        case Length(minimum, maximum):
            return "length " + _limits("from", minimum, maximum)
        case Modulo(step, offset):
            return f"a multiple of {step:g}" + (f" plus {offset:g}" if offset else "")
        case AllowedValues(values):
            return "one of " + ", ".join(map(str, values))
        case AllowedPattern(pattern):
            return f"matches {pattern}"
        case CustomConstraint(name):
            return f"a {name.replace('.', ' ').replace('_', ' ')} ({name})"


def _limits(word: str, minimum: float | None, maximum: float | None) -> str:
    if minimum is None:
        return f"at most {maximum:g}" if maximum is not None else "any"
    return f"{word} {minimum:g} to {maximum:g}" if maximum is not None else f"at least {minimum:g}"


def default_words(schema: PropertySchema) -> str:
    """The default as YAML would write it in one line; empty if there is none."""
    return "" if schema.default is None else json.dumps(schema.default, ensure_ascii=False, default=str)


def group_words(group: PropertyGroup) -> str:
    """What a group asks for, as a sentence; Heat's own words where its members are no plain properties."""
    names = _member_names(group.expression)
    if names and group.when is None:
        return _GROUP_SENTENCES[group.expression.operator].format(
            any=_joined(names, "or"), all=_joined(names, "and"), first=names[0], rest=_joined(names[1:], "and")
        )
    messages = [message.text for message in group.messages.values()]
    return messages[0] if messages else group.name.replace("_", " ").replace("-", " ")


def _member_names(expression: Combination) -> list[str]:
    members = [member for member in expression.members if isinstance(member, Member) and member.is_presence]
    return [str(member.path) for member in members] if len(members) == len(expression.members) else []


def _joined(names: list[str], word: str) -> str:
    return f" {word} ".join(part for part in (", ".join(names[:-1]), names[-1] if names else "") if part)
