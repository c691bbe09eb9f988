"""The two groups of the editor area: which tab is in which group, which one is active, and their stored state."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from typing import Literal

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtWidgets import QApplication, QRubberBand, QSplitter, QWidget

from heatstudio.ui.commands.actions import PAGES
from heatstudio.ui.commands.editor_group import EditorGroup, Tab
from heatstudio.ui.documents.document import Document
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.widgets import Appearance, EmptyState, Panel


@dataclass(frozen=True)
class AreaState:
    """The tabs of both groups, by the keys of `key_of`."""

    tabs: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    fronts: tuple[str, str] = ("", "")
    """The tab in front of each group."""
    is_down: bool = False
    """Whether the second group is below the first one."""
    sizes: tuple[int, ...] = ()
    """The sizes of both groups in pixels."""
    active: Literal[0, 1] = 0
    """The index of the group with the focus."""


def key_of(tab: Tab) -> str:
    """Return the key of a tab: the name of a panel, the path of a document, or the title of one without a file."""
    return str(tab.path or tab.title) if isinstance(tab, Document) else tab.title


def restored(data: Mapping[str, object]) -> AreaState:
    """Return the state that was stored; the default if it is invalid."""
    if not data:
        return AreaState()
    from msgspec import ValidationError, convert  # takes longer to import than an empty window to arrange

    try:
        return convert(data, AreaState)
    except ValidationError:
        return AreaState()


MakeView = Callable[[Document, EditorPane | None], EditorPane]
"""A function that returns an editor of a document, as another view of a text if an editor of it is given."""


_EVEN = 1_000


class EditorGroups(QSplitter):
    """One or two groups of tabs; a text may be in both, a panel in one of them."""

    turned = Signal()
    """Emitted when another tab or group may be in front."""
    arranged = Signal()
    """Emitted when tabs or groups are moved or resized."""
    close_requested = Signal(object)
    """The content of a tab of the active group to close."""
    menu_requested = Signal(object, QPoint)
    """The content of a tab of the active group, and the screen position where its menu was requested."""

    def __init__(self, appearance: Appearance, make_view: MakeView) -> None:
        super().__init__(childrenCollapsible=False, handleWidth=1)
        self._appearance = appearance
        self._make_view = make_view
        self._makers: Mapping[str, Callable[[], Panel]] = {}
        self._wanted = AreaState()
        """The state of the last session while its documents are opened."""
        self._groups = [EditorGroup(appearance), EditorGroup(appearance)]
        """The first group is on the left or above; the second one is empty unless both are shown."""
        self.active = self._groups[0]
        """The group that has, or last had, the focus."""
        for group in self._groups:
            self.addWidget(group)
            group.turned.connect(self.activate)
            group.tabs.close_requested.connect(partial(self._request_close, group))
            group.tabs.menu_requested.connect(partial(self._request_menu, group))
            group.tabs.dragged.connect(self._drag)
            group.tabs.dropped.connect(self._drop)
            group.tabs.tabMoved.connect(self.arranged)
        self.splitterMoved.connect(self.arranged)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_focus)

    def __iter__(self) -> Iterator[EditorGroup]:
        return iter(self._groups)

    @cached_property
    def _band(self) -> QRubberBand:
        """The frame around the place of a dragged tab; it covers the groups, as a child would be one of them."""
        band = QRubberBand(QRubberBand.Shape.Rectangle, self.parentWidget())
        band.setAccessibleName("Place of the dragged tab")
        return band

    @property
    def other(self) -> EditorGroup:
        """The group that is not active."""
        return self._groups[self._groups[0] is self.active]

    @property
    def is_split(self) -> bool:
        """Whether both groups have tabs."""
        return all(group.front is not None for group in self)

    @property
    def has_panels(self) -> bool:
        """Whether a tab shows a panel."""
        return any(isinstance(tab, Panel) for group in self for tab in group)

    def documents(self) -> list[Document]:
        """Return the documents in tab order, those of the first group first."""
        return list(dict.fromkeys(tab for group in self for tab in group if isinstance(tab, Document)))

    def editors(self) -> list[EditorPane]:
        """Return all editors."""
        return [editor for group in self for editor in group.editors.values()]

    def editors_of(self, document: Document) -> list[EditorPane]:
        """Return the editors of a document; none if it is closed."""
        return [group.editors[document] for group in self if document in group.editors]

    def group_of(self, document: Document) -> EditorGroup:
        """Return the group that shows a document: the active one if it is in both."""
        return self.active if document in self.active.editors else self.other

    def activate(self, group: EditorGroup, *, focus: bool = True) -> None:
        """Make a group the active one, and focus its page unless its tabs have the focus."""
        self.active = group
        self._show_groups()
        self.turned.emit()
        if focus and not group.tabs.hasFocus():  # in the tab bar, arrow keys switch tabs
            group.page.setFocus()

    def insert(self, group: EditorGroup, tab: Tab, editor: EditorPane | None = None, row: int = -1) -> None:
        """Add a tab to a group, by default in the order of the last session, else at the end."""
        names, key = self._wanted.tabs[self._groups.index(group)], key_of(tab)
        if key in names:
            row = sum(key_of(one) in names[: names.index(key)] for one in group)
        group.add(tab, editor, row)

    def open_document(self, document: Document) -> None:
        """Add a document to the groups where it was in the last session, else to the active one."""
        key, editor = key_of(document), self._make_view(document, None)
        known = [group for group, names in zip(self, self._wanted.tabs, strict=True) if key in names]
        for group in known or [self.active]:
            is_first = not self.editors_of(document)
            self.insert(group, document, editor if is_first else self._make_view(document, editor))
        self._show_groups()

    def forget(self, document: Document) -> None:
        """Remove a closed document."""
        with self._keeping_active():
            removed = [group.remove(document) for group in self if document in group.editors]
        for editor in sorted(filter(None, removed), key=lambda one: not one.is_shared):  # the one with the text last
            editor.deleteLater()

    def put(self, tab: Tab, *, stays: bool) -> None:
        """Show a tab of the active group in the other one, and also here if it `stays`, which a panel cannot."""
        source, target, was_split = self.active, self.other, self.is_split
        if isinstance(tab, Document) and tab in target.editors:
            if not stays:
                self._take_out(source, tab)
        elif isinstance(tab, Document) and stays:
            here = source.editors[tab]
            view = self._make_view(tab, here)
            self.insert(target, tab, view)
            view.go_back(here.place())
        else:
            self.insert(target, tab, source.remove(tab))
        target.show_tab(tab)
        self.active = target
        self._settle()
        if not was_split and self.is_split:
            self.setSizes([_EVEN, _EVEN])  # whatever the tabs ask for

    def take_out(self, tab: Tab) -> None:
        """Remove a panel, or a text that the other group shows too, from the active group."""
        with self._keeping_active():
            self._take_out(self.active, tab)

    def set_orientation(self, *, is_down: bool) -> None:
        """Place the second group below the first one or on its right."""
        self.setOrientation(Qt.Orientation.Vertical if is_down else Qt.Orientation.Horizontal)

    # Panels

    def offer_panels(self, makers: Mapping[str, Callable[[], Panel]]) -> None:
        """Set the functions that make panels, and make those of the last session."""
        self._makers = makers
        for group, loading in [(one, tab) for one in self for tab in one if isinstance(tab, Panel)]:
            focus = self.window().focusWidget()
            has_focus = focus is not None and loading.isAncestorOf(focus)
            is_front, row = group.front is loading, group.row_of(loading)
            group.remove(loading)
            loading.deleteLater()
            self.insert(group, makers[loading.title](), None, row)
            if is_front:
                _turn_to(group, loading.title)
            if has_focus:
                self.activate(group)
                group.page.setFocus()

    def show_panel(self, name: str, *, focus: bool = False) -> None:
        """Show a panel as a tab in front, where it is already, else in the active group."""
        group = next((group for group in self if name in map(key_of, group)), self.active)
        if name not in map(key_of, group):
            self.insert(group, self._makers[name]())
        _turn_to(group, name)
        self._show_groups()
        self.turned.emit()
        if focus:
            self.activate(group)
            group.page.setFocus()
        self.arranged.emit()

    def is_shown(self, name: str) -> bool:
        """Return whether a panel is in front of a group."""
        return any(group.front is not None and key_of(group.front) == name for group in self)

    # The last session

    def state(self) -> dict[str, object]:
        """Return the tabs of both groups and their arrangement, to be stored."""
        first, second = (tuple(map(key_of, group)) for group in self)
        fronts = [key_of(group.front) if group.front is not None else "" for group in self]
        is_down = self.orientation() is Qt.Orientation.Vertical
        sizes = tuple(self.sizes()) if self.is_split else ()
        active: Literal[0, 1] = 0 if self.active is self._groups[0] else 1
        return asdict(AreaState((first, second), (fronts[0], fronts[1]), is_down, sizes, active))

    def restore(self, data: Mapping[str, object]) -> None:
        """Arrange the documents that are opened until `end_restoring` as they were, with empty panels."""
        self._wanted = restored(data)
        self.set_orientation(is_down=self._wanted.is_down)
        for group, names in zip(self, self._wanted.tabs, strict=True):
            for name in [name for name in names if name in PAGES]:
                self.insert(group, Panel(name, EmptyState(self._appearance, PAGES[name].icon, "Loading…", "")))
        self._show_groups()

    def end_restoring(self) -> None:
        """Show the tabs in front that were in front, as all documents are open."""
        state, self._wanted = self._wanted, AreaState()
        for group, name in zip(self, state.fronts, strict=True):
            _turn_to(group, name)
        if self._groups[state.active].front is not None:
            self.active = self._groups[state.active]
        self._settle()
        if state.sizes and self.is_split:
            self.setSizes(state.sizes)

    # Both groups

    def _take_out(self, group: EditorGroup, tab: Tab) -> None:
        editor, other = group.remove(tab), self._groups[self._groups[0] is group]
        if isinstance(tab, Panel):
            tab.setParent(self.window())  # hidden, until it is shown again
            tab.hide()
        elif editor is not None:
            if not editor.is_shared:  # it has the text, so it replaces the other view
                place, kept = other.editors[tab].place(), editor
                editor = other.replace_editor(tab, kept)
                kept.go_back(place)
            editor.editor.folding.remove_view(editor.editor)
            editor.deleteLater()

    @contextmanager
    def _keeping_active(self) -> Iterator[None]:
        """Keep the active group, and the focus in its tabs or page: Qt passes that of a removed page to any widget."""
        active, in_tabs = self.active, self.active.tabs.hasFocus()
        yield
        self.active = active
        self._settle(in_tabs=in_tabs)

    def _settle(self, *, in_tabs: bool = False) -> None:
        """Let the first group be the one with tabs, after tabs were moved or removed; focus its page or its tabs."""
        first, second = self._groups
        if first.front is None and second.front is not None:
            self._groups.reverse()
            self.insertWidget(0, second)
        if self.active.front is None:
            self.active = self._groups[0]
        self.activate(self.active)
        (self.active.tabs if in_tabs else self.active.page).setFocus()
        self.arranged.emit()

    def _show_groups(self) -> None:
        for group in self:
            group.setVisible(group.front is not None)
            group.tabs.set_active(group is self.active or not self.is_split)

    def _follow_focus(self, _before: QWidget | None, focus: QWidget | None) -> None:
        """Make the group with the focus the active one."""
        if focus is not None and self.other.isAncestorOf(focus):
            self.activate(self.other, focus=False)

    def _request_menu(self, group: EditorGroup, tab: Tab, point: QPoint) -> None:
        self.activate(group)
        self.menu_requested.emit(tab, point)

    def _request_close(self, group: EditorGroup, tab: Tab) -> None:
        self.activate(group)
        self.close_requested.emit(tab)

    # Dragged tabs

    def _drop_place(self, point: QPoint) -> tuple[QRect, bool] | None:
        """Return the space of a tab dropped at a position of the screen, and whether it is below; None if it stays."""
        inside, whole = self.mapFromGlobal(point), self.rect()
        if self.is_split:
            place = self.other.geometry()
            return (place, self.orientation() is Qt.Orientation.Vertical) if place.contains(inside) else None
        is_right, is_below = inside.x() > whole.width() * 2 // 3, inside.y() > whole.height() * 2 // 3
        if not whole.contains(inside) or not (is_right or is_below):
            return None
        corner = QPoint(whole.center().x(), 0) if is_right else QPoint(0, whole.center().y())
        return QRect(corner, whole.bottomRight()), not is_right

    def _drag(self, point: QPoint) -> None:
        place = self._drop_place(point)
        self._band.setVisible(place is not None)
        if place is not None:
            self._band.setGeometry(place[0])
            self._band.raise_()

    def _drop(self, point: QPoint | None) -> None:
        """Move the tab in front of the active group; a text that is the only tab is shown in both groups."""
        place, tab = self._drop_place(point) if point is not None else None, self.active.front
        self._band.hide()
        if place is not None and tab is not None:
            is_only = not self.is_split and self.active.tabs.count() == 1
            if not is_only or isinstance(tab, Document):
                self.set_orientation(is_down=place[1])
                self.put(tab, stays=is_only)


def _turn_to(group: EditorGroup, key: str) -> None:
    tab = next((tab for tab in group if key_of(tab) == key), None)
    if tab is not None:
        group.show_tab(tab)
