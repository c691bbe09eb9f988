"""The window: where the panes stand, and what joins them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from heatstudio.text import Span
from heatstudio.ui.commands.actions import Actions
from heatstudio.ui.commands.commands import FOR_ALL_EDITORS, FOR_EDITOR, REMEMBERED
from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.commands.environment_controller import EnvironmentController
from heatstudio.ui.commands.files import Files
from heatstudio.ui.documents.document import Document
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.window.pane_docks import PaneDocks
from heatstudio.ui.window.status import StatusBar
from heatstudio.ui.window.window_memory import WindowMemory
from heatstudio.ui.workspace.session import Session

if TYPE_CHECKING:  # the panes, and who acts, are imported after the first paint
    from heatstudio.ui.commands.settings_controller import SettingsController
    from heatstudio.ui.editor import EditorPane
    from heatstudio.ui.widgets.picker import Picker
    from heatstudio.ui.window.first_steps import FirstSteps
    from heatstudio.ui.window.focus_order import FocusOrder

PROBLEMS, COMMANDS, CONTROLLERS = "problems", "commands", "actors"
"""What is ready at certain steps of furnishing: the list of problems, all commands, those who act."""
_SIZE = QSize(1280, 800)
_CARET_REST = 40
"""Milliseconds without a move after which the panes follow the caret."""
_TOLD = 6000
"""Milliseconds that a sentence stays in the status bar."""


class Window(QMainWindow):
    """Joins pane to pane; the panes themselves do not know each other.

    Made in two steps: what is seen at once, and, after the first paint, `build_panes` with what acts and what fills the
    docks.
    """

    painted = Signal()
    """The first paint is done; what is slow may begin."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self.session = session
        self.appearance = appearance
        self._was_shown = self._was_painted = False
        self.building_steps = self._build_steps()
        """The steps of `build_panes`, so that no key waits for more than one; some tell what is ready by then."""
        self.is_ready = False
        """Whether everybody is there who acts."""
        self.is_closed = False
        """Whether the user left, and agreed to what is lost by that."""
        self._caret_rests = QTimer(self, singleShot=True, interval=_CARET_REST)
        self.setWindowTitle("Heat Studio")
        self.setAccessibleName("Heat Studio")
        self.resize(_SIZE.boundedTo(QGuiApplication.primaryScreen().availableSize()))
        self.area = EditorArea(session, appearance)
        self.setCentralWidget(self.area)
        self.files = Files(session, self.area.banner, self)
        self.environments = EnvironmentController(session, appearance, self.files, self)
        self.memory = WindowMemory(self, session, self.area, self.files)
        self.status = StatusBar(session, appearance)
        self.setStatusBar(self.status)
        self.docks = PaneDocks(self, appearance)
        self.types_dock, self.outline_dock, self.type_dock = self.docks.types, self.docks.outline, self.docks.page
        self.problems_dock, self.preview_dock = self.docks.problems, self.docks.preview
        self.actions_by_name = Actions(self, appearance, before=self.build_panes)
        self.menuBar().setAccessibleName("Menus")
        self._join()
        self._follow(session.current)
        self.memory.restore_shape()
        self.area.setFocus()

    @cached_property
    def picker(self) -> Picker:
        """The command palette and the ways to go somewhere, made when they are needed first."""
        from heatstudio.ui.widgets.picker import Picker

        return Picker(self.appearance, self)

    @cached_property
    def setting(self) -> SettingsController:
        """The commands that set something, and their dialog."""
        from heatstudio.ui.commands.settings_controller import SettingsController

        return SettingsController(self.session.settings, self.area, self.actions_by_name, self.appearance, self)

    @cached_property
    def first_steps(self) -> FirstSteps:
        """The tasks of the first minute, below the text."""
        from heatstudio.ui.window.first_steps import FirstSteps

        steps = FirstSteps(self.session, self.appearance, self.preview)
        steps.announced.connect(self.voice.say)
        self.area.add_strip(steps)
        return steps

    @cached_property
    def focus_order(self) -> FocusOrder:
        """The way of the keyboard through the window."""
        from heatstudio.ui.window.focus_order import FocusOrder

        return FocusOrder(self, self.docks, self.area)

    def focusNextPrevChild(self, forward: bool) -> bool:
        return self.focus_order.step(forward=forward)

    def build_panes(self) -> None:
        """Makes all that the first paint need not wait for, as far as it is not made yet."""
        for _ in self.building_steps:
            pass

    def _build_steps(self) -> Iterator[str]:
        from heatstudio.ui.problems import ProblemsPane
        from heatstudio.ui.workspace.folder_problems import FolderProblems

        yield ""
        self.folder_problems = FolderProblems(self.session)
        self.problems = ProblemsPane(self.session, self.appearance, self.folder_problems)
        yield ""
        self.problems_dock.fill(self.problems)
        yield PROBLEMS
        self._offer_commands()
        yield COMMANDS
        yield from self._make_controllers()
        yield CONTROLLERS
        yield from self._fill_docks()
        self._join_panes()
        self.is_ready = True
        self.memory.follow()
        self._follow_resting_caret()

    def _offer_commands(self) -> None:
        """Fills the menus."""
        actions = self.actions_by_name
        actions.fill_menus()
        actions[f"theme-{self.appearance.scheme}"].setChecked(True)
        for name, usually in REMEMBERED.items():
            actions[name].setChecked(self.session.settings.is_on(name, usually=usually))

    def _make_controllers(self) -> Iterator[str]:
        """Makes those who act."""
        from heatstudio.ui.commands.assistant import Assistant
        from heatstudio.ui.commands.convert_controller import ConvertController
        from heatstudio.ui.commands.file_drops import FileDrops
        from heatstudio.ui.commands.fix_controller import FixController
        from heatstudio.ui.commands.navigation import Navigation
        from heatstudio.ui.commands.recent_menu import RecentMenu
        from heatstudio.ui.commands.tab_menu import TabMenu
        from heatstudio.ui.commands.text_menu import TextMenu
        from heatstudio.ui.target.target_controller import TargetController
        from heatstudio.ui.widgets.announcer import ScreenReaderAnnouncer
        from heatstudio.ui.window.badge import set_badge
        from heatstudio.ui.window.caret_problem import CaretProblem
        from heatstudio.ui.window.cloud_controller import CloudController
        from heatstudio.ui.window.insert_controller import InsertController
        from heatstudio.ui.window.pane_sizes import PaneSizes
        from heatstudio.ui.window.stack_panes import StackPanes
        from heatstudio.ui.window.welcome import offer_welcome

        yield ""
        session, area = self.session, self.area
        self.stack_panes = StackPanes(self.docks)
        self.cloud = CloudController(session, self.docks, self, area.banner)
        self.navigation = Navigation(session, area, lambda: self.picker)
        self.assistant = Assistant(session, area, self.files, lambda: self.picker)
        self.fixing = FixController(session, area, self.navigation, self.appearance)
        self.targeting = TargetController(session, self)
        self.converting = ConvertController(session)
        self.inserting = InsertController(session, area, self.types_dock, self.type_dock)
        self.pane_sizes = PaneSizes(self, self.area, self.focus_order)
        self.voice = ScreenReaderAnnouncer(self)
        self.caret_problem = CaretProblem(
            session, self.navigation, area, self.status.problem, self.voice, list_of_problems=self.problems_dock
        )
        yield ""
        TabMenu(session, area, self.files)
        self.text_menu = TextMenu(session, area, self.navigation, self.actions_by_name, self.assistant.asking)
        self.status.offer_releases(self.targeting.releases)
        self.actions_by_name.insert_menu("client-versions", self.targeting.releases)
        self.actions_by_name.insert_menu("open-folder", RecentMenu(session.settings, self.files, self))
        self.actions_by_name.join(self._command_handlers())
        self.actions_by_name.name_buttons()
        for helper in (area, self.files, self.fixing, self.assistant, self.converting, self.cloud, self.pane_sizes):
            helper.message_requested.connect(self._tell)
        self.assistant.local_message_requested.connect(partial(self._tell, here=True))
        area.fixes_requested.connect(lambda _offset: self.fixing.show_fixes_at_caret())
        area.banner.said.connect(lambda words: self.voice.say(words, urgent=True))
        area.banner.repeat()
        session.checking_stopped.connect(lambda document: self._tell(f"{document.title} is not checked. F5 checks it."))
        FileDrops(self).dropped.connect(self.files.open)
        self.pane_sizes.message_requested.connect(self.memory.keep_soon)
        self.cloud.connected.connect(self.status.show_cloud)
        set_badge(session)
        offer_welcome(area, session, self.appearance, self.actions_by_name, self.files)

    def _fill_docks(self) -> Iterator[str]:
        from heatstudio.ui.outline import OutlinePane

        session, appearance = self.session, self.appearance
        self.fixing.join(self.problems)
        self.outline = OutlinePane(session, appearance)
        yield ""
        self.outline_dock.fill(self.outline)
        yield ""
        from heatstudio.ui.preview import PreviewPane

        yield ""
        self.preview = PreviewPane(session, appearance)
        yield ""
        self.preview_dock.fill(self.preview)
        yield ""
        from heatstudio.ui.browser import BrowserPane, TypePage, read_types

        for _ in read_types(session.catalog):
            yield ""
        self.browser = BrowserPane(session, appearance)
        yield ""
        self.types_dock.fill(self.browser)
        yield ""
        self.type_page = TypePage(session, appearance)
        yield ""
        self.type_dock.fill(self.type_page)
        yield ""
        self.stack_panes.build_panes(self)
        self.tabifiedDockWidgetActivated.connect(self.stack_panes.make_room)
        self.cloud.build_panes(appearance, self.navigation)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Asks about what is not saved, and remembers the window."""
        if not self.files.may_close(self.session.documents):
            event.ignore()
            return
        self.memory.keep()
        self.is_closed = True
        event.accept()

    def changeEvent(self, event: QEvent) -> None:
        """Looks at the disk when the window is come back to, and may save when it is left."""
        super().changeEvent(event)
        if event.type() is not QEvent.Type.ActivationChange or not self.is_ready:
            return
        if self.isActiveWindow():
            self.session.look_at_disk()
            self.files.old_sides.refresh()
            self.session.check_unasked()
        else:
            self.setting.leave(self.files)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lets the panes at the sides give way to the text where it gets narrow; what was remembered of them stays."""
        super().resizeEvent(event)
        if self.is_ready:
            self.memory.keep_soon()
        self.docks.follow_width(event, remembered=not self.session.settings.docks.isEmpty())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._was_shown:
            self._was_shown = True
            self.docks.follow()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._was_painted:
            self._was_painted = True
            self.painted.emit()

    def _command_handlers(self) -> dict[str, Callable[[], object]]:
        command_handlers = {**self._own_handlers(), **self._text_handlers(), **self._go_handlers()}
        for one in (self.files, self.files.old_sides, self.fixing, self.assistant, self.docks, self.pane_sizes):
            command_handlers |= one.command_handlers()
        for other in (self.stack_panes, self.targeting, self.converting, self.cloud):
            command_handlers |= other.command_handlers()
        command_handlers |= self.setting.command_handlers(lambda: self.picker)
        return command_handlers

    def _own_handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "environments": self.environments.show,
            "against-environments": self.environments.show_old,
            "copy-preview": lambda: QApplication.clipboard().setText(self.preview.markdown()),
            "command-palette": lambda: self.navigation.choose_command(self.actions_by_name),
            "shortcuts": lambda: self.navigation.choose_command(self.actions_by_name),
            "check": self._check,
            "stop": self.session.jobs.stop_shown,
            "insert": self.inserting.choose,
            "first-steps": self.take_first_steps,
            "about": self._show_about,
            "quit": self.close,
        }

    def _text_handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "undo": lambda: self._edit("undo"),
            "redo": lambda: self._edit("redo"),
            "cut": lambda: self._edit("cut"),
            "copy": lambda: self._edit("copy"),
            "paste": lambda: self._edit("paste"),
            "select-all": lambda: self._edit("selectAll"),
            **{name: partial(self.area.command, name) for name in FOR_EDITOR},
            **{name: partial(self.area.command_all, name) for name in FOR_ALL_EDITORS},
        }

    def _go_handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "back": lambda: self._travel(self.navigation.back),
            "forward": lambda: self._travel(self.navigation.forward),
            "locate": lambda: self.navigation.choose_anything(self.files, self.inserting.show_type),
            "symbol": self.navigation.choose_symbol,
            "file": lambda: self.navigation.choose_file(self.files),
            "next-tab": lambda: self.area.step(1),
            "previous-tab": lambda: self.area.step(-1),
            "tab-left": lambda: self.area.move_tab(-1),
            "tab-right": lambda: self.area.move_tab(1),
            "editor": self.area.setFocus,
            "next-part": lambda: self.focus_order.step_part(forward=True),
            "previous-part": lambda: self.focus_order.step_part(forward=False),
        }

    def _join(self) -> None:
        session, area = self.session, self.area
        session.current_changed.connect(self._follow)
        session.analysis_changed.connect(self._mark_problems)
        session.summarized.connect(self._mark_problems)
        session.plan_changed.connect(self._mark_changes)
        session.document_opened.connect(lambda document: document.state_changed.connect(self._show_title))
        session.document_closed.connect(lambda _document: self._show_title())
        area.caret_moved.connect(self._follow_caret_soon)
        self._caret_rests.timeout.connect(self._follow_resting_caret)
        area.close_requested.connect(self.files.close)
        area.files_dropped.connect(self.files.open)
        self.files.begun.connect(area.go_to)
        self.files.reloaded.connect(area.reload)
        self.status.environments_requested.connect(self.environments.show)
        self.status.problems_requested.connect(self.problems_dock.reveal)

    def _join_panes(self) -> None:
        from heatstudio.ui.commands.change_navigation import ChangeGuide

        self.problems.location_requested.connect(self.go_to_place)
        self.outline.location_requested.connect(self.navigation.go_to)
        self.files.compared.connect(self.stack_panes.show_comparison)
        show_old = self.stack_panes.show_old_resource
        guide = ChangeGuide(self.session, self.navigation, self.assistant, show_old)
        guide.message_requested.connect(self._tell)
        self.preview.location_requested.connect(guide.show)
        self.preview.before_requested.connect(guide.show_before)
        self.preview.subject_requested.connect(guide.show_subject)
        self.preview.revert_requested.connect(self.fixing.revert)
        self.preview.error_requested.connect(self.navigation.go_to)
        self.preview.old_side_requested.connect(self._compare)
        self.inserting.join(self.browser, self.type_page)
        self.assistant.type_requested.connect(self.inserting.show_type)

    def _follow(self, document: Document | None) -> None:
        self.actions_by_name.allow(with_document=document is not None)
        self._show_title()
        if document is not None and self.area.editor is not None:
            self._follow_caret(self.area.editor)

    def _show_title(self) -> None:
        document = self.session.current
        self.setWindowTitle(f"{self.session.name_of(document)}[*] - Heat Studio" if document else "Heat Studio")
        self.setWindowModified(document is not None and document.modified)
        self.setWindowFilePath(str(document.path or "") if document else "")

    def _follow_caret_soon(self) -> None:
        """Lets the panes follow when the caret rests for a moment, so that no key waits for them."""
        self._caret_rests.start()

    def _travel(self, move: Callable[[], object]) -> None:
        """Goes through the history, which knows where the caret is now."""
        self._follow_resting_caret()
        move()

    def _follow_resting_caret(self) -> None:
        if self.area.editor is not None:
            self._follow_caret(self.area.editor)

    def _follow_caret(self, editor: EditorPane) -> None:
        self.status.show_caret(editor.caret_place())
        if self.is_ready:
            offset = editor.caret_offset()
            self.caret_problem.refresh()
            self.outline.follow_caret(offset)
            self.stack_panes.follow_caret(offset)
            self.navigation.follow_caret(offset)

    def go_to_place(self, place: Document | Path, span: Span) -> None:
        """Selects a span of a document, or of a file that is opened for it."""
        document = self.files.opened(place) if isinstance(place, Path) else place
        if document is not None:
            self.navigation.go_to_in(document, span)

    def _tell(self, words: str, *, here: bool = False) -> None:
        """Says what came of a command, to the eye and to the ear; `here` if the caret takes it along when it goes."""
        if here:
            self._follow_resting_caret()
        self.status.tell(words, _TOLD, here=here)
        self.voice.say(words)

    def _check(self) -> None:
        self.session.check()
        self.folder_problems.go_on()
        if self.session.current is None and self.session.root is None:
            self._tell("Open a template or folder to check.")

    def _edit(self, what: str) -> None:
        """Gives a command of editing to whatever has the focus, or to the text."""
        focused = QApplication.focusWidget()
        target = focused if hasattr(focused, what) else self.area.editor and self.area.editor.editor
        if target is not None:
            getattr(target, what)()

    def _mark_problems(self, document: Document) -> None:
        from heatstudio.ui.commands.editor_markers import marks_of

        self.area.editor_of(document).set_marks(marks_of(document))
        if self.is_ready and document is self.session.current and self.area.editor is not None:
            self.navigation.follow_caret(self.area.editor.caret_offset())

    def _mark_changes(self, document: Document) -> None:
        from heatstudio.ui.commands.editor_markers import change_marks_of

        self.area.editor_of(document).set_change_marks(change_marks_of(document))

    def _compare(self, side: str) -> None:
        """Compares with the old side that the preview asks for."""
        self.actions_by_name[f"against-{side}"].trigger()

    def _show_about(self) -> None:
        from heatstudio.ui.window.about import show_about

        show_about(self)

    def take_first_steps(self) -> None:
        """Opens the sample, with the tasks below it."""
        self.files.open_sample()
        if self.session.current is not None:
            self.preview_dock.unfold()
            self.first_steps.start(self.session.current)
