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
    """A function that returns why values that depend on a resource of the owner's stack change."""
    running: Resources = field(default_factory=dict)
    """The known running resources of the nested stack."""
