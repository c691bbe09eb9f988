"""Support status of a type, property or attribute (specification: support status guide)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct


class Status(StrEnum):
    """A state of the life cycle UNSUPPORTED -> SUPPORTED -> DEPRECATED -> HIDDEN."""

    SUPPORTED = "SUPPORTED"
    DEPRECATED = "DEPRECATED"
    HIDDEN = "HIDDEN"
    UNSUPPORTED = "UNSUPPORTED"


class SupportStatus(Struct, frozen=True, forbid_unknown_fields=True):
    """One status and, through `previous`, all earlier ones (heat/engine/support.py)."""

    status: Status = Status.SUPPORTED
    version: str | None = None
    """The Heat version since which the state applies; None means always."""
    message: str = ""
    """The message of a cloud about the status; empty for the bundled types."""
    successor: str | None = None
    """The name of the replacement, if Heat names one."""
    substitute: str | None = None
    """The resource type that takes over without replacement (`substitute_class`)."""
    previous: SupportStatus | None = None

    def chain(self) -> Iterator[SupportStatus]:
        """Yield the states, newest first."""
        state: SupportStatus | None = self
        while state is not None:
            yield state
            state = state.previous


SUPPORTED = SupportStatus()
