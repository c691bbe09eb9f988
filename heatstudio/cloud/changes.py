"""What changes a cloud: creating, updating and deleting a stack. Nothing else in this program does.

`openstacksdk`'s own `update_stack(preview=True)` really updates; it is never called.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog.facts import Facts, mapping, part, text, texts
from heatstudio.cloud.cloud_error import CloudError, CloudTrouble
from heatstudio.cloud.connection import LONG_PATIENCE, Connection
from heatstudio.cloud.stacks import StackSummary
from heatstudio.cloud.submission import Submission


def create_stack(
    connection: Connection, name: str, submission: Submission, *, keep_failed: bool = True
) -> StackSummary:
    """Has Heat begin to create a stack. Raises CloudError.

    `keep_failed` leaves what was made in place when something fails, so that one can look at it.
    """
    body = submission.body(stack_name=name, disable_rollback=keep_failed)
    answer = mapping(_change(connection, "POST", "/stacks", body))
    return StackSummary(name, text(part(answer, "stack"), "id"), "CREATE_IN_PROGRESS")


class StackState(Struct, frozen=True):
    """What tells whether somebody changed a stack."""

    status: str
    updated: str
    template: Facts


def state_of(connection: Connection, stack: StackSummary) -> StackState:
    """Return what a stack is like now. Raises CloudError."""
    shown = part(connection.facts(stack.path, "stack", query={"resolve_outputs": "false"}), "stack")
    template = connection.facts(f"{stack.path}/template", patience=LONG_PATIENCE)
    return StackState(text(shown, "stack_status"), text(shown, "updated_time"), template)


def update_stack(
    connection: Connection, stack: StackSummary, submission: Submission, *, keep_values: bool = True
) -> StackSummary:
    """Has Heat begin to update a stack. Raises CloudError.

    `keep_values` lets parameters that are not given keep the values that they have in the stack.
    """
    body = submission.body()
    if not keep_values:
        # Heat takes the tags away from what is updated without them (heat/engine/stack.py, update_task).
        shown = part(connection.facts(stack.path, "stack", query={"resolve_outputs": "false"}), "stack")
        tags = texts(shown, "tags")
        body |= {"tags": ",".join(tags)} if tags else {}
    _change(connection, "PATCH" if keep_values else "PUT", stack.path, body)
    return replace(stack, status="UPDATE_IN_PROGRESS")


def _change(connection: Connection, method: str, path: str, body: Mapping[str, object]) -> object:
    try:
        return connection.ask(method, path, body, patience=LONG_PATIENCE)
    except CloudError as error:
        if error.trouble not in (CloudTrouble.SLOW, CloudTrouble.UNREACHABLE):
            raise
        more = "Heat may have started anyway. Refresh the stacks before you try again."
        raise CloudError(error.trouble, f"{error.message} {more}") from None
