"""The workbench: panes, controllers and command handlers that fill the window after its first paint."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6 import QtWidgets
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QAbstractItemView, QApplication, QPlainTextEdit, QWidget

from heatstudio import __version__
from heatstudio.assets import icon_path
from heatstudio.text import Severity
from heatstudio.ui.commands.actions import COMMANDS, FOR_EDITOR
from heatstudio.ui.commands.assistant import Assistant
from heatstudio.ui.commands.change_navigation import ChangeGuide, change_marks_of, marks_of_tests
from heatstudio.ui.commands.fix_controller import FixController
from heatstudio.ui.commands.folder_fix_controller import FolderFixController
from heatstudio.ui.commands.navigation import Navigation
from heatstudio.ui.commands.settings_controller import SettingsController
from heatstudio.ui.commands.text_commands import SelectionSteps, TextCommands
from heatstudio.ui.commands.text_hints import LineChanges, LineHints, Occurrences
from heatstudio.ui.commands.text_menu import RecentMenu, TabMenu, TextMenu
from heatstudio.ui.documents.document import Document
from heatstudio.ui.editor.text.code_page import TEXT_SIZE
from heatstudio.ui.problems.pane import ProblemsPane
from heatstudio.ui.target.target_controller import TargetController
from heatstudio.ui.widgets.announcer import ScreenReaderAnnouncer
from heatstudio.ui.widgets.panel import Panel
from heatstudio.ui.widgets.picker import Picker
from heatstudio.ui.window.caret_problem import CaretProblem
from heatstudio.ui.window.insert_controller import InsertController
from heatstudio.ui.window.stack_panes import StackPanes
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.folder_problems import FolderProblems

if TYPE_CHECKING:
    from heatstudio.ui.browser.pane import BrowserPane
    from heatstudio.ui.browser.type_page import TypePage
    from heatstudio.ui.outline.pane import OutlinePane
    from heatstudio.ui.preview.pane import PreviewPane
    from heatstudio.ui.window.cloud_controller import CloudController
    from heatstudio.ui.window.first_steps import FirstSteps
    from heatstudio.update.plan.capacity import Capacity


_SHOWN = 6000
"""Milliseconds that a message stays in the status bar."""


class Workbench(QObject):
    """The mediator between panes, which do not know each other."""

    def __init__(self, window: Window, folder_problems: FolderProblems, problems: ProblemsPane) -> None:
        super().__init__(window)
        session, appearance, sides = window.session, window.appearance, window.sides
        area, files, actions = window.area, window.files, window.actions_by_name
        self.window = window
        self.session = session
        self.folder_problems = folder_problems
        self.problems = problems
        self.voice = ScreenReaderAnnouncer(window)
        self.picker = Picker(appearance, window)
        self.navigation = Navigation(session, area, files, self.picker)
        self.assistant = Assistant(session, area, files, self.picker)
        self.target_controller = TargetController(session, window)
        files_to_fix = FolderFixController(session, area, appearance, self.target_controller.releases)
        self.fix_controller = FixController(
            session, area, self.navigation, problems, files_to_fix, appearance=appearance
        )
        self.text_commands = TextCommands(session, area, actions, files)
        self.settings_controller = SettingsController(
            session.settings, area, window.actions_by_name, appearance, window
        )
        self.stack_panes = StackPanes(window, self.navigation, self.assistant, problems, folder_problems)
        self.caret_problem = CaretProblem(window, self.navigation, self.voice)
        self.line_changes = LineChanges(session, area, actions, self.stack_panes.shown_comparison)
        sides.take_makers(self._pane_makers())
        area.groups.offer_panels(
            {
                "Graph": lambda: self.stack_panes.graph,
                "Comparison": lambda: self.stack_panes.compare,
                "User Guide": lambda: self.stack_panes.guide,
            }
        )
        self.insert_controller = InsertController(window, lambda: self.type_page)
        self.line_hints = LineHints(session, area, actions)
        self.occurrences = Occurrences(session, area)
        self.text_menu = TextMenu(session, area, self.navigation, actions)
        self._connect_panes()
        self._fill_menus()
        self._connect_commands()
        if session.settings.imported_types:
            self.cloud.recall_imported()
        window.memory.follow()
        window.follow_caret_now()

    @cached_property
    def browser(self) -> BrowserPane:
        """The pane of resource types, imported and built on first use, as the following ones."""
        from heatstudio.ui.browser.pane import BrowserPane

        pane = BrowserPane(self.session, self.window.appearance)
        pane.type_selected.connect(self.insert_controller.show_type)
        pane.insert_requested.connect(self.insert_controller.insert)
        return pane

    @cached_property
    def type_page(self) -> TypePage:
        """The page of a resource type."""
        from heatstudio.ui.browser.type_page import TypePage

        pane = TypePage(self.session, self.window.appearance)
        pane.insert_requested.connect(self.insert_controller.insert)
        pane.type_requested.connect(self.insert_controller.show_type)
        return pane

    @cached_property
    def outline(self) -> OutlinePane:
        """The outline, which follows the caret."""
        from heatstudio.ui.outline.pane import OutlinePane

        pane = OutlinePane(self.session, self.window.appearance)
        pane.text_requested.connect(self.window.area.focus_text)
        pane.location_requested.connect(self.navigation.show)
        self.window.caret_rested.connect(pane.follow_caret)
        self.window.follow_caret_now()
        return pane

    @cached_property
    def preview(self) -> PreviewPane:
        """The update preview."""
        from heatstudio.ui.preview.pane import PreviewPane

        pane = PreviewPane(self.session, self.window.appearance)
        pane.text_requested.connect(self.window.area.focus_text)
        guide = ChangeGuide(self.session, self.navigation, self.assistant, self.stack_panes.show_old_resource)
        pane.location_requested.connect(guide.show)
        pane.before_requested.connect(guide.show_before)
        pane.subject_requested.connect(guide.show_subject)
        pane.revert_requested.connect(self.fix_controller.revert)
        pane.error_requested.connect(self.navigation.show)
        pane.baseline_requested.connect(self._ask_baseline)
        return pane

    @cached_property
    def first_steps(self) -> FirstSteps:
        """The tasks on the sample, below the text."""
        from heatstudio.ui.window.first_steps import FirstSteps

        steps = FirstSteps(self.session, self.window.appearance, self.preview)
        steps.announced.connect(self.voice.say)
        self.window.area.add_strip(steps)
        return steps

    @cached_property
    def cloud(self) -> CloudController:
        """The controller of the cloud, imported and built on first use."""
        from heatstudio.ui.window.cloud_controller import CloudController

        window = self.window
        cloud = CloudController(window, self.navigation)
        cloud.text_requested.connect(window.area.focus_text)
        cloud.connected.connect(window.status.show_cloud)
        cloud.link.capacity_changed.connect(self._show_capacity)
        cloud.folder_requested.connect(lambda folder: window.files.open([str(folder)]))
        return cloud

    def take_first_steps(self) -> None:
        """Open the sample with the first steps."""
        self.window.files.open_sample()
        self.begin_first_steps()

    def begin_first_steps(self) -> None:
        """Show the first steps for the current document."""
        if self.session.current is not None:
            self.window.sides.show_pane("Preview")
            self.first_steps.start(self.session.current)

    def _fill_menus(self) -> None:
        window, session = self.window, self.session
        TabMenu(session, window.area, window.files)
        window.status.release.setMenu(self.target_controller.releases)
        window.actions_by_name.insert_menu("client-versions", self.target_controller.releases)
        window.actions_by_name.insert_menu("open-folder", RecentMenu(session.settings, window.files, window))
        session.current_changed.connect(self._show_badge)
        session.analysis_changed.connect(self._show_badge)

    def _pane_makers(self) -> dict[str, Callable[[], Panel]]:
        """Return the functions that make the panes which are not needed before they are visible."""
        return {
            "Types": lambda: self.browser,
            "Files": lambda: self.stack_panes.files,
            "Cloud": lambda: self.cloud.stacks,
            "Outline": lambda: self.outline,
            "Preview": lambda: self.preview,
            "Type": lambda: self.type_page,
            "Explanation": lambda: self.stack_panes.explain,
            "Search": lambda: self.stack_panes.search,
            "Parameters": lambda: self.stack_panes.parameters,
            "Heat": lambda: self.cloud.heat,
        }

    def _show_badge(self) -> None:
        """Show the number of errors of the current document as the application's badge, if any."""
        application, document = QGuiApplication.instance(), self.session.current
        found = document.problems or () if document is not None else ()
        if isinstance(application, QGuiApplication):
            application.setBadgeNumber(sum(one.severity is Severity.ERROR for one in found))

    def _connect_commands(self) -> None:
        window, actions = self.window, self.window.actions_by_name
        for one in (
            window.files,
            window.files.baselines,
            window.sides,
            self.fix_controller,
            self.assistant,
            self.stack_panes,
            self.line_changes,
            self.target_controller,
            self.text_commands,
        ):
            actions.connect_handlers(one.command_handlers())
        actions.connect_handlers(self.settings_controller.command_handlers(self.picker))
        for handlers in (self._own_handlers(), self._cloud_handlers(), self._text_handlers(), self._go_handlers()):
            actions.connect_handlers(handlers)
        actions.run_waiting()

    def _connect_panes(self) -> None:
        window, session, area = self.window, self.session, self.window.area
        session.message_requested.connect(self._show)
        window.sides.message_requested.connect(self._show)
        self.assistant.local_message_requested.connect(partial(self._show, here=True))
        self.problems.location_requested.connect(self.navigation.show_place)
        self.problems.text_requested.connect(area.focus_text)
        window.files.compared.connect(self.stack_panes.show_comparison)
        self.stack_panes.revert_requested.connect(self.line_changes.revert_at)
        window.files.saving.connect(self.settings_controller.end_last_line)
        self.assistant.type_requested.connect(self.insert_controller.show_type)
        self.fix_controller.refactoring_requested.connect(self.assistant.apply_refactoring)
        self.fix_controller.command_requested.connect(self._trigger)
        self.stack_panes.type_dropped.connect(self.insert_controller.insert)
        window.files.baselines.choices_found.connect(self.picker.choose)
        area.follow(lambda pane: pane.editor.gutter.fixes_requested, self.fix_controller.show_fixes_at_caret)
        area.follow(lambda pane: pane.message_requested, self._show)
        area.banner.said.connect(self._say_banner)
        area.banner.repeat()
        session.analysis_changed.connect(self._remember_place)
        session.plan_changed.connect(self._mark_changes)
        for document in session.documents:  # whose plan may be older than this object
            self._mark_changes(document)
        session.checking_stopped.connect(self._show_stop)
        for follow in (self.caret_problem.refresh, self.navigation.follow_caret):
            window.caret_rested.connect(follow)
        window.activated.connect(self._follow_activation)
        window.resized.connect(window.memory.keep_soon)

    def _show_capacity(self, capacity: Capacity | None) -> None:
        self.preview.show_capacity(capacity)

    def _trigger(self, command: str) -> None:
        self.window.actions_by_name[command].trigger()

    def _ask_baseline(self, side: str) -> None:
        self.window.actions_by_name["cloud-compare" if side == "running" else f"against-{side}"].trigger()

    def _own_handlers(self) -> dict[str, Callable[[], object]]:
        window = self.window
        return {
            "environments": window.environments.show,
            "against-environments": window.environments.show_old,
            "copy-preview": lambda: QApplication.clipboard().setText(self.preview.markdown()),
            "command-palette": lambda: self.navigation.choose_command(window.actions_by_name),
            "shortcuts": lambda: self.navigation.choose_command(window.actions_by_name),
            "check": self._check,
            "stop": self.session.jobs.stop_shown,
            "insert": partial(window.sides.reveal, "Types"),
            "first-steps": self.take_first_steps,
            "about": lambda: show_about(window),
            "quit": window.close,
        }

    def _cloud_handlers(self) -> dict[str, Callable[[], object]]:
        return {name: partial(self._run_in_cloud, name) for name in COMMANDS if name.startswith("cloud-")}

    def _run_in_cloud(self, command: str) -> None:
        self.cloud.command_handlers()[command]()

    def _text_handlers(self) -> dict[str, Callable[[], object]]:
        area = self.window.area
        return {
            **{name: partial(self._edit, name) for name in ("undo", "redo", "cut", "copy", "paste")},
            "select-all": partial(self._edit, "selectAll"),
            **{name: partial(area.command, name) for name in FOR_EDITOR},
            "zoom-in": lambda: area.use_font(area.text_size + 1),
            "zoom-out": lambda: area.use_font(area.text_size - 1),
            "zoom-reset": lambda: area.use_font(TEXT_SIZE),
        }

    def _go_handlers(self) -> dict[str, Callable[[], object]]:
        area, order = self.window.area, self.window.focus_order
        steps = SelectionSteps(self.session, area)
        return {
            "expand-selection": steps.expand,
            "shrink-selection": steps.shrink,
            "back": lambda: self._travel(self.navigation.back),
            "forward": lambda: self._travel(self.navigation.forward),
            "locate": lambda: self.navigation.choose_anything(self.insert_controller.show_type),
            "symbol": self.navigation.choose_symbol,
            "file": self.navigation.choose_file,
            "next-tab": lambda: area.step(1),
            "previous-tab": lambda: area.step(-1),
            "tab-left": lambda: area.move_tab(-1),
            "tab-right": lambda: area.move_tab(1),
            "editor": area.focus_text,
            "close": area.close_tab,
            "split-right": partial(area.split, is_down=False),
            "split-down": partial(area.split, is_down=True),
            "move-to-other-group": area.move_to_other,
            "focus-other-group": area.focus_other,
            "next-part": lambda: order.step_part(forward=True),
            "previous-part": lambda: order.step_part(forward=False),
        }

    def _travel(self, move: Callable[[], object]) -> None:
        """Navigate in the history after it was updated with the caret's position."""
        self.window.follow_caret_now()
        move()

    def _follow_activation(self, is_active: bool) -> None:
        """Check the files when the window is activated; save, if set, when it is deactivated."""
        if is_active:
            self.session.check_disk()
            self.window.files.baselines.refresh()
            self.session.reanalyze_current()
        else:
            self.settings_controller.leave(self.window.files)

    def _remember_place(self, document: Document) -> None:
        """Update the history after the analysis, which determines the caret's path."""
        editor = self.window.area.editor
        if document is self.session.current and editor is not None:
            self.navigation.follow_caret(editor.caret_offset())

    def _mark_changes(self, document: Document) -> None:
        """Show outcomes of the update, or results of tests, beside the text; during errors, the last ones stay."""
        state = document.state
        plan = state.plan if state is not None else None
        is_old = (plan is not None and plan.refusals) or (state is not None and not state.analysis.template.complete)
        for editor in self.window.area.groups.editors_of(document):
            if is_old:
                editor.decorations.age_changes()
            else:
                editor.decorations.set_changes(marks_of_tests(document) or change_marks_of(document))

    def _show(self, words: str, *, here: bool = False) -> None:
        """Show and announce the result of a command; with `here`, until the caret moves."""
        if here:
            self.window.follow_caret_now()
        self.window.status.tell(words, _SHOWN, here=here)
        self.voice.say(words)

    def _show_stop(self, document: Document) -> None:
        self._show(f"{document.title} is not checked. F5 checks it.")

    def _say_banner(self, words: str) -> None:
        self.voice.say(words, urgent=True)

    def _check(self) -> None:
        self.session.check()
        self.folder_problems.go_on()
        if self.session.current is None and self.session.root is None:
            self._show("Open a template or folder to check.")

    def _edit(self, what: str) -> None:
        """Send an editing command to the focused widget that supports it, else to the text.

        Nothing is cut from, or pasted into, the text while the focus is in a list.
        """
        focused, area = QApplication.focusWidget(), self.window.area
        if what in ("cut", "paste") and isinstance(focused, QAbstractItemView):
            self._show("Select text in the editor first (Ctrl+1).")
            return
        is_shown_only = isinstance(focused, QPlainTextEdit) and focused.isReadOnly() and what in ("undo", "redo")
        is_able = hasattr(focused, what) and not is_shown_only  # in the comparison, the text is undone
        target = focused if is_able else area.editor and area.editor.editor
        if target is not None:
            getattr(target, what)()


_PICTURE = 48


def show_about(window: QWidget) -> None:
    """Show the About box, which is not modal."""
    box = QtWidgets.QMessageBox(window)  # its enumerations are created at the first access
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setModal(False)
    box.setAccessibleName("About Heat Studio")
    box.setWindowTitle("About Heat Studio")
    box.setIconPixmap(QIcon(str(icon_path("heatstudio"))).pixmap(_PICTURE))
    box.setText(f"<b>Heat Studio {__version__}</b>")
    box.setInformativeText(
        "An editor for OpenStack Heat templates. Catches what the Heat engine would reject, offline, as you type."
    )
    box.show()
