"""The tree of resource types with its search."""

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QDrag, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QTreeView

from heatstudio.catalog import Catalog
from heatstudio.catalog.release import Status
from heatstudio.catalog.words import service_titles
from heatstudio.text import counted
from heatstudio.ui.browser.model import TypesModel
from heatstudio.ui.browser.search import Match, TypeIndex
from heatstudio.ui.widgets import EDGE, Appearance, EmptyState, Panel, in_row, tool_button
from heatstudio.ui.widgets.row_delegate import NOTHING, RowTree
from heatstudio.ui.widgets.search_field import SearchField
from heatstudio.ui.workspace.session import Session

_BESIDE = QPoint(-12, -12)
_EMPTY = ("Resource types appear here", "All resource types, by service. Type to search names and properties.")


class _TypesView(RowTree):
    def startDrag(self, actions: Qt.DropAction) -> None:
        """Drag a row whose picture is beside the mouse, so that it does not hide where it would be dropped."""
        index, drag = self.currentIndex(), QDrag(self)
        drag.setMimeData(self.model().mimeData([index]))
        drag.setPixmap(self.viewport().grab(self.visualRect(index)))
        drag.setHotSpot(_BESIDE)
        drag.exec(actions)


class BrowserPane(Panel):
    """The pane of resource types; Enter inserts a type, and selecting a row shows its page."""

    insert_requested = Signal(str)
    type_selected = Signal(str, str)
    """The name of a type, and the property or attribute that the search found; empty if it found the type."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__("Resource types", EmptyState(appearance, "browser", *_EMPTY))
        self._session = session
        self._index = TypeIndex(())
        self.model = TypesModel()
        self.view = _TypesView(self.model, appearance, "Resource types")
        self.search = SearchField(appearance, "Search types")
        self.shown = QMenu(self)
        """The filter menu: which types are shown besides the supported ones."""
        self._statuses: dict[Status, QAction] = {}
        self.set_content(self._make_bar(appearance), self.view)
        self._make_view()
        self.lead_to(self.search)
        session.catalog_loaded.connect(self.show_catalog)
        session.target_changed.connect(self._show_target)
        self._show_target()

    def _show_target(self) -> None:
        if self._session.catalog is not None:
            self.show_catalog(self._session.catalog)

    def show_catalog(self, catalog: Catalog) -> None:
        """Show the types of a catalog."""
        types = (catalog.get(name) for name in catalog.names())
        self._index = TypeIndex((type_ for type_ in types if type_ is not None), service_titles())
        self.refresh()
        self.set_filled(True)

    def refresh(self) -> None:
        """Show the matches of the current query."""
        shown = {Status.SUPPORTED} | {status for status, entry in self._statuses.items() if entry.isChecked()}
        query = self.search.text()
        found = self._index.search(query, frozenset(shown))
        self.view.say_nothing(NOTHING if found else self._words_for_nothing(query))
        engine = self._session.engine
        self.model.show(found, engine.cloud_word) if engine is not None else self.model.show(found)
        if query:
            self.view.expandAll()
            self.view.setCurrentIndex(self.model.index(0, 0, self.model.index(0, 0)))

    def _words_for_nothing(self, query: str) -> str:
        """Return the sentence for an empty tree: whether the filter hides matches, or nothing matches."""
        left_out = len(self._index.search(query, frozenset(Status)))
        if left_out:
            return f"{counted(left_out, 'match', 'matches')} hidden by the filter next to the search field."
        return f"No name, property, attribute or description matches “{query}”."

    def _make_bar(self, appearance: Appearance) -> QHBoxLayout:
        self.search.filter_rows(self.view, self.refresh, fuzzy=True)
        self.search.returnPressed.connect(self._insert_current)
        return in_row((self.search, 1), self._make_filter(appearance), edges=(EDGE, 4, EDGE, 4), gap=2)

    def _make_filter(self, appearance: Appearance) -> QToolButton:
        """Return the button of the filter menu; hidden types are shown on demand only."""
        menu = self.shown
        menu.setAccessibleName("Type filter")
        for status in (Status.DEPRECATED, Status.UNSUPPORTED, Status.HIDDEN):
            entry = menu.addAction(f"Show {status} types")
            entry.setCheckable(True)
            entry.setChecked(status is not Status.HIDDEN)
            entry.toggled.connect(self.refresh)
            self._statuses[status] = entry
        button = tool_button(appearance, "filter", "Filter resource types")
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return button

    def _make_view(self) -> None:
        self.view.setUniformRowHeights(True)
        self.view.setDragEnabled(True)
        self.view.setDragDropMode(QTreeView.DragDropMode.DragOnly)
        self.view.selectionModel().currentChanged.connect(self._show)
        self.view.doubleClicked.connect(self._insert)
        for key in ("Return", "Enter"):
            shortcut = QShortcut(QKeySequence(key), self.view)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(self._insert_current)

    def _show(self, index: QModelIndex, _previous: QModelIndex) -> None:
        match = self.model.value(index)
        if isinstance(match, Match):
            self.type_selected.emit(match.type.name, match.part)

    def _insert_current(self) -> None:
        self._insert(self.view.currentIndex())

    def _insert(self, index: QModelIndex) -> None:
        match = self.model.value(index)
        if isinstance(match, Match):
            self.insert_requested.emit(match.type.name)
        elif index.isValid():
            self.view.setExpanded(index, not self.view.isExpanded(index))
