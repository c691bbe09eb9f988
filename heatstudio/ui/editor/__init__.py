"""The editor: a text, what is said about it, and how it is typed."""

from heatstudio.ui.editor.change_kind import ChangeKind
from heatstudio.ui.editor.marks import Mark
from heatstudio.ui.editor.pane import EditorPane

__all__ = ["ChangeKind", "EditorPane", "Mark"]
