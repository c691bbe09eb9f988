"""The settings of the user as commands; all of them are stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget

from heatstudio.ui.commands.actions import REMEMBERED, SWITCHES, Actions
from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.commands.files import FileCommands
from heatstudio.ui.documents.document import Document
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.editor.text.code_page import DEFAULT_FAMILY, text_families
from heatstudio.ui.widgets.appearance import SCALES, Appearance, Scheme
from heatstudio.ui.widgets.picker import Choice, Picker

if TYPE_CHECKING:  # dialogs are imported on first use
    from heatstudio.ui.commands.settings_dialog import SettingsDialog


class SettingsController(QObject):
    """The settings commands, with a dialog that is created on first use."""

    def __init__(
        self, settings: Settings, area: EditorArea, actions: Actions, appearance: Appearance, window: QWidget
    ) -> None:
        super().__init__(window)
        self._settings = settings
        self._area = area
        self._actions = actions
        self._appearance = appearance
        self._window = window
        self.dialog: SettingsDialog | None = None

    def command_handlers(self, picker: Picker) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the settings commands."""
        return {
            "settings": self.show,
            "scale-up": lambda: self.rescale(self._appearance.percent + SCALES.step),
            "scale-down": lambda: self.rescale(self._appearance.percent - SCALES.step),
            "scale-reset": lambda: self.rescale(100),
            "text-font": lambda: self._choose_font(picker),
            **{f"theme-{scheme}": partial(self._choose_scheme, scheme) for scheme in Scheme},
            **{name: partial(self._switch, name) for name in REMEMBERED},
        }

    def show(self) -> None:
        """Show the settings dialog."""
        if self.dialog is None:
            from heatstudio.ui.commands.settings_dialog import SettingsDialog

            self.dialog = SettingsDialog(self._area, self._actions, self._appearance, self.rescale, self._window)
        self.dialog.open_for_search()

    def rescale(self, percent: int) -> None:
        """Set and store the size of all texts in percent."""
        self._appearance.scale(percent)
        self._settings.scale = self._appearance.percent

    def end_last_line(self, document: Document) -> None:
        """End the last line of a text that is about to be saved, if that is enabled."""
        if self._actions["final-newline"].isChecked():
            self._area.end_last_line(document)

    def leave(self, files: FileCommands) -> None:
        """Autosave if it is enabled, unless another window or a modal dialog of the program is active."""
        is_here = QApplication.activeWindow() is not None or QApplication.activeModalWidget() is not None
        if self._actions["autosave"].isChecked() and not is_here:
            files.autosave()

    def _choose_font(self, picker: Picker) -> None:
        faces = {DEFAULT_FAMILY: "", **{name: name for name in text_families()}}
        use = self._area.use_font
        picker.choose("Text font", [Choice(name, partial(use, family=face)) for name, face in faces.items()])

    def _choose_scheme(self, scheme: Scheme) -> None:
        self._appearance.choose(scheme)
        self._settings.scheme = scheme.value

    def _switch(self, name: str) -> None:
        on = self._actions[name].isChecked()
        self._settings.turn(name, on=on)
        if name in SWITCHES:
            self._area.switch(name, on)
