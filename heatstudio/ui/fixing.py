"""Applying fixes: at the caret, the preferred one, or all that are safe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from heatstudio.text import Applicability, Fix
from heatstudio.ui.appearance import Appearance
from heatstudio.ui.document import Document
from heatstudio.ui.editor_area import EditorArea
from heatstudio.ui.fixing_files import TYPED_MEANWHILE, FixingFiles
from heatstudio.ui.jobs import Finish, Job
from heatstudio.ui.navigation import Navigation
from heatstudio.ui.session import Session

if TYPE_CHECKING:  # the engine and the panes are imported after the first paint
    from heatstudio.analysis import Diagnostic
    from heatstudio.stack.update.update_plan import Cause, ResourceChange
    from heatstudio.ui.engine import Engine
    from heatstudio.ui.problems import ProblemsPane

NOTHING_HERE = "Nothing to fix on this line. F8 goes to the next problem."
NOTHING_READY = "Nothing is ready-made for this problem: Ctrl+F1 explains it and tells the way out."
NOT_MUTED = "No comment can be written there: neither JSON nor a text of several lines takes one."


class Fixing(QObject):
    """What the thread that thinks works out, the editors apply: one undo step in each file."""

    told = Signal(str)
    """A sentence for the status bar."""

    def __init__(self, session: Session, area: EditorArea, navigation: Navigation, appearance: Appearance) -> None:
        super().__init__(area)
        self._session = session
        self._area = area
        self._navigation = navigation
        self._problems: ProblemsPane | None = None
        self.files = FixingFiles(session, area, appearance)
        self.files.told.connect(self.told)

    def slots(self) -> Mapping[str, Callable[[], object]]:
        """What the commands of fixes do."""
        return {
            "fix": self.show_fixes,
            "fix-preferred": self.apply_preferred,
            "fix-all": self.apply_all,
            "fix-files": self.files.choose,
        }

    def join(self, problems: ProblemsPane) -> None:
        """Gets to know the pane that lists fixes."""
        self._problems = problems
        problems.fix_requested.connect(self._area.apply_fix)
        problems.kind_requested.connect(self.files.choose)
        problems.neutrality_asked.connect(self._prove)
        problems.mute_requested.connect(self.mute)

    def show_fixes(self) -> None:
        """Shows the fixes of the selected problem, or of the one at the caret."""
        if self._problems is not None and self._problems.view.hasFocus():
            self._problems.fix_selected()
        else:
            self.show_fixes_at_caret()

    def show_fixes_at_caret(self) -> None:
        """Shows the ways out of the problem at the caret."""
        found = self._navigation.diagnostic_at_caret()
        if found is None or self._problems is None:
            self.told.emit(self._why_nothing())
        else:
            self._problems.show_fixes(found, self._area.caret_point())

    def apply_preferred(self) -> None:
        """Applies the preferred fix at the caret, or the only one, unless it needs a decision."""
        found, document = self._navigation.diagnostic_at_caret(), self._session.current
        if found is None or document is None or document.current_analysis is None:
            self.told.emit(self._why_nothing())
            return
        fixes: tuple[Fix, ...] = document.current_analysis.fixes(found)
        wanted = [fix for fix in fixes if fix.preferred or len(fixes) == 1]
        if wanted and wanted[0].applicability is not Applicability.DECISION:
            self._area.apply_fix(wanted[0])
        else:
            self.told.emit("None of the fixes is preferred: Alt+Enter shows them all.")

    def _why_nothing(self) -> str:
        return NOTHING_HERE if self._navigation.problem_at_caret() is None else NOTHING_READY

    def mute(self, diagnostic: Diagnostic, reason: str = "") -> None:
        """Writes the comment that silences a problem where it stands, as one undo step; the focus stays."""
        from heatstudio.analysis.mutes import mute_edit

        document, editor = self._session.current, self._area.editor
        if document is None or editor is None or document.current_analysis is None:
            self.told.emit(TYPED_MEANWHILE)
            return
        edit = mute_edit(document.current_analysis.template, diagnostic, reason)
        if edit is None:
            self.told.emit(NOT_MUTED)
        else:
            editor.apply_edits([edit])
            self.told.emit(f"`{diagnostic.code}` is muted here; undo takes the comment back.")

    def apply_all(self) -> None:
        """Applies all safe fixes to the current document."""
        if self._session.current is not None:
            self.files.fix(self._session.current)

    def revert(self, change: ResourceChange, cause: Cause | None) -> None:
        """Takes back what an update would do to a resource, or one part of it."""
        document = self._session.current
        if document is None or document.current_analysis is None:
            self.told.emit(TYPED_MEANWHILE)
            return
        analysis, old, version = document.current_analysis, document.old_snapshot(self._session.root), document.version

        def work(engine: Engine, _job: Job) -> Finish:
            fix = engine.revert(analysis, old, change, cause)
            return lambda: self._apply_one(document, version, fix)

        self._session.run(f"Working out how to revert {change.name}", work)

    def _apply_one(self, document: Document, version: int, fix: Fix | None) -> None:
        if fix is None:
            self.told.emit("This does not come from the text of the resource: change what it refers to.")
        elif document.version == version:
            self._area.editor_of(document).apply_fix(fix)
            self.told.emit(f"{fix.title}: one undo takes it back.")

    def _prove(self, fix: Fix) -> None:
        """Finds out whether a fix changes nothing for a stack, and lets the list of fixes say so."""
        document, problems = self._session.current, self._problems
        if document is None or document.current_analysis is None or problems is None:
            return
        analysis = document.current_analysis

        def work(engine: Engine, _job: Job) -> Finish:
            neutral = engine.is_neutral(analysis, fix)
            return lambda: problems.show_neutrality(fix, neutral)

        self._session.run("Proving that the fix changes nothing", work)
