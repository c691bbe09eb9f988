"""What the program is, in a box that stands in nobody's way."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMessageBox, QWidget

from heatstudio import __version__
from heatstudio.assets import icon_path

_PICTURE = 48


def show_about(window: QWidget) -> None:
    """Shows the box; the window can be used while it is there."""
    box = QMessageBox(window)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setModal(False)
    box.setAccessibleName("About Heat Studio")
    box.setWindowTitle("About Heat Studio")
    box.setIconPixmap(QIcon(str(icon_path("heatstudio"))).pixmap(_PICTURE))
    box.setText(f"<b>Heat Studio {__version__}</b>")
    box.setInformativeText(
        "An editor for OpenStack Heat templates. Catches what the Heat engine would reject, offline, as you type."
    )
    box.show()
