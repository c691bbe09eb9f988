"""The clouds of this computer, and the stacks of the one that is connected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QTreeView, QVBoxLayout

from heatstudio.ui.appearance import Appearance
from heatstudio.ui.choice_box import choice_box
from heatstudio.ui.cloud.stacks_model import StacksModel
from heatstudio.ui.cloud_link import CloudLink
from heatstudio.ui.fuzzy import fuzzy_score
from heatstudio.ui.panel import EDGE, GAP, EmptyState, Panel, tool_button
from heatstudio.ui.row_delegate import dress_tree
from heatstudio.ui.search_field import SearchField
from heatstudio.ui.voice import SpokenLabel

if TYPE_CHECKING:  # the room of the cloud is imported when somebody asks for a cloud
    from heatstudio.cloud import StackSummary

_EMPTY = ("Your clouds appear here", "Nothing is asked before you press Look for clouds.")
_LOOK, _CONNECT, _CANCEL = "Look for clouds", "Connect", "Stop"


class StacksPane(Panel):
    """Enter opens the template of a stack; the buttons say what else can be done with it."""

    open_requested = Signal(object)
    compare_requested = Signal(object)
    update_requested = Signal(object)
    follow_requested = Signal(object)

    def __init__(self, link: CloudLink, appearance: Appearance) -> None:
        super().__init__("Cloud", EmptyState(appearance, "cloud", *_EMPTY))
        self._link = link
        self.model = StacksModel()
        self.view = QTreeView()
        self.clouds = choice_box("Cloud")
        self.button = QPushButton(_LOOK)
        self.words = SpokenLabel("State of the cloud")
        self.search = SearchField(appearance, "Search stacks")
        self._of_stack: list[QAction] = []
        self._refresh = tool_button(appearance, "refresh", "Read the stacks again")
        self._leave = tool_button(appearance, "close", "Disconnect")
        self.name = QLabel()
        rest = QVBoxLayout()
        rest.addWidget(self.view, 1)
        rest.addStretch(0)
        self.set_content(self._make_head(), self._make_words(), self._make_search(), self._make_bar(appearance), rest)
        self._make_view(appearance)
        self.set_filled(True)
        link.changed.connect(self.refresh)
        link.failed.connect(self._say)
        self.refresh()

    @property
    def stack(self) -> StackSummary | None:
        """The stack that is selected."""
        found = self.model.value(self.view.currentIndex())
        if found is None:
            return None
        from heatstudio.cloud import StackSummary

        return found if isinstance(found, StackSummary) else None

    def refresh(self) -> None:
        """Shows what the link knows now; the selected stack stays selected."""
        link, chosen, kept = self._link, self.clouds.currentText(), self.stack
        names = link.choices.names if link.choices is not None else ()
        if names != tuple(self.clouds.itemText(row) for row in range(self.clouds.count())):
            self.clouds.clear()
            self.clouds.addItems(list(names))
            self.clouds.setCurrentText(chosen)
        is_connected, held = link.connection is not None, self.button.hasFocus()
        self.clouds.setVisible(bool(names) and not is_connected)
        self.clouds.setEnabled(not link.is_connecting)
        self.button.setText(self._next_step())
        self.button.setVisible(not is_connected)
        self.name.setText(link.connection.name if link.connection is not None else "")
        self.name.setVisible(is_connected)
        self.search.setVisible(is_connected)
        self.view.setVisible(is_connected)
        self.lead_to(self.view if is_connected else self.button)
        if held and is_connected:
            self.view.setFocus()
        query = self.search.text()
        found = [one for one in link.stacks if fuzzy_score(query, f"{one.name} {one.status}") is not None]
        self.model.show(found)
        self._select(kept.id if kept is not None else "")
        if is_connected:
            self._say("" if link.stacks else "There are no stacks in this project yet.")
        elif link.choices is not None and not link.is_connecting:
            self._say(link.choices.advice)
        self._allow()

    def _next_step(self) -> str:
        if self._link.is_connecting:
            return _CANCEL
        return _CONNECT if self._link.choices is not None and self._link.choices.names else _LOOK

    def step(self) -> None:
        """Does what the button says."""
        match self._next_step():
            case step if step == _CONNECT:
                self._say("")
                self._link.connect_to(self.clouds.currentText())
            case step if step == _LOOK:
                self._say("")
                self._link.look()
            case _:
                self._link.disconnect_cloud()

    def _make_head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setContentsMargins(EDGE, 4, EDGE, 4)
        head.setSpacing(GAP)
        self.button.clicked.connect(self.step)
        self._refresh.clicked.connect(self._link.refresh)
        self._leave.clicked.connect(self._link.disconnect_cloud)
        self.name.setAccessibleDescription("Connected cloud")
        self.name.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        font = self.name.font()
        font.setBold(True)
        self.name.setFont(font)
        head.addWidget(self.clouds, 1)
        head.addWidget(self.button)
        head.addWidget(self.name, 1)
        head.addWidget(self._refresh)
        head.addWidget(self._leave)
        return head

    def _make_words(self) -> QLabel:
        self.words.setContentsMargins(EDGE, 0, EDGE, 4)
        self.words.setWordWrap(True)
        self._say(_EMPTY[1])
        return self.words

    def _make_search(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(EDGE, 0, EDGE, 4)
        self.search.searched.connect(self.refresh)
        self.search.tell_of(self.view)
        self.search.left_downwards.connect(self.view.setFocus)
        row.addWidget(self.search)
        return row

    def _make_bar(self, appearance: Appearance) -> QHBoxLayout:
        bar = QHBoxLayout()
        bar.setContentsMargins(EDGE, 0, EDGE, 4)
        bar.setSpacing(2)
        for icon, name, act in (
            ("file-open", "Open the template of the stack (Enter)", self.open_requested),
            ("preview", "Preview the update of the stack to this text", self.compare_requested),
            ("insert", "Update the stack to this text…", self.update_requested),
            ("outline", "Follow the events of the stack", self.follow_requested),
        ):
            action = QAction(appearance.icon(icon), name, self)
            action.triggered.connect(lambda _checked=False, act=act: self._request(act))
            button = tool_button(appearance, icon, name)
            button.clicked.connect(action.trigger)
            action.enabledChanged.connect(button.setEnabled)
            action.visibleChanged.connect(lambda action=action, button=button: button.setVisible(action.isVisible()))
            self.view.addAction(action)
            self._of_stack.append(action)
            bar.addWidget(button)
        bar.addStretch(1)
        return bar

    def _make_view(self, appearance: Appearance) -> None:
        dress_tree(self.view, appearance, "Stacks")
        self.view.setUniformRowHeights(True)
        self.view.setRootIsDecorated(False)
        self.view.setModel(self.model)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.view.selectionModel().currentChanged.connect(lambda *_: self._allow())
        self.view.doubleClicked.connect(lambda _index: self._request(self.open_requested))
        for key in ("Return", "Enter"):
            shortcut = QShortcut(QKeySequence(key), self.view)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(lambda: self._request(self.open_requested))

    def _request(self, wanted: SignalInstance) -> None:
        if self.stack is not None:
            wanted.emit(self.stack)

    def _select(self, identity: str) -> None:
        for index in self.model.indexes():
            if getattr(self.model.value(index), "id", "") == identity:
                self.view.setCurrentIndex(index)

    def _allow(self) -> None:
        connected = self._link.connection is not None
        for action in self._of_stack:
            action.setVisible(connected)
            action.setEnabled(self.stack is not None)
        self._refresh.setVisible(connected)
        self._leave.setVisible(connected)

    def _say(self, words: str) -> None:
        self.words.setText(words)
        self.words.setVisible(bool(words))
