"""The data that a cloud operation needs: the current document and a stack."""

from collections.abc import Callable
from functools import partial

from heatstudio.analysis import Analysis
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.events import StackPage, read_stack_page
from heatstudio.cloud.stacks import StackSummary, open_stack
from heatstudio.service.engine import Engine
from heatstudio.service.workspace.job import Job
from heatstudio.stack.definition.source import Source
from heatstudio.ui.cloud.cloud_link import CloudLink
from heatstudio.ui.documents.document import Document, running
from heatstudio.ui.workspace.session import Session
from heatstudio.update.drift import Drift
from heatstudio.update.plan.update_plan import UpdatePlan
from heatstudio.update.running_stack import RunningStack

_NO_DOCUMENT = "Open a template first."
_NOT_READ = "The template is still being read. Try again in a moment."
_NO_TEMPLATE = "The template has syntax errors. Fix them first (F8 goes to the next one)."


class StackLoader:
    """A reader of documents and stacks; it reports in a sentence why a document cannot be sent."""

    def __init__(self, session: Session, link: CloudLink, say: Callable[[str], object]) -> None:
        self._session = session
        self._link = link
        self._say = say

    @property
    def cloud(self) -> str:
        """The name of the connected cloud; empty if there is none."""
        return self._link.connection.name if self._link.connection is not None else ""

    def label(self, stack: StackSummary) -> str:
        """Return the label of a stack as a preview baseline."""
        return f"stack {stack.name} in {self.cloud}"

    def current(self) -> tuple[Document, Analysis] | None:
        """Return the current document and its analysis; None, with a message, if it cannot be sent."""
        document = self._session.current
        analysis = document.current_analysis if document is not None else None
        if document is None:
            self._say(_NO_DOCUMENT)
        elif analysis is None or not _has_values(document, analysis.source):
            self._say(_NOT_READ)
        elif not analysis.template.complete:
            self._say(_NO_TEMPLATE)
        else:
            return document, analysis
        return None

    def read(self, stack: StackSummary, done: Callable[[RunningStack], object]) -> None:
        """Read a stack, and call `done` with it."""
        self._link.ask(f"Reading {stack.name}", lambda connection, _job: open_stack(connection, stack), done)

    def compare(self, document: Document, stack: StackSummary, found: RunningStack) -> None:
        """Set a stack as the preview baseline of a document."""
        self._session.set_baseline(document, running(found, self.label(stack)))

    def read_baselines(self, stack: StackSummary) -> None:
        """Reload a stack for the documents whose preview baseline it is."""
        label = self.label(stack)
        against = [one for one in self._session.documents if one.baseline.label == label and not one.is_read_only]

        def take(found: RunningStack) -> None:
            for document in against:
                self.compare(document, stack, found)

        if against:
            self.read(stack, take)

    def read_page(self, stack: StackSummary, done: Callable[[StackPage, tuple[Drift, ...]], object]) -> None:
        """Read the details of a stack, and its drift from the template."""

        def work(connection: Connection, _job: Job) -> tuple[StackPage, RunningStack]:
            return read_stack_page(connection, stack), open_stack(connection, stack)

        def compare(found: tuple[StackPage, RunningStack]) -> None:
            take = partial(done, found[0])
            self._session.run(f"Comparing {stack.name}", lambda engine, _job: engine.find_drift(found[1]), take)

        self._link.ask(f"Reading {stack.name}", work, compare)

    def plan(
        self,
        document: Document,
        analysis: Analysis,
        found: RunningStack,
        done: Callable[[UpdatePlan, UpdatePlan], object],
    ) -> None:
        """Plan the update of a running stack to an analyzed document in another thread, and call `done` with two plans.

        The first one has the given values only, the second one the stack's values for missing ones.
        """
        old = document.old_snapshot(self._session.root)._replace(text=running(found).text or "", stack=found)

        def work(engine: Engine, _job: Job) -> tuple[UpdatePlan, UpdatePlan]:
            return engine.plan_update(old, analysis), engine.plan_update(old, analysis, keeps_values=True)

        self._session.run("Planning update", work, lambda plans: done(*plans))

    def plan_creation(self, document: Document, analysis: Analysis, done: Callable[[UpdatePlan], object]) -> None:
        """Plan the creation of a stack in another thread, as the update of an empty one."""
        empty = document.old_snapshot(self._session.root)._replace(text="", stack=None)
        self._session.run("Planning creation", lambda engine, _job: engine.plan_update(empty, analysis), done)


def _has_values(document: Document, source: Source) -> bool:
    """Return whether a source has the values of the form; a running stack has its own values."""
    return document.stack is not None or source.parameter_values == document.parameter_values
