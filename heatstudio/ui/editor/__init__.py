"""The editor: text, markers and typing."""

from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.editor.text.change_kind import ChangeKind
from heatstudio.ui.editor.text.marks import Mark

__all__ = ["ChangeKind", "EditorPane", "Mark"]
