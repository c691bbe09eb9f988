"""Typing assistance in one editor: completion, hover, and tab stops."""

from heatstudio.ui.editor.completion.completion import CompletionController
from heatstudio.ui.editor.completion.snippet_session import SnippetSession
from heatstudio.ui.editor.editor import TextEditor
from heatstudio.ui.editor.hover import HoverController


class TypingHelp:
    """The typing assistance of an editor, created on first use, after the text is visible."""

    def __init__(self, editor: TextEditor) -> None:
        self.snippets = SnippetSession(editor)
        self.completion = CompletionController(editor, self.snippets)
        self.hover = HoverController(editor)
        editor.key_filters += [self.hover.press, self.completion.press, self.snippets.press]
