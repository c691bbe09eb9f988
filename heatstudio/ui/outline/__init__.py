"""The outline pane: the sections of the template and their entries."""

from heatstudio.ui.outline.pane import OutlinePane

__all__ = ["OutlinePane"]
