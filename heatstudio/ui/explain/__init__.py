"""The page of a diagnostic code: what it means, why, an example and the fix; and the user guide."""

from heatstudio.ui.explain.page_browser import ExplainPane, UserGuide

__all__ = ["ExplainPane", "UserGuide"]
