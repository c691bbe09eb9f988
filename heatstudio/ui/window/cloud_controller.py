"""The cloud in the window: requests of its panes, and presentation of the results."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu

from heatstudio.catalog.cloud.known_cloud import CloudCatalog, ReportedTypes, catalog_of, imported_types, only_there
from heatstudio.catalog.load import Catalog
from heatstudio.cloud.changes import stack_actions
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.events import OperationProgress, StackEvent, StackPage
from heatstudio.cloud.export import file_name, special_files, stack_files, write_stack
from heatstudio.cloud.failure import cause_of
from heatstudio.cloud.heat_verdict import DryRun, compare, preview_update, validate
from heatstudio.cloud.stacks import DELETED, StackSummary, open_stack
from heatstudio.cloud.submission import submission_of
from heatstudio.service.workspace.job import Job
from heatstudio.stack.definition.secrets import MASK
from heatstudio.stack.unknown import unknowns
from heatstudio.text import DATA_LIMIT, DocumentError, Severity, counted, read_text
from heatstudio.ui.cloud.cloud_link import CloudLink
from heatstudio.ui.cloud.deploy_controller import AdoptionController, DeployController
from heatstudio.ui.cloud.heat_answers import AnswerRow, comparison_rows, opinion_rows, page_rows, progress_rows
from heatstudio.ui.cloud.heat_pane import HeatPane
from heatstudio.ui.cloud.notices import NoticesModel
from heatstudio.ui.cloud.rename_controller import RenameController
from heatstudio.ui.cloud.stack_events import StackEvents
from heatstudio.ui.cloud.stack_loader import StackLoader
from heatstudio.ui.cloud.stacks_model import status_icon, status_words
from heatstudio.ui.cloud.stacks_pane import StacksPane
from heatstudio.ui.commands.actions import COMMANDS, STACK_MENU
from heatstudio.ui.commands.navigation import Navigation
from heatstudio.ui.widgets import SEVERITY_ICONS, plain
from heatstudio.ui.widgets.banner import Answer
from heatstudio.ui.window.window import Window
from heatstudio.update.drift import Drift
from heatstudio.update.plan.update_plan import UpdatePlan
from heatstudio.update.running_stack import RunningStack

_WAY_OUT = (
    "Create such a file with `openstack orchestration resource type list -f json`, "
    "or `openstack orchestration resource type show TYPE -f json`."
)


def read_types(names: Sequence[str]) -> list[ReportedTypes]:
    """Return the types in files (in the thread of the disk); raise DocumentError if a file has none."""
    reported = []
    for name in names:
        try:
            found = imported_types(json.loads(read_text(Path(name), limit=DATA_LIMIT)))
        except (ValueError, RecursionError):
            found = None
        if found is None:
            message = f"{Path(name).name} does not contain resource types in JSON format. {_WAY_OUT}"
            raise DocumentError("no-types", message)
        reported.append(found)
    return reported


def imported_words(catalog: CloudCatalog, bundled: Catalog) -> str:
    """Return the result of an import as text."""
    alone = len(only_there(catalog, bundled))
    missing = sum(1 for name in bundled.names() if (known := bundled.get(name)) and not catalog.has_type(known))
    return (
        f"{catalog.cloud}: {counted(alone, 'type')} added, {missing} of Heat's types missing. "
        "To undo, choose Cloud > Forget Imported Types."
    )


_MOST_NAMED = 10
"""The maximum number of files that a question names."""


class CloudController(QObject):
    """The controller of the Cloud pane and the Heat pane."""

    connected = Signal(str, str)
    """The connected cloud, and the name of the imported types; empty if there is none."""
    folder_requested = Signal(object)
    """The path of a folder to open."""
    text_requested = Signal()
    """Emitted when the text of the shown row is to get the focus."""

    def __init__(self, window: Window, navigation: Navigation) -> None:
        super().__init__(window)
        session, banner = window.session, window.area.banner
        self._session, self._banner = session, banner
        self._window = window
        self._sides = window.sides
        self._appearance = window.appearance
        self._navigation = navigation
        self.link = CloudLink(session.jobs, cache_folder(), lambda: session.settings.trusted_folders)
        self.reader = StackLoader(session, self.link, banner.say)
        self.link.last_used = session.settings.last_cloud
        self.link.changed.connect(self._note_cloud)
        self.link.known_changed.connect(session.take_cloud)
        self.notices = NoticesModel()
        self.renaming = RenameController(window, self._appearance, session, banner, link=self.link, reader=self.reader)
        self.adoptions = AdoptionController(window, banner, self.link, self.reader, self._follow_new)
        self.deploying = DeployController(
            window,
            self._appearance,
            link=self.link,
            reader=self.reader,
            begun=self._follow_new,
            changed=self.show_page,
            rename=self.renaming.begin,
        )
        self.events = StackEvents(self.link)
        self.events.happened.connect(self._show_progress)
        self.events.interrupted.connect(self._show_interruption)
        self.events.ended.connect(self._show_end)
        self.events.left.connect(self._show_left)
        self.link.failed.connect(self._note_failure)
        self.link.login_requested.connect(self._show_login)

    def recall_imported(self) -> None:
        """Check with the types that were imported in an earlier session."""
        self.link.recall_imported(self._session.settings.imported_types, self._miss_imported)

    def _note_cloud(self) -> None:
        self._session.settings.last_cloud = self.link.last_used
        self.connected.emit(self.reader.cloud, self.link.reported)
        if self._session.settings.unfinished_rename:
            self.renaming.offer_unfinished()

    def _trust(self, folder: Path) -> None:
        self._session.settings.trust_folder(folder)
        self.link.find()

    @cached_property
    def stacks(self) -> StacksPane:
        """The lazily built pane of clouds and stacks."""
        actions = [
            (self._window.actions_by_name[name], COMMANDS[name].submenu) if name else None for name in STACK_MENU
        ]
        pane = StacksPane(self.link, self._appearance, self.notices, actions)
        pane.stack_changed.connect(self._allow_actions)
        pane.open_requested.connect(self.open)
        pane.trust_requested.connect(self._trust)
        return pane

    @cached_property
    def heat(self) -> HeatPane:
        """The lazily built pane of Heat's results."""
        pane = HeatPane(self._appearance)
        pane.location_requested.connect(self._show_text)
        pane.text_requested.connect(self.text_requested)
        return pane

    def command_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the cloud's commands."""
        return {
            "cloud-refresh": self.link.refresh,
            "cloud-catalog": self.link.read_catalog,
            "cloud-import": self.ask_and_import,
            "cloud-forget": self.forget_imported,
            "cloud-disconnect": self.link.disconnect_cloud,
            "cloud-open": lambda: self._with_stack(self.open),
            "cloud-compare": lambda: self._with_stack(self.compare),
            "cloud-preview": lambda: self._with_stack(self.ask_preview),
            "cloud-update": lambda: self._with_stack(self.deploying.update),
            "cloud-show": lambda: self._with_stack(self.show_page),
            "cloud-export": lambda: self._with_stack(self.ask_and_export),
            **{
                f"cloud-{name}": partial(self._with_stack, partial(self.deploying.act, action))
                for name, action in stack_actions().items()
            },
            "cloud-abandon": lambda: self._with_stack(self.adoptions.abandon),
            "cloud-adopt": partial(self._if_connected, self.adoptions.adopt),
            "cloud-rename": lambda: self._with_stack(self.renaming.begin),
            "cloud-follow": lambda: self._with_stack(self.follow),
            "cloud-opinion": self.ask_opinion,
            "cloud-create": partial(self._if_connected, self.deploying.create),
        }

    def ask_and_import(self) -> None:
        """Ask for files with a cloud's types, and check with them."""
        title, kinds = "Resource type files", "JSON (*.json);;All files (*)"
        names, _ = QFileDialog.getOpenFileNames(self._window, title, "", kinds)
        take = partial(self._take_imported, Path(*names[:1]).stem)
        self._session.disk.run("Reading resource types", partial(read_types, names), take, self._refuse_import)

    def _refuse_import(self, error: DocumentError) -> None:
        self._banner.say(error.message)

    def _take_imported(self, name: str, reported: list[ReportedTypes]) -> None:
        if reported and self._session.catalog is not None:
            self.link.disconnect_cloud()  # only one cloud at a time
            self.link.leave_imported()  # the bundled types remain
            bundled, settings = self._session.catalog, self._session.settings
            catalog = catalog_of(name, reported, bundled)
            self.link.import_catalog(catalog, settings.imported_types)
            settings.imported_types = catalog.cloud
            self._session.show_message(imported_words(catalog, bundled))

    def forget_imported(self) -> None:
        """Remove the imported types."""
        name = self.link.reported
        if name:
            self._session.settings.imported_types = ""
            self.link.forget_imported()
        words = f"Removed the imported types of {name}." if name else "No imported types."
        self._session.show_message(words)

    def _miss_imported(self) -> None:
        name, self._session.settings.imported_types = self._session.settings.imported_types, ""
        self._banner.say(f"Cannot load the imported types of {name}.", ("Import Again", self.ask_and_import))

    def open(self, stack: StackSummary) -> None:
        """Open the template of a stack as a read-only document."""

        def show(found: RunningStack) -> None:
            document = self._session.begin(found.template, f"{stack.name} in {self.reader.cloud}", found)
            self.reader.compare(document, stack, found)

        self.reader.read(stack, show)

    def compare(self, stack: StackSummary) -> None:
        """Compare the current document with a stack."""
        document = self._session.current
        if document is None:
            self._banner.say("Open a template first to compare it with the stack.")
        else:
            self.reader.read(stack, lambda found: self.reader.compare(document, stack, found))

    def follow(self, stack: StackSummary) -> None:
        """Follow the events of a stack until its operation ends or the user stops."""
        self._sides.show_pane("Heat")
        self.events.follow(stack)

    def show_page(self, stack: StackSummary) -> None:
        """Show the state of a stack: outputs, resources, events, and drift from its template."""

        def show(page: StackPage, drift: tuple[Drift, ...]) -> None:
            self._say(f"{stack.name} in {self.reader.cloud}", page_rows(page, drift))

        self.reader.read_page(stack, show)

    def ask_and_export(self, stack: StackSummary) -> None:
        """Export a stack into a folder from which it can be recreated."""
        name = QFileDialog.getExistingDirectory(self._window, f"Choose where to export {stack.name}")
        if not name:
            return
        folder = Path(name) / file_name(stack.name.lstrip("."))

        def read(connection: Connection, _job: Job) -> tuple[RunningStack, tuple[str, ...]]:
            found = open_stack(connection, stack)
            return found, special_files(stack_files(found)[0])

        def take(answer: tuple[RunningStack, tuple[str, ...]]) -> None:
            found, special = answer
            if not special:
                return write(found)
            names = f"{', '.join(special[:_MOST_NAMED])}{', …' if len(special) > _MOST_NAMED else ''}"
            return self._banner.say(
                f"{stack.name} has hidden or special files, which programs may run or obey: {names}.",
                ("Leave Out", partial(write, found)),
                ("Export All", partial(write, found, with_special=True)),
            )

        def write(found: RunningStack, *, with_special: bool = False) -> None:
            def work(_connection: Connection, _job: Job) -> tuple[str, ...]:
                return write_stack(found, folder, with_special=with_special)

            self.link.ask(f"Exporting {stack.name}", work, done)

        def done(masked: tuple[str, ...]) -> None:
            hidden = f" Heat hides the values of {', '.join(masked)}; add them to environment.yaml." if masked else ""
            show = ("Open Folder", partial(self.folder_requested.emit, folder))
            self._banner.say(f"Exported {stack.name} to {folder}.{hidden}", show, severity=Severity.INFORMATION)

        self.link.ask(f"Reading {stack.name}", read, take)

    def ask_opinion(self) -> None:
        """Validate the template with Heat."""
        current = self.reader.current() if self._is_connected() else None
        if current is None:
            return
        source = current[1].source
        self.link.ask(
            "Validating with Heat",
            lambda connection, _job: validate(connection, submission_of(source)),
            lambda opinion: self._say(*opinion_rows(opinion)),
        )

    def ask_preview(self, stack: StackSummary) -> None:
        """Request a dry run from Heat, and compare it with the preview."""
        current = self.reader.current()
        if current is None:
            return
        document, analysis = current
        source = analysis.source

        def work(connection: Connection, _job: Job) -> tuple[RunningStack, DryRun, DryRun]:
            theirs = preview_update(connection, stack, submission_of(source), keep_values=False)
            return open_stack(connection, stack), theirs, preview_update(connection, stack, None)

        def take(found: tuple[RunningStack, DryRun, DryRun]) -> None:
            masked = {f"parameter:{name}" for name, value in found[0].parameters.items() if value == MASK}
            self.reader.plan(
                document, analysis, found[0], lambda plan, _kept: self._show_comparison(plan, *found[1:], masked)
            )

        self.link.ask(f"Dry run of the update of {stack.name}", work, take)

    def _allow_actions(self, stack: StackSummary | None) -> None:
        """Enable the actions that the status of the selected stack allows; the tool tips of others have the reason."""
        for name, action in stack_actions().items():
            shown = self._window.actions_by_name[f"cloud-{name}"]
            reason = action.refusal(stack.status) if stack is not None else ""
            shown.setEnabled(not reason)
            shown.setToolTip(plain(reason))
            for menu in shown.associatedObjects():
                if isinstance(menu, QMenu) and not menu.toolTipsVisible():
                    menu.setToolTipsVisible(True)
                    _clear_tips(menu)

    # Presentation of results

    def _show_comparison(self, plan: UpdatePlan, theirs: DryRun, baseline: DryRun, masked: Collection[str]) -> None:
        ours = {change.name: (change.action, bool(change.because)) for change in plan.changes}
        causes = ((change.name, cause) for change in plan.changes for cause in change.causes)
        values = ((name, unknown) for name, cause in causes for unknown in unknowns([cause.before, cause.after]))
        hidden = {name for name, unknown in values if not unknown.origins.isdisjoint(masked)}
        self._say(*comparison_rows(compare(ours, theirs, baseline, hidden), theirs))

    def _show_progress(
        self, stack: StackSummary, progress: OperationProgress, events: tuple[StackEvent, ...], total: int
    ) -> None:
        done = len(progress.finished)
        count = f": {done} of {total} resources" if total else ""
        self.heat.follow(f"{stack.name} in progress{count}", progress_rows(progress, events), done, total)

    def _show_end(self, stack: StackSummary, progress: OperationProgress, events: tuple[StackEvent, ...]) -> None:
        status = progress.ended.status if progress.ended is not None else ""
        words = status_words(status)
        self._say(f"{stack.name}: {words}", progress_rows(progress, events))
        self.heat.view.scrollToBottom()
        self.link.refresh()
        if status != DELETED:
            self.reader.read_baselines(stack)
        if progress.failed:
            first = progress.failed[0]
            resource = next((event.resource for event in progress.failed if not event.owners), first.resource)
            show = ("Show Resource", lambda: self._navigation.show_resource(resource))
            known = cause_of(first.reason)
            words = f"{words}. {first.resource}: {known.cause if known is not None else first.reason}"
            self._banner.say(f"{stack.name}: {words}", show, stays=True, severity=Severity.ERROR)
        self.notices.add(f"{stack.name}: {words}", status_icon(status))

    def _show_interruption(self, stack: StackSummary, why: str, seconds: int) -> None:
        self.heat.leave(f"{stack.name}: {why} Retrying in {seconds} s.")

    def _note_failure(self, words: str) -> None:
        """Show a failure in the banner and keep it as a notice, unless the Cloud pane is seen, which shows it."""
        if not self._sides.is_seen("Cloud"):
            self.notices.add(words, SEVERITY_ICONS[Severity.ERROR])
            self._banner.say(words, stays=True, severity=Severity.ERROR)

    def _show_login(self, address: str, code: str) -> None:
        """Ask the user to log in with the web browser, to which the library may have sent the address already."""
        where = f"open {address}" if address else "continue in the web browser"
        words = f"To log in, {where}{f' and enter the code {code}' if code else ''}."
        answers: list[Answer] = [("Copy Code", lambda: QGuiApplication.clipboard().setText(code))] if code else []
        if address.startswith(("https://", "http://")):
            answers.append(("Open Browser", lambda: QDesktopServices.openUrl(QUrl(address))))
        self.notices.add(words, SEVERITY_ICONS[Severity.INFORMATION])
        self._banner.say(words, *answers, stays=True, severity=Severity.INFORMATION)

    def _show_left(self, stack: StackSummary) -> None:
        self.heat.leave(f"Stopped following {stack.name}. The operation continues in Heat.")

    def _say(self, headline: str, rows: Sequence[AnswerRow]) -> None:
        self.heat.say(headline, rows)
        self._sides.show_pane("Heat")
        self._session.show_message(headline.removesuffix(":"))

    def _follow_new(self, stack: StackSummary, since: str, total: int) -> None:
        self.link.refresh()
        self._sides.show_pane("Heat")
        self.events.follow(stack, since, total)

    def _show_text(self, row: AnswerRow) -> None:
        if row.path:
            self._navigation.show_path(row.path)
        else:
            self._navigation.show_resource(row.resource)

    # Preconditions of commands

    def _with_stack(self, act: Callable[[StackSummary], object]) -> None:
        """Run a function with the selected stack; if none is selected, focus the list."""
        if not self._is_connected():
            return
        stack = self.stacks.stack
        if stack is None:
            self._sides.show_pane("Cloud")
            self.stacks.view.setFocus()
            self._banner.say("Select a stack in the Cloud pane first.")
            return
        act(stack)

    def _if_connected(self, act: Callable[[], object]) -> None:
        if self._is_connected():
            act()

    def _is_connected(self) -> bool:
        if self.link.connection is None:
            self._sides.show_pane("Cloud")
            self.stacks.button.setFocus()
            self._banner.say("Not connected. Connect to a cloud in the Cloud pane first.")
        return self.link.connection is not None


def _clear_tips(menu: QMenu) -> None:
    """Remove the tool tips that repeat the text of a command; those of a pane are also on its tab."""
    for action in menu.actions():
        if action.objectName().startswith("cloud-") and action.isEnabled():
            action.setToolTip("")


def cache_folder() -> Path:
    """Return the cache folder of cloud data, which holds no secrets."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.CacheLocation)) / "clouds"
