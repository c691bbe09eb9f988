"""The actions on an existing stack as data: when Heat accepts each, what the user chooses, and the request."""

import json
import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import cache
from urllib.parse import quote

from msgspec import Struct

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.facts import Facts, items, mapping, text
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.events import StackEvent, events_after, owner_of
from heatstudio.cloud.stacks import StackSummary, link_to, listed_resources, stack_id
from heatstudio.text import counted

_PAUSED, _CLEARED = re.compile(r"paused until Hook (\S+) is cleared"), re.compile(r"Hook (\S+) is cleared$")
"""The reasons of the events of a hook (`heat/engine/resource.py`)."""
_ALL_HOOKS = "All {}"


class TargetKind(StrEnum):
    """The kinds of objects that an action is about, apart from the stack itself."""

    SNAPSHOT = "snapshot"
    RESOURCE = "resource"
    HOOK = "hook"


class EntryKind(StrEnum):
    """The kinds of texts that an action takes, by their label."""

    NAME = "Name"
    REASON = "Reason"
    JSON = "JSON"


class ActionTarget(Struct, frozen=True):
    """An object that an action can be about."""

    label: str
    targets: tuple[tuple[str, str], ...]
    """The path of the object in Heat's API and, for a hook, its name; several for all hooks."""


class StackAction(Struct, frozen=True, forbid_unknown_fields=True):
    """An action on a stack, with its texts; those of a guide and the request of several steps are in code."""

    states: tuple[str, ...]
    """The statuses in which Heat accepts the action, as in names of files: `*_FAILED`, `[!D]*`."""
    otherwise: str
    """The reason why the action is not possible in other statuses."""
    doing: str = ""
    button: str = ""
    sentence: str = ""
    """A format string with the fields `stack`, `cloud` and `resources`."""
    method: str = ""
    path: str = ""
    """The path below that of the stack or the chosen object."""
    body: object = None
    """The body of the request, in which `{text}`, `{hook}` and `{json}` stand for what the user chooses."""
    chooses: TargetKind | None = None
    asks: EntryKind | None = None
    loses: bool = False
    """Whether the stack name has to be typed, because something is, or may be, lost."""
    shows: bool = True
    """Whether the status of the stack shows that Heat has received the request."""

    def refusal(self, status: str) -> str:
        """Return the reason why the action is not possible in a status; empty if it is possible."""
        return "" if any(fnmatchcase(status, state) for state in self.states) else self.otherwise

    def requests(
        self, stack: StackSummary, choice: ActionTarget | None, entered: str
    ) -> Iterator[tuple[str, Facts | None]]:
        """Yield the path and the body of each request."""
        for path, hook in choice.targets if choice is not None else ((stack.path, ""),):
            yield f"{path}{self.path}", mapping(_filled(self.body, entered, hook)) or None


def _filled(body: object, entered: str, hook: str) -> object:
    if isinstance(body, dict):
        return {name: _filled(value, entered, hook) for name, value in body.items()}
    if body == "{json}":
        return json.loads(entered) if entered.strip() else None
    return body.format(text=entered, hook=hook) if isinstance(body, str) else body


@cache
def stack_actions() -> dict[str, StackAction]:
    """Return the actions by name, as in the names of the commands."""
    return read_data(resource_path("stack_actions.json"), dict[str, StackAction])


def choices_of(connection: Connection, stack: StackSummary, kind: TargetKind) -> tuple[ActionTarget, ...]:
    """Return the objects of a stack that an action can be about. Raise CloudError."""
    if kind is TargetKind.SNAPSHOT:
        found = items(connection.facts(f"{stack.path}/snapshots", "snapshots"), "snapshots")
        return tuple(_snapshot(stack, mapping(one)) for one in found)
    resources = listed_resources(connection, stack)
    if kind is TargetKind.RESOURCE:
        ordered = sorted(resources, key=lambda one: (owner_of(one) != stack.name, _label(stack, one)))
        return tuple(ActionTarget(_label(stack, one), ((_path(one), ""),)) for one in ordered)
    return waiting_hooks(stack, resources, events_after(connection, stack))


def waiting_hooks(
    stack: StackSummary, resources: Sequence[Facts], events: Sequence[StackEvent]
) -> tuple[ActionTarget, ...]:
    """Return the hooks at which Heat waits, after a choice of all if there are several."""
    waiting: dict[tuple[str, str, str], None] = {}
    for event in events:
        owner = event.owners[-1] if event.owners else stack.name
        if paused := _PAUSED.search(event.reason):
            waiting[owner, event.resource, paused.group(1)] = None
        elif cleared := _CLEARED.match(event.reason):
            waiting.pop((owner, event.resource, cleared.group(1)), None)
    known = {(owner_of(one), text(one, "resource_name")): one for one in resources}
    found = [(known[owner, name], hook) for owner, name, hook in waiting if (owner, name) in known]
    single = tuple(ActionTarget(f"{_label(stack, one)}: {hook}", ((_path(one), hook),)) for one, hook in found)
    together = tuple(target for choice in single for target in choice.targets)
    return (
        (ActionTarget(_ALL_HOOKS.format(counted(len(single), "hook")), together), *single)
        if len(single) > 1
        else single
    )


def _snapshot(stack: StackSummary, facts: Facts) -> ActionTarget:
    identity, status = text(facts, "id"), text(facts, "status").replace("_", " ").lower()
    made = text(facts, "creation_time").replace("T", " ").removesuffix("Z")
    label = f"{text(facts, 'name') or identity}, {made} UTC{'' if status == 'complete' else f', {status}'}"
    return ActionTarget(label, ((f"{stack.path}/snapshots/{quote(identity, safe='')}", ""),))


def _path(resource: Facts) -> str:
    owner, identity = owner_of(resource), stack_id(link_to(resource, "stack"))
    name = text(resource, "resource_name")
    return f"/stacks/{quote(owner, safe='')}/{quote(identity, safe='')}/resources/{quote(name, safe='')}"


def _label(stack: StackSummary, resource: Facts) -> str:
    owner = owner_of(resource)
    return f"{text(resource, 'resource_name')}{f' in {owner}' if owner != stack.name else ''}"
