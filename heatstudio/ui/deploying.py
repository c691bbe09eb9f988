"""Creating and updating stacks: what will happen is shown first, and nothing happens without a second yes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from heatstudio.text import Severity
from heatstudio.ui.appearance import Appearance
from heatstudio.ui.cloud_link import CloudLink
from heatstudio.ui.document import Document
from heatstudio.ui.jobs import Job
from heatstudio.ui.stack_reader import StackReader

if TYPE_CHECKING:  # the engine and the room of the cloud are imported after the first paint
    from heatstudio.analysis import Analysis
    from heatstudio.cloud import Connection, StackSummary
    from heatstudio.stack.source import Source
    from heatstudio.stack.update.running_stack import RunningStack
    from heatstudio.stack.update.update_plan import UpdatePlan
    from heatstudio.ui.deploy_dialog import Deployment


class Begun(Protocol):
    """To be told what Heat works on now."""

    def __call__(self, stack: StackSummary, since: str, total: int) -> object:
        """The stack, the id of the last event before, and how many resources there will be."""


class Deploying:
    """Asks once more in a dialog, then has it done."""

    def __init__(
        self, window: QWidget, appearance: Appearance, link: CloudLink, reader: StackReader, begun: Begun
    ) -> None:
        self._window = window
        self._appearance = appearance
        self._link = link
        self._reader = reader
        self._begun = begun

    def create(self) -> None:
        """Has a stack created from the current document."""
        current = self._reader.current()
        if current is None:
            return
        from heatstudio.ui.deploy_dialog import Deployment

        document, analysis = current
        source = analysis.source
        complaints = (*_complaints(analysis), *_missing_values(document, analysis))
        what = Deployment(self._reader.cloud, document.title, complaints=complaints, name=Path(document.title).stem)
        self._confirm(what, lambda name, _keep: self._create(source, name))

    def update(self, stack: StackSummary) -> None:
        """Has a stack updated to the current document; its preview is against the stack from now on."""
        current = self._reader.current()
        if current is None:
            return
        from heatstudio.ui.deploy_dialog import Deployment

        document, analysis = current
        source, cloud = analysis.source, self._reader.cloud

        def ask(plan: UpdatePlan, kept: UpdatePlan) -> None:
            if self._reader.cloud != cloud:  # left while the update was planned: there is nothing to confirm any more
                return
            missing = _missing_values(document, analysis)
            what = Deployment(
                cloud,
                document.title,
                stack.name,
                (plan, kept),
                (*_complaints(analysis), *missing),
                keeps_values=bool(missing),
            )
            self._confirm(what, lambda _name, keep: self._update(source, stack, keep_values=keep))

        def take(found: RunningStack) -> None:
            self._reader.compare(document, stack, found)
            self._reader.plan(document, analysis, found, ask)

        self._reader.read(stack, take)

    def _create(self, source: Source, name: str) -> None:
        def work(connection: Connection, job: Job) -> StackSummary:
            from heatstudio.cloud import create_stack, submission_of

            submission = submission_of(source)
            job.check()  # from here on Heat works, whoever stops listening
            return create_stack(connection, name, submission)

        begun = partial(self._begun, since="", total=_size(source))
        self._link.ask(f"Creating {name}", work, begun, stopped=self._warn)

    def _update(self, source: Source, stack: StackSummary, *, keep_values: bool) -> None:
        def work(connection: Connection, job: Job) -> str:
            from heatstudio.cloud import events_after, submission_of, update_stack

            submission, events = submission_of(source), events_after(connection, stack)
            job.check()  # from here on Heat works, whoever stops listening
            update_stack(connection, stack, submission, keep_values=keep_values)
            return events[-1].id if events else ""

        begun = partial(self._begun, stack, total=_size(source))
        self._link.ask(f"Updating {stack.name}", work, begun, stopped=self._warn)

    def _warn(self) -> None:
        self._link.failed.emit("Stopped; but Heat may have begun already: read the stacks again to see it.")

    def _confirm(self, what: Deployment, go: Callable[[str, bool], object]) -> None:
        from heatstudio.ui.deploy_dialog import DeployDialog

        dialog = DeployDialog(self._appearance, self._window, what, go)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()


def _size(source: Source) -> int:
    return len(source.template.entries(source.template.dialect.resources))


def _complaints(analysis: Analysis) -> tuple[str, ...]:
    """What Heat will refuse for certain."""
    errors = sum(one.severity is Severity.ERROR for one in analysis.diagnostics)
    words = "1 error, for which Heat refuses it; F8 leads there" if errors == 1 else ""
    words = words or f"{errors} errors, for which Heat refuses it; F8 leads from one to the next"
    return (f"The template has {words}.",) if errors else ()


def _missing_values(document: Document, analysis: Analysis) -> tuple[str, ...]:
    """Which parameters have no right value in the text, its environments and the form."""
    from heatstudio.stack.parameter_form import parameter_form

    fields = parameter_form(analysis.stack).fields.values()
    names = [one.name for one in fields if one.verdict(document.parameter_values.get(one.name)) is not None]
    words = "Without a right value here: {}. The Parameters pane takes them (Ctrl+Shift+U)."
    return (words.format(", ".join(names)),) if names else ()
