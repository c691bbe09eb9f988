"""The main window as first painted: menus, text, sides, status bar. The workbench makes the panes."""

from functools import partial

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow

from heatstudio.ui.commands.actions import REMEMBERED, Actions
from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.commands.environment_controller import EnvironmentController
from heatstudio.ui.commands.files import FileCommands
from heatstudio.ui.documents.document import Document
from heatstudio.ui.widgets import Appearance, plain
from heatstudio.ui.widgets.dragged_type import local_files
from heatstudio.ui.window.focus_order import FocusOrder
from heatstudio.ui.window.layout import PANES, TABS
from heatstudio.ui.window.sides import Sides
from heatstudio.ui.window.status import StatusBar
from heatstudio.ui.window.window_memory import WindowMemory
from heatstudio.ui.workspace.session import Session

_CARET_REST = 40
"""Milliseconds after which a caret counts as resting, and panes follow it."""


class Window(QMainWindow):
    """The main window; it imports nothing of the engine."""

    painted = Signal()
    """Emitted after the first paint, when slow initialization may begin."""
    activated = Signal(bool)
    """Emitted with whether the window became active."""
    resized = Signal()
    caret_rested = Signal(int)
    """The offset of the resting caret in the current text."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self.session = session
        self.appearance = appearance
        self._was_painted = False
        self.is_closed = False
        """Whether the user closed the window and confirmed the loss of unsaved changes."""
        self._caret_rests = QTimer(self, singleShot=True, interval=_CARET_REST)
        self.setWindowTitle("Heat Studio")
        self.setAccessibleName("Heat Studio")
        appearance.restyle(self)
        self.area = EditorArea(session, appearance)
        self.sides = Sides(self.area)
        self.setCentralWidget(self.sides)
        self.files = FileCommands(session, self.area.banner, self)
        self.environments = EnvironmentController(session, appearance, self.files, self)
        self.memory = WindowMemory(self, session, self.sides, self.area, self.files)
        self.status = StatusBar(session, appearance)
        self.setStatusBar(self.status)
        self.focus_order = FocusOrder(self, self.sides, self.area)
        self.actions_by_name = self._make_actions()
        self._name_tabs()
        self._connect()
        self._follow(session.current)
        self.memory.restore_shape()
        self.area.setFocus()
        self.setAcceptDrops(True)

    def follow_caret_now(self) -> None:
        """Update the panes for the caret at once."""
        editor = self.area.editor
        if editor is not None:
            self.status.show_caret(editor.caret_place(), editor.editor.carets.count)
            self.caret_rested.emit(editor.caret_offset())

    def prepare_welcome(self) -> None:
        """Build the welcome page, at once if it is to be seen, else when the last document is closed."""
        if self.session.current is None:
            self._welcome()
        else:
            self.area.emptied.connect(self._welcome, Qt.ConnectionType.SingleShotConnection)

    def _welcome(self) -> None:
        from heatstudio.ui.window.welcome import Welcome

        self.area.set_welcome(Welcome(self.appearance, self.actions_by_name, self.session.settings, self.files))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files that no pane takes."""
        if local_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.files.open(local_files(event.mimeData()))

    def focusNextPrevChild(self, forward: bool) -> bool:
        return self.focus_order.step(forward=forward)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved changes, and save the state of the window, as soon as all files are saved."""
        self._is_agreed, self._is_in_close_event = False, True
        self.files.may_close(self.session.documents, self._agree_to_close)
        self._is_in_close_event = False
        if not self._is_agreed:
            event.ignore()
            return
        self.memory.keep()
        self.is_closed = True
        event.accept()

    def _agree_to_close(self) -> None:
        self._is_agreed = True
        if not self._is_in_close_event:
            self.close()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange:
            self.activated.emit(self.isActiveWindow())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._was_painted:
            self._was_painted = True
            self.painted.emit()

    def _make_actions(self) -> Actions:
        actions = Actions(self, self.appearance, self.session.settings)
        self.menuBar().setAccessibleName("Menus")
        actions[f"theme-{self.appearance.scheme}"].setChecked(True)
        for pane in PANES.values():
            actions[pane.command.name].changed.connect(self._name_tabs)
        for name, usually in REMEMBERED.items():
            actions[name].setChecked(self.session.settings.is_on(name, usually=usually))
        return actions

    def _name_tabs(self) -> None:
        """Show the keys of the panes in the tool tips of their tabs."""
        for name, pane in PANES.items():
            strip, tip = self.sides.rows[pane.row].strip, self.actions_by_name[pane.command.name].toolTip()
            strip.setTabToolTip(TABS[pane.row].index(name), plain(tip))

    def _connect(self) -> None:
        session, area = self.session, self.area
        session.current_changed.connect(self._follow)
        session.document_opened.connect(self._follow_state)
        session.document_closed.connect(self._show_title)
        session.folder_opened.connect(self._show_files)
        area.follow(lambda pane: pane.editor.cursorPositionChanged, self._caret_rests.start)
        area.follow(lambda pane: pane.editor.carets.changed, self._caret_rests.start)
        self._caret_rests.timeout.connect(self.follow_caret_now)
        area.close_requested.connect(self.files.close)
        area.turned.connect(self._caret_rests.start)
        self.files.begun.connect(area.go_to)
        self.files.reloaded.connect(area.reload)
        self.files.opening.connect(area.hold_tabs)
        self.status.environments_requested.connect(self.environments.show)
        self.status.problems_requested.connect(partial(self.sides.reveal, "Problems"))

    def _follow_state(self, document: Document) -> None:
        document.state_changed.connect(self._show_title)

    def _show_files(self) -> None:
        self.sides.show_pane("Files")

    def _follow(self, document: Document | None) -> None:
        self.actions_by_name.allow(with_document=document is not None)
        self._show_title()
        self.follow_caret_now()

    def _show_title(self) -> None:
        document = self.session.current
        self.setWindowTitle(f"{self.session.name_of(document)}[*] - Heat Studio" if document else "Heat Studio")
        self.setWindowModified(document is not None and document.modified)
        self.setWindowFilePath(str(document.path or "") if document else "")
