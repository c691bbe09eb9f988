"""The head of a page, which scrolls if the page is too low."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFrame, QLayout, QScrollArea, QSizePolicy, QWidget

_LEAST = 48
"""The minimum visible height in pixels."""


class PageHead(QScrollArea):
    """A scroll area that is as high as its content, and scrolls if there is less space."""

    def __init__(self, layout: QLayout) -> None:
        super().__init__()
        self._inside = QWidget()
        self._inside.setLayout(layout)
        self.setWidget(self._inside)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("About the resource type")
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        """Return true: the text wraps."""
        return True

    def heightForWidth(self, width: int) -> int:
        return self._inside.heightForWidth(width)

    def sizeHint(self) -> QSize:
        return QSize(0, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, min(_LEAST, self.heightForWidth(self.width())))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.widget() and event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self.updateGeometry()
        return super().eventFilter(watched, event)
