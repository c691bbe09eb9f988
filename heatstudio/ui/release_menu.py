"""The choice of the OpenStack release that templates are checked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.catalog import Release


class ReleaseMenu(QMenu):
    """This Heat first, then all releases, the newest first; the one in force is checked."""

    chosen = Signal(str)
    """The name of a release; empty for the Heat of this program."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Target &release", parent)
        self.setAccessibleName("Target release")
        self._group = QActionGroup(self)
        self.offer((), "")

    def offer(self, releases: Sequence[Release], heat_version: str) -> None:
        """Lists releases that are given oldest first."""
        self.clear()
        for action in self._group.actions():
            self._group.removeAction(action)
        self._add("", f"This Heat ({heat_version})" if heat_version else "This Heat")
        self.addSeparator()
        for release in reversed(releases):
            self._add(release.name, f"{release.name} (Heat {release.heat})")

    def mark(self, release: str) -> None:
        """Checks the release that is in force."""
        for action in self._group.actions():
            action.setChecked(action.data() == release)

    def _add(self, name: str, words: str) -> None:
        action = self.addAction(words)
        action.setData(name)
        action.setCheckable(True)
        action.triggered.connect(partial(self.chosen.emit, name))
        self._group.addAction(action)
