"""Choose the environments of the template and of its baseline."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:  # dialogs are imported on first use
    from heatstudio.service.engine import Engine, Scenario
    from heatstudio.service.workspace.job import Job
    from heatstudio.ui.commands.files import FileCommands
    from heatstudio.ui.documents.document import Document
    from heatstudio.ui.environments.environments_dialog import EnvironmentsDialog, OldEnvironmentsDialog
    from heatstudio.ui.widgets.appearance import Appearance
    from heatstudio.ui.workspace.session import Session


class EnvironmentController(QObject):
    """The environment dialogs, created on first use."""

    def __init__(self, session: Session, appearance: Appearance, files: FileCommands, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._appearance = appearance
        self._files = files
        self._window = window
        self.dialog: EnvironmentsDialog | None = None
        self.old_dialog: OldEnvironmentsDialog | None = None

    def show(self) -> None:
        """Show the dialog for the environments of the current document."""
        if self.dialog is None:
            from heatstudio.ui.environments.environments_dialog import EnvironmentsDialog

            self.dialog = EnvironmentsDialog(self._appearance, self._window, self._files.ask_environments)
            self.dialog.changed.connect(self._session.set_environments)
            self._session.analysis_changed.connect(self.dialog.refresh_for)
            self._session.document_closed.connect(self.dialog.leave)
        self.dialog.choose(self._session.current)
        self._check_scenarios(self._session.current)

    def _check_scenarios(self, document: Document | None) -> None:
        """Check the template with each nearby environment, and show the results in the dialog."""
        path = document.path if document is not None else None
        dialog = self.dialog
        if document is None or path is None or dialog is None:
            return
        snapshot = self._session.snapshot(document)

        def work(engine: Engine, job: Job) -> list[Scenario]:
            found = []
            for scenario in engine.scenarios(snapshot(), map(Path, self._session.files_near(path))):
                found.append(scenario)
                job.check()
            return found

        self._session.run("Checking other environments", work, partial(dialog.show_scenarios, document))

    def show_old(self) -> None:
        """Show the dialog for the environments of the preview baseline."""
        if self.old_dialog is None:
            from heatstudio.ui.environments.environments_dialog import OldEnvironmentsDialog

            self.old_dialog = OldEnvironmentsDialog(self._appearance, self._window, self._files.ask_environments)
            self.old_dialog.changed.connect(self._session.set_old_environments)
            self._session.plan_changed.connect(self.old_dialog.refresh_for)
            self._session.document_closed.connect(self.old_dialog.leave)
        self.old_dialog.choose(self._session.current)
