"""The editor: text, markers and typing."""

from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.editor.text.marks import Mark

__all__ = ["EditorPane", "Mark"]
