"""The problems pane: grouped and filtered problems, and their fixes."""

from heatstudio.ui.problems.pane import ProblemsPane

__all__ = ["ProblemsPane"]
