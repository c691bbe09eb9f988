"""What the user can set, as commands and in one dialog; all of it is remembered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget

from heatstudio.ui.commands.actions import Actions
from heatstudio.ui.commands.commands import REMEMBERED, SWITCHES
from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.commands.files import Files
from heatstudio.ui.commands.settings_dialog import SettingsDialog
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.editor.text.code_page import DEFAULT_FAMILY, text_families
from heatstudio.ui.widgets.appearance import Appearance, Scheme
from heatstudio.ui.widgets.choice import Choice
from heatstudio.ui.widgets.picker import Picker


class SettingsController(QObject):
    """Makes the dialog when it is asked for first."""

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

    def command_handlers(self, picker: Callable[[], Picker]) -> Mapping[str, Callable[[], object]]:
        """What the commands that set something do."""
        return {
            "settings": self.show,
            "text-font": lambda: self._choose_font(picker()),
            **{f"theme-{scheme}": partial(self._choose_scheme, scheme) for scheme in Scheme},
            **{name: partial(self._switch, name) for name in REMEMBERED},
        }

    def show(self) -> None:
        """Shows everything that can be set; the window stays usable."""
        if self.dialog is None:
            self.dialog = SettingsDialog(self._area, self._actions, self._appearance, self._window)
        self.dialog.open_for_search()

    def leave(self, files: Files) -> None:
        """Saves what has changed if that is wanted, unless another window or a file dialog of the program is used."""
        is_here = QApplication.activeWindow() is not None or QApplication.activeModalWidget() is not None
        if self._actions["autosave"].isChecked() and not is_here:
            files.autosave()

    def _choose_font(self, picker: Picker) -> None:
        use, names = self._area.use_family, text_families()
        choices = [Choice(name, partial(use, name)) for name in names]
        picker.choose("Text font", [Choice(DEFAULT_FAMILY, partial(use, "")), *choices])

    def _choose_scheme(self, scheme: Scheme) -> None:
        self._appearance.choose(scheme)
        self._settings.scheme = scheme.value

    def _switch(self, name: str) -> None:
        on = self._actions[name].isChecked()
        self._settings.turn(name, on=on)
        if name in SWITCHES:
            self._area.switch(name, on)
