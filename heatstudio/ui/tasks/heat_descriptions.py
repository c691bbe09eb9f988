"""Heat's own words for the browser and the hover, fetched once from an installed Heat by another process."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QStandardPaths, Signal

from heatstudio.catalog.prose import harvest_command, installed_heat, read_prose
from heatstudio.catalog.words import Prose
from heatstudio.ui.tasks.jobs import Finish, Job, Jobs


def prose_folder() -> Path:
    """Where the words are kept for this user."""
    cache = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericCacheLocation)
    return Path(cache) / "heatstudio" / "prose"


class HeatDescriptions(QObject):
    """Reads the words that are kept, or has them harvested; without an installed Heat it stays silent."""

    ready = Signal(object)
    """The words, for `Catalog.with_prose`."""
    failed = Signal(str)
    """Why there are no words, in a sentence."""

    def __init__(self, folder: Path, jobs: Jobs) -> None:
        super().__init__()
        self._folder = folder
        self._jobs = jobs
        self._job: Job | None = None
        self._version = ""
        self._process: QProcess | None = None

    def start(self) -> None:
        """Begins to look, in another thread; the answer comes by `ready`."""
        self._jobs.start("Finding an installed Heat", lambda _job: self._look())

    def _look(self) -> Finish:
        version = installed_heat()
        kept = read_prose(self._folder, version) if version is not None else None
        return lambda: self._take(version, kept)

    def _take(self, version: str | None, kept: Prose | None) -> None:
        if version is None:
            return
        self._version = version
        if kept is not None:
            self.ready.emit(kept)
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self.failed.emit(f"Cannot save Heat's descriptions: {error.strerror}.")
            return
        self._harvest(harvest_command(self._folder, version))

    def stop(self) -> None:
        """Ends a harvest that is under way."""
        if self._job is not None:
            self._job.stop()

    def _harvest(self, command: list[str]) -> None:
        self._job = self._jobs.begin("Loading descriptions from the installed Heat", self._kill)
        process = QProcess(self)
        process.finished.connect(self._finish)
        process.errorOccurred.connect(self._finish)
        process.start(command[0], command[1:])
        self._process = process

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.waitForFinished()

    def _finish(self) -> None:
        job, self._job, self._process = self._job, None, None
        if job is None or job.is_stopped:
            return
        self._jobs.end(job)
        words: Prose | None = read_prose(self._folder, self._version)
        if words is not None:
            self.ready.emit(words)
        else:
            self.failed.emit("Cannot read the installed Heat. Types are shown without its descriptions.")
