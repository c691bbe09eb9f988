"""The outline pane: the sections of the template and what is in them."""

from heatstudio.ui.outline.pane import OutlinePane

__all__ = ["OutlinePane"]
