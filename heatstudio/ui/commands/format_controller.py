"""Format Document and Format Selection, and formatting before a save."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject

from heatstudio.template.formatting import Formatted, format_text
from heatstudio.ui.commands.actions import Actions
from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.commands.files import FileCommands
from heatstudio.ui.documents.document import Document
from heatstudio.ui.workspace.session import Session

_CHANGED = Formatted(refusal="The text has changed. Try again.")
_STOPPED = Formatted(refusal="Canceled.")


class FormatController(QObject):
    """The formatting of the current document, in one undo step; another thread finds and proves the edits."""

    def __init__(self, session: Session, area: EditorArea, actions: Actions, files: FileCommands) -> None:
        super().__init__(area)
        self._session, self._area, self._actions, self._files = session, area, actions, files

    def command_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the commands."""
        return {"format": self.format, "format-selection": self.format_selection, "save": self.save}

    def format(self) -> None:
        """Format the current document."""
        self._format_now(None)

    def format_selection(self) -> None:
        """Format the lines of the selection, or the line of the cursor."""
        pane = self._area.editor
        if pane is not None:
            text, selection = pane.text(), pane.selection()
            first, last = (text.count("\n", 0, offset) for offset in (selection.start, selection.end))
            self._format_now(range(first, last + 1))

    def save(self) -> None:
        """Save the current document, after formatting it if that is enabled; what cannot be formatted is saved too."""
        document = self._session.current
        if document is None or document.is_read_only or not self._actions["format-on-save"].isChecked():
            self._files.save(document)
        else:
            self._format(document, None, lambda _: self._files.save(document))

    def _format_now(self, lines: range | None) -> None:
        document = self._session.current
        if document is None or document.is_read_only:
            self._session.show_message("This text cannot be changed.")
        else:
            self._format(document, lines, self._tell)

    def _format(self, document: Document, lines: range | None, then: Callable[[Formatted], object]) -> None:
        """Format a document in one undo step, and then do something, also if it is not formatted."""
        text = document.text

        def take(found: Formatted) -> None:
            if document in self._session.documents:
                is_same = document.text == text
                if is_same:
                    self._area.editor_of(document).apply_edits(found.edits)
                then(found if is_same else _CHANGED)

        self._session.run("Formatting", lambda *_: format_text(text, lines), take, lambda: then(_STOPPED))

    def _tell(self, found: Formatted) -> None:
        words = "Formatted" if found.edits else "The format is right already"
        self._session.show_message(f"Not formatted: {found.refusal}" if found.refusal else f"{words}.")
