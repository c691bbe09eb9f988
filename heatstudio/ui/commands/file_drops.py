"""Open files that are dropped anywhere on the window."""

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget

from heatstudio.ui.widgets.dragged_type import local_files


class FileDrops(QObject):
    """An event filter for drops on the window that no pane accepts."""

    dropped = Signal(list)
    """The paths as strings."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDropEvent) and event.type() is not QEvent.Type.DragLeave:
            paths = local_files(event.mimeData())
            if paths:
                event.acceptProposedAction()
                if event.type() is QEvent.Type.Drop:
                    self.dropped.emit(paths)
                return True
        return super().eventFilter(watched, event)
