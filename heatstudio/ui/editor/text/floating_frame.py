"""A frame that floats over the text and never takes the focus from it."""

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QToolTip

from heatstudio.ui.editor.text.code_page import CodePage
from heatstudio.ui.widgets.popup import Popup
from heatstudio.ui.widgets.theme import Color, Theme

_LEAVING = (QEvent.Type.FocusOut, QEvent.Type.Hide)


def is_leaving(event: QEvent) -> bool:
    """Return whether an event means that a widget loses the focus or is hidden."""
    return event.type() in _LEAVING


class FloatingFrame(Popup):
    """A popup with a raised background and a one-pixel border; a text shows one of them at a time."""

    def __init__(self, page: CodePage) -> None:
        super().__init__(page, Qt.WindowType.ToolTip | Qt.WindowType.FramelessWindowHint)
        self._owner = page
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
        """Show the frame instead of another one or of a tool tip."""
        for other in shown_frames(self._owner):
            if other is not self:
                other.hide()
        QToolTip.hideText()
        super().show_beside(anchor)


def shown_frames(page: CodePage) -> list[FloatingFrame]:
    """Return the visible frames of a text: one, or none."""
    return [one for one in page.findChildren(FloatingFrame) if one.isVisible()]
