"""The MIME data of a resource type that is dragged from the browser to a text."""

from PySide6.QtCore import QMimeData

TYPE_MIME = "application/x-heatstudio-resource-type"


def put_type(data: QMimeData, name: str) -> None:
    """Write a name, for the editor of this program and as text for any other."""
    data.setData(TYPE_MIME, name.encode())
    data.setText(name)


def type_in(data: QMimeData) -> str:
    """Return the name that is dragged; empty if something else is."""
    return bytes(data.data(TYPE_MIME).data()).decode() if data.hasFormat(TYPE_MIME) else ""
