"""What Qt's own widgets look like in a theme: a palette, and the few rules that a palette cannot say."""

from __future__ import annotations

from PySide6.QtGui import QPalette

from heatstudio.ui.widgets.theme import Color, Theme

_ROLES: tuple[tuple[QPalette.ColorRole, Color], ...] = (
    (QPalette.ColorRole.Window, Color.PANEL_GROUND),
    (QPalette.ColorRole.WindowText, Color.TEXT),
    (QPalette.ColorRole.Base, Color.EDITOR_GROUND),
    (QPalette.ColorRole.AlternateBase, Color.PANEL_GROUND),
    (QPalette.ColorRole.Text, Color.TEXT),
    (QPalette.ColorRole.PlaceholderText, Color.MUTED),
    (QPalette.ColorRole.Button, Color.PANEL_GROUND),
    (QPalette.ColorRole.ButtonText, Color.TEXT),
    (QPalette.ColorRole.BrightText, Color.ERROR),
    (QPalette.ColorRole.ToolTipBase, Color.RAISED_GROUND),
    (QPalette.ColorRole.ToolTipText, Color.TEXT),
    (QPalette.ColorRole.Highlight, Color.SELECTION),
    (QPalette.ColorRole.HighlightedText, Color.TEXT),
    (QPalette.ColorRole.Accent, Color.ACCENT),
    (QPalette.ColorRole.Link, Color.ACCENT),
    (QPalette.ColorRole.LinkVisited, Color.ACCENT),
    (QPalette.ColorRole.Light, Color.RAISED_GROUND),
    (QPalette.ColorRole.Midlight, Color.PANEL_GROUND),
    (QPalette.ColorRole.Mid, Color.BORDER),
    (QPalette.ColorRole.Dark, Color.BORDER),
    (QPalette.ColorRole.Shadow, Color.EDGE),
)
_TEXT_ROLES = (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText)


def make_palette(theme: Theme) -> QPalette:
    """The palette of a theme, for all three groups."""
    palette = QPalette()
    for role, color in _ROLES:
        palette.setColor(role, theme.color(color))
    for role in _TEXT_ROLES:
        palette.setColor(QPalette.ColorGroup.Disabled, role, theme.color(Color.DISABLED))
    return palette


_RULES = """
QMenu {{ border: 1px solid {border}; background: {raised}; padding: 4px; }}
QMenu::item {{ padding: 5px 24px 5px 12px; border-radius: 3px; }}
QMenu::item:selected {{ background: {selection}; }}
QMenu::separator {{ height: 1px; background: {border}; margin: 4px 0; }}
QToolBar {{ border: 0; border-bottom: 1px solid {border}; padding: 0 8px; spacing: 2px; }}
QToolBar::separator {{ width: 1px; background: {border}; margin: 5px 6px; }}
QToolButton {{ border: 1px solid transparent; border-radius: 4px; padding: 3px; }}
QToolButton:hover, QToolButton:checked {{ background: {hover}; }}
QToolButton:checked {{ border-color: {edge}; }}
QToolButton:focus {{ border-color: {accent}; }}
QStatusBar {{ border-top: 1px solid {border}; }} QStatusBar::item {{ border: 0; }}
QMainWindow::separator {{ background: {border}; width: 1px; height: 1px; }}
QTreeView, QListView, QTextBrowser, QGraphicsView {{ border: 1px solid transparent; }}
QTreeView:focus, QListView:focus, QTextBrowser:focus, QGraphicsView:focus {{ border-color: {accent}; }}
QTreeView::item {{ padding: 3px 0; }}
QHeaderView::section {{ border: 0; border-bottom: 1px solid {border}; padding: 4px 8px; color: {muted}; }}
QAbstractItemView::indicator:unchecked {{
    border: 1px solid {muted}; border-radius: 3px; background: {editor}; width: 12px; height: 12px;
}}
QLineEdit {{ border: 1px solid {edge}; border-radius: 4px; padding: 3px 6px; background: {editor}; }}
QLineEdit:focus {{ border-color: {accent}; }}
#popup {{ border: 1px solid {edge}; background: {raised}; }}
QPushButton {{ border: 1px solid {edge}; border-radius: 4px; padding: 4px 12px; background: {raised}; outline: 0; }}
QPushButton:hover {{ background: {hover}; }}
QPushButton:disabled {{ color: {disabled}; }}
QPushButton:default {{ background: {accent}; border-color: {accent}; color: {accent_text}; }}
QPushButton:focus {{ border-color: {accent}; }}
QPushButton:default:disabled {{ background: {hover}; border-color: {border}; color: {disabled}; }}
QPushButton:default:focus {{ border-color: {text}; }}
QProgressBar {{ border: 0; background: {hover}; }} QProgressBar::chunk {{ background: {accent}; }}
QTabBar {{ qproperty-drawBase: 0; background: {panel}; }}
QTabBar::tab {{ padding: 6px 10px; border-bottom: 2px solid transparent; color: {muted}; }}
QTabWidget QTabBar::tab {{ padding: 6px 5px; }}
QToolButton::menu-indicator {{ image: none; }}
QTabBar::tab:selected {{ color: {text}; border-bottom-color: {accent}; }}
QTabBar::tab:selected:focus {{ color: {accent}; }}
QScrollBar:vertical {{ width: 10px; background: transparent; }}
QScrollBar:horizontal {{ height: 10px; background: transparent; }}
QScrollBar::handle {{ background: {edge}; border-radius: 3px; margin: 2px; min-height: 24px; min-width: 24px; }}
QScrollBar::handle:hover {{ background: {muted}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: none; }}
"""


def style_sheet(theme: Theme) -> str:
    """The rules of a theme; kept short, because every rule costs time and breaks metrics of the style."""
    return _RULES.format(
        border=theme.value(Color.BORDER),
        edge=theme.value(Color.EDGE),
        raised=theme.value(Color.RAISED_GROUND),
        text=theme.value(Color.TEXT),
        muted=theme.value(Color.MUTED),
        disabled=theme.value(Color.DISABLED),
        selection=theme.value(Color.SELECTION),
        hover=theme.value(Color.HOVER_GROUND),
        accent=theme.value(Color.ACCENT),
        accent_text=theme.value(Color.ACCENT_TEXT),
        panel=theme.value(Color.PANEL_GROUND),
        editor=theme.value(Color.EDITOR_GROUND),
    ).strip()
