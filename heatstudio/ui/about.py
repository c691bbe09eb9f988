"""What this program is, in one box."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from heatstudio import __version__


def show_about(window: QWidget) -> None:
    """Names the program and its version, and says what it does not do."""
    from PySide6.QtWidgets import QMessageBox

    QMessageBox.about(
        window,
        "About Heat Studio",
        f"<b>Heat Studio {__version__}</b><p>An editor for OpenStack Heat templates. It needs no cloud, checks as the "
        "Heat engine does, and sends nothing anywhere before you connect to a cloud of yours.",
    )
