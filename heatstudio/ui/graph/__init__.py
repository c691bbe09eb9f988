"""The dependency graph: every resource as a card, above those that need it."""

from heatstudio.ui.graph.pane import GraphPane

__all__ = ["GraphPane"]
