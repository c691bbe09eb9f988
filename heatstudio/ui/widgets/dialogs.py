"""The size of windows, the Close button of dialogs, and questions for a text or a choice."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_
from pathlib import PurePath
from typing import Final

from PySide6 import QtWidgets
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QKeyEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QPushButton, QWidget

from heatstudio.ui.widgets.appearance import scaled
from heatstudio.ui.widgets.plain_text import plain
from heatstudio.ui.widgets.text_keys import guard_keys

_FIELD: Final = 320
"""The width of the field of a question."""


def resize_within_screen(window: QWidget, width: int, height: int) -> None:
    """Resize a window to a size, bounded to 90% of the work area, which leaves space for the frame."""
    window.resize(QSize(width, height).boundedTo(QGuiApplication.primaryScreen().availableSize() * 0.9))


class Button(QPushButton):
    """A button that Enter presses while it has the focus, but not from a field of its dialog."""

    def __init__(self, text: str, icon: QIcon | None = None) -> None:
        super().__init__(icon or QIcon(), text, autoDefault=False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


def close_button(dialog: QDialog) -> QtWidgets.QDialogButtonBox:
    """Return the Close button of a dialog without a main action; Enter in one of its fields does not press it."""
    box_class = QtWidgets.QDialogButtonBox
    buttons = box_class(box_class.StandardButton.Close, parent=dialog)
    buttons.button(box_class.StandardButton.Close).setAutoDefault(False)
    buttons.rejected.connect(dialog.close)
    return buttons


def ask_text(
    parent: QWidget, title: str, label: str, take: Callable[[str], object], *, text: str = "", accept: str
) -> None:
    """Ask for a text in a dialog, and pass it on if the dialog is accepted; of a file's name, select the stem."""
    dialog = QtWidgets.QInputDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(label)
    dialog.setTextValue(text)
    dialog.setOkButtonText(accept)
    dialog.textValueSelected.connect(take)
    for field in dialog.findChildren(QLineEdit):
        guard_keys(field)
        field.setMinimumWidth(scaled(_FIELD))
    dialog.open()
    for field in dialog.findChildren(QLineEdit):
        field.setSelection(0, len(PurePath(text).stem))


def ask(parent: QWidget, title: str, question: str, **answers: str) -> str:
    """Ask a question in a modal dialog; return the answer, by default the first; `Cancel` if the program ends.

    The keywords are names of standard buttons, with their words in the dialog.
    """
    box_class = QtWidgets.QMessageBox  # on demand, as PySide creates all enums of a class at its first access
    buttons = box_class.StandardButton
    standard = reduce(or_, (buttons[name] for name in answers))
    box = box_class(box_class.Icon.Question, title, plain(question), standard, parent)
    box.setDefaultButton(buttons[next(iter(answers))])
    for name, words in answers.items():
        box.button(buttons[name]).setText(words)
    answer = buttons(box.exec())
    box.deleteLater()
    return next((name for name in answers if buttons[name] is answer), "Cancel")
