"""The appearance of the window: the active theme, and icons that follow it."""

from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from time import monotonic

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from heatstudio.ui.widgets.icon_engine import MeaningIconEngine
from heatstudio.ui.widgets.palette import make_palette, style_sheet
from heatstudio.ui.widgets.theme import Color, Theme, load_theme

ICON_SIZE = QSize(16, 16)
_TURN = 1
"""Milliseconds: with none, what is posted comes before keys."""
_LONGEST = 0.01
"""Seconds for which widgets are polished in one turn."""


class Scheme(StrEnum):
    """The selected color scheme; SYSTEM follows the desktop while the program runs."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"
    HIGH_CONTRAST = "high-contrast"


class Appearance(QObject):
    """The current theme, applied to the application."""

    theme_changed = Signal(object)

    def __init__(self, application: QApplication, scheme: Scheme = Scheme.SYSTEM) -> None:
        super().__init__()
        self._application = application
        self._scheme = scheme
        self._icons: dict[tuple[str, Color], QIcon] = {}
        self._windows: list[QWidget] = []
        self._theme = self._theme_of_scheme()
        font = QFont(application.font())
        font.setPixelSize(13)
        application.setFont(font)
        self._dress()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    @property
    def theme(self) -> Theme:
        """The theme that holds now."""
        return self._theme

    @property
    def scheme(self) -> Scheme:
        """What the user chose."""
        return self._scheme

    def choose(self, scheme: Scheme) -> None:
        """Change the look at once, without restart."""
        self._scheme = scheme
        theme = self._theme_of_scheme()
        if theme != self._theme:
            self._theme = theme
            self._dress()
            self.theme_changed.emit(theme)

    def dress(self, window: QWidget) -> None:
        """Give a window and all in it, its dialogs too, the rules of every theme.

        They are the window's and not the application's: of those, Qt dresses everything twice.
        """
        self._windows.append(window)
        window.destroyed.connect(lambda: self._windows.remove(window))
        window.setStyleSheet(style_sheet())

    def icon(self, name: str, color: Color = Color.MUTED) -> QIcon:
        """Return the icon of that meaning, tinted by `color` of whatever theme holds when it is painted."""
        icon = self._icons.get((name, color))
        if icon is None:
            icon = self._icons[name, color] = QIcon(MeaningIconEngine(name, lambda mode: self._tint(mode, color)))
        return icon

    def fixed_font(self) -> QFont:
        """Return the face for text that is code."""
        font = code_font()
        font.setPixelSize(13)
        return font

    def _tint(self, mode: QIcon.Mode, color: Color) -> QColor:
        return self._theme.color(Color.DISABLED if mode is QIcon.Mode.Disabled else color)

    def _theme_of_scheme(self) -> Theme:
        if self._scheme is not Scheme.SYSTEM:
            return load_theme(self._scheme.value)
        dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return load_theme(Scheme.DARK.value if dark else Scheme.LIGHT.value)

    def _follow_system(self) -> None:
        if self._scheme is Scheme.SYSTEM:
            self.choose(Scheme.SYSTEM)

    def _dress(self) -> None:
        """Give each widget the palette, then has it polished: only then do the rules take its colors.

        Unpolished, a widget gets back the palette that it had before: those that set their own do so after that.
        """
        dressed = [(window, (window, *window.findChildren(QWidget))) for window in self._windows]
        for window, widgets in dressed:
            window.setUpdatesEnabled(False)
            for widget in widgets:
                widget.style().unpolish(widget)
            _polish_soon(window, iter(widgets))
        self._application.setPalette(make_palette(self._theme))


def _polish_soon(window: QWidget, widgets: Iterator[QWidget]) -> None:
    QTimer.singleShot(_TURN, window, partial(_polish, window, widgets))


def _polish(window: QWidget, widgets: Iterator[QWidget]) -> None:
    """Polish some, and the others in later turns: in between come the keys."""
    end = monotonic() + _LONGEST
    for widget in filter(isValid, widgets):
        widget.style().polish(widget)
        if monotonic() > end:
            _polish_soon(window, widgets)
            return
    window.setUpdatesEnabled(True)


def code_font(family: str = "") -> QFont:
    """The face for code, without ligatures: the family if it is installed, or JetBrains Mono, or the system's."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    chosen = [family] if family else []
    font.setFamilies([*chosen, "JetBrains Mono", font.family()])  # to ask which there are takes as long as ten icons
    font.setFeature(QFont.Tag("liga"), 0)
    font.setFeature(QFont.Tag("calt"), 0)
    font.setStyleHint(QFont.StyleHint.Monospace)
    return font
