"""Detection of Qt objects whose parent in PySide may be deleted before them.

PySide has its own object tree: many methods that return a Qt object make it a child of the object they are called on.
When the parent is deleted, PySide invalidates its children, even if Qt keeps them.
"""

from __future__ import annotations

import re

from PySide6.QtCore import QMimeData, QObject, Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QLayout, QMenu
from shiboken6 import Shiboken, dump

_PARENT = re.compile(r"^parent\.+ <.+ at 0x([0-9a-f]+)>$", re.MULTILINE)


def qt_objects() -> list[QObject]:
    """Return the Qt objects that Python knows and Qt has not deleted.

    `gc.get_objects` would return all objects, also a tuple that another thread is building, which then fails.
    """
    return [one for one in Shiboken.getAllValidWrappers() if isinstance(one, QObject)]


def strays() -> list[str]:
    """Return the objects whose PySide parent may be deleted by Qt before them."""
    known = {id(one): one for one in qt_objects()}
    placed = [(one, known.get(int(found[1], 16))) for one in known.values() if (found := _PARENT.search(dump(one)))]
    return [f"{one!r} belongs to {parent!r}" for one, parent in placed if parent and not _outlives(parent, one)]


def _outlives(parent: QObject, one: QObject) -> bool:
    """Return whether Qt deletes an object at the latest together with its parent in PySide."""
    ancestors = _ancestors(one)
    if isinstance(one, QMimeData):  # clipboard data has no parent and is read at once
        return True
    is_lasting = isinstance(parent, QLayout | QActionGroup) or (
        isinstance(parent, QMenu) and not parent.testAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    )
    return parent in ancestors or (is_lasting and not ancestors.isdisjoint(_ancestors(parent)))


def _ancestors(one: QObject | None) -> set[QObject]:
    found = set()
    while one is not None and (one := one.parent()) is not None:
        found.add(one)
    return found
