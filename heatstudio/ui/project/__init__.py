"""The files pane: the files of the open folder."""

from heatstudio.ui.project.pane import FilesPane

__all__ = ["FilesPane"]
