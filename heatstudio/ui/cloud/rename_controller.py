"""The rename of a resource of a running stack, or its move to another one, without deleting it, in a guide."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QFormLayout, QPushButton, QWidget

from heatstudio.catalog.facts import Facts, part
from heatstudio.cloud.adoption import (
    ChangedStack,
    RenamePlan,
    RenameStage,
    changed_stack,
    differing_ids,
    free_folder,
    ids_of_data,
    put_back,
    read_plan,
    stage_of,
    take_out,
    try_adoption,
    write_plan,
)
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.export import file_name
from heatstudio.cloud.stacks import StackSummary, open_stack
from heatstudio.service.engine import Engine
from heatstudio.service.workspace.job import Job
from heatstudio.text import Severity, counted
from heatstudio.text.invisible import visible
from heatstudio.ui.cloud.cloud_link import CloudLink
from heatstudio.ui.cloud.heat_answers import AnswerRow, cell_of_answer
from heatstudio.ui.cloud.stack_loader import StackLoader
from heatstudio.ui.widgets import EDGE, GAP, Appearance, Color, PlainLabel, in_column, in_row
from heatstudio.ui.widgets.announcer import AnnouncingLabel
from heatstudio.ui.widgets.banner import Banner
from heatstudio.ui.widgets.choice_box import choice_box
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.dialogs import resize_within_screen
from heatstudio.ui.widgets.row_delegate import RowTree
from heatstudio.ui.widgets.text_keys import LineEdit
from heatstudio.ui.widgets.tree_model import Branch, Cell, TreeModel
from heatstudio.ui.workspace.session import Session
from heatstudio.update.running_stack import RunningStack

_WIDTH, _HEIGHT = 640, 520
_INTRODUCTION = (
    "An update would delete the resource and create another one. This guide takes the stack {stack} out of Heat and "
    "puts it back with the new name; for a move, also the other stack. The resources run on unchanged. Heat does not "
    "watch them in between; a stack gets a new ID, and loses its events{loses}. The data hold secret values; only you "
    "can read the files."
)
_ROLLBACK = " and the rollback on failure"
_STEPS = (
    "Write the data to disk",
    "Take out of Heat (abandon)",
    "Put back with the change (adopt)",
    "Compare with the state before",
)


class _Look(NamedTuple):
    """What the guide shows at a stage: the number of finished steps, and the titles of the buttons."""

    done: int
    next: str
    undo: str = ""


_LOOKS = {
    None: _Look(0, "Write the Data"),
    RenameStage.BEFORE: _Look(1, "Abandon"),
    RenameStage.BUSY: _Look(1, "Look Again"),
    RenameStage.ABANDONED: _Look(2, "Adopt with the Change", "Adopt as Before"),
    RenameStage.FAILED: _Look(2, "Adopt with the Change", "Adopt as Before"),
    RenameStage.RENAMED: _Look(4, "Finish", "Undo the Change"),
}
_MOST_LINES = 200
_Found = TypeVar("_Found")
_WRITTEN = "The data are on disk, and Heat would accept the result. Nothing has changed in Heat yet."
_NO_ROLLBACK = " Rollback on failure is off now; an update can turn it on again."


class RenameGuide(QDialog):
    """The steps of a rename, each begun by a button; closing the guide stops nothing and loses nothing."""

    prepare_requested = Signal(str, str, object, object)
    """The old name, the new name, the stack to move to or None, and the folder of the data."""
    step_requested = Signal(object)
    """The stage from which to take the next step."""
    undo_requested = Signal()

    def __init__(
        self, parent: QWidget, appearance: Appearance, plan: RenamePlan, others: Sequence[StackSummary], folder: Path
    ) -> None:
        """`plan` has the stack and the names to suggest; `others` are stacks to move to; `folder` gets the data."""
        super().__init__(parent)
        self.stage: RenameStage | None = None
        self.lines: Sequence[str] = ()
        """The changes of the data, for display."""
        first, *rest = plan.stacks
        self._targets = [None, *(one.stack for one in rest), *(others if not rest else ())]
        title = f"Rename or move a resource of {first.stack.name}"
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self.resource = choice_box("Resource")
        self._names = sorted(part(first.data, "resources"))
        self.resource.addItems(list(map(visible, self._names)))
        self.resource.setCurrentText(visible(plan.old))
        self.name = LineEdit("New name", plan.new, self)
        self.target = choice_box("Stack")
        self.target.addItems([f"{first.stack.name} (rename only)", *(one.name for one in self._targets if one)])
        self.target.setCurrentIndex(len(rest))
        self.folder = LineEdit("Folder of the data", str(folder), self)
        self._browse = QPushButton("Browse…")
        self._browse.setAutoDefault(False)
        self._browse.clicked.connect(self._choose_folder)
        self.words = AnnouncingLabel("Progress of the rename", wraps=True)
        self.model = TreeModel(("Step",), _cell)
        self.view = RowTree(self.model, appearance, "Steps of the rename")
        self.view.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, parent=self)
        self.undo = buttons.addButton("", QDialogButtonBox.ButtonRole.ActionRole)
        self.next = buttons.addButton("", QDialogButtonBox.ButtonRole.ActionRole)
        for button in buttons.buttons():
            if isinstance(button, QPushButton):
                button.setAutoDefault(False)  # Return must not send anything
        self.next.clicked.connect(self._go_on)
        self.undo.clicked.connect(self.undo_requested)
        buttons.rejected.connect(self.reject)
        self.name.textChanged.connect(self._allow)
        self.folder.textChanged.connect(self._allow)
        self.target.currentIndexChanged.connect(self._allow)
        form = QFormLayout()
        form.addRow("&Resource:", self.resource)
        form.addRow("&New name:", self.name)
        form.addRow("&Stack:", self.target)
        form.addRow("Data folder:", in_row((self.folder, 1), self._browse, gap=GAP))
        loses = _ROLLBACK if first.options.rolls_back else ""
        introduction = PlainLabel(_INTRODUCTION.format(stack=first.stack.name, loses=loses), self, wraps=True)
        in_column(
            introduction, form, (self.view, 1), self.words, buttons, of=self, edges=(EDGE, EDGE, EDGE, EDGE), gap=GAP
        )
        resize_within_screen(self, _WIDTH, _HEIGHT)
        self.show_stage(None, "")

    def show_stage(self, stage: RenameStage | None, words: str) -> None:
        """Show how far the rename has come; None before the plan is written."""
        self.stage = stage
        self.words.setText(without_marks(words) or (stage.value if stage is not None else ""))
        look = _LOOKS[stage]
        steps = [Branch(_step(title, number - look.done, stage)) for number, title in enumerate(_STEPS)]
        changes = (Branch((line,)) for line in self.lines[:_MOST_LINES])
        title = AnswerRow("Changes of the data", detail=str(len(self.lines)))
        self.model.set_branches([*steps, Branch(title, tuple(changes))] if self.lines else steps)
        self.view.setRootIsDecorated(bool(self.lines))
        self.view.expandAll()
        self.next.setText(look.next)
        self.undo.setText(look.undo)
        self.undo.setVisible(bool(look.undo))
        for field in (self.resource, self.name, self.target, self.folder, self._browse):
            field.setEnabled(stage is None)
        self._allow()

    def show_work(self, words: str) -> None:
        """Show that a step is under way."""
        self.stage = self.stage and RenameStage.BUSY  # how far it has come when the guide is closed is unknown
        self.words.setText(words)
        self.next.setEnabled(False)
        self.undo.setEnabled(False)

    def _allow(self) -> None:
        is_named = self.name.text().strip() or self.target.currentIndex() > 0
        is_filled = bool(is_named and self.folder.text().strip())
        self.next.setEnabled(is_filled)
        self.undo.setEnabled(True)

    def _choose_folder(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "New folder of the data", self.folder.text())
        if name:
            self.folder.setText(name)

    def _go_on(self) -> None:
        if self.stage is None:
            folder = Path(self.folder.text().strip()).expanduser()
            old, target = self._names[self.resource.currentIndex()], self._targets[self.target.currentIndex()]
            self.prepare_requested.emit(old, self.name.text().strip() or old, target, folder)
        else:
            self.step_requested.emit(self.stage)


def _step(title: str, ahead: int, stage: RenameStage | None) -> AnswerRow:
    """Return the row of a step that is a number of steps ahead, or done."""
    if ahead == 0:
        has_failed = stage is RenameStage.FAILED
        icon = ("severity-error", Color.ERROR) if has_failed else ("chevron-right", Color.INFORMATION)
        return AnswerRow(title, icon, "next")
    return AnswerRow(title, ("check", Color.ADDED) if ahead < 0 else ("severity-hint", Color.MUTED))


def _cell(value: object, column: int) -> Cell:
    return Cell(lines=value, spoken="\n".join(value)) if isinstance(value, tuple) else cell_of_answer(value, column)


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
