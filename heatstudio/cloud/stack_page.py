"""The current data of a running stack: status, outputs, resources and latest events."""

from msgspec import Struct

from heatstudio.catalog.facts import Facts, part
from heatstudio.cloud.connection import LONG_PATIENCE, Connection
from heatstudio.cloud.events import StackEvent, latest_events
from heatstudio.cloud.stacks import StackSummary, listed_resources

_EVENTS = 100


class StackPage(Struct, frozen=True):
    """The data of a stack, as Heat's REST API returns it."""

    stack: Facts
    resources: tuple[Facts, ...]
    """All resources, including resources of nested stacks."""
    events: tuple[StackEvent, ...]
    """The latest events, oldest first."""


def read_stack_page(connection: Connection, stack: StackSummary) -> StackPage:
    """Request and return the data of a stack. Raise CloudError."""
    shown = part(connection.facts(stack.path, "stack", patience=LONG_PATIENCE), "stack")
    return StackPage(shown, listed_resources(connection, stack), latest_events(connection, stack, _EVENTS))
