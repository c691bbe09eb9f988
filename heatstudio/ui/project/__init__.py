"""The files pane: what is in the opened folder."""

from heatstudio.ui.project.pane import FilesPane

__all__ = ["FilesPane"]
