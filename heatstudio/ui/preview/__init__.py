"""The update preview: what a stack update would do to every resource, and why."""

from heatstudio.ui.preview.pane import PreviewPane

__all__ = ["PreviewPane"]
