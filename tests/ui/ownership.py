"""Whether PySide and Qt agree about which object belongs to which.

PySide keeps a tree of its own: many methods that return a Qt object make it a child of the object that was asked. When
that one is deleted, PySide takes its children for deleted too, also where Qt keeps them.
"""

from __future__ import annotations

import gc
import re

from PySide6.QtCore import QMimeData, QObject, Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QLayout, QMenu
from shiboken6 import dump, isValid

_PARENT = re.compile(r"^parent\.+ <.+ at 0x([0-9a-f]+)>$", re.MULTILINE)


def strays() -> list[str]:
    """Return the objects that PySide counts to an object which Qt may delete before them."""
    gc.unfreeze()  # the engine hides from the collector what never ends
    known = {id(one): one for one in gc.get_objects() if isinstance(one, QObject) and isValid(one)}
    placed = [(one, known.get(int(found[1], 16))) for one in known.values() if (found := _PARENT.search(dump(one)))]
    return [f"{one!r} belongs to {parent!r}" for one, parent in placed if parent and not _outlives(parent, one)]


def _outlives(parent: QObject, one: QObject) -> bool:
    """Whether Qt deletes an object at the latest together with a parent that PySide gives it."""
    ancestors = _ancestors(one)
    if isinstance(one, QMimeData):  # what is pasted belongs to nobody's tree, and is read at once
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
