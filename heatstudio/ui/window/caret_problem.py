"""The problem at the caret: in the status bar, the accessible description, and screen reader announcements."""

from PySide6.QtCore import QObject

from heatstudio.text import Severity
from heatstudio.text.invisible import visible
from heatstudio.ui.commands.editor_area import WAY_ON
from heatstudio.ui.commands.navigation import Navigation
from heatstudio.ui.documents.document import Document
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.widgets.announcer import ScreenReaderAnnouncer
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.shown_keys import with_keys
from heatstudio.ui.window.status import count_words
from heatstudio.ui.window.window import Window

HAS_FIXES = "Alt+Enter shows the fixes."


class CaretProblem(QObject):
    """A controller that follows the resting caret and the analysis."""

    def __init__(self, window: Window, navigation: Navigation, voice: ScreenReaderAnnouncer) -> None:
        super().__init__(window)
        self._window, self._navigation, self._voice = window, navigation, voice
        self._shown: tuple[EditorPane | None, str] = None, ""
        window.session.current_changed.connect(self.refresh)
        window.session.analysis_changed.connect(self._follow)
        window.session.rested.connect(self._follow)
        window.sides.changed.connect(self._show_line)

    def refresh(self) -> None:
        """Show the most severe problem of the caret's line; announce it, or else the line's sign, once."""
        found = self._navigation.problem_at_caret()
        editor = self._window.area.editor
        sign = editor.decorations.words_of_sign(editor.editor.caret_line()) if editor is not None else ""
        message = _shown(found.message if found is not None else sign)
        if (editor, message) == self._shown:
            return
        self._shown = editor, message
        self._show_line()
        spoken = message
        if found is not None:
            spoken = f"{found.severity.word.capitalize()}: {message}" + (
                f" {with_keys(HAS_FIXES)}" if found.has_fixes else ""
            )
        if spoken:
            self._voice.say(spoken)
        if editor is not None:
            editor.editor.setAccessibleDescription(spoken or WAY_ON)

    def _show_line(self) -> None:
        """Show the problem in the status bar only while the list of problems is hidden."""
        found = None if self._window.sides.is_seen("Problems") else self._navigation.problem_at_caret()
        words = without_marks(_shown(found.message)) if found is not None else ""
        self._window.status.problem.show_problem(found.severity if found is not None else Severity.HINT, words)

    def _follow(self, document: Document) -> None:
        if document is self._window.session.current and document.state is not None:
            self.refresh()
            self._voice.say_later(count_words([one.severity for one in document.problems or ()]))


def _shown(message: str) -> str:
    """Return a message as one line, with escapes for its invisible characters."""
    return visible(" ".join(message.split()))
