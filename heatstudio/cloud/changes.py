"""What changes a cloud: creating, updating and deleting a stack. Nothing else in this program does.

`openstacksdk`'s own `update_stack(preview=True)` really updates; it is never called.
"""

from __future__ import annotations

from heatstudio.catalog.facts import mapping, part, text
from heatstudio.cloud.connection import LONG_PATIENCE, Connection
from heatstudio.cloud.stacks import StackSummary, find_stack
from heatstudio.cloud.submission import Submission


def create_stack(
    connection: Connection, name: str, submission: Submission, *, keep_failed: bool = True
) -> StackSummary:
    """Has Heat begin to create a stack. Raises CloudError.

    `keep_failed` leaves what was made in place when something fails, so that one can look at it.
    """
    body = submission.body(stack_name=name, disable_rollback=keep_failed)
    answer = mapping(connection.ask("POST", "/stacks", body, patience=LONG_PATIENCE))
    return find_stack(connection, text(part(answer, "stack"), "id") or name)


def update_stack(
    connection: Connection, stack: StackSummary, submission: Submission, *, keep_values: bool = True
) -> StackSummary:
    """Has Heat begin to update a stack. Raises CloudError.

    `keep_values` lets parameters that are not given keep the values that they have in the stack.
    """
    connection.ask("PATCH" if keep_values else "PUT", stack.path, submission.body(), patience=LONG_PATIENCE)
    return find_stack(connection, stack.id)
