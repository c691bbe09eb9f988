"""The tree of resource types with its search."""

from collections.abc import Callable, Iterable

from msgspec import Struct
from PySide6.QtCore import QMimeData, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QDrag
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QTreeView

from heatstudio.catalog.load import service_rank, service_titles
from heatstudio.catalog.release import Status, status_words
from heatstudio.catalog.schema import ResourceType
from heatstudio.text import counted
from heatstudio.ui.browser.life_line import STATUS_ICONS
from heatstudio.ui.browser.search import Match, TypeIndex, rank
from heatstudio.ui.widgets import EDGE, Appearance, Color, EmptyState, Panel, in_row, tool_button
from heatstudio.ui.widgets.dragged_type import TYPE_MIME, put_type
from heatstudio.ui.widgets.row_delegate import NOTHING, RowTree
from heatstudio.ui.widgets.search_field import SearchField
from heatstudio.ui.widgets.tree_model import NO_CELL, Branch, Cell, Index, TreeModel
from heatstudio.ui.workspace.session import Session

_BESIDE = QPoint(-12, -12)
_EMPTY = ("Resource types appear here", "All resource types, by service. Type to search names and properties.")


class ServiceRow(Struct, frozen=True):
    """A service with its number of matching types."""

    title: str
    count: int


class TypesModel(TreeModel):
    """The model of types: rows of `Match`, which can be dragged into a template, below rows of `ServiceRow`."""

    def __init__(self) -> None:
        super().__init__(("Type",))
        self.cloud_word: Callable[[ResourceType], str] = lambda _type: ""
        """Return whether a type is missing in the connected cloud, or exists only there, in words."""

    def show(self, matches: Iterable[Match]) -> None:
        """Show matches by service; services are sorted by their best match, then by `service_rank` and name."""
        services: dict[str, list[Match]] = {}
        for match in matches:
            services.setdefault(match.type.service, []).append(match)
        best = {service: min(rank(one)[:2] for one in found) for service, found in services.items()}
        order = sorted(services, key=lambda service: (best[service], service_rank(service), service))
        titles = service_titles()
        rows = (ServiceRow(titles.get(service, service), len(services[service])) for service in order)
        self.set_branches(Branch(row, tuple(map(Branch, services[one]))) for row, one in zip(rows, order, strict=True))

    def cell(self, value: object, _column: int) -> Cell:
        """Return a service's title and number of types, or the last part of a type's name with the matching part."""
        if isinstance(value, ServiceRow):
            purpose, _, project = value.title.partition(" (")
            badge = str(value.count), Color.MUTED
            return Cell(purpose, detail=project.rstrip(")"), badge=badge, strong=True)
        return self._of_match(value) if isinstance(value, Match) else NO_CELL

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return the flags of a row; types can be dragged."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsDragEnabled if isinstance(self.value(index), Match) else flags

    def mimeTypes(self) -> list[str]:
        """Return the formats of a dragged type: one for the editor, and text for other programs."""
        return [TYPE_MIME, "text/plain"]

    def mimeData(self, indexes: Iterable[QModelIndex]) -> QMimeData:
        """Return the name of the first dragged type, in an object created by Qt, as it may outlive Python."""
        dragged = list(indexes)
        data = super().mimeData(dragged)
        names = (value.type.name for index in dragged if isinstance(value := self.value(index), Match))
        put_type(data, next(names, ""))
        return data

    def _of_match(self, match: Match) -> Cell:
        name, status, cloud = match.type.name, match.type.support_status, self.cloud_word(match.type)
        badge = (cloud, Color.MUTED) if cloud else None
        if status.status is not Status.SUPPORTED:
            badge = " · ".join(filter(None, (status_words(status), cloud))), STATUS_ICONS[status.status][1]
        return Cell(
            name.rpartition("::")[2],
            ("kind-resource", Color.RESOURCE_TYPE),
            match.reason,
            badge,
            tip=name,
            spoken=", ".join(filter(None, (name, status_words(status), cloud))),
        )


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
        session.catalog_loaded.connect(self._show_catalog)
        session.target_changed.connect(self._show_catalog)
        self._show_catalog()

    def _show_catalog(self) -> None:
        """Show the types of the target, as soon as they are loaded."""
        catalog = self._session.catalog
        if catalog is not None:
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
        if self._session.engine is not None:
            self.model.cloud_word = self._session.engine.cloud_word
        self.model.show(found)
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
        self.view.activated.connect(self._insert)

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
