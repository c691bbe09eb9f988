"""The panes about the whole stack: graph, parameters, explanation of a problem, and files of the folder.

The code of a pane is imported when it is first shown, as most sessions need few of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from heatstudio.analysis.changes.change_place import path_of_part
from heatstudio.analysis.scope import Diagnostic
from heatstudio.template import TreePath, parse_template
from heatstudio.ui.commands.actions import PAGES
from heatstudio.ui.commands.assistant import Assistant
from heatstudio.ui.commands.change_navigation import change_marks_of
from heatstudio.ui.commands.navigation import Navigation, place_in_template
from heatstudio.ui.problems.pane import ProblemsPane
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.folder_problems import FolderProblems

if TYPE_CHECKING:
    from heatstudio.ui.editor.compare.pane import ComparePane
    from heatstudio.ui.editor.search.files_pane import FindInFilesPane
    from heatstudio.ui.explain.page_browser import ExplainPane, UserGuide
    from heatstudio.ui.graph.pane import GraphPane
    from heatstudio.ui.parameters.pane import ParametersPane
    from heatstudio.ui.project.pane import FilesPane


class StackPanes(QObject):
    """The controller of the stack panes, which are built on first use."""

    revert_requested = Signal(int)
    """The line of a change to revert."""
    type_dropped = Signal(str)
    """The resource type dropped on the graph."""

    def __init__(
        self,
        window: Window,
        navigation: Navigation,
        assistant: Assistant,
        problems: ProblemsPane,
        folder_problems: FolderProblems,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._sides = window.sides
        self._navigation = navigation
        self._assistant = assistant
        self._problems = problems
        self._folder_problems = folder_problems
        problems.explain_requested.connect(self.show_page)

    @cached_property
    def graph(self) -> GraphPane:
        """The lazily built graph of dependencies."""
        from heatstudio.ui.graph.pane import GraphPane

        window = self._window
        pane = GraphPane(window.session, window.appearance)
        pane.nested_location_requested.connect(self._assistant.open_resource)
        pane.selected.connect(self._navigation.show_resource)
        pane.link_requested.connect(self._assistant.link)
        pane.type_dropped.connect(self.type_dropped)
        pane.text_requested.connect(window.area.focus_text)
        self._follow_caret(pane)
        return pane

    @cached_property
    def parameters(self) -> ParametersPane:
        """The lazily built form of the parameters."""
        from heatstudio.ui.parameters.pane import ParametersPane

        return ParametersPane(self._window.session, self._window.appearance)

    @cached_property
    def compare(self) -> ComparePane:
        """The lazily built comparison of the text with its baseline."""
        from heatstudio.ui.editor.compare.pane import ComparePane

        window = self._window
        pane = ComparePane(window.session, window.appearance, change_marks_of)
        pane.location_requested.connect(self._navigation.go_to)
        pane.left.connect(window.area.focus_text)
        pane.revert_requested.connect(self.revert_requested)
        pane.use_font(window.area.text_size, window.area.text_family)
        window.area.font_changed.connect(pane.use_font)
        self._follow_caret(pane)
        return pane

    @cached_property
    def explain(self) -> ExplainPane:
        """The lazily built explanation of a problem."""
        from heatstudio.ui.explain.page_browser import ExplainPane

        return ExplainPane(self._window.appearance)

    @cached_property
    def guide(self) -> UserGuide:
        """The lazily built user guide."""
        from heatstudio.ui.explain.page_browser import UserGuide

        return UserGuide(self._window.appearance)

    @cached_property
    def files(self) -> FilesPane:
        """The lazily built pane of the folder's files."""
        from heatstudio.ui.commands.file_operations import FileOperations
        from heatstudio.ui.project.pane import FilesPane

        window = self._window
        operations = FileOperations(window.session, window.files, window.area.banner, window)
        follows = window.actions_by_name["follow-file"]
        pane = FilesPane(window.session, window.appearance, self._folder_problems, operations.commands, follows)
        pane.open_requested.connect(self._navigation.show_file)
        pane.text_requested.connect(window.area.focus_text)
        pane.folder_requested.connect(window.files.ask_folder)
        return pane

    @cached_property
    def search(self) -> FindInFilesPane:
        """The lazily built pane to find and replace in files."""
        from heatstudio.ui.editor.search.files_pane import FindInFilesPane

        window = self._window
        pane = FindInFilesPane(window.session, window.appearance, self._assistant.edit_file)
        pane.location_requested.connect(self._navigation.show_place)
        pane.text_requested.connect(window.area.focus_text)
        words = "Not replaced in {}: the text has changed. Search again."
        pane.skipped.connect(lambda files: window.area.banner.say(words.format(", ".join(files)), stays=True))
        return pane

    def _follow_caret(self, pane: GraphPane | ComparePane) -> None:
        """Select the element at the caret in a pane, now and later."""
        self._window.caret_rested.connect(pane.follow_caret)
        editor = self._window.area.editor
        pane.follow_caret(editor.caret_offset() if editor is not None else 0)

    def command_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the panes' commands."""
        return {
            "export-graph": lambda: self._with_graph(self.graph.ask_and_export),
            **{f"copy-graph-{kind}": partial(self._copy_graph, kind) for kind in ("image", "svg", "mermaid")},
            "explain": self.explain_problem,
            **{
                command.name: partial(self._window.area.groups.show_panel, name, focus=True)
                for name, command in PAGES.items()
            },
        }

    def explain_problem(self) -> None:
        """Explain the problem at the caret, or the selected one in the list."""
        is_listed = self._problems.view.hasFocus()
        diagnostic = None if is_listed else self._navigation.problem_at_caret()
        if diagnostic is not None:
            self.show_page(diagnostic)
        else:
            self._problems.explain_selected()
            self._sides.show_pane("Explanation")

    def show_page(self, problem: Diagnostic) -> None:
        """Show the explanation of a problem."""
        self.explain.show_code(problem.code, problem.message, problem.heat)
        self._sides.show_pane("Explanation")

    def show_comparison(self) -> None:
        """Show the comparison without moving the focus."""
        self._window.area.groups.show_panel("Comparison")

    def show_old_resource(self, name: str, part: TreePath) -> None:
        """Show a part of a resource in the old text, beside the current text."""

        def place(text: str) -> int:
            template = parse_template(text)
            span = place_in_template(template, path_of_part(template.dialect, name, part))
            return span.start if span is not None else 0

        self.show_comparison()
        self.compare.show_old_place(place)

    def shown_comparison(self) -> ComparePane | None:
        """Return the comparison if it is visible."""
        return self.compare if self._window.area.groups.is_shown("Comparison") else None

    def _with_graph(self, use: Callable[[], None]) -> None:
        self._window.area.groups.show_panel("Graph")
        use()

    def _copy_graph(self, kind: str) -> None:
        self._with_graph(lambda: self.graph.copy(kind))
