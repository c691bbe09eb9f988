"""The rename of a resource of a running stack, or its move to another one, without deleting it, in a guide."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from heatstudio.catalog.facts import Facts, part
from heatstudio.cloud.adoption import ids_of_data, try_adoption
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.export import file_name
from heatstudio.cloud.stack_rename import (
    ChangedStack,
    RenamePlan,
    RenameStage,
    changed_stack,
    differing_ids,
    free_folder,
    put_back,
    read_plan,
    stage_of,
    take_out,
    write_plan,
)
from heatstudio.cloud.stacks import StackSummary, open_stack
from heatstudio.service.engine import Engine
from heatstudio.service.workspace.job import Job
from heatstudio.text import Severity, counted
from heatstudio.ui.cloud.cloud_link import CloudLink
from heatstudio.ui.cloud.rename_guide import RenameGuide
from heatstudio.ui.cloud.stack_loader import StackLoader
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.banner import Banner
from heatstudio.ui.workspace.session import Session
from heatstudio.update.running_stack import RunningStack

_Found = TypeVar("_Found")
_WRITTEN = "The data are on disk, and Heat would accept the result. Nothing has changed in Heat yet."
_NO_ROLLBACK = " Rollback on failure is off now; an update can turn it on again."


class RenameController(QObject):
    """The controller of one guide at a time; what is unfinished is offered again in the next session."""

    def __init__(
        self,
        window: QWidget,
        appearance: Appearance,
        session: Session,
        banner: Banner,
        *,
        link: CloudLink,
        reader: StackLoader,
    ) -> None:
        super().__init__(window)
        self._window, self._appearance, self._session = window, appearance, session
        self._banner, self._link, self._reader = banner, link, reader
        self._offered_in = ""
        self._guide: RenameGuide | None = None
        self._plan = RenamePlan("", "", "", ())

    def offer_unfinished(self) -> None:
        """Offer to continue an unfinished rename, once for each connection to its cloud."""
        folder, cloud = Path(self._session.settings.unfinished_rename), self._reader.cloud
        if cloud != self._offered_in and self._guide is None:
            self._offered_in = cloud
            if self._is_unfinished and cloud:
                name = "Looking for an unfinished rename"
                self._link.ask(name, lambda _connection, _job: _stored(folder), partial(self._offer, folder))

    @property
    def _is_unfinished(self) -> bool:
        return bool(self._session.settings.unfinished_rename)

    def _offer(self, folder: Path, found: tuple[RenamePlan | None, Sequence[str]]) -> None:
        plan, lines = found
        if plan is None:
            self._session.settings.unfinished_rename = ""
            self._banner.say(f"The plan of an unfinished rename is missing: {folder}.", stays=True)
            return
        words = f"The rename of {plan.old} in {plan.names} is not finished."
        if plan.cloud != self._reader.cloud:
            self._banner.say(f"{words} Connect to {plan.cloud} to continue.")
        else:
            self._banner.say(words, ("Continue", partial(self._continue, plan, folder, lines)), stays=True)

    def _continue(self, plan: RenamePlan, folder: Path, lines: Sequence[str]) -> None:
        self._open(plan, folder).lines = lines
        self._look()

    def begin(self, stack: StackSummary, old: str = "", new: str = "") -> None:
        """Open the guide for a stack, or say why none of its resources can be renamed."""
        if self._is_unfinished:
            self._offered_in = ""
            self.offer_unfinished()
            return
        cloud = self._reader.cloud

        def read(connection: Connection, _job: Job) -> tuple[ChangedStack, Path]:
            return changed_stack(connection, stack), free_folder(Path.home(), f"{file_name(stack.name)}-rename")

        def take(found: tuple[ChangedStack, Path]) -> None:
            if self._reader.cloud == cloud:
                self._open(RenamePlan(cloud, old, new, (found[0],)), found[1])

        self._link.ask(f"Reading {stack.name}", read, take)

    def _open(self, plan: RenamePlan, folder: Path) -> RenameGuide:
        others = [one for one in self._link.stacks if one.id != plan.stacks[0].stack.id]
        guide = RenameGuide(self._window, self._appearance, plan, others, folder)
        guide.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        guide.prepare_requested.connect(self._prepare)
        guide.step_requested.connect(self._go_on)
        guide.undo_requested.connect(self._undo)
        guide.finished.connect(self._close)
        self._guide, self._plan = guide, plan
        guide.open()
        return guide

    def _close(self) -> None:
        guide, self._guide = self._guide, None
        if guide is not None and guide.stage is RenameStage.BEFORE:  # nothing has changed, so nothing is unfinished
            self._session.settings.unfinished_rename = ""
        self._offered_in = ""
        self.offer_unfinished()

    def _show(self, stage: RenameStage | None, words: str, lines: Sequence[str] = ()) -> None:
        if self._guide is not None:
            self._guide.lines = lines or self._guide.lines
            self._guide.show_stage(stage, words)

    # The steps

    def _prepare(self, old: str, new: str, target: StackSummary | None, folder: Path) -> None:
        """Change the data, of two stacks for a move, let Heat validate them, and write both versions to disk."""

        def change(stacks: tuple[ChangedStack, ...]) -> None:
            def work(engine: Engine, _job: Job) -> tuple[tuple[Facts, ...], str]:
                return engine.rename_in_stacks([one.data for one in stacks], old, new)

            self._session.run("Changing the data", work, partial(take, stacks))

        def take(stacks: tuple[ChangedStack, ...], found: tuple[tuple[Facts, ...], str]) -> None:
            renamed, reason = found
            if reason:
                self._show(None, reason)
                return
            changed = tuple(replace(one, renamed=dict(data)) for one, data in zip(stacks, renamed, strict=True))
            self._plan = plan = replace(self._plan, old=old, new=new, stacks=changed)

            def write(connection: Connection, _job: Job) -> tuple[str, ...]:
                for data in renamed:
                    try_adoption(connection, data)
                write_plan(plan, folder)
                return plan.changed_lines

            self._ask("Writing the data", write, done)

        def done(lines: tuple[str, ...]) -> None:
            self._session.settings.unfinished_rename = str(folder)
            self._session.settings.store.sync()  # the program may be killed at any time
            self._show(RenameStage.BEFORE, _WRITTEN, lines)

        if target is None:
            change(self._plan.stacks[:1])
        else:
            first, name = self._plan.stacks[0], f"Reading {target.name}"
            self._ask(name, lambda connection, _job: (first, changed_stack(connection, target)), change)

    def _go_on(self, stage: RenameStage) -> None:
        """Take the next step from a stage."""
        plan = self._plan
        match stage:
            case RenameStage.BEFORE:
                abandon = partial(take_out, plan=plan)
                self._ask(f"Abandoning {plan.names}", lambda connection, _job: abandon(connection), self._look)
            case RenameStage.ABANDONED | RenameStage.FAILED:
                self._put_back(self._look, renamed=True)
            case RenameStage.BUSY:
                self._look()
            case RenameStage.RENAMED:
                verb = "Moved" if len(plan.stacks) > 1 else "Renamed"
                self._end(f"{verb} {plan.old} to {plan.new} in {plan.stacks[-1].stack.name}. No resource has changed.")

    def _undo(self) -> None:
        """Put the stacks back as they were."""
        words = f"{self._plan.names}: back in Heat as before."
        self._put_back(lambda _stacks: self._end(words), renamed=False)

    def _put_back(self, done: Callable[[object], object], *, renamed: bool) -> None:
        plan = self._plan
        work = partial(put_back, plan=plan, renamed=renamed)
        self._ask(f"Adopting {plan.names}", lambda connection, _job: work(connection), done)

    def _look(self, _result: object = None, words: str = "") -> None:
        """Show how far the rename has come; if it is complete, compare the stacks with the data."""
        plan = self._plan

        def read(connection: Connection, _job: Job) -> tuple[RenameStage, list[RunningStack]]:
            stage, stacks = stage_of(connection, plan)
            is_renamed = stage is RenameStage.RENAMED
            return stage, [open_stack(connection, one) for one in stacks if one is not None and is_renamed]

        def show(found: tuple[RenameStage, list[RunningStack]]) -> None:
            stage, running = found
            self._link.refresh()
            if running:
                self._compare(running)
            else:
                self._show(stage, words)

        self._link.ask("Reading the stack", read, show, partial(self._show, RenameStage.BUSY))

    def _compare(self, running: Sequence[RunningStack]) -> None:
        """Compare the renamed stacks with the data, preview updates to their own templates, and show the result."""
        pairs = list(zip(self._plan.stacks, running, strict=True))

        def compare(engine: Engine, _job: Job) -> str:
            previews = [engine.plan_running(stack, part(one.renamed, "template")) for one, stack in pairs]
            changed = [change.name for preview in previews for change in preview.changes if change.has_effect]
            lost = [name for one, stack in pairs for name in differing_ids(one, stack)]
            count = counted(sum(len(ids_of_data(one.renamed)) for one, _ in pairs), "physical ID")
            words = f"{counted(len(changed), 'change')} in the preview{': ' if changed else ''}{', '.join(changed)}."
            ids = f"Other physical IDs than before: {', '.join(lost)}." if lost else f"{count} as before."
            return f"{words} {ids}"

        for one, _stack in pairs:
            self._reader.read_baselines(one.stack)
        self._session.run("Comparing the stack", compare, partial(self._show, RenameStage.RENAMED))

    def _end(self, words: str) -> None:
        self._session.settings.unfinished_rename = ""
        self._link.refresh()
        rolled_back = any(one.options.rolls_back for one in self._plan.stacks)
        self._banner.say(f"{words}{_NO_ROLLBACK if rolled_back else ''}", severity=Severity.INFORMATION)
        if self._guide is not None:
            self._guide.close()

    def _ask(self, name: str, work: Callable[[Connection, Job], _Found], done: Callable[[_Found], object]) -> None:
        """Run a step in the cloud's thread; after a failure, show how far the rename has come, and the reason."""
        if self._guide is not None:
            self._guide.show_work(f"{name}…")
        self._link.ask(name, work, done, self._fail, self._fail)

    def _fail(self, words: str = "Canceled. Heat may have started the step.") -> None:
        if self._link.connection is None:
            self._show(RenameStage.BUSY, words)
        elif not self._is_unfinished:
            self._show(None, words)
        else:
            self._look(words=words)


def _stored(folder: Path) -> tuple[RenamePlan | None, Sequence[str]]:
    plan = read_plan(folder)
    return plan, plan.changed_lines if plan is not None else ()
