"""The page of a diagnostic code: what it says, why, an example and the way out."""

from heatstudio.ui.explain.pane import ExplainPane

__all__ = ["ExplainPane"]
