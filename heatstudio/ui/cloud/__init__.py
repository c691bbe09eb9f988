"""The cloud beside the template: its stacks, and what its Heat says."""

from heatstudio.ui.cloud.heat_pane import HeatPane
from heatstudio.ui.cloud.stacks_pane import StacksPane

__all__ = ["HeatPane", "StacksPane"]
