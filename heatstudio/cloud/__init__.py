"""The only room that opens a socket: what the real Heat of a cloud says and does."""

from heatstudio.cloud.changes import StackState, create_stack, state_of, update_stack
from heatstudio.cloud.cloud_error import CloudError, CloudTrouble
from heatstudio.cloud.clouds import CloudChoices, find_clouds
from heatstudio.cloud.connection import Connection, connect
from heatstudio.cloud.events import Progress, StackEvent, events_after
from heatstudio.cloud.opinion import Comparison, HeatsPreview, Opinion, compare, preview_update, validate
from heatstudio.cloud.read_catalog import CatalogCache, read_catalog
from heatstudio.cloud.read_names import read_names
from heatstudio.cloud.stacks import StackSummary, list_stacks, open_stack
from heatstudio.cloud.submission import submission_of

__all__ = [
    "CatalogCache",
    "CloudChoices",
    "CloudError",
    "CloudTrouble",
    "Comparison",
    "Connection",
    "HeatsPreview",
    "Opinion",
    "Progress",
    "StackEvent",
    "StackState",
    "StackSummary",
    "compare",
    "connect",
    "create_stack",
    "events_after",
    "find_clouds",
    "list_stacks",
    "open_stack",
    "preview_update",
    "read_catalog",
    "read_names",
    "state_of",
    "submission_of",
    "update_stack",
    "validate",
]
