"""The menu of the text: what may be done with the name, the value or the problem at the caret, and editing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from heatstudio.ui.actions import Actions
from heatstudio.ui.asking import desk_of, owner_of
from heatstudio.ui.document import Document
from heatstudio.ui.editor_area import EditorArea
from heatstudio.ui.navigation import Navigation
from heatstudio.ui.session import Session

if TYPE_CHECKING:  # made with its text
    from heatstudio.ui.editor import EditorPane

_ENTRIES = (
    *("definition", "references", "hover", None),
    *("fix", "explain", None),
    *("rename", "extract", "insert", None),
    *("undo", "redo", None, "cut", "copy", "paste", "select-all", None),
    *("toggle-comment", "fold", "unfold"),
)
_CHANGING = frozenset(("fix", "rename", "extract", "insert", "undo", "redo", "cut", "paste", "toggle-comment"))


class TextMenu:
    """Offers commands of the window with their keys; those that make no sense at the caret are gray."""

    def __init__(self, session: Session, area: EditorArea, navigation: Navigation, actions: Actions) -> None:
        self._session = session
        self._area = area
        self._navigation = navigation
        self._actions = actions
        area.menu_requested.connect(self.show)

    def show(self, point: QPoint) -> None:
        """Shows the menu at a point of the screen."""
        document, editor = self._session.current, self._area.editor
        if document is None or editor is None:
            return
        menu = QMenu(self._area)
        menu.setAccessibleName("What can be done here")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        possible = self._possible(document, editor)
        for name in _ENTRIES:
            if name is None:
                menu.addSeparator()
            else:
                self._add(menu, name, is_possible=name in possible)
        menu.popup(point)

    def _add(self, menu: QMenu, name: str, *, is_possible: bool) -> None:
        """An entry of its own: whether it can be used here says nothing of the command elsewhere."""
        action = self._actions[name]
        key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        entry = QAction(action.icon(), f"{action.text()}\t{key}", menu)
        entry.setObjectName(name)
        entry.setEnabled(is_possible and action.isEnabled())
        entry.triggered.connect(action.trigger)
        menu.addAction(entry)

    def _possible(self, document: Document, editor: EditorPane) -> set[str]:
        """The commands that would do something at the caret."""
        text = editor.editor
        block, folding = text.textCursor().block(), text.folding
        asked = {
            "fix": self._navigation.diagnostic_at_caret() is not None,
            "explain": self._navigation.problem_at_caret() is not None,
            "undo": text.document().isUndoAvailable(),
            "redo": text.document().isRedoAvailable(),
            "cut": text.textCursor().hasSelection(),
            "copy": text.textCursor().hasSelection(),
            "paste": text.canPaste(),
            "fold": not folding.is_folded(block) and (folding.can_fold(block) or block.text().startswith(" ")),
            "unfold": folding.is_folded(block),
        }
        always = {"select-all", "toggle-comment", "hover", "insert"}
        possible = always | _named_at(document, editor.caret_offset()) | {name for name, may in asked.items() if may}
        return possible - _CHANGING if document.is_read_only else possible


def _named_at(document: Document, offset: int) -> set[str]:
    """The commands for names and values that would do something at an offset."""
    desk = desk_of(document)
    if desk is None:
        return set()
    from heatstudio.analysis.assistance import (
        catalog_type_at,
        definition_at,
        environment_definition,
        extract_parameter,
        references_at,
        renamable_at,
    )

    owner = owner_of(document)
    if owner is not None:
        return {"definition"} if environment_definition(owner, document.text, offset) is not None else set()
    asked = {
        "definition": bool(definition_at(desk, offset) or catalog_type_at(desk, offset)),
        "references": bool(references_at(desk, offset)),
        "rename": renamable_at(desk, offset) is not None,
        "extract": extract_parameter(desk, offset).remedy is not None,
    }
    return {name for name, may in asked.items() if may}
