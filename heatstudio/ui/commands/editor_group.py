"""A group of the editor area: a row of tabs, and the page of the tab in front."""

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QPoint, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QCursor, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QStackedWidget, QTabBar, QWidget

from heatstudio.ui.commands.actions import PAGES
from heatstudio.ui.documents.document import Document
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.widgets import Appearance, Color, Isolated, Panel, in_column, plain, scaled, tool_button
from heatstudio.ui.widgets.appearance import icon_size

_LEAST, _MOST = 220, 280
"""The minimum width of a tab, below which tabs scroll, and its maximum width."""
_LEAST_SIZE = (120, 80)
"""The minimum size of a group."""
_CLOSE = 24
_SLACK = 24
"""The distance in pixels from the tabs at which a dragged tab leaves them."""
Tab = Document | Panel
"""What a tab shows: the text of a document, or a panel."""


class DocumentTabs(QTabBar):
    """A tab bar that scrolls if there is not enough space."""

    close_requested = Signal(object)
    """The content of a tab to close."""
    menu_requested = Signal(object, QPoint)
    """The content of a tab, and the screen position where its menu was requested."""
    dragged = Signal(QPoint)
    """The screen position of the tab in front while it is dragged out of the bar."""
    dropped = Signal(object)
    """The screen position where that tab is dropped; None if Escape canceled that."""

    def __init__(self) -> None:
        super().__init__()
        self._widths: dict[str, int] = {}
        self._is_outside = False
        self._start = -1
        """Where the tab was that is dragged; -1 if none is."""
        self.setAccessibleName("Open documents")
        self.setDocumentMode(True)
        self.setDrawBase(False)
        self.setMovable(True)
        self.setExpanding(False)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setUsesScrollButtons(True)
        self.setIconSize(icon_size())

    def tabSizeHint(self, index: int) -> QSize:
        return QSize(min(self._width(index), scaled(_MOST)), scaled(_CLOSE) + 8)

    def minimumTabSizeHint(self, index: int) -> QSize:
        return QSize(min(self._width(index), scaled(_LEAST)), scaled(_CLOSE) + 8)

    def changeEvent(self, event: QEvent) -> None:
        self._widths.clear()
        for row in range(self.count() if event.type() is QEvent.Type.FontChange else 0):
            close = self.tabButton(row, QTabBar.ButtonPosition.RightSide)
            if close is not None:
                close.setFixedSize(scaled(_CLOSE), scaled(_CLOSE))
        super().changeEvent(event)

    def _width(self, index: int) -> int:
        """Return the preferred width of a tab: Qt asks for those of all tabs several times when one is added."""
        text = self.tabText(index)
        width = self._widths.get(text)
        if width is None:
            width = super().tabSizeHint(index).width()
            if self.tabButton(index, QTabBar.ButtonPosition.RightSide) is not None:
                self._widths[text] = width
        return width

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() is Qt.MouseButton.LeftButton:
            self._start = self.currentIndex()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Report where a tab is dragged outside of the bar, in which Qt moves it; take the keys for Escape."""
        is_near = self.rect().adjusted(-_SLACK, -_SLACK, _SLACK, _SLACK).contains(event.position().toPoint())
        is_dragged = self._start >= 0
        if is_dragged:
            self.grabKeyboard()
        if is_dragged and (self._is_outside or not is_near):
            self._is_outside = True
            self.dragged.emit(event.globalPosition().toPoint())
        elif is_dragged or not event.buttons():
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        row = self.tabAt(event.position().toPoint())
        if event.button() is Qt.MouseButton.MiddleButton and row >= 0:
            self.close_requested.emit(self.tabData(row))
        super().mouseReleaseEvent(event)
        self._end_drag(event.globalPosition().toPoint())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._start >= 0 and event.key() == Qt.Key.Key_Escape:
            start, here = self._start, self.mapFromGlobal(QCursor.pos())
            left = Qt.MouseButton.LeftButton
            release = QMouseEvent(QEvent.Type.MouseButtonRelease, here, QCursor.pos(), left, left, event.modifiers())
            super().mouseReleaseEvent(release)  # ends Qt's own drag
            self._end_drag(None)
            self.moveTab(self.currentIndex(), start)
        else:
            super().keyPressEvent(event)

    def _end_drag(self, place: QPoint | None) -> None:
        is_outside, self._is_outside, self._start = self._is_outside, False, -1
        self.releaseKeyboard()
        if is_outside:
            self.dropped.emit(place)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Request the menu of the tab under the mouse or, by key, of the current tab."""
        is_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        row = self.tabAt(event.pos()) if is_mouse else self.currentIndex()
        if row >= 0:
            below = self.mapToGlobal(self.tabRect(row).bottomLeft())
            self.menu_requested.emit(self.tabData(row), event.globalPos() if is_mouse else below)

    def set_active(self, is_active: bool) -> None:
        """Mark the tab in front as that of the group with the focus, or as that of the other one."""
        if self.property("open") is not is_active:
            self.setProperty("open", is_active)
            self.style().unpolish(self)
            self.style().polish(self)


class EditorGroup(Isolated):
    """The tabs of one group with their pages; the area decides what is shown where."""

    turned = Signal(object)
    """The group, when the user chooses a tab."""

    def __init__(self, appearance: Appearance) -> None:
        parts = QWidget()
        super().__init__(parts)
        self._appearance = appearance
        self.editors: dict[Document, EditorPane] = {}
        """The editors of the documents with a tab in this group."""
        self.tabs = DocumentTabs()
        self._stack = QStackedWidget()
        self._stack.setAccessibleName("Text")
        self._pages: dict[Panel, QWidget] = {}
        in_column(self.tabs, (self._stack, 1), of=parts, gap=0)
        self.setMinimumSize(*_LEAST_SIZE)
        self.tabs.currentChanged.connect(self._turn)
        self.tabs.tabBarClicked.connect(self._turn)

    def __iter__(self) -> Iterator[Tab]:
        return (self.tabs.tabData(row) for row in range(self.tabs.count()))

    @property
    def front(self) -> Tab | None:
        """What the tab in front shows."""
        tab = self.tabs.tabData(self.tabs.currentIndex())
        return tab if isinstance(tab, Document | Panel) else None

    @property
    def page(self) -> QWidget:
        """The visible page; the group itself if it is empty."""
        return self._stack.currentWidget() or self

    def row_of(self, tab: Tab) -> int:
        """Return the index of a tab, or -1."""
        return next((row for row, one in enumerate(self) if one is tab), -1)

    def add(self, tab: Tab, editor: EditorPane | None, row: int) -> None:
        """Add a tab, with its editor unless it is a panel; the tab in front stays there."""
        if isinstance(tab, Document) and editor is not None:
            self.editors[tab] = editor
        elif isinstance(tab, Panel):
            self._pages[tab] = Isolated(tab)  # its size must not force that of the group
            self._pages[tab].setFocusProxy(tab)
            tab.show()
        self._stack.addWidget(self._page_of(tab))
        icon = PAGES[tab.title].icon if isinstance(tab, Panel) else "file"
        with QSignalBlocker(self.tabs):
            row = self.tabs.insertTab(row, self._appearance.icon(icon, Color.MUTED), tab.title.replace("&", "&&"))
            self.tabs.setTabData(row, tab)
        self.tabs.updateGeometry()  # Qt does so only while the row is visible
        close = tool_button(self._appearance, "close", "Close")
        close.setFixedSize(scaled(_CLOSE), scaled(_CLOSE))
        close.clicked.connect(lambda: self.tabs.close_requested.emit(tab))
        self.tabs.setTabButton(row, QTabBar.ButtonPosition.RightSide, close)
        close.raise_()  # last in the order of the Tab key: Qt puts it before the other buttons
        if isinstance(tab, Document):
            self.describe(tab)
        else:
            self.name(tab, tab.title)
        self.show_front()

    def remove(self, tab: Tab) -> EditorPane | None:
        """Remove a tab, and return its editor unless it is a panel."""
        page = self._page_of(tab)
        with QSignalBlocker(self.tabs):
            self.tabs.removeTab(self.row_of(tab))
        self._stack.removeWidget(page)
        self.show_front()
        if isinstance(tab, Document):
            return self.editors.pop(tab)
        tab.setParent(None)
        self._pages.pop(tab).deleteLater()
        return None

    def replace_editor(self, document: Document, editor: EditorPane) -> EditorPane:
        """Replace the editor of a document, and return the one before."""
        before, self.editors[document] = self.editors[document], editor
        self._stack.addWidget(editor)
        self.show_front()
        self._stack.removeWidget(before)
        return before

    def show_tab(self, tab: Tab) -> None:
        """Show a tab in front."""
        with QSignalBlocker(self.tabs):
            self.tabs.setCurrentIndex(self.row_of(tab))
        self.show_front()

    def show_front(self) -> None:
        """Show the page of the tab in front."""
        if self.front is not None:
            self._stack.setCurrentWidget(self._page_of(self.front))

    def describe(self, document: Document) -> None:
        """Show the state of a document on its tab."""
        row = self.row_of(document)
        if row >= 0:
            self.editors[document].set_read_only(read_only=document.is_read_only)
            tip = str(document.path or ("read-only" if document.is_read_only else "not saved yet"))
            self.tabs.setTabToolTip(row, plain(tip))
            name = "cloud" if document.stack is not None else "file"
            icon = ("modified", Color.ACCENT) if document.modified else (name, Color.MUTED)
            self.tabs.setTabIcon(row, self._appearance.icon(*icon))

    def name(self, tab: Tab, name: str) -> None:
        """Set the title of a tab, and the names of its parts for a screen reader."""
        row, is_modified = self.row_of(tab), isinstance(tab, Document) and tab.modified
        accessible = f"{name}, modified" if is_modified else name
        if row < 0 or self.tabs.accessibleTabName(row) == accessible:
            return
        if isinstance(tab, Document):
            self.editors[tab].editor.setAccessibleName(f"Text of {name}")
        if self.tabs.tabText(row) != (text := name.replace("&", "&&")):
            self.tabs.setTabText(row, text)
        self.tabs.setAccessibleTabName(row, accessible)
        close = self.tabs.tabButton(row, QTabBar.ButtonPosition.RightSide)
        if close is not None:
            close.setAccessibleName(f"Close {name}")
            close.setToolTip(plain(f"Close {name}"))

    def _page_of(self, tab: Tab) -> QWidget:
        return self.editors[tab] if isinstance(tab, Document) else self._pages[tab]

    def _turn(self, row: int) -> None:
        if row >= 0:
            self.show_front()
            self.turned.emit(self)
