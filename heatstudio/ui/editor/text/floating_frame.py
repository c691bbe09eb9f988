"""A frame that floats over the text and never takes the focus from it."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QFrame

from heatstudio.ui.editor.text.code_page import CodePage
from heatstudio.ui.widgets.theme import Color, Theme

_LEAVING = (QEvent.Type.FocusOut, QEvent.Type.Hide)


def is_leaving(event: QEvent) -> bool:
    """Return whether an event means that a widget loses the focus or is hidden."""
    return event.type() in _LEAVING


class FloatingFrame(QFrame):
    """A frame with a raised background and a one-pixel border, placed next to a rectangle of the screen."""

    def __init__(self, page: CodePage) -> None:
        super().__init__(page, Qt.WindowType.ToolTip | Qt.WindowType.FramelessWindowHint)
        page.installEventFilter(self)
        page.theme_changed.connect(self.set_theme)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setObjectName("floating")
        self.set_theme(page.theme)

    def set_theme(self, theme: Theme) -> None:
        """Apply the colors of a theme."""
        self.setStyleSheet(
            f"#floating {{ background: {theme.value(Color.RAISED_GROUND)};"
            f" border: 1px solid {theme.value(Color.DISABLED)}; }}"
        )
        palette = QPalette(self.palette())
        for role in (QPalette.ColorRole.Window, QPalette.ColorRole.Base):
            palette.setColor(role, theme.color(Color.RAISED_GROUND))
        for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text):
            palette.setColor(role, theme.color(Color.TEXT))
        self.setPalette(palette)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Hide the frame when the text loses the focus or is hidden, as a separate window would stay."""
        if is_leaving(event):
            self.hide()
        return False

    def show_beside(self, anchor: QRect) -> None:
        """Show below a rectangle in global coordinates, or above it if there is more space."""
        size = self.size()
        place = anchor.bottomLeft() + QPoint(0, 2)
        screen = (QApplication.screenAt(anchor.center()) or QApplication.primaryScreen()).availableGeometry()
        if place.y() + size.height() > screen.bottom() and anchor.top() - size.height() - 2 >= screen.top():
            place.setY(anchor.top() - size.height() - 2)
        place.setX(max(screen.left(), min(place.x(), screen.right() - size.width())))
        self.move(place)
        self.show()
