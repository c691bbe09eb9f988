"""The cloud in the window: what its panes ask for, and what becomes of the answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QStandardPaths, Qt, Signal
from PySide6.QtWidgets import QWidget

from heatstudio.ui.appearance import Appearance
from heatstudio.ui.banner import Banner
from heatstudio.ui.cloud_link import CloudLink
from heatstudio.ui.dock import Dock, Docks
from heatstudio.ui.document import Document, running
from heatstudio.ui.jobs import Finish, Job
from heatstudio.ui.navigation import Navigation
from heatstudio.ui.session import Session

if TYPE_CHECKING:  # the engine and the room of the cloud are imported after the first paint
    from heatstudio.cloud import Comparison, Connection, HeatsPreview, Opinion, Progress, StackEvent, StackSummary
    from heatstudio.stack.source import Source
    from heatstudio.stack.update.running_stack import RunningStack
    from heatstudio.stack.update.update_plan import UpdatePlan
    from heatstudio.ui.cloud import HeatPane, StacksPane
    from heatstudio.ui.cloud.heat_model import Said
    from heatstudio.ui.deploy_dialog import Deployment
    from heatstudio.ui.engine import Engine

_LEFT, _BOTTOM = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.BottomDockWidgetArea
_POLL = 1.0
"""Seconds between two looks at the events of a stack."""
NEED_DOCUMENT = ("cloud-opinion", "cloud-preview", "cloud-create", "cloud-update")
"""The commands that make no sense without a document."""


class CloudDesk(QObject):
    """Places the two panes of the cloud, and joins them to the text."""

    stacks: StacksPane
    heat: HeatPane
    connected = Signal(str)
    """The cloud that is connected; empty when none is."""
    _happened = Signal(object, object, int)

    def __init__(
        self,
        session: Session,
        docks: Docks,
        make: Callable[[str], Dock],
        window: QWidget,
        *,
        types: Dock,
        problems: Dock,
    ) -> None:
        super().__init__(window)
        self._session = session
        self._window = window
        self.stacks_dock = docks.add(make("Cloud"), _LEFT, beside=types)
        self.heat_dock = docks.add(make("Heat"), _BOTTOM, beside=problems)
        self.link = CloudLink(session.jobs, cache_folder())
        self._following: Job | None = None
        self.link.changed.connect(self._show_state)
        self.link.known_changed.connect(session.take_cloud)
        self._happened.connect(self._show_progress)

    def furnish(self, appearance: Appearance, navigation: Navigation, banner: Banner) -> None:
        """Makes the panes."""
        from heatstudio.ui.cloud import HeatPane, StacksPane

        self._appearance, self._navigation, self._banner = appearance, navigation, banner
        self.stacks = StacksPane(self.link, appearance)
        self.heat = HeatPane(appearance)
        self.stacks_dock.fill(self.stacks)
        self.heat_dock.fill(self.heat)
        self.stacks.open_requested.connect(self.open)
        self.stacks.compare_requested.connect(self.compare)
        self.stacks.update_requested.connect(self.update_stack)
        self.stacks.follow_requested.connect(self.follow)
        self.heat.location_requested.connect(self._go_to)

    def slots(self) -> Mapping[str, Callable[[], object]]:
        """What the commands of the cloud do."""
        return {
            "show-cloud": self.stacks_dock.reveal,
            "show-heat": self.heat_dock.reveal,
            "cloud-refresh": self.link.refresh,
            "cloud-catalog": self.link.read_catalog,
            "cloud-disconnect": self.link.disconnect_cloud,
            "cloud-open": lambda: self._with_stack(self.open),
            "cloud-compare": lambda: self._with_stack(self.compare),
            "cloud-preview": lambda: self._with_stack(self.ask_preview),
            "cloud-update": lambda: self._with_stack(self.update_stack),
            "cloud-follow": lambda: self._with_stack(self.follow),
            "cloud-opinion": self.ask_opinion,
            "cloud-create": self.create_stack,
        }

    # Reading

    def open(self, stack: StackSummary) -> None:
        """Opens the template of a stack as a document that cannot be changed."""

        def show(found: RunningStack) -> None:
            document = self._session.begin(found.template, f"{stack.name} in {self._cloud}", found)
            self._session.set_baseline(document, running(found, self._label(stack)))

        self._read(stack, show)

    def compare(self, stack: StackSummary) -> None:
        """Makes a stack the old side of the current document's preview."""
        document = self._document()
        if document is not None:
            self._read(stack, lambda found: self._session.set_baseline(document, running(found, self._label(stack))))

    def ask_opinion(self) -> None:
        """Asks Heat what it thinks of the template."""
        source = self._source()
        if source is None:
            return

        def work(connection: Connection, _job: Job) -> Opinion:
            from heatstudio.cloud import submission_of, validate

            return validate(connection, submission_of(source))

        self.link.ask("Asking Heat's opinion", work, self._show_opinion)

    def ask_preview(self, stack: StackSummary) -> None:
        """Asks Heat for its own dry run, and shows it beside our preview."""
        document, source = self._document(), self._source()
        if document is None or source is None:
            return

        def work(connection: Connection, _job: Job) -> tuple[RunningStack, HeatsPreview, HeatsPreview]:
            from heatstudio.cloud import open_stack, preview_update, submission_of

            theirs = preview_update(connection, stack, submission_of(source))
            return open_stack(connection, stack), theirs, preview_update(connection, stack, None)

        def take(found: tuple[RunningStack, HeatsPreview, HeatsPreview]) -> None:
            self._plan(document, found[0], lambda plan: self._show_comparison(plan, found[1], found[2]))

        self.link.ask(f"Asking Heat to try the update of {stack.name}", work, take)

    # Changing

    def create_stack(self) -> None:
        """Asks once more, then has a stack created."""
        document, source = self._document(), self._source()
        if document is None or source is None or not self._is_connected():
            return
        from heatstudio.ui.deploy_dialog import Deployment

        name = Path(document.title).stem
        complaints = self._complaints(document, keeps_values=False)
        what = Deployment(self._cloud, document.title, complaints=complaints, name=name)
        self._confirm(what, lambda name, _keep: self._create(source, name))

    def update_stack(self, stack: StackSummary) -> None:
        """Shows what the update does, asks once more, then has it done."""
        document, source = self._document(), self._source()
        if document is None or source is None:
            return
        from heatstudio.ui.deploy_dialog import Deployment

        def ask(plan: UpdatePlan) -> None:
            complaints = self._complaints(document, keeps_values=True)
            what = Deployment(self._cloud, document.title, stack.name, plan, complaints)
            self._confirm(what, lambda _name, keep: self._update(source, stack, keep_values=keep))

        def take(found: RunningStack) -> None:
            self._session.set_baseline(document, running(found, self._label(stack)))
            self._plan(document, found, ask)

        self._read(stack, take)

    def follow(self, stack: StackSummary, since: str = "", total: int = 0) -> None:
        """Shows the events of a stack as they come, until Heat is done or the user stops."""
        if self._following is not None:
            self._following.stop()

        def work(connection: Connection, job: Job) -> tuple[Progress, tuple[StackEvent, ...]]:
            from heatstudio.cloud import Progress, events_after

            progress = Progress()
            seen: tuple[StackEvent, ...] = ()
            while progress.ended is None:
                events = events_after(connection, stack, seen[-1].id if seen else since)
                seen = (*seen, *events)
                progress = progress.after(events)
                job.advance(len(progress.finished), max(total, len(progress.finished)))
                self._happened.emit(stack, seen, total)
                if progress.ended is None:
                    time.sleep(_POLL)
            return progress, seen

        self.heat_dock.unfold()
        self._following = self.link.ask(f"Following {stack.name}", work, lambda found: self._show_end(stack, *found))

    # What the answers become

    def _show_state(self) -> None:
        self.connected.emit(self._cloud)

    def _show_opinion(self, opinion: Opinion) -> None:
        from heatstudio.ui.heat_answers import opinion_rows

        self.heat.say(*opinion_rows(opinion))
        self.heat_dock.unfold()

    def _show_comparison(self, plan: UpdatePlan, theirs: HeatsPreview, baseline: HeatsPreview) -> None:
        from heatstudio.cloud import compare
        from heatstudio.ui.heat_answers import comparison_rows

        ours = {change.name: (change.action, bool(change.because)) for change in plan.changes}
        rows: tuple[Comparison, ...] = compare(ours, theirs, baseline)
        self.heat.say(*comparison_rows(rows, theirs))
        self.heat_dock.unfold()

    def _show_progress(self, stack: StackSummary, events: tuple[StackEvent, ...], total: int) -> None:
        from heatstudio.ui.heat_answers import event_rows

        done = len({event.resource for event in events if event.is_done and not event.owners and not event.about_stack})
        count = f": {done} of {total} resources" if total else ""
        self.heat.follow(f"Heat works on {stack.name}{count}", event_rows(events), done, total)

    def _show_end(self, stack: StackSummary, progress: Progress, events: tuple[StackEvent, ...]) -> None:
        from heatstudio.ui.cloud.stacks_model import status_words
        from heatstudio.ui.heat_answers import event_rows

        end = progress.ended
        words = status_words(end.status) if end is not None else ""
        self.heat.say(f"{stack.name}: {words}", event_rows(events))
        self.heat.view.scrollToBottom()
        self.link.refresh()
        self._read_old_sides(stack)
        if progress.failed:
            first = progress.failed[0]
            resource = next((event.resource for event in progress.failed if not event.owners), first.resource)
            show = ("Show the resource", lambda: self._navigation.go_to_resource(resource))
            self._banner.say(f"{stack.name}: {words}. {first.resource}: {first.reason}", show)

    def _read_old_sides(self, stack: StackSummary) -> None:
        """What is compared with the stack is compared with what it is now."""
        label = self._label(stack)
        against = [one for one in self._session.documents if one.baseline.label == label and not one.is_read_only]
        if not against:
            return

        def take(found: RunningStack) -> None:
            for document in against:
                self._session.set_baseline(document, running(found, label))

        self._read(stack, take)

    def _go_to(self, row: Said) -> None:
        if row.path:
            self._navigation.go_to_path(row.path)
        else:
            self._navigation.go_to_resource(row.resource)

    # The steps in between

    def _create(self, source: Source, name: str) -> None:
        def work(connection: Connection, _job: Job) -> StackSummary:
            from heatstudio.cloud import create_stack, submission_of

            return create_stack(connection, name, submission_of(source))

        total = len(source.template.entries(source.template.dialect.resources))
        self.link.ask(f"Creating {name}", work, lambda stack: self._follow_new(stack, "", total))

    def _update(self, source: Source, stack: StackSummary, *, keep_values: bool) -> None:
        def work(connection: Connection, _job: Job) -> str:
            from heatstudio.cloud import events_after, submission_of, update_stack

            events = events_after(connection, stack)
            update_stack(connection, stack, submission_of(source), keep_values=keep_values)
            return events[-1].id if events else ""

        total = len(source.template.entries(source.template.dialect.resources))
        self.link.ask(f"Updating {stack.name}", work, lambda since: self._follow_new(stack, since, total))

    def _follow_new(self, stack: StackSummary, since: str, total: int) -> None:
        self.link.refresh()
        self.follow(stack, since, total)

    def _read(self, stack: StackSummary, done: Callable[[RunningStack], object]) -> None:
        def work(connection: Connection, _job: Job) -> RunningStack:
            from heatstudio.cloud import open_stack

            return open_stack(connection, stack)

        self.link.ask(f"Reading {stack.name}", work, done)

    def _plan(self, document: Document, found: RunningStack, done: Callable[[UpdatePlan], object]) -> None:
        """Has the update from a running stack to a document planned by another thread."""
        analysis = document.current_analysis
        if analysis is None:
            return
        old = replace(document.old_snapshot(self._session.root), text=running(found).text or "", stack=found)

        def work(engine: Engine, _job: Job) -> Finish:
            plan = engine.plan_update(old, analysis)
            return lambda: done(plan)

        self._session.run("Planning the update", work)

    def _confirm(self, what: Deployment, go: Callable[[str, bool], object]) -> None:
        from heatstudio.ui.deploy_dialog import DeployDialog

        dialog = DeployDialog(self._appearance, self._window, what, go)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _complaints(self, document: Document, *, keeps_values: bool) -> list[str]:
        """What Heat will refuse for certain."""
        analysis = document.current_analysis
        if analysis is None:
            return []
        from heatstudio.stack.parameter_form import parameter_form
        from heatstudio.text import Severity

        errors = sum(one.severity is Severity.ERROR for one in analysis.diagnostics)
        told = [f"The template has {errors} problems that Heat refuses; F8 leads to them."] if errors else []
        fields = parameter_form(analysis.stack).fields.values()
        missing = [one.name for one in fields if one.verdict(document.parameter_values.get(one.name)) is not None]
        if missing and not keeps_values:
            told.append(f"Without a right value: {', '.join(missing)}. The Parameters pane takes them (Ctrl+Shift+U).")
        return told

    def _document(self) -> Document | None:
        if self._session.current is None:
            self._banner.say("Open a template first: it is what Heat is asked about.")
        return self._session.current

    def _source(self) -> Source | None:
        """The current document as it is now; None, with a sentence, while it is not read yet."""
        document = self._session.current
        analysis = document.current_analysis if document is not None else None
        if analysis is None:
            self._banner.say("The text is not read yet: try again in a moment.")
            return None
        if not analysis.template.complete:
            self._banner.say("The text cannot be read as a template: correct what is marked first (F8 leads there).")
            return None
        return analysis.source

    def _with_stack(self, act: Callable[[StackSummary], object]) -> None:
        """Does something with the stack that is selected; leads to the list where none is."""
        if not self._is_connected():
            return
        stack = self.stacks.stack
        if stack is None:
            self.stacks_dock.unfold()
            self.stacks.view.setFocus()
            self._banner.say("Select a stack in the Cloud pane first.")
            return
        act(stack)

    def _is_connected(self) -> bool:
        if self.link.connection is None:
            self.stacks_dock.unfold()
            self.stacks.button.setFocus()
            self._banner.say("Connect to a cloud first: choose it in the Cloud pane.")
        return self.link.connection is not None

    def _label(self, stack: StackSummary) -> str:
        return f"stack {stack.name} in {self._cloud}"

    @property
    def _cloud(self) -> str:
        return self.link.connection.name if self.link.connection is not None else ""


def cache_folder() -> Path:
    """Where it is kept what clouds have; nothing secret is in it."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.CacheLocation)) / "clouds"
