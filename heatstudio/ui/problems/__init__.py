"""The problems pane: what is wrong, grouped and filtered, and the fixes for it."""

from heatstudio.ui.problems.pane import ProblemsPane

__all__ = ["ProblemsPane"]
