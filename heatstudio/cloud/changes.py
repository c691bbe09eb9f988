"""All operations that change a cloud: create and update a stack, and stack actions.

Each request is sent only once. If the response is lost, the state of the stack shows whether Heat received the request.
`update_stack(preview=True)` of openstacksdk is never called, because it really updates.
"""

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import cache
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.facts import Facts, items, mapping, part, text, texts
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.connection import LONG_PATIENCE, Connection
from heatstudio.cloud.events import StackEvent, events_after, owner_of
from heatstudio.cloud.stacks import (
    DELETED,
    StackSummary,
    find_stack,
    link_to,
    listed_resources,
    show_stack,
    stack_id,
    summary_of,
)
from heatstudio.cloud.submission import Submission
from heatstudio.text import counted

_PAUSED, _CLEARED = re.compile(r"paused until Hook (\S+) is cleared"), re.compile(r"Hook (\S+) is cleared$")
"""The reasons of the events of a hook (`heat/engine/resource.py`)."""
_ALL_HOOKS = "All {}"
_PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds before each check of a request without a response; Heat's engine may still process the request."""
UNCLEAR = frozenset(
    {
        *(CloudErrorKind.SLOW, CloudErrorKind.UNREACHABLE, CloudErrorKind.GARBAGE),
        *(CloudErrorKind.GATEWAY_FAILED, CloudErrorKind.SERVER_FAILED),
    }
)
"""The errors that can occur even if Heat has received the request."""


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


class StackOptions(Struct, frozen=True):
    """The options of a stack operation."""

    rolls_back: bool = False
    """Whether Heat rolls back after a failure; otherwise the created resources stay for inspection."""
    timeout: int = 0
    """The timeout in minutes; 0 for the default timeout of the cloud."""
    tags: tuple[str, ...] = ()
    converges: bool = False
    """Whether an update compares with the actual resources instead of Heat's database."""

    @property
    def body(self) -> dict[str, object]:
        """The options as fields of a request body."""
        body: dict[str, object] = {"disable_rollback": not self.rolls_back}
        body |= {"timeout_mins": self.timeout} if self.timeout else {}
        body |= {"tags": ",".join(self.tags)} if self.tags else {}
        return body | ({"converge": True} if self.converges else {})


NO_OPTIONS = StackOptions()


class StackState(Struct, frozen=True):
    """The state of a stack, to detect changes by other users."""

    status: str
    updated: str
    template: Facts
    options: StackOptions


def state_of(connection: Connection, stack: StackSummary) -> StackState:
    """Return the current state of a stack. Raise CloudError."""
    shown = show_stack(connection, stack)
    template = connection.facts(f"{stack.path}/template", patience=LONG_PATIENCE)
    return StackState(text(shown, "stack_status"), text(shown, "updated_time"), template, _options(shown))


def _options(shown: Facts) -> StackOptions:
    minutes = shown.get("timeout_mins")
    return StackOptions(
        shown.get("disable_rollback") is False, minutes if isinstance(minutes, int) else 0, texts(shown, "tags")
    )


def create_stack(
    connection: Connection, name: str, submission: Submission, options: StackOptions = NO_OPTIONS
) -> StackSummary:
    """Start the creation of a stack. Raise CloudError."""
    return start_stack(connection, name, submission.body(stack_name=name, **options.body))


def start_stack(connection: Connection, name: str, body: Facts) -> StackSummary:
    """Request a new stack. Raise CloudError."""
    if find_stack(connection, name) is not None:  # otherwise the origin of a stack of this name would be ambiguous
        raise CloudError(CloudErrorKind.CONFLICT, f"The stack `{name}` already exists. Choose another name.")

    def request() -> StackSummary:
        created = part(mapping(connection.ask("POST", "/stacks", body, patience=LONG_PATIENCE)), "stack")
        if not text(created, "id"):
            raise CloudError(CloudErrorKind.GARBAGE, f"`{connection.name}` did not return a stack ID.")
        return StackSummary(name, text(created, "id"), "CREATE_IN_PROGRESS")

    return _change(request, lambda: find_stack(connection, name))


def update_stack(
    connection: Connection,
    stack: StackSummary,
    submission: Submission,
    options: StackOptions | None = None,
    *,
    keep_values: bool = True,
) -> StackSummary:
    """Start the update of a stack. Raise CloudError.

    `keep_values` keeps the stack's values of parameters without a new value. Without `options`, the stack's own options
    are sent, because Heat removes the tags in an update without tags (heat/engine/stack.py, update_task).
    """
    if options is None:
        options = _options(show_stack(connection, stack))
    body = submission.body(**options.body)
    return change_stack(connection, stack, "PATCH" if keep_values else "PUT", stack.path, body)


def act_on_stack(
    connection: Connection,
    stack: StackSummary,
    action: StackAction,
    choice: ActionTarget | None = None,
    entered: str = "",
) -> StackSummary:
    """Start an action on a stack, with the chosen object and the entered text. Raise CloudError."""
    for path, body in action.requests(stack, choice, entered):
        if action.shows:
            change_stack(connection, stack, action.method, path, body)
        else:
            connection.ask(action.method, path, body, patience=LONG_PATIENCE)
    return stack


def change_stack(
    connection: Connection, stack: StackSummary, method: str, path: str, body: Facts | None = None
) -> StackSummary:
    """Send a request that changes a stack, unless the response is lost, only once. Raise CloudError."""
    before = summary_of(show_stack(connection, stack))

    def request() -> StackSummary:
        connection.ask(method, path, body, patience=LONG_PATIENCE)
        return stack

    def begun() -> StackSummary | None:
        now = find_stack(connection, stack.id) or replace(stack, status=DELETED)
        return now if (now.status, now.updated) != (before.status, before.updated) else None

    return _change(request, begun)


def _change(request: Callable[[], StackSummary], begun: Callable[[], StackSummary | None]) -> StackSummary:
    """Send the request and return the stack; `begun` returns the stack if Heat has started the operation, else None."""
    try:
        return request()
    except CloudError as error:
        if error.trouble not in UNCLEAR:
            raise
        lost = error  # the response, but Heat may have started the operation
    for pause in _PAUSES:
        time.sleep(pause)
        try:
            found = begun()
        except CloudError:
            more = "Heat may have started the operation. Refresh the stacks before you try again."
        else:
            if found is not None:
                return found
            more = "Heat did not start the operation. Nothing has changed."
    raise CloudError(lost.trouble, f"{lost.message} {more}") from None
