"""A folder with a lock that tells whether the program that owns it still runs."""

import os
import sys
from pathlib import Path

from PySide6.QtCore import QLockFile

if sys.platform != "win32":
    import fcntl

_LOCK = "running"


class KeptFolder:
    """Locked from `take` to `remove`, or to the end of the program, however it ends."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = QLockFile(str(path / _LOCK))
        self._lock.setStaleLockTime(0)

    def take(self) -> bool:
        """Return whether this program owns the folder from now on; not if one that runs does."""
        return self._lock.tryLock(0) or (self._is_abandoned() and self._lock.tryLock(0))

    def remove(self, but: str = "") -> None:
        """Take the folder away, or all in it but one file; what stays is found by another program."""
        try:
            for file in self.path.iterdir():
                if file.name not in (_LOCK, but):
                    file.unlink(missing_ok=True)
            self._lock.unlock()
            self.path.rmdir()
        except OSError:
            self._lock.unlock()

    def _is_abandoned(self) -> bool:
        """Take away the lock of a program that ended and whose number another one has now.

        Qt compares numbers and names alone, but the system knows who holds the file.
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
            if os.path.samestat(os.fstat(file), Path(name).stat()):  # else another program was quicker
                Path(name).unlink()
            return True
        except OSError:
            return False
        finally:
            os.close(file)
