"""The side-by-side comparison of the baseline and the current text."""

from heatstudio.ui.editor.compare.pane import ComparePane

__all__ = ["ComparePane"]
