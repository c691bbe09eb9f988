"""Drag data with the name of a resource type."""

from PySide6.QtCore import QMimeData

TYPE_MIME = "application/x-heatstudio-resource-type"


def put_type(data: QMimeData, name: str) -> None:
    """Set a type name as drag data for the editor, and as text for other programs."""
    data.setData(TYPE_MIME, name.encode())
    data.setText(name)


def type_in(data: QMimeData) -> str:
    """Return the type name in drag data; empty if there is none."""
    return bytes(data.data(TYPE_MIME).data()).decode() if data.hasFormat(TYPE_MIME) else ""


def local_files(data: QMimeData) -> list[str]:
    """Return the local files in drag data."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
