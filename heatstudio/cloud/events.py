"""The events of a stack operation, its progress, and the current data of a stack for display."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog.facts import Facts, items, mapping, part, text
from heatstudio.cloud import stacks
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.connection import LONG_PATIENCE, Connection


class StackEvent(Struct, frozen=True):
    """One event of a resource or of the stack itself."""

    id: str
    time: str
    """ISO 8601, in UTC."""
    resource: str
    status: str
    """Action and status, such as `CREATE_IN_PROGRESS`."""
    reason: str
    owners: tuple[str, ...] = ()
    """The generated name of the nested stack that contains the resource; empty for the stack itself."""
    about_stack: bool = False
    """Whether the event is about the stack itself, not about one of its resources."""

    @property
    def is_done(self) -> bool:
        """Whether the action of the event has ended, with or without success."""
        return not self.status.endswith("IN_PROGRESS")

    @property
    def has_failed(self) -> bool:
        """Whether the action of the event has failed."""
        return self.status.endswith("FAILED")


def events_after(connection: Connection, stack: stacks.StackSummary, last: str = "") -> tuple[StackEvent, ...]:
    """Return the events after the event with the ID `last`, oldest first; without `last`, all. Raise CloudError.

    A following call returns the events beyond the limit.
    """
    found: list[StackEvent] = []
    query = {"sort_dir": "asc", "nested_depth": stacks.DEEPEST, "limit": str(stacks.PAGE)}
    for _ in range(stacks.MOST_PAGES):
        marker = found[-1].id if found else last
        try:
            asked = query | ({"marker": marker} if marker else {})
            page = items(connection.facts(f"{stack.path}/events", "events", query=asked), "events")
        except CloudError as error:
            # Heat responds with 404 when there is no new event, and while it removes the old data of a resource.
            if error.trouble is CloudErrorKind.NOT_FOUND and marker:
                page = ()
            else:
                raise
        found += _events(page, stack)
        if len(page) < stacks.PAGE or found[-1].id == marker:
            break
    return tuple(found)


def latest_events(connection: Connection, stack: stacks.StackSummary, count: int) -> tuple[StackEvent, ...]:
    """Return the newest events of a stack, oldest first. Raise CloudError."""
    query = {"sort_dir": "desc", "nested_depth": stacks.DEEPEST, "limit": str(count)}
    found = items(connection.facts(f"{stack.path}/events", "events", query=query), "events")
    return tuple(_events(found[::-1], stack))


def last_event_id(connection: Connection, stack: stacks.StackSummary) -> str:
    """Return the ID of the newest event of a stack; empty if there is none. Raise CloudError."""
    return next((event.id for event in latest_events(connection, stack, 1)), "")


def end_of(connection: Connection, stack: stacks.StackSummary) -> StackEvent | None:
    """Return the end of an operation as an event made from the status of the stack; None while Heat works.

    Heat removes events with the stack, and the oldest events if there are too many. Raise CloudError.
    """
    found = stacks.find_stack(connection, stack.id) or replace(stack, status=stacks.DELETED, reason="")
    event = StackEvent("", found.updated or found.created, stack.name, found.status, found.reason, about_stack=True)
    return event if event.is_done else None


def _events(page: Sequence[object], stack: stacks.StackSummary) -> Iterator[StackEvent]:
    for one in page:
        event = mapping(one)
        name = text(event, "resource_name")
        owner = owner_of(event)
        yield StackEvent(
            text(event, "id"),
            text(event, "event_time"),
            name,
            text(event, "resource_status"),
            text(event, "resource_status_reason"),
            () if owner in ("", stack.name) else (owner,),
            text(event, "physical_resource_id") == stack.id,
        )


def owner_of(facts: Facts) -> str:
    """Return the name of the stack of an event or resource: the second to last part of the stack's URL."""
    parts = stacks.link_to(facts, "stack").rstrip("/").split("/")
    return unquote(parts[-2]) if len(parts) > 1 else ""


class OperationProgress(Struct, frozen=True):
    """The progress of a stack operation: the finished resources of the stack itself, and the failures."""

    finished: frozenset[str] = frozenset()
    failed: tuple[StackEvent, ...] = ()
    ended: StackEvent | None = None
    """The event that reports the end of the operation."""

    def after(self, events: tuple[StackEvent, ...]) -> OperationProgress:
        """Return the progress after the new events; the start of another operation resets the progress."""
        known = self
        for event in events:
            known = known._after(event)
        return known

    def _after(self, event: StackEvent) -> OperationProgress:
        if event.about_stack:
            return replace(self, ended=event) if event.is_done else OperationProgress()
        failed = (*self.failed, event) if event.has_failed else self.failed
        own = {event.resource} if event.is_done and not event.owners else set()
        return OperationProgress(self.finished | own, failed, self.ended)


_EVENTS = 100


class StackPage(Struct, frozen=True):
    """The data of a stack, as Heat's REST API returns it."""

    stack: Facts
    resources: tuple[Facts, ...]
    """All resources, including resources of nested stacks."""
    events: tuple[StackEvent, ...]
    """The latest events, oldest first."""


def read_stack_page(connection: Connection, stack: stacks.StackSummary) -> StackPage:
    """Request and return the data of a stack. Raise CloudError."""
    shown = part(connection.facts(stack.path, "stack", patience=LONG_PATIENCE), "stack")
    return StackPage(shown, stacks.listed_resources(connection, stack), latest_events(connection, stack, _EVENTS))
