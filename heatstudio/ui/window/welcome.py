"""The welcome page in place of the text: commands to begin with, and recent files."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, QSize
from PySide6.QtGui import QIcon, QKeySequence, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from heatstudio.assets import icon_path
from heatstudio.ui.commands.actions import COMMANDS, Actions
from heatstudio.ui.commands.files import FileCommands
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.widgets import EDGE, GAP, Appearance, Color, PlainLabel, in_column, in_row
from heatstudio.ui.widgets.picker import Choice, cell_of_choice
from heatstudio.ui.widgets.row_delegate import list_view, row_height
from heatstudio.ui.widgets.tree_model import Branch, TreeModel

_COMMANDS = ("open", "new", "open-folder", "open-sample", "first-steps", "command-palette")
_WIDTH, _LEAST_WIDTH = 460, 200
_PICTURE = 40
_HEADING = 16
_MOST_FILES = 6


class Welcome(QWidget):
    """The welcome page; arrow keys select, Enter opens."""

    def __init__(self, appearance: Appearance, actions: Actions, settings: Settings, files: FileCommands) -> None:
        super().__init__()
        self._actions, self._settings, self._files = actions, settings, files
        self.setAccessibleName("Welcome")
        self.model = TreeModel(("Choice",), cell_of_choice)
        self.view = list_view(self.model, appearance, "Start")
        self.view.viewport().setAutoFillBackground(False)
        self.view.setStyleSheet("QTreeView { border: 0 }")  # the chosen row shows the focus
        self.view.activated.connect(self._begin)
        self.view.clicked.connect(self._begin)
        self.setFocusProxy(self.view)
        middle = QWidget(minimumWidth=_LEAST_WIDTH, maximumWidth=_WIDTH)
        in_column(2, _head(), (self.view, 100), 3, of=middle, gap=EDGE)
        layout = QHBoxLayout(self)
        layout.addStretch(1)
        layout.addWidget(middle, _WIDTH)
        layout.addStretch(1)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        choices = [*self._commands(), *self._recent()]
        self.model.set_branches(map(Branch, choices))
        self.view.setMaximumHeight(len(choices) * row_height() + 4)
        self.view.setCurrentIndex(self.model.index(0, 0))

    def minimumSizeHint(self) -> QSize:
        """Do not constrain the size of the text while the page is hidden."""
        return QSize(0, 0)

    def _commands(self) -> Iterator[Choice]:
        for name in _COMMANDS:
            command, action = COMMANDS[name], self._actions[name]
            key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            yield Choice(command.title, action.trigger, badge=key, icon=(command.icon or "file", Color.ACCENT))

    def _recent(self) -> Iterator[Choice]:
        for name in self._settings.recent_files[:_MOST_FILES]:
            path = Path(name)
            yield Choice(path.name, partial(self._files.open, [name]), str(path.parent), icon=("file", Color.MUTED))

    def _begin(self, index: QModelIndex) -> None:
        choice = self.model.value(index)
        if isinstance(choice, Choice):
            choice.pick()


def _head() -> QHBoxLayout:
    picture = PlainLabel()
    picture.setPixmap(QIcon(str(icon_path("heatstudio"))).pixmap(_PICTURE))
    title = PlainLabel("Heat Studio", wraps=True)
    title.set_bold(_HEADING)
    about = PlainLabel("Catches what the Heat engine would reject, offline, as you type.", wraps=True)
    about.setForegroundRole(about.palette().ColorRole.PlaceholderText)
    return in_row(picture, (in_column(title, about, gap=2), 1), gap=GAP)
