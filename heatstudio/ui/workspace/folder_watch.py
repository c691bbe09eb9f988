"""Report changes in folders with many files."""

from collections.abc import Set as AbstractSet

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

_REST = 300
"""Milliseconds without a change after which changes are reported, as a checkout changes many files in sequence."""
_AT_ONCE = 100
"""Maximum number of paths added per turn of the event loop, so that typing is not blocked."""


class FolderWatch(QObject):
    """A watcher of folders for new and deleted files, and of files for changes."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._rest = QTimer(self, singleShot=True, interval=_REST)
        self._step = QTimer(self, singleShot=True, interval=0)
        self._wanted: list[str] = []
        self._watcher.fileChanged.connect(self._on_change)
        self._watcher.directoryChanged.connect(self._on_change)
        self._rest.timeout.connect(self.changed)
        self._step.timeout.connect(self._add)

    def follow(self, wanted: AbstractSet[str]) -> None:
        """Watch only the given files and folders, as far as they exist and the system allows it."""
        known = {*self._watcher.files(), *self._watcher.directories()}
        if known - wanted:
            self._watcher.removePaths(list(known - wanted))
        self._wanted = sorted(wanted - known)
        self._add()

    def _add(self) -> None:
        now, self._wanted = self._wanted[:_AT_ONCE], self._wanted[_AT_ONCE:]
        if now:
            self._watcher.addPaths(now)
            self._step.start()

    def _on_change(self, _path: str) -> None:
        self._rest.start()
