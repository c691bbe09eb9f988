"""Takes PySide out of the way of imports."""

from __future__ import annotations

import builtins


def import_plainly() -> None:
    """Has modules imported by Python alone again; to be called when PySide is imported, before much else is.

    PySide puts itself into every import to look for `__feature__`, which Heat Studio does not use: it reads the source
    of each module that comes after it, and keeps all that text. That cost 10 MB, and a third of the time of imports.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
