"""A resource with a nested stack, on one side of an update."""

from msgspec import Struct, field

from heatstudio.stack.definition.types import FoundType
from heatstudio.stack.resource_definition import ResourceDefinition
from heatstudio.update.outer_value import Explain
from heatstudio.update.running_stack import Resources
from heatstudio.update.update_side import StackSide
from heatstudio.update.update_truth import Side


class Owner(Struct, frozen=True):
    """A resource with a nested stack, on one side."""

    stack: StackSide
    definition: ResourceDefinition
    found: FoundType
    side: Side
    explain: Explain
    """Why what depends on a resource beside the owner sees another value."""
    running: Resources = field(default_factory=dict)
    """What is known of the resources inside, as they run."""
