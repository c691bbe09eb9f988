"""The dialog of the settings and shortcuts, and the one that changes the key of a command."""

import re
from collections.abc import Callable, Sequence

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence

from heatstudio.text import counted
from heatstudio.ui.commands.actions import COMMANDS, REMEMBERED, TEXT_KEYS, Actions, native_key
from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.commands.navigation import command_choices, text_key_choices
from heatstudio.ui.editor.text.code_page import DEFAULT_FAMILY, SIZES, text_families
from heatstudio.ui.widgets import EDGE, GAP, Appearance, PlainLabel, Scheme, in_column, in_row, scaled
from heatstudio.ui.widgets.announcer import AnnouncingLabel
from heatstudio.ui.widgets.appearance import SCALES
from heatstudio.ui.widgets.check_box import CheckBox
from heatstudio.ui.widgets.choice_box import choice_box
from heatstudio.ui.widgets.dialogs import Button, close_button, resize_within_screen
from heatstudio.ui.widgets.picker import Choice, cell_of_choice, fitting
from heatstudio.ui.widgets.row_delegate import list_view
from heatstudio.ui.widgets.search_field import SearchField
from heatstudio.ui.widgets.tree_model import Branch, TreeModel

_SIZE = (560, 700)
_WIDTH = 420
_OF_DIALOG = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
_NEEDS_MODIFIER = "The text uses this key. Press one with Ctrl or Alt, or a function key."
_FOR_COMMANDS = re.compile(r"(Shift\+)?((Ctrl|Alt|Meta)\+|(F\d+|Del|Ins)$)")
_FREE = "This key is free."


class KeyDialog(QtWidgets.QDialog):
    """A dialog that waits for the key of a command, and names the command that has it already."""

    def __init__(self, name: str, actions: Actions, parent: QtWidgets.QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._name, self._actions = name, actions
        title = COMMANDS[name].title
        self.setWindowTitle(f"Key for {title}")
        self.setAccessibleName(self.windowTitle())
        self.resize(_WIDTH, 0)
        self.edit = QtWidgets.QKeySequenceEdit(maximumSequenceLength=1)
        self.edit.setAccessibleName(f"New key for {title}")
        self.edit.setKeySequence(QKeySequence(next(iter(actions.keys_of(name)), "")))
        self.edit.installEventFilter(self)
        self.edit.keySequenceChanged.connect(self._judge)
        self.said = AnnouncingLabel("Use of the key", wraps=True)
        buttons = QtWidgets.QDialogButtonBox(QtWidgets.QDialogButtonBox.StandardButton.Cancel, parent=self)
        self.assign = buttons.addButton("Assign", QtWidgets.QDialogButtonBox.ButtonRole.AcceptRole)
        self.remove = Button("No Key")
        self.reset = Button("Use Default")
        for button in (self.remove, self.reset):
            buttons.addButton(button, QtWidgets.QDialogButtonBox.ButtonRole.ResetRole)
        self.remove.clicked.connect(lambda: self._set(()))
        self.reset.clicked.connect(lambda: self._set(None))
        self.remove.setEnabled(bool(actions.keys_of(name)))
        self.reset.setEnabled(actions.is_changed(name))
        buttons.accepted.connect(lambda: self._set((self.edit.keySequence().toString(),)))
        buttons.rejected.connect(self.reject)
        words = PlainLabel("Press the new key. Enter assigns it, Escape cancels.", wraps=True)
        in_column(words, self.edit, self.said, 1, buttons, of=self, edges=(EDGE, EDGE, EDGE, EDGE), gap=GAP)
        self.edit.setFocus()
        self._judge()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave Enter, Escape and Tab to the dialog."""
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        if event.key() not in _OF_DIALOG or event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
            return super().eventFilter(watched, event)
        if event.key() == Qt.Key.Key_Escape:
            self.reject()
        elif event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Tab)
        else:
            self.assign.click()
        return True

    def _judge(self) -> None:
        """Say whether the key can be assigned, and from which command."""
        key = self.edit.keySequence()
        fixed, owners = fixed_use(key.toString()), self._owners()
        self.assign.setEnabled(not key.isEmpty() and not fixed)
        taken = f"{native_key(key.toString())} belongs to {', '.join(owners)}. Assign removes it there."
        self.said.setText("" if key.isEmpty() else fixed or (taken if owners else _FREE))

    def _owners(self) -> list[str]:
        key = self.edit.keySequence().toString()
        return [COMMANDS[one].title for one in COMMANDS if one != self._name and key in self._actions.keys_of(one)]

    def _set(self, keys: Sequence[str] | None) -> None:
        self._actions.set_keys(self._name, keys)
        self.accept()


def fixed_use(key: str) -> str:
    """Return why a key, in Qt's portable form, cannot be the key of a command; empty if it can."""
    for one in TEXT_KEYS:
        if {key, key.replace("Shift+", "")} & {QKeySequence(fixed).toString() for fixed in one.shortcuts}:
            return f"{native_key(key)} is a fixed key of the text: {one.title}."
    return "" if not key or _FOR_COMMANDS.match(key) else _NEEDS_MODIFIER


class SettingsDialog(QtWidgets.QDialog):
    """A non-modal dialog of the settings and all shortcuts, with a search."""

    def __init__(
        self,
        area: EditorArea,
        actions: Actions,
        appearance: Appearance,
        rescale: Callable[[int], object],
        parent: QtWidgets.QWidget,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Settings")
        self.setAccessibleName("Settings")
        resize_within_screen(self, *map(scaled, _SIZE))
        self._area, self._actions, self._appearance, self._rescale = area, actions, appearance, rescale
        self.search = SearchField(appearance, "Search settings and shortcuts")
        self.found = AnnouncingLabel("Search results")
        self.form = QtWidgets.QFormLayout(horizontalSpacing=EDGE, verticalSpacing=GAP)
        self._rows: list[Choice] = []
        self._add_choices()
        for name in REMEMBERED:
            self._add_switch(actions[name])
        self._keys = TreeModel(("Choice",), cell_of_choice)
        self.keys = list_view(self._keys, appearance, "Keyboard shortcuts")
        self._entered = QTimer(self, singleShot=True, interval=0)
        self._entered.timeout.connect(self.change_key)
        self.keys.activated.connect(self._entered.start)  # Qt passes Enter on to the default button of a new dialog
        self.keys.selectionModel().currentChanged.connect(self._allow)
        title = PlainLabel("&Keyboard shortcuts")
        title.setBuddy(self.keys)
        self.change = Button("&Change Key…")
        self.change.clicked.connect(self.change_key)
        self.reset = Button("Reset All Keys")
        self.reset.clicked.connect(self._reset_keys)
        head = in_row((title, 1), self.change, self.reset, gap=GAP)
        choices, content = QtWidgets.QScrollArea(widgetResizable=True), QtWidgets.QWidget()
        choices.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        choices.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        content.setLayout(self.form)
        choices.setWidget(content)
        parts = (self.search, self.found, (choices, 3), head, (self.keys, 2), close_button(self))
        in_column(*parts, of=self, edges=(EDGE, EDGE, EDGE, EDGE), gap=GAP)
        self.setTabOrder(self.keys, self.change)  # a selected row enables the button
        self.setTabOrder(self.change, self.reset)
        self.search.searched.connect(self._filter)
        self.search.left_downwards.connect(self.focusNextChild)
        self._filter("")

    def open_for_search(self) -> None:
        """Show all settings, and focus the search field."""
        self.search.clear()
        self.show()
        self.raise_()
        self.activateWindow()
        self.search.setFocus()

    def _add_choices(self) -> None:
        area, actions = self._area, self._actions
        family = self._add_box("&Font", "text-font")
        size = self._add_box("Text &size", "zoom-in", "zoom-out")
        scale = self._add_box("Window text si&ze", "scale-up", "scale-down")
        for percent in SCALES:
            scale.addItem(f"{percent} %", percent)
        scale.activated.connect(lambda _row: self._rescale(scale.currentData()))
        theme = self._add_box("&Theme", *(f"theme-{scheme}" for scheme in Scheme))
        family.addItem(DEFAULT_FAMILY, "")
        for name in text_families():
            family.addItem(name, name)
        for pixels in SIZES:
            size.addItem(f"{pixels} px", pixels)
        for scheme in Scheme:
            theme.addItem(COMMANDS[f"theme-{scheme}"].title.removesuffix(" Theme"), scheme)
            actions[f"theme-{scheme}"].toggled.connect(self._show_choices)
        theme.activated.connect(lambda _row: actions[f"theme-{theme.currentData()}"].trigger())
        size.activated.connect(lambda _row: area.use_font(size.currentData()))
        family.activated.connect(lambda _row: area.use_font(family=family.currentData()))
        self._boxes = (theme, size, family, scale)
        self._appearance.scale_changed.connect(self._show_choices)
        area.font_changed.connect(self._show_choices)
        self._show_choices()

    def _show_choices(self) -> None:
        """Show the current theme, text size and font."""
        theme = next((scheme for scheme in Scheme if self._actions[f"theme-{scheme}"].isChecked()), Scheme.SYSTEM)
        values = (theme, self._area.text_size, self._area.text_family, self._appearance.percent)
        for box, value in zip(self._boxes, values, strict=True):
            _choose(box, value)

    def _add_box(self, words: str, *commands: str) -> QtWidgets.QComboBox:
        """Add a combo box for a setting, which is found by the words of its commands."""
        label, box = PlainLabel(words), choice_box(words.replace("&", ""))
        label.setBuddy(box)
        label.setMinimumWidth(PlainLabel("Window text size").sizeHint().width())
        line = in_row(label, (box, 1), gap=EDGE)
        keywords = " ".join(f"{COMMANDS[name].title} {COMMANDS[name].keywords}" for name in commands)
        self._add_row(line, box, COMMANDS[commands[0]].help, keywords)
        return box

    def _add_row(self, line: QtWidgets.QLayout, box: QtWidgets.QWidget, sentence: str, keywords: str) -> None:
        """Add a setting with a sentence about it."""
        row, words = QtWidgets.QWidget(), PlainLabel(sentence, wraps=True)
        words.setForegroundRole(words.palette().ColorRole.PlaceholderText)
        box.setAccessibleDescription(sentence)
        in_column(line, words, of=row, gap=2)
        self.form.addRow(row)
        self._rows.append(Choice(box.accessibleName(), box.setFocus, sentence, keywords=keywords))

    def _add_switch(self, action: QAction) -> None:
        box = CheckBox(action.text())
        box.setChecked(action.isChecked())
        action.toggled.connect(box.setChecked)
        box.clicked.connect(action.trigger)
        command = COMMANDS[action.objectName()]
        box.setAccessibleName(command.title)
        default = "on" if REMEMBERED[command.name] else "off"
        self._add_row(in_row(box, 1), box, f"{command.help} Default: {default}.", command.keywords)

    def _filter(self, query: str) -> None:
        found = fitting(self._rows, query)
        for at, row in enumerate(self._rows):
            self.form.setRowVisible(at, row in found)
        choices = command_choices(self._actions, even_disabled=True)
        shortcuts = fitting([*choices, *text_key_choices(self._area.focus_text)], query)
        self.keys.mark_matches(query, scattered=True)
        self._keys.set_branches(map(Branch, shortcuts))
        self.found.setText(f"{counted(len(found), 'setting')}, {counted(len(shortcuts), 'command')}")
        self._allow()

    def _selected(self) -> str:
        """Return the name of the selected command; empty for a fixed key."""
        choice = self._keys.value(self.keys.currentIndex())
        return choice.name if isinstance(choice, Choice) else ""

    def _allow(self) -> None:
        self.change.setEnabled(bool(self._selected()))
        self.reset.setEnabled(any(map(self._actions.is_changed, COMMANDS)))

    def change_key(self) -> None:
        """Ask for a new key of the selected command."""
        if name := self._selected():
            dialog = KeyDialog(name, self._actions, self)
            dialog.accepted.connect(self._show_keys)
            dialog.open()

    def _reset_keys(self) -> None:
        self._actions.reset_keys()
        self._show_keys()

    def _show_keys(self) -> None:
        """Show changed keys, and keep the selected command."""
        row = self.keys.currentIndex().row()
        self._filter(self.search.text())
        self.keys.setCurrentIndex(self._keys.index(row, 0))
        self.keys.setFocus()


def _choose(box: QtWidgets.QComboBox, value: object) -> None:
    """Select a value; a missing value, such as a font that is not installed, is added."""
    if box.findData(value) < 0:
        box.addItem(str(value), value)
    box.setCurrentIndex(box.findData(value))
