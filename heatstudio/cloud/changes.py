"""All operations that change a cloud: create and update a stack, and stack actions.

Each request is sent only once. If the response is lost, the state of the stack shows whether Heat received the request.
`update_stack(preview=True)` of openstacksdk is never called, because it really updates.
"""

import time
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog.facts import Facts, mapping, part, text, texts
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.connection import LONG_PATIENCE, Connection
from heatstudio.cloud.stack_actions import ActionTarget, StackAction
from heatstudio.cloud.stacks import DELETED, StackSummary, find_stack, show_stack, summary_of
from heatstudio.cloud.submission import Submission

_PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds before each check of a request without a response; Heat's engine may still process the request."""
UNCLEAR = frozenset(
    {
        *(CloudErrorKind.SLOW, CloudErrorKind.UNREACHABLE, CloudErrorKind.GARBAGE),
        *(CloudErrorKind.GATEWAY_FAILED, CloudErrorKind.SERVER_FAILED),
    }
)
"""The errors that can occur even if Heat has received the request."""


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
