"""Create, update, act on, abandon and adopt stacks, each after a confirmation; a change has a preview."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from heatstudio.analysis.changes.refusals import missing_values, with_errors
from heatstudio.catalog.facts import Facts, part, text
from heatstudio.cloud import adoption, changes
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.events import last_event_id
from heatstudio.cloud.export import file_name
from heatstudio.cloud.read_services import read_capacity
from heatstudio.cloud.stacks import StackSummary, listed_resources, open_stack
from heatstudio.cloud.submission import submission_of
from heatstudio.service.workspace.job import Job
from heatstudio.stack.definition.source import Source
from heatstudio.text import Severity, counted
from heatstudio.ui.cloud.cloud_link import CloudLink
from heatstudio.ui.cloud.confirmations import ActionDialog, DeployDialog, Deployment, Go
from heatstudio.ui.cloud.stack_loader import StackLoader
from heatstudio.ui.cloud.stacks_model import status_words
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.banner import Banner
from heatstudio.update.plan.capacity import Capacity
from heatstudio.update.plan.update_plan import Action, ResourceChange, UpdatePlan
from heatstudio.update.running_stack import RunningStack

StartedCallback = Callable[[StackSummary, str, int], object]
"""A function of a stack, the ID of the last event before the operation, and the expected number of resources."""

SET_VALUE = " Set one in the Parameters pane (Ctrl+Shift+U)."
_FILES = "Data of stacks (*.json);;All files (*)"


class _Operation(NamedTuple):
    """The operation to perform on a stack."""

    name: str
    """The text for the status bar."""
    change: Callable[[Connection], object]
    ask_again: Callable[[], object]
    total: int = 0
    """The expected number of resources; 0 if it is unknown."""
    begins: bool = True
    """Whether Heat works on the stack afterwards."""


class DeployController:
    """The stack operations, each confirmed in a dialog before it starts."""

    def __init__(
        self,
        window: QWidget,
        appearance: Appearance,
        *,
        link: CloudLink,
        reader: StackLoader,
        begun: StartedCallback,
        changed: Callable[[StackSummary], object],
        rename: Callable[[StackSummary, str, str], object],
    ) -> None:
        """`changed` shows a stack that has changed without an operation; `rename` begins the rename of a resource."""
        self._window = window
        self._appearance = appearance
        self._link = link
        self._reader = reader
        self._begun = begun
        self._changed, self._rename = changed, rename

    def create(self) -> None:
        """Create a stack from the current document."""
        current = self._reader.current()
        if current is None:
            return
        document, analysis = current
        source, cloud = analysis.source, self._reader.cloud
        missing = UpdatePlan(refusals=missing_values(analysis.stack, SET_VALUE))
        plan = with_errors(missing, source.template.text, analysis.diagnostics)

        def ask(capacity: Capacity, demand: UpdatePlan) -> None:
            if self._reader.cloud != cloud:
                return
            self._link.take_capacity(capacity)
            name = Path(document.title).stem
            what = Deployment(cloud, document.title, plans=(plan, plan), name=name, demand=demand, capacity=capacity)
            self._confirm(what, lambda name, _keep, options: self._create(source, name, options))

        def read(connection: Connection, job: Job) -> Capacity:
            return read_capacity(connection, job.advance)

        def take(capacity: Capacity) -> None:
            self._reader.plan_creation(document, analysis, partial(ask, capacity))

        self._link.ask("Loading quotas", read, take)

    def update(self, stack: StackSummary) -> None:
        """Update a stack to the current document, and set the stack as the document's preview baseline."""
        current = self._reader.current()
        if current is None:
            return
        document, analysis = current
        source, cloud = analysis.source, self._reader.cloud

        def ask(state: changes.StackState, capacity: Capacity, plan: UpdatePlan, kept: UpdatePlan) -> None:
            if self._reader.cloud != cloud:  # disconnected while the update was planned
                return
            self._link.take_capacity(capacity)
            missing = missing_values(analysis.stack, SET_VALUE)
            plan = replace(plan, refusals=(*missing, *plan.refusals))
            plans, keeps = (plan, kept), bool(missing)
            names = next(((one.name, one.renamed) for one in kept.changes if _is_renamed(one)), None)
            rename = partial(self._rename, stack, *names) if names is not None else None
            what = Deployment(
                cloud,
                document.title,
                stack.name,
                plans,
                keeps_values=keeps,
                options=state.options,
                rename=rename,
                capacity=capacity,
            )
            go = partial(self._update, source, stack, state)
            self._confirm(what, lambda _name, keep, options: go(options, keep_values=keep))

        def read(connection: Connection, job: Job) -> tuple[changes.StackState, RunningStack, Capacity]:
            state, found = changes.state_of(connection, stack), open_stack(connection, stack)
            return state, found, read_capacity(connection, job.advance)

        def take(answer: tuple[changes.StackState, RunningStack, Capacity]) -> None:
            state, found, capacity = answer
            self._reader.compare(document, stack, found)
            self._reader.plan(document, analysis, found, partial(ask, state, capacity))

        self._link.ask(f"Reading {stack.name}", read, take)

    def _create(self, source: Source, name: str, options: changes.StackOptions) -> None:
        def work(connection: Connection, job: Job) -> StackSummary:
            submission = submission_of(source)
            job.check()  # canceling after this point does not stop Heat
            return changes.create_stack(connection, name, submission, options)

        size = _size(source)
        self._link.change(f"Creating {name}", work, lambda stack: self._begun(stack, "", size))

    def _update(
        self,
        source: Source,
        stack: StackSummary,
        state: changes.StackState,
        options: changes.StackOptions,
        *,
        keep_values: bool,
    ) -> None:
        def change(connection: Connection) -> None:
            changes.update_stack(connection, stack, submission_of(source), options, keep_values=keep_values)

        again = partial(self.update, stack)
        self._change(stack, state, _Operation(f"Updating {stack.name}", change, again, _size(source)))

    def act(self, action: changes.StackAction, stack: StackSummary) -> None:
        """Perform an action on a stack after confirmation."""
        cloud = self._reader.cloud

        def read(connection: Connection, _job: Job) -> tuple[changes.StackState, int, tuple[changes.ActionTarget, ...]]:
            choices = changes.choices_of(connection, stack, action.chooses) if action.chooses is not None else ()
            return changes.state_of(connection, stack), len(listed_resources(connection, stack)), choices

        def ask(answer: tuple[changes.StackState, int, tuple[changes.ActionTarget, ...]]) -> None:
            state, count, choices = answer
            reason = action.refusal(state.status)
            if action.chooses is not None and not choices:
                reason = reason or f"{stack.name} has no {action.chooses}s now."
            if reason:
                self._link.failed.emit(reason)
            if reason or self._reader.cloud != cloud:
                return
            sentence = action.sentence.format(stack=stack.name, cloud=cloud, resources=counted(count, "resource"))
            sentence = f"{sentence} Current status: {status_words(state.status)}. {self._link.caution}".rstrip()
            ActionDialog(
                self._window,
                action.button,
                sentence,
                partial(begin, state),
                typed=stack.name if action.loses else "",
                chooses=action.chooses,
                choices=choices,
                asks=action.asks,
            ).open()

        def begin(state: changes.StackState, choice: changes.ActionTarget | None, entered: str) -> None:
            def change(connection: Connection) -> None:
                changes.act_on_stack(connection, stack, action, choice, entered)

            again = partial(self.act, action, stack)
            has_begun = action.shows or state.status.endswith("IN_PROGRESS")
            self._change(stack, state, _Operation(f"{action.doing} {stack.name}", change, again, begins=has_begun))

        self._link.ask(f"Reading {stack.name}", read, ask)

    def _change(self, stack: StackSummary, state: changes.StackState, wanted: _Operation) -> None:
        """Change the stack, unless it is no longer in the state that the dialog showed; then ask again."""

        def work(connection: Connection, job: Job) -> str | None:
            since = last_event_id(connection, stack)
            if changes.state_of(connection, stack) != state:
                return None
            job.check()  # canceling after this point does not stop Heat
            wanted.change(connection)
            return since

        def go_on(since: str | None) -> None:
            if since is None:
                self._link.failed.emit(f"{stack.name} was changed in the meantime. Nothing was sent; confirm again.")
                wanted.ask_again()
            elif wanted.begins:
                self._begun(stack, since, wanted.total)
            else:
                self._changed(stack)

        self._link.change(wanted.name, work, go_on)

    def _confirm(self, what: Deployment, go: Go) -> None:
        dialog = DeployDialog(self._appearance, self._window, replace(what, caution=self._link.caution), go)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()


def _is_renamed(change: ResourceChange) -> bool:
    return change.action is Action.DELETED and bool(change.renamed)


def _size(source: Source) -> int:
    return len(source.template.entries(source.template.dialect.resources))


class AdoptionController:
    """The operations that take a stack out of Heat or put it back."""

    def __init__(
        self,
        window: QWidget,
        banner: Banner,
        link: CloudLink,
        reader: StackLoader,
        begun: Callable[[StackSummary, str, int], object],
    ) -> None:
        """`begun` follows an operation that has begun, from an event, with the expected number of resources."""
        self._window, self._banner, self._link, self._reader, self._begun = window, banner, link, reader, begun

    def abandon(self, stack: StackSummary) -> None:
        """Write the data of a stack to a file, and take the stack out of Heat."""
        action, cloud = changes.stack_actions()["abandon"], self._reader.cloud

        def read(connection: Connection, _job: Job) -> tuple[str, str, bool]:
            data = adoption.export_stack(connection, stack)
            return _count(data), adoption.losses(connection, stack, data), adoption.has_snapshots(connection, stack)

        def ask(found: tuple[str, str, bool]) -> None:
            count, refusal, loses_snapshots = found
            suggested = str(Path.home() / f"{file_name(stack.name)}.json")
            name, _ = QFileDialog.getSaveFileName(self._window, "Write the data of the stack", suggested, _FILES)
            if not name or self._reader.cloud != cloud:
                return
            words = (
                action.sentence.format(stack=stack.name, cloud=cloud, resources=count),
                f"The data go to {name}, which only you can read: they hold secret values.",
                "The snapshots of the stack are deleted." if loses_snapshots else "",
                f"Heat could not adopt the stack again as it is. {refusal}" if refusal else "",
                self._link.caution,
            )
            sentence = " ".join(filter(None, words))
            ActionDialog(self._window, action.button, sentence, lambda *_: go(Path(name)), typed=stack.name).open()

        def go(path: Path) -> None:
            name = f"{action.doing} {stack.name}"
            self._link.change(
                name, lambda connection, _job: adoption.abandon_stack(connection, stack, path), lambda _data: done(path)
            )

        def done(path: Path) -> None:
            self._link.refresh()
            words = f"Abandoned {stack.name}: its resources run on. The data are in {path}."
            self._banner.say(words, ("Adopt Again", partial(self._adopt_from, path)), severity=Severity.INFORMATION)

        self._link.ask(f"Reading {stack.name}", read, ask)

    def adopt(self) -> None:
        """Choose a file with the data of an abandoned stack, and adopt its resources."""
        name, _ = QFileDialog.getOpenFileName(self._window, "Data of an abandoned stack", str(Path.home()), _FILES)
        if name:
            self._adopt_from(Path(name))

    def _adopt_from(self, path: Path) -> None:
        def read(connection: Connection, _job: Job) -> tuple[Facts, str]:
            data = adoption.read_stack_data(path)
            adoption.try_adoption(connection, data)
            refusal = adoption.adoption_refusal(data)
            words = (
                f"Adopt {_count(data)} from {path.name} as a new stack in {connection.name}. Heat changes no resource.",
                "Rollback on failure is off until an update turns it on.",
                f"The adoption will be incomplete. {refusal}" if refusal else "",
                connection.caution,
            )
            return data, " ".join(filter(None, words))

        def ask(found: tuple[Facts, str]) -> None:
            data, sentence = found
            confirmed = partial(go, data)
            name = text(data, "name")
            dialog = ActionDialog(
                self._window, "Adopt the Stack", sentence, confirmed, asks=changes.EntryKind.NAME, text=name
            )
            dialog.open()

        def go(data: Facts, _target: object, name: str) -> None:
            size = len(part(data, "resources"))
            self._link.change(
                f"Adopting {name}",
                lambda connection, _job: adoption.adopt_stack(connection, name, data),
                lambda stack: self._begun(stack, "", size),
            )

        self._link.ask(f"Reading {path.name}", read, ask)


def _count(data: Facts) -> str:
    return counted(len(adoption.ids_of_data(data)), "resource")
