"""Updates on a real Heat, with the outcome of each resource at any nesting depth."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from heatstudio.catalog.facts import Facts, items, mapping, text
from heatstudio.cloud.changes import create_stack, update_stack
from heatstudio.cloud.cloud_error import CloudError
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.stacks import DEEPEST, StackSummary, open_stack
from heatstudio.cloud.submission import submission_of
from heatstudio.stack.definition.source import Source
from heatstudio.update.running_stack import RunningStack
from tests.cloud.find_stack import found_stack

PATIENCE = 120.0
REMOTE = "OS::Heat::Stack"
ResourcePath = tuple[str, ...]


@dataclass(frozen=True)
class RunningMember:
    """A resource as Heat lists it."""

    physical_id: str
    stack: str
    """The id of the stack that contains the resource."""
    type: str
    status: str


@dataclass(frozen=True)
class Ran:
    """The result of an update."""

    status: str
    reason: str
    outcomes: Mapping[ResourcePath, str]
    """The outcome by resource path: added, deleted, replaced, updated or unchanged."""
    running: RunningStack | None = None
    """The stack before the update; None if there was none."""


def run_update(connection: Connection, name: str, before: Source, after: Source) -> Ran:
    """Create a stack, update it and delete it."""
    try:
        stack = settled(connection, create_stack(connection, name, submission_of(before)), "CREATE")
    except CloudError as error:
        return Ran("refused", error.message, {})
    if stack.status != "CREATE_COMPLETE":
        return Ran(stack.status, stack.reason, {})
    try:
        return updated(connection, stack, after)
    except CloudError as error:
        return Ran("refused", error.message, {})
    finally:
        connection.ask("DELETE", stack.path)


def updated(connection: Connection, stack: StackSummary, after: Source) -> Ran:
    """Update a stack, and return the result."""
    running = open_stack(connection, stack)
    old = dict(members(connection, stack.path))
    seen = {event for event, _, _ in events(connection, stack, old)}
    begun = update_stack(connection, stack, submission_of(after), keep_values=False)
    updated = settled(connection, begun, "UPDATE")
    new = dict(members(connection, stack.path))
    touched = {
        (owner, physical) for event, owner, physical in events(connection, stack, old | new) if event not in seen
    }
    found = {path: outcome(old.get(path), new.get(path), touched) for path in old | new}
    return Ran(updated.status, updated.reason, found, running)


def outcome(old: RunningMember | None, new: RunningMember | None, touched: set[tuple[str, str]]) -> str:
    """Return the outcome of one resource; `touched` has the stack and physical id of each resource with an event."""
    if old is None or new is None or old.status == "INIT_COMPLETE":
        return "deleted" if new is None else "added"
    if old.physical_id != new.physical_id:
        return "replaced"
    return "updated" if (new.stack, new.physical_id) in touched else "unchanged"


def settled(connection: Connection, stack: StackSummary, action: str) -> StackSummary:
    """Wait until an action on a stack has ended, and return the stack."""
    until = time.monotonic() + PATIENCE
    while True:
        found = found_stack(connection, stack.id)
        if found.status in (f"{action}_COMPLETE", f"{action}_FAILED"):
            return found
        assert time.monotonic() < until, f"Heat works on {stack.name} for too long"
        time.sleep(0.05)


def members(
    connection: Connection, path: str, above: ResourcePath = ()
) -> Iterator[tuple[ResourcePath, RunningMember]]:
    """Yield the resources of a stack and of its nested stacks, with their paths."""
    facts = connection.facts(f"{path}/resources", "resources")
    for one in map(mapping, items(facts, "resources")):
        name, kind = text(one, "resource_name"), text(one, "resource_type")
        physical = text(one, "physical_resource_id")
        yield (*above, name), RunningMember(physical, _stack_id(one), kind, text(one, "resource_status"))
        links = [mapping(link) for link in items(one, "links")]
        nested = next((_path(text(link, "href")) for link in links if link.get("rel") == "nested"), "")
        if kind == REMOTE and physical:
            nested = found_stack(connection, physical).path
        if nested:
            yield from members(connection, nested, (*above, name))


def events(
    connection: Connection, stack: StackSummary, known: Mapping[ResourcePath, RunningMember]
) -> Iterator[tuple[str, str, str]]:
    """Yield the id, stack id and physical id of the events of a stack, its nested stacks and its OS::Heat::Stack ones.

    A name is not enough: an update deletes the predecessor of a resource that an earlier, failed update replaced.
    """
    elsewhere = {member.physical_id for member in known.values() if member.type == REMOTE and member.physical_id}
    for path in (stack.path, *(found_stack(connection, one).path for one in elsewhere)):
        facts = connection.facts(f"{path}/events", "events", query={"nested_depth": DEEPEST, "limit": "1000"})
        for one in map(mapping, items(facts, "events")):
            yield text(one, "id"), _stack_id(one), text(one, "physical_resource_id")


def _stack_id(facts: Facts) -> str:
    links = [mapping(link) for link in items(facts, "links")]
    return next((text(link, "href") for link in links if link.get("rel") == "stack"), "").rpartition("/")[-1]


def _path(address: str) -> str:
    """Return the part of a stack's URL from `/stacks` on."""
    return "/stacks" + address.partition("/stacks")[2]
