"""Report that files may have changed: on notifications of the system, or every second without them."""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from heatstudio.text import stamp_of

_REST = 100
"""Milliseconds that a program may take between emptying or removing a file and writing it again."""
_AGAIN = 1000
"""Milliseconds between checks of files that cannot be watched, such as deleted ones."""


class DiskWatch(QObject):
    """A watcher of files, including missing ones."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._rest = QTimer(self, singleShot=True, interval=_REST)
        self._again = QTimer(self, interval=_AGAIN)
        self._watcher.fileChanged.connect(self._on_change)
        self._rest.timeout.connect(self.changed)
        self._again.timeout.connect(self.changed)

    def follow(self, files: Iterable[Path]) -> None:
        """Watch only the given files; called again after changes, as the system stops watching a replaced file."""
        wanted, known = set(map(str, files)), set(self._watcher.files())
        for name in known - wanted:
            self._watcher.removePath(name)
        unwatched = [name for name in wanted - known if not (stamp_of(Path(name)) and self._watcher.addPath(name))]
        if not unwatched:
            self._again.stop()
        elif not self._again.isActive():
            self._again.start()

    def _on_change(self) -> None:
        if not self._rest.isActive():
            self._rest.start()
