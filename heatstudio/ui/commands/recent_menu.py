"""The menu of recent files."""

from functools import partial

from PySide6.QtWidgets import QMenu, QWidget

from heatstudio.ui.commands.files import FileCommands
from heatstudio.ui.documents.settings import Settings


class RecentMenu(QMenu):
    """The menu of recent files, filled whenever it opens."""

    def __init__(self, settings: Settings, files: FileCommands, parent: QWidget) -> None:
        super().__init__("Open &Recent", parent)
        self.setAccessibleName("Open Recent")
        self._settings = settings
        self._files = files
        self.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        self.clear()
        for name in self._settings.recent_files:
            self.addAction(name.replace("&", "&&")).triggered.connect(partial(self._files.open, [name]))
        if self.isEmpty():
            self.addAction("No recent files").setEnabled(False)
