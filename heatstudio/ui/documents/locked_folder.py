"""A folder owned by one running program, protected by a lock file."""

import os
import sys
from pathlib import Path

from PySide6.QtCore import QLockFile

if sys.platform != "win32":
    import fcntl

_LOCK = "running"


class LockedFolder:
    """A folder that this program owns from `take` to `remove`, or to the end of the process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = QLockFile(str(path / _LOCK))
        self._lock.setStaleLockTime(0)

    def take(self) -> bool:
        """Lock the folder, and return whether it was possible; false if another running program owns it."""
        return self._lock.tryLock(0) or (self._is_abandoned() and self._lock.tryLock(0))

    def remove(self, but: str = "") -> None:
        """Remove the folder, or all its files except one, which the next start then finds."""
        try:
            for file in self.path.iterdir():
                if file.name not in (_LOCK, but):
                    file.unlink(missing_ok=True)
            self._lock.unlock()
            self.path.rmdir()
        except OSError:
            self._lock.unlock()

    def _is_abandoned(self) -> bool:
        """Remove the lock of an ended program whose process ID was reused; return whether the lock is free.

        Qt compares only process IDs and names; the file lock shows whether the owner still runs.
        """
        if sys.platform == "win32":
            return False
        name = self._lock.fileName()
        try:
            file = os.open(name, os.O_RDWR)
        except OSError:
            return False
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(file), Path(name).stat()):  # otherwise another program has replaced it
                Path(name).unlink()
            return True
        except OSError:
            return False
        finally:
            os.close(file)
