"""The appearance of the application: the current theme, and icons that follow it."""

from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from time import monotonic

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QIcon
from PySide6.QtWidgets import QAbstractButton, QApplication, QTabBar, QToolBar, QWidget
from shiboken6 import isValid

from heatstudio.ui.widgets.theme import Color, MeaningIconEngine, Theme, load_theme, make_palette, style_sheet

_ICON_PIXELS = 16
TEXT_PIXELS = 13
"""The size of texts at 100 %."""
SCALES = range(80, 201, 10)
"""The sizes of all texts, in percent."""
_POLISH_INTERVAL = 1
"""Milliseconds between two turns of polishing; with 0, posted events would come before key presses."""
_POLISH_BUDGET = 0.01
"""Seconds of polishing per turn."""


class Scheme(StrEnum):
    """The color scheme; SYSTEM follows the desktop at runtime."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"
    HIGH_CONTRAST = "high-contrast"


class Appearance(QObject):
    """The current theme, applied to the palette and the icons of the application."""

    theme_changed = Signal(object)
    scale_changed = Signal()

    def __init__(self, application: QApplication, scheme: Scheme = Scheme.SYSTEM, percent: int = 100) -> None:
        super().__init__()
        self._application = application
        self.scheme = scheme
        """The selected scheme; `choose` changes it."""
        self._windows: list[QWidget] = []
        self._changes = 0
        self.theme = self._theme_of_scheme()
        """The current theme."""
        self.scale(percent)
        self._apply_theme()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    def scale(self, percent: int) -> None:
        """Set the size of all texts in the window, clamped to `SCALES`, which icons and rows follow."""
        icons = icon_size()
        self.percent = max(SCALES.start, min(SCALES.stop - 1, percent or 100))
        font = QFont(self._application.font())
        font.setPixelSize(round(TEXT_PIXELS * self.percent / 100))
        self._application.setFont(font)
        for widget in self._application.allWidgets():  # below a style sheet, Qt passes no font on
            face = QFont(widget.font())
            face.setPixelSize(font.pixelSize())
            widget.setFont(face)
            if isinstance(widget, QAbstractButton | QTabBar | QToolBar) and widget.iconSize() == icons:
                widget.setIconSize(icon_size())
        self.scale_changed.emit()

    def choose(self, scheme: Scheme) -> None:
        """Change the appearance immediately, without a restart."""
        self.scheme = scheme
        theme = self._theme_of_scheme()
        if theme != self.theme:
            self.theme = theme
            self._apply_theme()
            self.theme_changed.emit(theme)

    def restyle(self, window: QWidget) -> None:
        """Set the style sheet of a window and its dialogs.

        It is set on the window, because Qt applies an application's style sheet twice.
        """
        self._windows = [*filter(isValid, self._windows), window]
        window.setStyleSheet(style_sheet())

    def icon(self, name: str, color: Color = Color.MUTED) -> QIcon:
        """Return an icon that is tinted by the current theme's `color` whenever it is painted.

        It is not kept: garbage collection of an icon and of the appearance in one cycle would free its engine twice.
        """
        return QIcon(MeaningIconEngine(name, lambda mode: self._tint(mode, color)))

    def fixed_font(self) -> QFont:
        """Return the font for code."""
        font = code_font()
        font.setPixelSize(scaled(TEXT_PIXELS))
        return font

    def _tint(self, mode: QIcon.Mode, color: Color) -> QColor:
        return self.theme.color(Color.DISABLED if mode is QIcon.Mode.Disabled else color)

    def _theme_of_scheme(self) -> Theme:
        if self.scheme is not Scheme.SYSTEM:
            return load_theme(self.scheme.value)
        dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return load_theme(Scheme.DARK.value if dark else Scheme.LIGHT.value)

    def _follow_system(self) -> None:
        if self.scheme is Scheme.SYSTEM:
            self.choose(Scheme.SYSTEM)

    def _apply_theme(self) -> None:
        """Set the palette and polish every widget, which applies the style sheet's colors.

        Unpolishing restores a widget's previous palette; widgets with their own palette set it afterwards.
        """
        self._changes += 1
        styled = [(window, (window, *window.findChildren(QWidget))) for window in filter(isValid, self._windows)]
        for window, widgets in styled:
            window.setUpdatesEnabled(False)
            for widget in widgets:
                widget.style().unpolish(widget)
            self._polish_soon(window, iter(widgets), self._changes)
        self._application.setPalette(make_palette(self.theme))

    def _polish_soon(self, window: QWidget, widgets: Iterator[QWidget], change: int) -> None:
        QTimer.singleShot(_POLISH_INTERVAL, window, partial(self._polish, window, widgets, change))

    def _polish(self, window: QWidget, widgets: Iterator[QWidget], change: int) -> None:
        """Polish widgets within the budget, and the rest in later turns, so that keys are handled in between."""
        if change != self._changes:
            return  # the later change polishes all widgets, and is painted when it has
        end = monotonic() + _POLISH_BUDGET
        for widget in filter(isValid, widgets):
            widget.style().polish(widget)
            if monotonic() > end:
                self._polish_soon(window, widgets, change)
                return
        window.setUpdatesEnabled(True)


def scaled(pixels: int) -> int:
    """Return a size in pixels that grows with the texts of the window, once an appearance has set their size."""
    size = QApplication.font().pixelSize()
    return round(pixels * size / TEXT_PIXELS) if size > 0 else pixels


def icon_size() -> QSize:
    """Return the size of icons beside texts of the window."""
    return QSize(scaled(_ICON_PIXELS), scaled(_ICON_PIXELS))


def code_font(family: str = "") -> QFont:
    """Return the font for code without ligatures: the given family, else JetBrains Mono, else the system's."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    chosen = [family] if family else []
    font.setFamilies([*chosen, "JetBrains Mono", font.family()])  # listing the installed families would be slow
    font.setFeature(QFont.Tag("liga"), 0)
    font.setFeature(QFont.Tag("calt"), 0)
    font.setStyleHint(QFont.StyleHint.Monospace)
    return font
