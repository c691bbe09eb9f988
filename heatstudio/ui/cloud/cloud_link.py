"""The window's connection to one cloud: each call runs in its own thread, shown in the status bar and cancelable.

No cloud is contacted before the user requests it.
"""

from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TypeVar

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from heatstudio.catalog.cloud.known_cloud import CloudCatalog, CloudNames, KnownCloud, load_name_kinds
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.clouds import CloudChoices, find_clouds
from heatstudio.cloud.connection import Connection, connect, one_task
from heatstudio.cloud.read_catalog import CatalogCache, read_catalog
from heatstudio.cloud.read_services import read_capacity, read_names
from heatstudio.cloud.stacks import StackSummary, list_stacks
from heatstudio.service.workspace.job import Job, StoppedError
from heatstudio.ui.tasks.jobs import Jobs
from heatstudio.update.plan.capacity import Capacity

Result = TypeVar("Result")
_INTERNAL_ERROR = "Internal error. Save your work and try again."


class CloudLink(QObject):
    """The configured clouds, the connected one, its stacks and its capabilities."""

    changed = Signal()
    """Emitted when the connection, the list of clouds or the list of stacks changes."""
    known_changed = Signal(object)
    """The KnownCloud, or None without a connected cloud and imported types."""
    capacity_changed = Signal(object)
    """What the connected cloud has room for; None if that is unknown."""
    failed = Signal(str)
    """A sentence with the problem and the next step."""
    login_requested = Signal(str, str)
    """The address of a login in the web browser, and the code to enter there; both may be empty."""
    _worked = Signal(object, object)

    def __init__(self, jobs: Jobs, cache_folder: Path, trusted_folders: Callable[[], Collection[Path]] = tuple) -> None:
        super().__init__(jobs)
        self._jobs = jobs
        self._trusted_folders = trusted_folders
        self._cache_folder = cache_folder
        self.choices: CloudChoices | None = None
        self.last_used = ""
        """The cloud that was connected last."""
        self.connection: Connection | None = None
        self.stacks: tuple[StackSummary, ...] = ()
        self.known: KnownCloud | None = None
        self.capacity: Capacity | None = None
        self._imported: KnownCloud | None = None
        """The types imported from files, used while no cloud is connected."""
        self._connecting: Job | None = None
        self._asking: set[Job] = set()
        """The running requests to the connected cloud, which are stopped when it is disconnected."""
        self._worked.connect(self._finish)

    @property
    def caution(self) -> str:
        """A warning if the connection is insecure; empty without a connection."""
        return self.connection.caution if self.connection is not None else ""

    @property
    def is_connecting(self) -> bool:
        """Whether a login is under way."""
        return self._connecting is not None and not self._connecting.is_stopped

    @property
    def reported(self) -> str:
        """The name of the imported types; empty if there are none."""
        return self._imported.name if self._imported is not None else ""

    @property
    def preferred(self) -> str:
        """The default cloud: that of `OS_CLOUD`, or the one used last."""
        return (self.choices.preferred if self.choices is not None else "") or self.last_used

    def find(self) -> None:
        """Find clouds in the configuration of this computer, without network access."""
        self._call("Finding clouds", lambda _job: find_clouds(self._trusted_folders()), self._take_choices)

    def connect_to(self, name: str) -> None:
        """Log in to a cloud, and read its stacks and capabilities."""
        self.disconnect_cloud()

        def work(_job: Job) -> tuple[Connection, tuple[StackSummary, ...]]:
            connection = connect(name, self._trusted_folders(), self.login_requested.emit)
            return connection, list_stacks(connection)

        self._connecting = self._call(
            f"Connecting to {name}", work, self._take_connection, self._connecting_over, self.changed.emit
        )
        self.changed.emit()

    def disconnect_cloud(self) -> None:
        """End the session, drop the known facts of the cloud, and use the imported types again."""
        for job in (*self._asking, *((self._connecting,) if self._connecting is not None else ())):
            job.stop()
        self._asking.clear()
        connection, self.connection, self._connecting, self.stacks = self.connection, None, None, ()
        if connection is not None:
            Thread(target=connection.close, daemon=True).start()
        self._know(self._imported)
        self.take_capacity(None)
        self.changed.emit()

    def refresh(self) -> None:
        """Reload the list of stacks."""
        self.ask("Loading stacks", lambda connection, _job: list_stacks(connection), self._take_stacks)

    def take_capacity(self, capacity: Capacity | None) -> None:
        """Keep what the cloud has room for, as it was just read."""
        if capacity is not self.capacity:
            self.capacity = capacity
            self.capacity_changed.emit(capacity)

    def read_catalog(self) -> None:
        """Read the capabilities of the cloud's Heat, and cache them for the next session."""
        cache = CatalogCache(self._cache_folder)

        def work(connection: Connection, job: Job) -> CloudCatalog:
            catalog = read_catalog(connection, job.advance)
            cache.put(catalog)
            return catalog

        self.ask("Loading cloud capabilities", work, lambda catalog: self._add(catalog=catalog))

    def import_catalog(self, catalog: CloudCatalog, before: str = "") -> None:
        """Import the types of a cloud from files, and store them for the next session.

        `before` is the name of the previously stored types, which are removed.
        """
        cache = CatalogCache(self._imported_folder)

        def work(_job: Job) -> None:
            cache.put(catalog)
            if before and before != catalog.cloud:
                cache.forget(before)

        self._take_imported(catalog)
        self._call(f"Saving the types of {catalog.cloud}", work, lambda _nothing: None)

    def recall_imported(self, name: str, lost: Callable[[], object]) -> None:
        """Load the types imported in an earlier session; call `lost` if they are no longer stored."""
        cache = CatalogCache(self._imported_folder)

        def take(found: CloudCatalog | None) -> None:
            if found is None:
                lost()
            elif self._imported is None:
                self._take_imported(found)

        self._call(f"Loading the types of {name}", lambda _job: cache.get(name), take)

    def forget_imported(self) -> None:
        """Drop the imported types, and remove them from the disk."""
        name, cache = self.reported, CatalogCache(self._imported_folder)
        self.leave_imported()
        self._call(f"Removing the types of {name}", lambda _job: cache.forget(name), lambda _nothing: None)

    def leave_imported(self) -> None:
        """Stop using the imported types without removing them from the disk."""
        was_known, self._imported = self.known is self._imported, None
        if was_known:
            self._know(None)
        self.changed.emit()

    @property
    def _imported_folder(self) -> Path:
        """The cache folder of imported types, separate from that of clouds, as files may have the name of a cloud."""
        return self._cache_folder / "imported"

    def _take_imported(self, catalog: CloudCatalog) -> None:
        self._imported = KnownCloud(catalog.cloud, catalog)
        if self.connection is None:
            self._know(self._imported)
        self.changed.emit()

    def ask(
        self,
        name: str,
        work: Callable[[Connection, Job], Result],
        done: Callable[[Result], object],
        failed: Callable[[str], object] | None = None,
        stopped: Callable[[], object] | None = None,
    ) -> Job | None:
        """Query the connected cloud, and call `done` with the answer in the GUI thread.

        Call `failed` with a message instead if the query fails, or `stopped` if the user cancels it.
        """
        connection = self.connection
        if connection is None:
            self.failed.emit("Not connected. Connect to a cloud in the Cloud pane first.")
            return None
        job = self._call(name, lambda job: work(connection, job), done, failed, stopped)
        self._asking = {one for one in self._asking if not one.is_stopped} | {job}
        return job

    def change(
        self, name: str, work: Callable[[Connection, Job], Result], done: Callable[[Result], object]
    ) -> Job | None:
        """Change something in the connected cloud, as `ask` does; warn if the user cancels the request."""
        words = "Canceled, but Heat may have started the operation. Refresh the stacks to check."
        return self.ask(name, work, done, stopped=partial(self.failed.emit, words))

    def _call(
        self,
        name: str,
        work: Callable[[Job], Result],
        done: Callable[[Result], object],
        failed: Callable[[str], object] | None = None,
        stopped: Callable[[], object] | None = None,
    ) -> Job:
        """Run work in a daemon thread, so that an unresponsive server blocks neither the window nor the exit."""
        job = self._jobs.begin(name, stopped)

        def run() -> None:
            finish: Callable[[], object] = partial(self._fail, _INTERNAL_ERROR, failed, lost=False)
            try:
                with one_task(job.check):
                    finish = partial(done, work(job))
            except StoppedError:
                return
            except CloudError as error:
                lost = error.trouble is CloudErrorKind.LOGIN_EXPIRED
                finish = partial(self._fail, error.message, failed, lost=lost)
            finally:  # also after an error of our own, which is then logged
                if not job.is_stopped:  # the window of a stopped job may be closed already
                    with suppress(RuntimeError):  # the window was closed in the meantime
                        self._worked.emit(job, finish)

        Thread(target=run, name="cloud", daemon=True).start()
        return job

    def _finish(self, job: Job, finish: Callable[[], object]) -> None:
        """End a job; Qt calls this slot in the GUI thread, to which the object belongs."""
        self._jobs.end(job)
        self._asking.discard(job)
        if not job.is_stopped:
            finish()

    def _fail(self, message: str, failed: Callable[[str], object] | None, *, lost: bool) -> None:
        if lost and self.connection is not None:
            self.disconnect_cloud()
        if failed is not None:
            failed(message)
        self.failed.emit(message)

    def _take_choices(self, choices: CloudChoices) -> None:
        self.choices = choices
        self.changed.emit()

    def _take_connection(self, found: tuple[Connection, tuple[StackSummary, ...]]) -> None:
        self._connecting = None
        self.connection, self.stacks = found
        self.last_used = self.connection.name
        self._learn(self.connection.name)
        self.changed.emit()

    def _connecting_over(self, _message: str) -> None:
        self._connecting = None
        self.changed.emit()

    def _take_stacks(self, stacks: tuple[StackSummary, ...]) -> None:
        self.stacks = stacks
        self.changed.emit()

    def _learn(self, name: str) -> None:
        """Load the cached catalog of the cloud, or read it if there is none, and always read the names."""
        cache = CatalogCache(self._cache_folder)

        def take(kept: CloudCatalog | None) -> None:
            self._know(KnownCloud(name, kept))
            if kept is None:
                self.read_catalog()
            self.ask("Loading names from the cloud", read, lambda names: self._add(names=names))
            self.ask("Loading quotas", lambda one, job: read_capacity(one, job.advance), self.take_capacity)

        def read(connection: Connection, job: Job) -> CloudNames:
            return read_names(connection, load_name_kinds(), job.advance)

        self.ask(f"Loading the types of {name}", lambda _connection, _job: cache.get(name), take)

    def _add(self, **known: CloudCatalog | CloudNames) -> None:
        if self.known is not None:
            self._know(replace(self.known, **known))

    def _know(self, known: KnownCloud | None) -> None:
        if known is not self.known:
            self.known = known
            self.known_changed.emit(known)
