"""The look of the whole window: which theme holds now, and icons that follow it."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from heatstudio.ui.widgets.icon_engine import MeaningIconEngine
from heatstudio.ui.widgets.palette import make_palette, style_sheet
from heatstudio.ui.widgets.theme import Color, Theme, load_theme

ICON_SIZE = QSize(16, 16)


class Scheme(StrEnum):
    """What the user chose; SYSTEM follows the desktop while the program runs."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"
    HIGH_CONTRAST = "high-contrast"


class Appearance(QObject):
    """Holds the theme and dresses the application in it."""

    theme_changed = Signal(object)

    def __init__(self, application: QApplication, scheme: Scheme = Scheme.SYSTEM) -> None:
        super().__init__()
        self._application = application
        self._scheme = scheme
        self._icons: dict[tuple[str, Color], QIcon] = {}
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
        """Changes the look at once, without restart."""
        self._scheme = scheme
        theme = self._theme_of_scheme()
        if theme != self._theme:
            self._theme = theme
            self._dress()
            self.theme_changed.emit(theme)

    def icon(self, name: str, color: Color = Color.MUTED) -> QIcon:
        """The icon of that meaning, tinted by `color` of whatever theme holds when it is painted."""
        icon = self._icons.get((name, color))
        if icon is None:
            icon = self._icons[name, color] = QIcon(MeaningIconEngine(name, lambda mode: self._tint(mode, color)))
        return icon

    def fixed_font(self) -> QFont:
        """The face for text that is code."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setFamilies(["JetBrains Mono", font.family()])
        font.setPixelSize(13)
        font.setStyleHint(QFont.StyleHint.Monospace)
        return font

    def _tint(self, mode: QIcon.Mode, color: Color) -> QColor:
        if mode is QIcon.Mode.Disabled:
            return self._theme.color(Color.DISABLED)
        return self._theme.color(color)

    def _theme_of_scheme(self) -> Theme:
        if self._scheme is not Scheme.SYSTEM:
            return load_theme(self._scheme.value)
        dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return load_theme(Scheme.DARK.value if dark else Scheme.LIGHT.value)

    def _follow_system(self) -> None:
        if self._scheme is Scheme.SYSTEM:
            self.choose(Scheme.SYSTEM)

    def _dress(self) -> None:
        # Without a style sheet Qt changes the palette, and then sets another sheet, in half the time.
        self._application.setStyleSheet("")
        self._application.setPalette(make_palette(self._theme))
        self._application.setStyleSheet(style_sheet(self._theme))
