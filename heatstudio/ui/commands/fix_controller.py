"""Apply fixes: at the cursor, the preferred one, or all safe ones."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial

from PySide6.QtCore import QObject, QRect

from heatstudio.analysis import Diagnostic
from heatstudio.analysis.suppressions import mute_edit
from heatstudio.service.engine import Engine
from heatstudio.service.workspace.job import Job
from heatstudio.template import CannotEditError
from heatstudio.text import Fix, preferred_fix
from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.commands.folder_fix_controller import TYPED_MEANWHILE, FolderFixController
from heatstudio.ui.commands.navigation import Navigation
from heatstudio.ui.documents.document import Document
from heatstudio.ui.problems import ProblemsPane
from heatstudio.ui.problems.fix_chooser import FixChooser
from heatstudio.ui.problems.mini_diff import DiffLine, mini_diff
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.workspace.session import Session
from heatstudio.update.plan.update_plan import Cause, ResourceChange

NOTHING_HERE = "No problem on this line. F8 goes to the next one."
NOTHING_READY = "No fix for this problem. F1 explains it."
NOT_MUTED = "JSON and multi-line strings cannot contain comments. Suppress the problem in heatstudio.toml."


class FixController(QObject):
    """The fix commands; the engine computes fixes, and the editors apply them as one undo step per file."""

    def __init__(
        self,
        session: Session,
        area: EditorArea,
        navigation: Navigation,
        problems: ProblemsPane,
        files: FolderFixController,
        *,
        appearance: Appearance,
    ) -> None:
        super().__init__(area)
        self._session = session
        self._area = area
        self._navigation = navigation
        self._problems = problems
        self._appearance = appearance
        self.files = files
        problems.fixes_requested.connect(self._show_fixes_of)
        problems.fix_requested.connect(self._apply_preferred_of)
        problems.mute_requested.connect(self.suppression)

    @cached_property
    def chooser(self) -> FixChooser:
        """The popup of the fixes of one problem, created on first use."""
        chooser = FixChooser(self._appearance, self._area)
        chooser.fix_requested.connect(self._area.apply_fix)
        chooser.kind_requested.connect(self.files.choose)
        chooser.neutrality_asked.connect(self._prove)
        return chooser

    def command_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the fix commands."""
        return {
            "fix": self.show_fixes,
            "fix-preferred": self.apply_preferred,
            "fix-all": self.apply_all,
            "fix-files": self.files.choose,
            "upgrade": self.files.upgrade,
        }

    def show_fixes(self) -> None:
        """Show the fixes of the selected problem in the pane with the focus, or of the problem at the cursor."""
        if self._problems.view.hasFocus():
            self._problems.fix_selected()
        else:
            self.show_fixes_at_caret()

    def show_fixes_at_caret(self) -> None:
        """Show the fixes of the problem at the cursor."""
        found = self._navigation.diagnostic_at_caret()
        if found is None:
            self._session.show_message(self._why_nothing())
        else:
            self._show_fixes_of(found, self._area.caret_rect())

    def apply_preferred(self) -> None:
        """Apply the preferred fix at the cursor, or the only one, unless it needs a decision."""
        found = self._navigation.diagnostic_at_caret()
        if found is None:
            self._session.show_message(self._why_nothing())
        else:
            self._apply_preferred_of(found)

    def _show_fixes_of(self, diagnostic: Diagnostic, anchor: QRect) -> None:
        def show(diffs: Mapping[Fix, Sequence[DiffLine]]) -> None:
            if diffs:
                self.chooser.choose(diffs, anchor, diagnostic.code)

        self._render(diagnostic, show)

    def _apply_preferred_of(self, diagnostic: Diagnostic) -> None:
        def apply(diffs: Mapping[Fix, Sequence[DiffLine]]) -> None:
            fix = preferred_fix(tuple(diffs))
            if fix is not None:
                self._area.apply_fix(fix)
            else:
                self._session.show_message("No preferred fix. Alt+Enter shows all fixes.")

        self._render(diagnostic, apply)

    def _render(self, diagnostic: Diagnostic, take: Callable[[Mapping[Fix, Sequence[DiffLine]]], object]) -> None:
        """Render the fixes of a problem in a thread; call `take` with their diffs unless the text has changed."""
        document = self._session.current
        if document is None or document.current_analysis is None:
            self._session.show_message(TYPED_MEANWHILE)
            return
        analysis, text, version = document.current_analysis, document.text, document.version

        def work(_engine: Engine, _job: Job) -> Mapping[Fix, Sequence[DiffLine]]:
            return {fix: mini_diff(text, fix) for fix in analysis.fixes(diagnostic)}

        def show(diffs: Mapping[Fix, Sequence[DiffLine]]) -> None:
            if self._session.current is document and document.version == version:
                take(diffs)
            else:
                self._session.show_message(TYPED_MEANWHILE)

        self._session.run("Rendering fixes", work, show)

    def _why_nothing(self) -> str:
        return NOTHING_HERE if self._navigation.problem_at_caret() is None else NOTHING_READY

    def suppression(self, diagnostic: Diagnostic, reason: str = "") -> None:
        """Write the suppression comment of a problem, as one undo step; the focus does not move."""
        document, editor = self._session.current, self._area.editor
        if document is None or editor is None or document.current_analysis is None:
            self._session.show_message(TYPED_MEANWHILE)
            return
        edit = mute_edit(document.current_analysis.template, diagnostic, reason)
        if edit is None:
            self._session.show_message(NOT_MUTED)
        else:
            editor.apply_edits([edit])
            self._session.show_message(f"Suppressed {diagnostic.code}. Undo removes the comment.")

    def apply_all(self) -> None:
        """Apply all safe fixes to the current document."""
        if self._session.current is not None:
            self.files.fix(self._session.current)

    def revert(self, change: ResourceChange, cause: Cause | None) -> None:
        """Revert the change of a resource in the text, or only the part with a given cause."""
        document = self._session.current
        if document is None or document.current_analysis is None:
            self._session.show_message(TYPED_MEANWHILE)
            return
        analysis, old, version = document.current_analysis, document.old_snapshot(self._session.root), document.version

        def work(engine: Engine, _job: Job) -> Fix | str:
            try:
                return engine.revert(analysis, old, change, cause)
            except CannotEditError as error:
                return error.reason

        name = f"Finding how to revert {change.name}"
        self._session.run(name, work, partial(self._take_revert, document, version))

    def _take_revert(self, document: Document, version: int, fix: Fix | str) -> None:
        if isinstance(fix, str):
            self._session.show_message(fix)
        elif document in self._session.documents and document.version == version:
            self._area.editor_of(document).apply_edits(fix.edits)
            self._session.show_message(f"Done: {fix.title}. Undo reverts it.")

    def _prove(self, fix: Fix) -> None:
        """Compute whether a fix has no effect on a stack, and show that in the list of fixes."""
        document = self._session.current
        if document is None or document.current_analysis is None:
            return
        analysis = document.current_analysis

        take = partial(self.chooser.show_neutrality, fix)
        self._session.run("Checking the effect of the fix", lambda engine, _job: engine.is_neutral(analysis, fix), take)
