"""Themes: sufficient contrast, and no colors outside themes."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, QStringListModel, Qt
from PySide6.QtGui import QColor, QHoverEvent, QIcon
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLineEdit,
    QMainWindow,
    QProgressBar,
    QPushButton,
    QScrollBar,
    QTabBar,
    QToolBar,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

import heatstudio.ui
from heatstudio.assets import icon_path
from heatstudio.ui.widgets.appearance import Appearance, Scheme
from heatstudio.ui.widgets.row_delegate import RowTree
from heatstudio.ui.widgets.theme import Color, load_theme, make_palette, style_sheet
from heatstudio.ui.widgets.tree_model import Branch, Cell, TreeModel
from tests.ui.colors import GROUNDS, TEXTS
from tests.ui.contrast import contrast
from tests.ui.fresh_paint import find_difference

THEMES = ("light", "dark", "high-contrast")
MORE_GROUNDS = (
    *(Color.RAISED_GROUND, Color.HOVER_GROUND, Color.CURRENT_LINE, Color.SELECTION, Color.MATCH_GROUND),
    *(Color.ERROR_GROUND, Color.WARNING_GROUND, Color.ADDED_GROUND, Color.MOVED_GROUND),
)
SOURCES = sorted(Path(heatstudio.ui.__file__).parent.rglob("*.py"))
ICONS = sorted(icon_path("check").parent.glob("*.svg"))


def test_contrast_of_black_on_white_is_the_greatest() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#777777") == pytest.approx(1)


@pytest.mark.parametrize("name", THEMES)
def test_theme_defines_every_color(name: str) -> None:
    assert set(load_theme(name).colors) == set(Color)


@pytest.mark.parametrize("name", THEMES)
def test_every_text_has_enough_contrast_on_every_background(name: str) -> None:
    theme = load_theme(name)
    least = 7.0 if name == "high-contrast" else 4.5
    assert theme.least_contrast == least
    bad = [
        (ground, text)
        for ground in (*GROUNDS, *MORE_GROUNDS)
        for text in TEXTS
        if contrast(theme.value(ground), theme.value(text)) < least
    ]
    assert bad == []
    assert contrast(theme.value(Color.ACCENT), theme.value(Color.ACCENT_TEXT)) >= least


@pytest.mark.parametrize("name", THEMES)
def test_controls_have_enough_contrast_on_every_background(name: str) -> None:
    """WCAG 2.1, 1.4.11: edges of fields, handles, bars of selected rows, frames of matches, and disabled text."""
    theme = load_theme(name)
    seen = (Color.EDGE, Color.DISABLED, Color.ACCENT, Color.MUTED, Color.WARNING)
    grounds = (*GROUNDS, Color.RAISED_GROUND)
    bad = [
        (ground, color) for ground in grounds for color in seen if contrast(theme.value(ground), theme.value(color)) < 3
    ]
    assert bad == []


@pytest.mark.parametrize("name", THEMES)
def test_selected_row_and_checked_chip_differ_in_more_than_the_background(
    qtbot: QtBot, appearance: Appearance, name: str
) -> None:
    appearance.choose(Scheme(name))
    edge = appearance.theme.value(Color.EDGE)
    model, chip = TreeModel(("Row",)), QToolButton()
    model.set_branches([Branch(Cell("one")), Branch(Cell("two"))])
    view = RowTree(model, appearance, "Rows")
    chip.setCheckable(True)
    chip.setChecked(True)
    for widget in (view, chip):
        qtbot.addWidget(widget)
        appearance.restyle(widget)
        widget.resize(120, 60)
        widget.show()
    view.setCurrentIndex(model.index(1, 0))
    view.clearFocus()
    row = view.visualRect(model.index(1, 0))
    colors = {view.viewport().grab().toImage().pixelColor(1, row.center().y()).name().upper()}
    image = chip.grab().toImage()
    assert colors == {edge}
    assert edge in {image.pixelColor(x, 30).name().upper() for x in range(4)}


def test_style_sheet_stays_short() -> None:
    assert style_sheet().count("{") <= 44


def one_of_each() -> QWidget:
    window = QDialog()
    rows = QVBoxLayout(window)
    tabs, view, bar, button = QTabBar(), QTreeView(), QProgressBar(), QToolButton()
    tabs.addTab("one")
    tabs.addTab("two")
    view.setModel(QStringListModel(["one", "two"], view))
    bar.setValue(50)
    button.setCheckable(True)
    button.setChecked(True)
    accept, refuse = QPushButton("Apply"), QPushButton("Remove")
    refuse.setEnabled(False)
    for widget in (tabs, view, bar, button, accept, QPushButton("Cancel"), refuse, QLineEdit("text"), QToolBar()):
        rows.addWidget(widget)
    accept.setDefault(True)
    return window


@pytest.mark.parametrize("scheme", [Scheme.DARK, Scheme.HIGH_CONTRAST])
def test_changed_theme_looks_like_an_initial_theme(qtbot: QtBot, appearance: Appearance, scheme: Scheme) -> None:
    changed, made = one_of_each(), one_of_each()
    for window, chosen in ((changed, Scheme.LIGHT), (made, scheme)):
        appearance.choose(chosen)
        qtbot.waitUntil(changed.updatesEnabled)
        qtbot.addWidget(window)
        appearance.restyle(window)
        window.grab()
    assert changed.grab().toImage() == made.grab().toImage()


def test_nothing_is_painted_before_the_last_of_several_changes_is_complete(
    qtbot: QtBot, appearance: Appearance, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns: deque[Callable[[], None]] = deque()
    monkeypatch.setattr("heatstudio.ui.widgets.appearance._POLISH_BUDGET", 0)  # one widget in each turn
    timer = SimpleNamespace(singleShot=lambda _interval, _window, turn: turns.append(turn))
    monkeypatch.setattr("heatstudio.ui.widgets.appearance.QTimer", timer)
    window = one_of_each()
    qtbot.addWidget(window)
    appearance.restyle(window)
    appearance.choose(Scheme.HIGH_CONTRAST)
    turns.popleft()()
    appearance.choose(Scheme.DARK)
    while turns:
        assert not window.updatesEnabled()
        turns.popleft()()
    assert window.updatesEnabled()


@pytest.mark.parametrize("name", THEMES)
def test_progress_bars_and_focused_buttons_have_theme_colors(qtbot: QtBot, appearance: Appearance, name: str) -> None:
    appearance.choose(Scheme(name))
    theme = appearance.theme
    bar, button = QProgressBar(textVisible=False), QPushButton("Find Clouds")
    for widget in (bar, button):
        qtbot.addWidget(widget)
        appearance.restyle(widget)
        widget.resize(200, 28)
        widget.show()
    bar.setValue(50)
    image = bar.grab().toImage()
    assert {image.pixelColor(x, y).name().upper() for x in (0, 20, 160, 199) for y in (1, 14, 26)} == {
        theme.value(Color.ACCENT),
        theme.value(Color.HOVER_GROUND),
    }
    button.activateWindow()
    qtbot.waitActive(button)
    button.setFocus()
    image = button.grab().toImage()
    inside = {image.pixelColor(x, 5).name().upper() for x in range(8, 192)}
    assert inside == {theme.value(Color.RAISED_GROUND)}, "no frame within the frame"


@pytest.mark.parametrize("name", THEMES)
def test_selected_text_has_enough_contrast(name: str) -> None:
    palette = make_palette(load_theme(name))
    assert contrast(palette.highlight().color().name(), palette.highlightedText().color().name()) >= 4.5
    assert contrast(palette.toolTipBase().color().name(), palette.toolTipText().color().name()) >= 4.5


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_colors_are_defined_only_in_themes(source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    assert re.findall(r"#[0-9A-Fa-f]{6}\b|QColor\(\d|GlobalColor\.(?!transparent)\w+", text) == []


@pytest.mark.parametrize("path", [icon for icon in ICONS if icon.stem != "heatstudio"], ids=lambda path: path.stem)
def test_icon_has_one_color_on_a_grid_of_16(path: Path, appearance: Appearance) -> None:
    source = path.read_text(encoding="utf-8")
    assert 'viewBox="0 0 16 16"' in source
    assert "currentColor" in source
    assert re.findall(r"#[0-9A-Fa-f]{3,6}", source) == []
    image = appearance.icon(path.stem).pixmap(QSize(32, 32)).toImage()
    assert any(image.pixelColor(x, y).alpha() > 128 for x in range(32) for y in range(32))


def test_named_icons_exist() -> None:
    named: set[str] = set()
    for source in SOURCES:
        named.update(re.findall(r'"((?:severity|update|status|kind|file|chevron)-[a-z-]+)"', source.read_text("utf-8")))
    named -= {"update-replaced-by", "file-"}
    assert {name for name in named if not icon_path(name).is_file()} == set()


def test_switch_at_run_time_changes_palette_and_icons(appearance: Appearance, qapp: QApplication) -> None:
    icon = appearance.icon("update-added", Color.ADDED)
    seen: list[str] = []
    appearance.theme_changed.connect(lambda theme: seen.append(theme.name))
    colors = {}
    for scheme in (Scheme.LIGHT, Scheme.DARK, Scheme.HIGH_CONTRAST):
        appearance.choose(scheme)
        assert qapp.palette().base().color() == appearance.theme.color(Color.EDITOR_GROUND)
        middle = icon.pixmap(QSize(16, 16)).toImage().pixelColor(8, 8)
        colors[scheme] = middle.name()
        assert middle == appearance.theme.color(Color.ADDED)
    assert seen == ["dark", "high-contrast"]
    assert len(set(colors.values())) == 3


def test_system_scheme_follows_the_desktop(appearance: Appearance) -> None:
    appearance.choose(Scheme.SYSTEM)
    assert appearance.theme.name in {"light", "dark"}


def test_disabled_icon_is_paler(appearance: Appearance) -> None:
    icon = appearance.icon("update-added", Color.ADDED)
    pale = icon.pixmap(QSize(16, 16), QIcon.Mode.Disabled).toImage().pixelColor(8, 8)
    assert pale == QColor(appearance.theme.value(Color.DISABLED))


def test_handle_of_a_scroll_bar_is_painted_again_when_it_moves_under_the_mouse(
    qtbot: QtBot, appearance: Appearance
) -> None:
    bar = QScrollBar(Qt.Orientation.Vertical)
    bar.setRange(0, 1000)
    bar.setPageStep(100)
    appearance.restyle(bar)
    qtbot.addWidget(bar)
    bar.resize(10, 300)
    with qtbot.waitExposed(bar):
        bar.show()
    at, left, none = QPoint(5, 150), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QTest.mouseMove(bar, at)
    assert find_difference() is None
    QTest.mousePress(bar, left, none, at)
    qtbot.waitUntil(lambda: bar.value() > 400)
    hover = QHoverEvent(QEvent.Type.HoverMove, QPointF(at), QPointF(bar.mapToGlobal(at)), QPointF(at))
    QApplication.sendEvent(bar, hover)
    assert find_difference() is None
    QTest.mouseRelease(bar, left, none, at)
    assert find_difference() is None


def test_icon_behind_the_last_menu_is_painted_whole(qtbot: QtBot, appearance: Appearance) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    for title in ("One menu", "Another menu"):
        window.menuBar().addMenu(title)
    window.resize(120, 80)
    appearance.restyle(window)
    window.show()
    button = window.findChild(QToolButton, "qt_menubar_ext_button")
    assert button
    assert button.isVisible()
    shown = button.grab().toImage()
    empty, rows, columns = shown.pixel(0, 0), range(shown.height()), range(shown.width())
    painted = [x for x in columns if any(shown.pixel(x, y) != empty for y in rows)]
    assert len(painted) >= 10
