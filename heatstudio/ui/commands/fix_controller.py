"""Apply fixes: at the cursor, the preferred one, or all safe ones; offer refactorings beside them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TypeVar

from PySide6.QtCore import QRect, Signal

from heatstudio.analysis import Analysis, Diagnostic
from heatstudio.analysis.example_values import invented_value
from heatstudio.analysis.refactorings import Refactored, Refactoring, RefactoringKind
from heatstudio.analysis.suppressions import mute_edit
from heatstudio.service.edit_effect import EditEffect, edit_effect
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.service.workspace.job import Job
from heatstudio.service.workspace.language_service import LanguageService
from heatstudio.template import CannotEditError
from heatstudio.text import Applicability, Fix, Span, preferred_fix
from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.commands.folder_fix_controller import FolderFixController
from heatstudio.ui.commands.navigation import Navigation
from heatstudio.ui.commands.text_controller import TextController
from heatstudio.ui.problems.fix_chooser import AllOfKind, FixChooser, Heading, MenuCommand, Proposal, ordered_fixes
from heatstudio.ui.problems.mini_diff import DiffLine, mini_diff
from heatstudio.ui.problems.pane import ProblemsPane
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.workspace.session import Session
from heatstudio.update.plan.update_plan import Cause, ResourceChange

NOTHING_HERE = "No problem on this line. F8 goes to the next one."
NOTHING_READY = "No fix for this problem. F1 explains it."
NOT_MUTED = "JSON and multi-line strings cannot contain comments. Suppress the problem in heatstudio.toml."
_EFFECT = "Computing the effect on the stack"
_MOST_PROBLEMS = 20
"""The maximum number of problems of a resource whose fixes are listed besides those of the cursor's line."""
_Found = TypeVar("_Found")


class FixController(TextController):
    """The fix commands; the engine computes fixes, and the editors apply them as one undo step per file."""

    command_requested = Signal(str)
    refactoring_requested = Signal(object, object)
    """The refactoring and its edits of the current document and of files beside it."""

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
        super().__init__(session, area)
        self._navigation, self._problems, self._appearance = navigation, problems, appearance
        self.files = files
        problems.fixes_requested.connect(self._show_fixes_of)
        problems.fix_requested.connect(self._apply_preferred_of)
        problems.mute_requested.connect(self.suppression)

    @cached_property
    def chooser(self) -> FixChooser:
        """The menu of fixes and refactorings, created on first use."""
        chooser = FixChooser(self._appearance, self._area)
        chooser.fix_requested.connect(self._apply_chosen)
        chooser.kind_requested.connect(self.files.choose)
        chooser.command_requested.connect(self.command_requested)
        chooser.refactoring_requested.connect(self.refactoring_requested)
        chooser.effect_asked.connect(self._find_effect)
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
        """Show the fixes of the cursor's line and resource, and the refactorings that apply there."""
        document, editor = self._session.current, self._area.editor
        if document is None or editor is None or document.current_analysis is None:
            self._say_changed()
            return
        here, selection = self._navigation.fixable_at_caret(), editor.selection()
        problem = self._navigation.problem_at_caret()
        anchor, line = self._area.caret_rect(), editor.caret_place().line + 1

        def find(analysis: Analysis) -> tuple[list[object], Mapping[Fix, Sequence[DiffLine]]]:
            language, text = LanguageService.of(analysis, analysis.template.text), analysis.template.text
            refactorings = () if document.is_read_only else language.refactorings(selection)
            groups: list[tuple[str, list[object]]] = [
                (f"Line {line}", _fix_rows(analysis, here)),
                *_fixes_of_resource(analysis, here, selection.start),
                ("Refactor", [one for one in refactorings if one.kind is not RefactoringKind.MOVE]),
                ("More", _command_rows(language, selection.start, problem)),
                ("Move", [one for one in refactorings if one.kind is RefactoringKind.MOVE]),
            ]
            rows = [row for heading, rows in groups if rows for row in (Heading(heading), *rows)]
            return rows, {fix: mini_diff(text, fix) for fix in rows if isinstance(fix, Fix)}

        def show(found: tuple[list[object], Mapping[Fix, Sequence[DiffLine]]]) -> None:
            if found[0]:
                self.chooser.choose(*found, anchor)
            else:
                self._session.show_message(NOTHING_HERE)

        self._of_analysis("Finding fixes and refactorings", find, show)

    def apply_preferred(self) -> None:
        """Apply the preferred fix at the cursor, or the only one, unless it needs a decision."""
        found = next(iter(self._navigation.fixable_at_caret()), None)
        if found is None:
            self._session.show_message(NOTHING_READY if self._navigation.problem_at_caret() else NOTHING_HERE)
        else:
            self._apply_preferred_of(found)

    def _show_fixes_of(self, diagnostic: Diagnostic, anchor: QRect) -> None:
        def show(diffs: Mapping[Fix, Sequence[DiffLine]]) -> None:
            if diffs:
                self.chooser.choose([*diffs, AllOfKind(diagnostic.code)], diffs, anchor)

        self._render(diagnostic, show)

    def _apply_preferred_of(self, diagnostic: Diagnostic) -> None:
        def apply(diffs: Mapping[Fix, Sequence[DiffLine]]) -> None:
            fix = preferred_fix(tuple(diffs))
            if fix is not None:
                self._apply_chosen(fix)
            else:
                self._session.show_message("No preferred fix. Alt+Enter shows all fixes.")

        self._render(diagnostic, apply)

    def _apply_chosen(self, fix: Fix) -> None:
        """Apply a fix, and select the value that it invents; the focus does not move."""
        editor = self._area.editor
        invented = invented_value(fix) if fix.applicability is not Applicability.SAFE else None
        if editor is not None:
            editor.apply_edits(fix.edits)
            if invented is not None:
                editor.show_span(invented)

    def _render(self, diagnostic: Diagnostic, take: Callable[[Mapping[Fix, Sequence[DiffLine]]], object]) -> None:
        """Render the fixes of a problem in a thread; call `take` with their diffs unless the text has changed."""

        def find(analysis: Analysis) -> Mapping[Fix, Sequence[DiffLine]]:
            text = analysis.template.text
            return {fix: mini_diff(text, fix) for fix in ordered_fixes(analysis.fixes(diagnostic))}

        self._of_analysis("Rendering fixes", find, take)

    def _of_analysis(self, name: str, find: Callable[[Analysis], _Found], take: Callable[[_Found], object]) -> None:
        """Query the current analysis in a thread; call `take` with the answer unless the text has changed."""
        document = self._session.current
        if document is None or document.current_analysis is None:
            self._say_changed()
            return
        analysis = document.current_analysis

        def show(found: _Found) -> None:
            if self._session.current is document:
                take(found)
            else:
                self._say_changed()

        self._session.run(name, lambda *_: find(analysis), self._while_same(document, show, self._say_changed))

    def suppression(self, diagnostic: Diagnostic, reason: str = "") -> None:
        """Write the suppression comment of a problem, as one undo step; the focus does not move."""
        document, editor = self._session.current, self._area.editor
        if document is None or editor is None or document.current_analysis is None:
            self._say_changed()
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
            self._say_changed()
            return
        analysis, old = document.current_analysis, document.old_snapshot(self._session.root)

        def work(engine: Engine, _job: Job) -> Fix | str:
            try:
                return engine.revert(analysis, old, change, cause)
            except CannotEditError as error:
                return error.reason

        take = self._while_same(document, partial(self._apply, document))
        self._session.run(f"Finding how to revert {change.name}", work, take)

    def _find_effect(self, row: Fix | Refactoring) -> None:
        """Compute what a fix or refactoring does to a stack, and show that in the menu."""
        document = self._session.current
        if document is None or document.current_analysis is None:
            return
        analysis, find_snapshot = document.current_analysis, self._session.snapshot(document)

        if isinstance(row, Fix):
            self._session.run(
                _EFFECT,
                lambda engine, _: edit_effect(engine, find_snapshot(), analysis, Refactored(row.edits)),
                partial(self.chooser.show_effect, row),
            )
        else:
            self._session.run(
                _EFFECT,
                lambda engine, _: _proposal(engine, find_snapshot(), analysis, row),
                partial(self.chooser.show_proposal, row),
            )


def _proposal(engine: Engine, snapshot: Snapshot, analysis: Analysis, refactoring: Refactoring) -> Proposal:
    """Return what a refactoring changes, with the effect on a stack, or the reason why it is impossible."""
    try:
        result = refactoring.make()
    except CannotEditError as error:
        return Proposal(effect=EditEffect(refusal=error.reason))
    if result.files and snapshot.path is None:
        return Proposal(effect=EditEffect(refusal="Save the template first: the other file lies beside it."))
    effect = edit_effect(engine, snapshot, analysis, result)
    own = ("", mini_diff(analysis.template.text, Fix("", result.edits)))
    others = [
        (f"{one.file} (new)" if one.is_new else one.file, mini_diff(one.text, Fix("", one.edits)))
        for one in result.files
    ]
    return Proposal(None if effect.refusal else result, (own, *others), effect)


def _fix_rows(analysis: Analysis, problems: Sequence[Diagnostic]) -> list[object]:
    """Return the fixes of problems, and the row of all fixes for the code of the first."""
    fixes = [fix for one in problems for fix in ordered_fixes(analysis.fixes(one))]
    return [*dict.fromkeys(fixes), AllOfKind(problems[0].code)] if fixes else []


def _fixes_of_resource(
    analysis: Analysis, here: Sequence[Diagnostic], offset: int
) -> Iterator[tuple[str, list[object]]]:
    """Yield the heading and fixes of the other problems in the resource around an offset."""
    template = analysis.template
    section = template.sections.get(template.dialect.resources)
    around = [one for one in (section.placed if section is not None else ()) if one.start <= offset <= one.end]
    for placed in around[-1:]:
        span = Span(placed.start, placed.end)
        inside = [one for one in analysis.diagnostics if one.has_fixes and one.elsewhere is None and one not in here]
        found = [one for one in inside if span.start <= one.span.start < span.end][:_MOST_PROBLEMS]
        fixes = dict.fromkeys(fix for one in found for fix in ordered_fixes(analysis.fixes(one)))
        yield f"Resource {placed.entry.name}", [*fixes]


def _command_rows(language: LanguageService, offset: int, problem: Diagnostic | None) -> list[object]:
    """Return the rows of the commands that apply at an offset."""
    named = language.renamable(offset)
    rename = [MenuCommand(f"Rename `{named[0]}`…", "rename")] if named is not None else []
    explain = [MenuCommand(f"Explain {problem.code}", "explain")] if problem is not None else []
    return [*rename, *explain]
