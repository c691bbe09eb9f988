"""Choosing the cloud that templates are checked for: its release."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from heatstudio.ui.release_menu import ReleaseMenu
from heatstudio.ui.session import Session
from heatstudio.ui.target import Target


class Targeting(QObject):
    """What is chosen counts at once, for all documents and until something else is chosen."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self.releases = ReleaseMenu(parent)
        self.releases.chosen.connect(self._choose_release)
        session.catalog_loaded.connect(lambda _catalog: self._offer())
        session.target_changed.connect(self._mark)
        self._mark(session.target)

    def _offer(self) -> None:
        engine = self._session.engine
        if engine is not None:
            self.releases.offer(engine.releases, engine.catalog.heat_version)
            self._mark(self._session.target)

    def _mark(self, target: Target) -> None:
        self.releases.mark(target.release)

    def _choose_release(self, name: str) -> None:
        self._session.set_target(replace(self._session.target, release=name))
