"""The cloud panes: stacks, and results of the cloud's Heat."""

from heatstudio.ui.cloud.heat_pane import HeatPane
from heatstudio.ui.cloud.stacks_pane import StacksPane

__all__ = ["HeatPane", "StacksPane"]
