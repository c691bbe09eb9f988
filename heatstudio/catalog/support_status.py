"""Support status: the life cycle of a type, property or attribute (specification: support status guide)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct


class Status(StrEnum):
    """The four states of the life cycle UNSUPPORTED -> SUPPORTED -> DEPRECATED -> HIDDEN."""

    SUPPORTED = "SUPPORTED"
    DEPRECATED = "DEPRECATED"
    HIDDEN = "HIDDEN"
    UNSUPPORTED = "UNSUPPORTED"


class SupportStatus(Struct, frozen=True, forbid_unknown_fields=True):
    """One state and, through `previous`, all states before it (heat/engine/support.py)."""

    status: Status = Status.SUPPORTED
    version: str | None = None
    """The Heat release since which the state holds; None means always."""
    message: str = ""
    """What a cloud says of the state; empty for the bundled types."""
    successor: str | None = None
    """The name of what to use instead, where Heat names one."""
    substitute: str | None = None
    """The resource type that takes over in place (`substitute_class`)."""
    previous: SupportStatus | None = None

    @property
    def words(self) -> str:
        """The state with its version, such as `DEPRECATED since 13.0.0`."""
        return f"{self.status} since {self.version}" if self.version else str(self.status)

    def chain(self) -> Iterator[SupportStatus]:
        """This state, the one before it, and so on, newest first."""
        state: SupportStatus | None = self
        while state is not None:
            yield state
            state = state.previous


SUPPORTED = SupportStatus()
