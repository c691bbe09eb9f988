"""The old and the present text beside each other."""

from heatstudio.ui.compare.pane import ComparePane

__all__ = ["ComparePane"]
