"""The context menus of the text and of a tab, and the menu of recent files."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from shiboken6 import isValid

from heatstudio.service.workspace.language_service import LanguageService
from heatstudio.ui.commands.actions import TEXT_MENU, Actions
from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.commands.editor_group import Tab
from heatstudio.ui.commands.files import FileCommands
from heatstudio.ui.commands.navigation import Navigation
from heatstudio.ui.commands.text_controller import TextController
from heatstudio.ui.documents.document import Document
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.workspace.session import Session

_OF_NAMES = frozenset(("definition", "references", "rename", "extract"))
"""The commands that need a query."""
_ALWAYS = frozenset(("cut", "copy", "select-all", "toggle-comment", "hover", "insert", "fix"))
_CHANGING = frozenset(("fix", "rename", "extract", "insert", "undo", "redo", "cut", "paste", "toggle-comment"))


class TextMenu(TextController):
    """The context menu of the text; commands that do not apply at the cursor are disabled.

    The menu opens at once; commands for names stay enabled until a query finds that they do not apply.
    """

    def __init__(self, session: Session, area: EditorArea, navigation: Navigation, actions: Actions) -> None:
        super().__init__(session, area)
        self._navigation, self._actions = navigation, actions
        area.follow(lambda pane: pane.editor.menu_requested, self.show)

    def show(self, point: QPoint) -> None:
        """Show the menu at a screen position."""
        document, editor = self._session.current, self._area.editor
        if document is None or editor is None:
            return
        menu = QMenu(self._area)
        menu.setAccessibleName("Actions")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        may = self._possible_names(menu, document, editor.caret_offset())  # usually answered before the first paint
        possible = may | self._possible(editor)
        for name in TEXT_MENU:
            if name is None:
                menu.addSeparator()
            else:
                is_forbidden = document.is_read_only and name in _CHANGING
                self._add(menu, name, is_possible=name in possible and not is_forbidden)
        menu.popup(point)

    def _possible_names(self, menu: QMenu, document: Document, offset: int) -> frozenset[str]:
        """Return the commands that may apply to the name at an offset; a query disables those that do not."""

        def take(found: frozenset[str]) -> None:
            if isValid(menu):
                for entry in menu.actions():
                    if entry.objectName() in _OF_NAMES - found:
                        entry.setEnabled(False)

        job = self._ask(document, "Finding actions", lambda language: _named_at(language, offset), take)
        if job is None:
            return frozenset()
        menu.aboutToHide.connect(job.stop)
        return _OF_NAMES

    def _add(self, menu: QMenu, name: str, *, is_possible: bool) -> None:
        """Add a separate entry, whose state does not affect the command elsewhere."""
        action = self._actions[name]
        key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        entry = QAction(action.icon(), f"{action.text()}\t{key}", menu)
        entry.setObjectName(name)
        entry.setEnabled(is_possible and action.isEnabled())
        entry.triggered.connect(action.trigger)
        menu.addAction(entry)

    def _possible(self, editor: EditorPane) -> frozenset[str]:
        """Return the other commands that apply at the cursor."""
        text = editor.editor
        block, folding = text.textCursor().block(), text.folding
        asked = {
            "explain": self._navigation.problem_at_caret() is not None,
            "undo": text.document().isUndoAvailable(),
            "redo": text.document().isRedoAvailable(),
            "paste": text.canPaste(),
            "fold": not folding.is_folded(block) and (folding.can_fold(block) or block.text().startswith(" ")),
            "unfold": folding.is_folded(block),
        }
        return _ALWAYS | {name for name, may in asked.items() if may}


def _named_at(language: LanguageService, offset: int) -> frozenset[str]:
    """Return the commands for names and values that apply at an offset."""
    asked = {
        "definition": bool(language.definitions(offset) or language.type_name(offset)),
        "references": bool(language.references(offset)),
        "rename": language.renamable(offset) is not None,
        "extract": not isinstance(language.extract_parameter(offset), str),
    }
    return frozenset(name for name, may in asked.items() if may)


class TabMenu(TextController):
    """The context menu of a tab; closing several documents asks once about all unsaved ones."""

    def __init__(self, session: Session, area: EditorArea, files: FileCommands) -> None:
        super().__init__(session, area)
        self._files = files
        area.groups.menu_requested.connect(self.show)

    def show(self, tab: Tab, point: QPoint) -> None:
        """Show the menu of a tab of the active group at a screen position."""
        menu, area = QMenu(self._area), self._area
        menu.setAccessibleName(f"Actions for {tab.title}")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        others = [one for one in self._session.documents if one is not tab]
        menu.addAction("&Close", lambda: area.close_tab(tab))
        menu.addAction("Close &Others", lambda: self._close(others)).setEnabled(bool(others))
        menu.addAction("Close &All", lambda: self._close(self._session.documents))
        menu.addSeparator()
        menu.addAction("Split &Right", lambda: area.split(tab, is_down=False))
        menu.addAction("Split &Down", lambda: area.split(tab, is_down=True))
        menu.addAction("&Move to Other Group", lambda: area.move_to_other(tab)).setEnabled(not area.has_only_tab)
        if isinstance(tab, Document):
            menu.addSeparator()
            copy = menu.addAction("Copy &Path", lambda: QApplication.clipboard().setText(str(tab.path)))
            copy.setEnabled(tab.path is not None)
        menu.popup(point)

    def _close(self, documents: Sequence[Document]) -> None:
        def close() -> None:
            for document in documents:
                self._session.close(document)

        self._files.may_close(documents, close)


class RecentMenu(QMenu):
    """The menu of recent files, filled whenever it opens."""

    def __init__(self, settings: Settings, files: FileCommands, parent: QWidget) -> None:
        super().__init__("Open &Recent", parent)
        self.setAccessibleName("Open Recent")
        self._settings = settings
        self._files = files
        self.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        self.clear()
        for name in self._settings.recent_files:
            self.addAction(name.replace("&", "&&")).triggered.connect(partial(self._files.open, [name]))
        if self.isEmpty():
            self.addAction("No recent files").setEnabled(False)
