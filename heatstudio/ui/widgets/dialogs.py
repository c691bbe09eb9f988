"""The size of windows, and the Close button of dialogs."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget


def resize_within_screen(window: QWidget, width: int, height: int) -> None:
    """Resize a window to a size, bounded to 90% of the work area, which leaves space for the frame."""
    window.resize(QSize(width, height).boundedTo(QGuiApplication.primaryScreen().availableSize() * 0.9))


def close_button(dialog: QDialog) -> QDialogButtonBox:
    """Return the Close button of a dialog without a main action; Enter in one of its fields does not press it."""
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, parent=dialog)
    buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
    buttons.rejected.connect(dialog.close)
    return buttons
