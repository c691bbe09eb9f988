"""Optional hints at the end of lines: values of names, and consequences of changes."""

from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QObject

from heatstudio.analysis.assist.inline_hints import consequences, value_hints
from heatstudio.analysis.assist.semantic_model import SemanticModel
from heatstudio.service.workspace.language_service import LanguageService
from heatstudio.text import Severity, Span
from heatstudio.ui.commands.actions import Actions
from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.commands.query_controller import QueryController
from heatstudio.ui.documents.document import Document
from heatstudio.ui.editor import Mark
from heatstudio.ui.workspace.session import Session


def _values(model: SemanticModel) -> Iterator[tuple[int, str]]:
    whole = Span(0, len(model.template.text))
    return ((hint.offset, f"{hint.name} = {hint.value}") for hint in value_hints(model, whole))


_FINDERS = {"value-hints": _values, "consequences": consequences}
"""The hints of each checkable command, as offsets and texts at the end of their lines."""


class LineHints(QObject):
    """The hints of all editors, updated by every analysis while their commands are checked."""

    def __init__(self, session: Session, area: EditorArea, actions: Actions, asking: QueryController) -> None:
        super().__init__(area)
        self._session = session
        self._area = area
        self._actions = {name: actions[name] for name in _FINDERS}
        self._asking = asking
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
        text, wanted = document.text, self._wanted()

        def show(found: Sequence[Mark]) -> None:
            if document.text == text and self._wanted() == wanted:
                self._set_hints(document, found)

        if not wanted:
            self._set_hints(document, ())
        else:
            self._asking.query_silently(document, "Finding hints", lambda language: _marks(language, wanted), show)


def _marks(language: LanguageService, wanted: Iterable[str]) -> list[Mark]:
    found = sorted(hint for name in wanted for hint in _FINDERS[name](language.model))
    return [Mark(Span(offset, offset), Severity.HINT, words) for offset, words in found]
