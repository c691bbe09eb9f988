"""The page of a diagnostic code: what it means, why, an example and the fix."""

from heatstudio.ui.explain.pane import ExplainPane

__all__ = ["ExplainPane"]
