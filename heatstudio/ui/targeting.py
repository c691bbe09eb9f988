"""Choosing the cloud that templates are checked for: its release, and the versions of its APIs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from heatstudio.ui.release_menu import ReleaseMenu
from heatstudio.ui.session import Session
from heatstudio.ui.target import Target

if TYPE_CHECKING:  # the dialog is imported when it is first asked for
    from heatstudio.ui.client_versions_dialog import ClientVersionsDialog


class Targeting(QObject):
    """What is chosen counts at once, for all documents and until something else is chosen."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._parent = parent
        self.dialog: ClientVersionsDialog | None = None
        self.releases = ReleaseMenu(parent)
        self.releases.chosen.connect(self._choose_release)
        session.catalog_loaded.connect(lambda _catalog: self._offer())
        session.target_changed.connect(self._mark)
        self._mark(session.target)

    def slots(self) -> Mapping[str, Callable[[], object]]:
        """What the commands of this kind do."""
        return {"client-versions": self.show_client_versions}

    def show_client_versions(self) -> None:
        """Lets the user say which API versions the cloud has; the window stays usable."""
        if self._session.engine is None:
            return
        if self.dialog is None:
            from heatstudio.ui.client_versions_dialog import ClientVersionsDialog

            self.dialog = ClientVersionsDialog(self._parent)
            self.dialog.changed.connect(self._choose_client_versions)
        self.dialog.choose(self._session.target.client_versions, self._session.engine.client_versions)

    def _offer(self) -> None:
        engine = self._session.engine
        if engine is not None:
            self.releases.offer(engine.releases, engine.catalog.heat_version)
            self._mark(self._session.target)

    def _mark(self, target: Target) -> None:
        self.releases.mark(target.release)

    def _choose_client_versions(self, versions: dict[str, str]) -> None:
        self._session.set_target(self._session.target._replace(client_versions=versions))

    def _choose_release(self, name: str) -> None:
        self._session.set_target(self._session.target._replace(release=name))
