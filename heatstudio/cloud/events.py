"""What happens to a stack while Heat works on it, event by event."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog.facts import Facts, items, mapping, text
from heatstudio.cloud.cloud_error import CloudError, CloudTrouble
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.stacks import DEEPEST, StackSummary

_STACK = "stack"


class StackEvent(Struct, frozen=True):
    """One step of Heat's work on a resource, or on the stack itself."""

    id: str
    time: str
    """ISO 8601, in UTC."""
    resource: str
    status: str
    """Action and status, such as `CREATE_IN_PROGRESS`."""
    reason: str
    owners: tuple[str, ...] = ()
    """The names of the nested stacks that the resource is in, as Heat made them up; empty for the stack's own."""
    about_stack: bool = False
    """Whether it is about the stack itself, not about one of its resources."""

    @property
    def is_done(self) -> bool:
        """Whether the step came to an end, good or bad."""
        return not self.status.endswith("IN_PROGRESS")

    @property
    def has_failed(self) -> bool:
        """Whether it came to a bad end."""
        return self.status.endswith("FAILED")


def events_after(connection: Connection, stack: StackSummary, last: str = "") -> tuple[StackEvent, ...]:
    """The events since the one of that id, oldest first; all of them without one. Raises CloudError."""
    query = {"sort_dir": "asc", "nested_depth": DEEPEST} | ({"marker": last} if last else {})
    try:
        facts = connection.facts(f"{stack.path}/events", "events", query=query)
    except CloudError as error:
        # Heat answers so for a moment while it throws the old data of a resource away, and when nothing is new.
        if error.trouble is CloudTrouble.NOT_FOUND and last:
            return ()
        raise
    return tuple(_events(facts, stack))


def _events(facts: Facts, stack: StackSummary) -> Iterator[StackEvent]:
    for one in items(facts, "events"):
        event = mapping(one)
        name = text(event, "resource_name")
        owner = _owner(event)
        yield StackEvent(
            text(event, "id"),
            text(event, "event_time"),
            name,
            text(event, "resource_status"),
            text(event, "resource_status_reason"),
            () if owner in ("", stack.name) else (owner,),
            text(event, "physical_resource_id") == stack.id,
        )


def _owner(event: Facts) -> str:
    """The name of the stack whose event it is: the last but one part of its address."""
    links = (mapping(link) for link in items(event, "links"))
    address = next((text(link, "href") for link in links if link.get("rel") == _STACK), "")
    parts = address.rstrip("/").split("/")
    return unquote(parts[-2]) if len(parts) > 1 else ""


class Progress(Struct, frozen=True):
    """How far Heat is: resources of the stack itself that came to an end, and what failed."""

    finished: frozenset[str] = frozenset()
    failed: tuple[StackEvent, ...] = ()
    ended: StackEvent | None = None
    """The event that ended the work on the stack."""

    def after(self, events: tuple[StackEvent, ...]) -> Progress:
        """The progress with what happened since; what was before the stack was begun anew does not count."""
        known = self
        for event in events:
            known = known._after(event)
        return known

    def _after(self, event: StackEvent) -> Progress:
        if event.about_stack:
            return replace(self, ended=event) if event.is_done else Progress()
        failed = (*self.failed, event) if event.has_failed else self.failed
        own = {event.resource} if event.is_done and not event.owners else set()
        return Progress(self.finished | own, failed, self.ended)
