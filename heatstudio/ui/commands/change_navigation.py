"""Show the lines of a row of the update preview, in the template and the baseline."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from heatstudio.analysis.changes.change_place import ChangePlace, part_of_cause, place_of_change, place_of_subject
from heatstudio.service.inputs.template_tests import is_test_file, results_of_tests
from heatstudio.template import TreePath, parse_template
from heatstudio.text import Span, editable
from heatstudio.ui.commands.assistant import Assistant
from heatstudio.ui.commands.navigation import Navigation, keeping_focus, place_in_template, place_of_resource
from heatstudio.ui.documents.document import Document
from heatstudio.ui.widgets.outcome import ShownOutcome, ShownTest
from heatstudio.ui.workspace.session import Session
from heatstudio.update.plan.outcome import outcome_of
from heatstudio.update.plan.update_plan import Cause, ResourceChange, Subject

Trail = tuple[ResourceChange, ...]
"""The path from a resource of the template to a nested resource."""


class ChangeGuide(QObject):
    """Navigation to changes, in the editor and, for the baseline, in the comparison."""

    def __init__(
        self,
        session: Session,
        navigation: Navigation,
        assistant: Assistant,
        show_old: Callable[[str, TreePath], object],
    ) -> None:
        super().__init__(assistant)
        self._session = session
        self._navigation = navigation
        self._assistant = assistant
        self._show_old = show_old

    def show(self, trail: Trail, cause: Cause | None) -> None:
        """Show the changed line, possibly in a nested template; show a deleted resource in the baseline."""
        document = self._session.current
        if document is None or document.state is None:
            return
        if place_of_resource(document, trail[0].name) is None:
            self.show_before(trail, cause)
            return
        self._show_place(place_of_change(document.state.analysis, trail, cause))

    def show_subject(self, trail: Trail, cause: Cause | None, subject: Subject) -> None:
        """Show the element that a reason names, such as a parameter, or else the changed line."""
        document = self._session.current
        if document is None or document.state is None:
            return
        place = place_of_subject(document.state.analysis, trail, subject)
        if place is None:
            self.show(trail, cause)
        else:
            self._show_place(place)

    def show_before(self, trail: Trail, cause: Cause | None) -> None:
        """Show the line of the baseline beside the current text; the old text of a nested template has its own tab."""
        document = self._session.current
        if str(trail[0].action) == "added":
            self._tell_new(trail[0])
        elif document is None or document.state is None:
            return
        elif len(trail) > 1:
            self._search_nested(document, trail, cause)
        else:
            self._show_beside(document, trail[0].name, part_of_cause(cause))

    def _show_place(self, place: ChangePlace) -> None:
        if place.file:
            with keeping_focus():
                self._assistant.open_path(place.file, place.path)
        else:
            self._navigation.show_path(place.path)

    def _tell_new(self, change: ResourceChange) -> None:
        self._session.show_message(f"{change.name} is new; it is not in the baseline.")

    def _show_beside(self, document: Document, name: str, part: TreePath) -> None:
        if document.old_text == document.text:
            self._session.show_message("The text is the same in both versions; values, files or environments differ.")
        else:
            self._show_old(name, part)

    def _search_nested(self, document: Document, trail: Trail, cause: Cause | None) -> None:
        """Find the baseline text with the line in another thread, as this defines the stacks of the baseline."""
        if document.state is None:
            return
        analysis, old = document.state.analysis, document.old_snapshot(self._session.root)
        self._session.run(
            f"Looking for {trail[-1].name} in the baseline",
            lambda engine, _: engine.place_before(old, analysis, trail, cause),
            partial(self._show_inside, document, trail),
        )

    def _show_inside(self, document: Document, trail: Trail, place: ChangePlace) -> None:
        if document is not self._session.current:
            return
        if not place.name:
            self._show_beside(document, trail[0].name, place.path[2:])
            return
        show = partial(self._show_template, document, trail, place)
        self._session.read([Path(place.file)] if place.file else [], show)

    def _show_template(self, document: Document, trail: Trail, place: ChangePlace, now: Mapping[Path, str]) -> None:
        template = parse_template(editable(place.text).text)
        if template.find(place.path[:2]) is None:
            self._tell_new(trail[-1])
        elif template.text in now.values():
            self._show_place(place)
            self._session.show_message(f"{place.name} is the same in both versions.")
        else:
            title = f"{place.name} ({document.baseline.label})"
            views = (one for one in self._session.documents if (one.is_view, one.title) == (True, title))
            known = next((one for one in views if one.text == template.text), None)
            shown = known or self._session.show(template.text, title)
            self._navigation.show_place(shown, place_in_template(template, place.path) or Span(0, 0))


def change_marks_of(document: Document) -> dict[int, ShownOutcome]:
    """Return the outcomes of an update by the line of the resource, counted from 0."""
    if document.state is None or document.state.plan is None:
        return {}
    lines = document.lines
    marks: dict[int, ShownOutcome] = {}
    for change in document.state.plan.accepted_changes:
        span = place_of_resource(document, change.name)
        shown = ShownOutcome(outcome_of(change), change.certain)
        if span is not None and shown.is_change:
            marks[lines.position(span.start).line] = shown
    return marks


def marks_of_tests(document: Document) -> dict[int, ShownTest]:
    """Return the results of tests by the line of the test, counted from 0; none for other files."""
    if document.state is None or not is_test_file(document.path):
        return {}
    results = results_of_tests(document.state.analysis)
    return {document.lines.position(one.span.start).line: ShownTest(one.name, len(one.failures)) for one in results}
