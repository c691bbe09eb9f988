"""The old and the present text beside each other."""

from heatstudio.ui.editor.compare.pane import ComparePane

__all__ = ["ComparePane"]
