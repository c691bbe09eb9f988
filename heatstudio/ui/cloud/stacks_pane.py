"""The configured clouds, and the stacks of the connected one."""

from collections.abc import Sequence
from itertools import islice

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QSizePolicy, QVBoxLayout

from heatstudio.cloud.stacks import StackSummary
from heatstudio.ui.cloud.cloud_link import CloudLink
from heatstudio.ui.cloud.notices import NoticesModel, NoticesView
from heatstudio.ui.cloud.stacks_model import cell_of_stack
from heatstudio.ui.widgets import EDGE, GAP, Appearance, EmptyState, Panel, PlainLabel, in_column, in_row, tool_button
from heatstudio.ui.widgets.announcer import AnnouncingLabel
from heatstudio.ui.widgets.choice_box import choice_box
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.fuzzy import fuzzy_score
from heatstudio.ui.widgets.layouts import laid_out_once
from heatstudio.ui.widgets.row_delegate import RowTree
from heatstudio.ui.widgets.search_field import SearchField
from heatstudio.ui.widgets.tree_model import Branch, TreeModel

_EMPTY = ("Your clouds appear here", "Find Clouds lists your clouds; nothing is contacted until you choose Connect.")
_READY = "Connect lists the stacks of the selected cloud. No cloud is contacted until then."
_MOST = 1000
"""The maximum number of listed stacks; more would block the window."""
_LOOK, _CONNECT, _CANCEL = "Find Clouds", "Connect", "Cancel"


class StacksPane(Panel):
    """The pane of clouds and stacks; Enter opens a stack's template, and buttons offer the other actions."""

    open_requested = Signal(object)
    trust_requested = Signal(object)
    """The folder whose cloud configuration is to be trusted."""

    stack_changed = Signal(object)
    """The selected stack, or its new state; None if no stack is selected."""

    def __init__(
        self,
        link: CloudLink,
        appearance: Appearance,
        notices: NoticesModel,
        actions: Sequence[tuple[QAction, str] | None],
    ) -> None:
        """`actions` are those of the selected stack, each with its submenu if any; None separates groups."""
        super().__init__("Cloud", EmptyState(appearance, "cloud", *_EMPTY))
        self._link = link
        self.model = TreeModel(("Stack",), cell_of_stack)
        self.view = RowTree(self.model, appearance, "Stacks", least_badge=1)  # the status is never elided
        self.clouds = choice_box("Cloud")
        self.button = QPushButton(_LOOK)
        self.words = AnnouncingLabel("Cloud status", wraps=True)
        self.origin = AnnouncingLabel("Cloud configuration file", wraps=True)
        self.trust = QPushButton("Trust This Folder")
        self.trust.setToolTip("Use this folder's cloud configuration. It decides where your passwords are sent.")
        self.search = SearchField(appearance, "Search stacks")
        self.actions_button = QPushButton("Stack Actions")
        self._refresh = tool_button(appearance, "refresh", "Refresh stacks")
        self._leave = tool_button(appearance, "close", "Disconnect")
        self.name = PlainLabel()
        rest = in_column((self.view, 1), 0, NoticesView(notices, appearance))
        self.set_content(
            self._make_head(),
            self._make_words(),
            self._make_origin(),
            self._make_search(),
            self._make_actions(actions),
            rest,
        )
        self._make_view()
        self.set_filled(True)
        link.changed.connect(self.refresh)
        link.failed.connect(self._say)
        self.refresh()

    @property
    def stack(self) -> StackSummary | None:
        """The selected stack, if any."""
        found = self.model.value(self.view.currentIndex())
        return found if isinstance(found, StackSummary) else None

    def refresh(self) -> None:
        """Show the clouds and stacks of the link, and keep the selected stack."""
        with laid_out_once(self._content):
            self._show_all()

    def _show_all(self) -> None:
        link, chosen, kept = self._link, self.clouds.currentText(), self.stack
        names = link.choices.names if link.choices is not None else ()
        if names != tuple(self.clouds.itemText(row) for row in range(self.clouds.count())):
            self.clouds.clear()
            self.clouds.addItems(list(names))
            self.clouds.setCurrentText(chosen or link.preferred)
        is_connected = link.connection is not None
        self.clouds.setVisible(bool(names) and not is_connected)
        self.clouds.setEnabled(not link.is_connecting)
        self.button.setText(self._next_step())
        self.name.setText(link.connection.name if link.connection is not None else "")
        self.name.setVisible(is_connected)
        self.search.setVisible(is_connected)
        home, other = (self.view, self.button) if is_connected else (self.button, self.view)
        home.setVisible(True)
        self.lead_to(home)
        if other.hasFocus():
            home.setFocus()  # before the other widget is hidden: Qt would pass the focus to an arbitrary widget
        other.setVisible(False)
        query = self.search.text()
        is_long = len(link.stacks) > _MOST
        fitting = (one for one in link.stacks if _fits(query, f"{one.name} {one.status}", exactly=is_long))
        shown = list(islice(fitting, _MOST))
        self.model.set_branches(map(Branch, shown))
        self._select(kept.id if kept is not None else "")
        if is_connected:
            more = f"The first {_MOST:,} stacks are shown. Search for others." if len(shown) == _MOST else ""
            self._say(more if link.stacks else "This project has no stacks.")
        elif link.choices is not None and not link.is_connecting:
            self._say(link.choices.advice or _READY)
        self._show_origin()
        self._allow()

    def _show_origin(self) -> None:
        choices, is_connected = self._link.choices, self._link.connection is not None
        name = self._link.connection.name if self._link.connection is not None else self.clouds.currentText()
        origin = choices.origins.get(name, "") if choices is not None else ""
        caution = self._link.caution or (choices.cautions.get(name, "") if choices is not None else "")
        folder = choices.untrusted_folder if choices is not None and not is_connected else None
        unused = f"The cloud configuration in {folder} is not used." if folder is not None else ""
        self.origin.setText("\n\n".join(filter(None, (caution, origin, unused))))
        self.origin.setVisible(bool(caution or origin or unused))
        self.trust.setVisible(folder is not None)

    def _trust(self) -> None:
        if self._link.choices is not None and self._link.choices.untrusted_folder is not None:
            self.trust_requested.emit(self._link.choices.untrusted_folder)

    def _next_step(self) -> str:
        if self._link.is_connecting:
            return _CANCEL
        return _CONNECT if self._link.choices is not None and self._link.choices.names else _LOOK

    def step(self) -> None:
        """Run the action of the button."""
        step = self._next_step()
        if step == _CANCEL:
            self._link.disconnect_cloud()
            return
        self._say("")
        if step == _CONNECT:
            self._link.connect_to(self.clouds.currentText())
        else:
            self._link.find()

    def _make_head(self) -> QHBoxLayout:
        self.button.clicked.connect(self.step)
        self._refresh.clicked.connect(self._link.refresh)
        self._leave.clicked.connect(self._link.disconnect_cloud)
        self.name.setAccessibleDescription("Connected cloud")
        self.name.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.name.set_bold()
        return in_row(
            (self.clouds, 1), self.button, (self.name, 1), self._refresh, self._leave, edges=(EDGE, 4, EDGE, 4), gap=GAP
        )

    def _make_words(self) -> QLabel:
        self.words.setContentsMargins(EDGE, 0, EDGE, 4)
        self.words.setText(_EMPTY[1])  # without showing the label, which has no parent yet and would be a window
        return self.words

    def _make_origin(self) -> QVBoxLayout:
        self.clouds.currentTextChanged.connect(lambda _name: self._show_origin())
        self.trust.clicked.connect(self._trust)
        return in_column(self.origin, (self.trust, Qt.AlignmentFlag.AlignLeft), edges=(EDGE, 0, EDGE, 4))

    def _make_search(self) -> QHBoxLayout:
        self.search.filter_rows(self.view, self.refresh, fuzzy=True)
        return in_row(self.search, edges=(EDGE, 0, EDGE, 4))

    def _make_actions(self, actions: Sequence[tuple[QAction, str] | None]) -> QHBoxLayout:
        menu = QMenu("Stack actions", self)
        menus = {"": menu}
        for listed in actions:
            if listed is None:
                menu.addSeparator()
                continue
            action, title = listed
            if title not in menus:
                menus[title] = menu.addMenu(title)
                menus[title].setAccessibleName(title)
            menus[title].addAction(action)
        self.view.addActions(menu.actions())
        self.actions_button.setMenu(menu)
        return in_row(self.actions_button, 1, edges=(EDGE, 0, EDGE, 4))

    def _make_view(self) -> None:
        self.view.setUniformRowHeights(True)
        self.view.setRootIsDecorated(False)
        self.view.selectionModel().currentChanged.connect(lambda *_: self._allow())
        self.view.activated.connect(self._open)

    def _open(self) -> None:
        if self.stack is not None:
            self.open_requested.emit(self.stack)

    def _select(self, identity: str) -> None:
        for index in self.model.indexes():
            if getattr(self.model.value(index), "id", "") == identity:
                self.view.setCurrentIndex(index)

    def _allow(self) -> None:
        self.actions_button.setEnabled(self.stack is not None)
        self.stack_changed.emit(self.stack)
        with_menu = Qt.ContextMenuPolicy.ActionsContextMenu
        self.view.setContextMenuPolicy(with_menu if self.stack is not None else Qt.ContextMenuPolicy.NoContextMenu)
        for part in (self.actions_button, self._refresh, self._leave):
            part.setVisible(self._link.connection is not None)

    def _say(self, words: str) -> None:
        self.words.setText(without_marks(words))
        self.words.setVisible(bool(words))


def _fits(query: str, words: str, *, exactly: bool) -> bool:
    """Return whether a stack matches a query: fuzzily or, as is faster for a long list, as a substring."""
    return query.lower() in words.lower() if exactly else fuzzy_score(query, words) is not None
