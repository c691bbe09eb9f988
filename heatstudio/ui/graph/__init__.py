"""The dependency graph: every resource as a card, above the resources that depend on it."""

from heatstudio.ui.graph.pane import GraphPane

__all__ = ["GraphPane"]
