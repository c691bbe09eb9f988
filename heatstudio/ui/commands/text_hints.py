"""What threads find in the text: hints at the ends of lines, and the uses of the name at the cursor."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from PySide6.QtCore import QTimer

from heatstudio.analysis.assist import Location
from heatstudio.analysis.assist.inline_hints import consequences, value_hints
from heatstudio.analysis.assist.semantic_model import SemanticModel
from heatstudio.service.workspace.language_service import LanguageService
from heatstudio.text import Severity, Span, counted
from heatstudio.ui.commands.actions import Actions
from heatstudio.ui.commands.editor_area import WAY_ON, EditorArea
from heatstudio.ui.commands.text_controller import TextController
from heatstudio.ui.documents.document import Document
from heatstudio.ui.editor import Mark
from heatstudio.ui.workspace.session import Session

REST: Final = 400
"""Milliseconds without a key, after which the occurrences are found in a thread."""


def _values(model: SemanticModel) -> Iterator[tuple[int, str]]:
    whole = Span(0, len(model.template.text))
    return ((hint.offset, f"{hint.name} = {hint.value}") for hint in value_hints(model, whole))


_FINDERS = {"value-hints": _values, "consequences": consequences}
"""The hints of each checkable command, as offsets and texts at the end of their lines."""


class LineHints(TextController):
    """The hints of all editors, updated by every analysis while their commands are checked."""

    def __init__(self, session: Session, area: EditorArea, actions: Actions) -> None:
        super().__init__(session, area)
        self._actions = {name: actions[name] for name in _FINDERS}
        session.analysis_changed.connect(self._refresh)
        for action in self._actions.values():
            action.toggled.connect(self._refresh_all)
        self._refresh_all()

    def _set_hints(self, document: Document, hints: Sequence[Mark]) -> None:
        for editor in self._area.groups.editors_of(document):
            editor.decorations.set_hints(hints)

    def _wanted(self) -> list[str]:
        return [name for name, action in self._actions.items() if action.isChecked()]

    def _refresh_all(self) -> None:
        for document in self._session.documents:
            self._refresh(document)

    def _refresh(self, document: Document) -> None:
        wanted = self._wanted()

        def show(found: Sequence[Mark]) -> None:
            if self._wanted() == wanted:
                self._set_hints(document, found)

        if not wanted:
            self._set_hints(document, ())
        else:
            take = self._while_same(document, show)
            self._ask(document, "Finding hints", lambda language: _marks(language, wanted), take)


def _marks(language: LanguageService, wanted: Iterable[str]) -> list[Mark]:
    found = sorted(hint for name in wanted for hint in _FINDERS[name](language.model))
    return [Mark(Span(offset, offset), Severity.HINT, words) for offset, words in found]


class Occurrences(TextController):
    """The controller that follows the resting cursor of the current editor."""

    def __init__(self, session: Session, area: EditorArea) -> None:
        super().__init__(session, area)
        self._words = ""
        self._timer = QTimer(self, singleShot=True, interval=REST)
        self._timer.timeout.connect(self._find)
        session.analysis_changed.connect(self._wait)
        area.follow(lambda pane: pane.editor.cursorPositionChanged, self._wait)

    def _wait(self) -> None:
        """Remove the highlights as soon as the cursor leaves them, and find others when it rests."""
        editor = self._area.editor
        if editor is not None:
            at = editor.editor.textCursor().position()
            if not any(start <= at <= end for start, end in editor.decorations.occurrences):
                editor.decorations.set_occurrences(())
                self._describe("")
            self._timer.start()

    def _find(self) -> None:
        document, editor = self._session.current, self._area.editor
        if document is None or editor is None or document.current_analysis is None or editor.editor.carets.are_many:
            return
        offset = editor.caret_offset()

        def find(language: LanguageService) -> Sequence[Location]:
            return [one for one in language.references(offset) if one.file is None]

        def show(found: Sequence[Location]) -> None:
            if editor is self._area.editor and editor.caret_offset() == offset:
                position = editor.editor.text_document.positions().position
                spans = [(position(one.span.start), position(one.span.end)) for one in found]
                editor.decorations.set_occurrences(spans if len(spans) > 1 else ())
                self._describe(counted(len(spans), "occurrence") if len(spans) > 1 else "")

        self._ask(document, "Finding occurrences", find, self._while_same(document, show))

    def _describe(self, words: str) -> None:
        """Describe the occurrences for screen readers, unless the line has a problem or an outcome."""
        text = self._area.editor.editor if self._area.editor is not None else None
        if text is not None and text.accessibleDescription() in (WAY_ON, self._words):
            text.setAccessibleDescription(words or WAY_ON)
            self._words = words
