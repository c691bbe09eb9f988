"""Thinking gives way to showing: as long as the window has something to do, the threads that think wait.

Both share Python's one interpreter lock. Every call of Qt lets go of it, and a thread that thinks keeps it for a while:
a key that takes a third of a millisecond alone takes thirty beside an analysis.
"""

from __future__ import annotations

import time
from threading import Event

from PySide6.QtCore import QAbstractEventDispatcher, QObject

_LONGEST = 0.03
"""Seconds that a thread waits at once: the window may be busy for a long time, or never say that it is done."""
_AT_LEAST = 0.004
"""Seconds that a thread may think between two waits."""


class Pace(QObject):
    """Knows whether the event loop works or waits; lives in the thread that shows."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rests = Event()
        self._rests.set()
        self._thinks_until = 0.0
        dispatcher = QAbstractEventDispatcher.instance()
        if dispatcher is not None:
            dispatcher.awake.connect(self._work)
            dispatcher.aboutToBlock.connect(self._rest)

    def give_way(self) -> None:
        """Waits a little while the window is busy; called by the threads that think."""
        if self._rests.is_set() or time.monotonic() < self._thinks_until:
            return
        self._rests.wait(_LONGEST)  # not in naps: with every one that ends, the window would lose the lock
        self._thinks_until = time.monotonic() + _AT_LEAST

    def _work(self) -> None:
        self._rests.clear()

    def _rest(self) -> None:
        self._rests.set()
