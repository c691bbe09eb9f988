"""The problem at the caret: in the status bar, in the description of the text, and in the ear."""

from __future__ import annotations

from heatstudio.text import Severity
from heatstudio.ui.editor_area import EditorArea
from heatstudio.ui.navigation import Navigation
from heatstudio.ui.problem_line import ProblemLine
from heatstudio.ui.voice import Voice

WAYS_OUT = "Alt+Enter shows the way out."


class CaretProblem:
    """Follows the caret when it rests, and the analysis."""

    def __init__(self, navigation: Navigation, area: EditorArea, line: ProblemLine, voice: Voice) -> None:
        self._navigation = navigation
        self._area = area
        self._line = line
        self._voice = voice

    def refresh(self) -> None:
        """Shows the gravest problem of the caret's line; it is said once, not with every key."""
        found = self._navigation.problem_at_caret()
        message = " ".join(found.message.split()) if found is not None else ""
        if message == self._line.words:
            return
        self._line.show_problem(found.severity if found is not None else Severity.HINT, message)
        editor = self._area.editor
        spoken = ""
        if found is not None:
            spoken = f"{found.severity.word.capitalize()}: {message}" + (f" {WAYS_OUT}" if found.has_fixes else "")
            self._voice.say(spoken)
        if editor is not None:
            editor.editor.setAccessibleDescription(spoken)
