"""The editor: a text, what is said about it, and how it is typed."""

from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.editor.text.change_kind import ChangeKind
from heatstudio.ui.editor.text.marks import Mark

__all__ = ["ChangeKind", "EditorPane", "Mark"]
