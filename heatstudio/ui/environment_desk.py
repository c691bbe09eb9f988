"""Who is asked for the environments of both sides of the update preview."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:  # dialogs are imported when they are asked for
    from heatstudio.ui.appearance import Appearance
    from heatstudio.ui.environments_dialog import EnvironmentsDialog
    from heatstudio.ui.files import Files
    from heatstudio.ui.old_environments_dialog import OldEnvironmentsDialog
    from heatstudio.ui.session import Session


class EnvironmentDesk(QObject):
    """Makes each dialog when it is asked for first."""

    def __init__(self, session: Session, appearance: Appearance, files: Files, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._appearance = appearance
        self._files = files
        self._window = window
        self.dialog: EnvironmentsDialog | None = None
        self.old_dialog: OldEnvironmentsDialog | None = None

    def show(self) -> None:
        """Asks for those that the current document is checked and previewed with."""
        if self.dialog is None:
            from heatstudio.ui.environments_dialog import EnvironmentsDialog

            self.dialog = EnvironmentsDialog(self._appearance, self._window, self._files.ask_environments)
            self.dialog.changed.connect(self._session.set_environments)
            self._session.analysis_changed.connect(self.dialog.refresh_for)
        self.dialog.choose(self._session.current)

    def show_old(self) -> None:
        """Asks for those of the old side of its preview."""
        if self.old_dialog is None:
            from heatstudio.ui.old_environments_dialog import OldEnvironmentsDialog

            self.old_dialog = OldEnvironmentsDialog(self._appearance, self._window, self._files.ask_environments)
            self.old_dialog.changed.connect(self._session.set_old_environments)
            self._session.plan_changed.connect(self.old_dialog.refresh_for)
        self.old_dialog.choose(self._session.current)
