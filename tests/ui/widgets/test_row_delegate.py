"""Narrow rows of a tree: the text has precedence, and the badge gets the remaining space."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot

from heatstudio.text import Severity
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.layouts import in_column
from heatstudio.ui.widgets.panel import EmptyState
from heatstudio.ui.widgets.row_delegate import RowDelegate, RowTree, caption_font, row_height
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import Branch, Cell, TreeModel
from tests.ui.fresh_paint import find_difference

BADGE = "update in progress"
LONG = "a-name-of-a-stack-that-has-sixty-characters-as-names-may-have"


class Rows(TreeModel):
    def __init__(self, *names: str, badge: str = BADGE) -> None:
        super().__init__(("Name",))
        self.badge = badge
        self.set_branches(Branch(name) for name in names)

    def cell(self, value: object, _column: int) -> Cell:
        return Cell(str(value), badge=(self.badge, Color.INFORMATION))


def test_another_sentence_of_an_empty_tree_is_painted(qtbot: QtBot, appearance: Appearance) -> None:
    view = RowTree(Rows(), appearance, "Rows")
    qtbot.addWidget(view)
    with qtbot.waitExposed(view):
        view.show()
    assert find_difference() is None
    view.say_nothing("The template has no sections.")
    assert find_difference() is None


def test_row_that_enter_opens_is_selected_after_tab(qtbot: QtBot, appearance: Appearance) -> None:
    window, view = QWidget(), RowTree(Rows("a", "b"), appearance, "Rows")
    in_column(QLineEdit(), view, of=window)
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
    assert not view.selectedIndexes()
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    assert view.hasFocus()
    assert [index.row() for index in view.selectedIndexes()] == [view.currentIndex().row()] == [0]


class Watched(RowDelegate):
    """A delegate that records the position of each painted badge."""

    places: dict[str, tuple[int, int]]

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        self._name = str(index.data())
        super().paint(painter, option, index)

    def _paint_badge(
        self, painter: QPainter, option: QStyleOptionViewItem, room: QRect, badge: tuple[str, Color], text_width: int
    ) -> int:
        left = super()._paint_badge(painter, option, room, badge, text_width)
        self.places[self._name] = (left + 1 - room.left(), room.right() - left)
        return left


def painted(view: RowTree, appearance: Appearance, rows: Rows, width: int) -> dict[str, tuple[int, int]]:
    view.setModel(rows)
    delegate = Watched(appearance, view)
    delegate.places = {}
    view.setItemDelegate(delegate)
    view.setRootIsDecorated(False)
    view.resize(width, 100)
    view.show()
    view.grab()
    return delegate.places


@pytest.mark.parametrize("width", [160, 200, 600])
def test_badge_gets_the_space_that_the_text_leaves(qtbot: QtBot, appearance: Appearance, width: int) -> None:
    view = RowTree(Rows(), appearance, "Rows")
    qtbot.addWidget(view)
    places = painted(view, appearance, Rows("monitoring", LONG), width)
    text, badge = places["monitoring"]
    whole = QFontMetrics(caption_font(view.font())).horizontalAdvance(BADGE)
    assert text >= QFontMetrics(view.font()).horizontalAdvance("monitoring")
    assert badge >= min(whole, 50), "its beginning is read"
    text, badge = places[LONG]
    assert text > badge or badge >= whole


def test_badge_is_shortened_if_there_is_not_enough_space(qtbot: QtBot, appearance: Appearance) -> None:
    width, badge, kept, cut = 220, "HIDDEN since 5.0.0", "HIDDEN", "HIDDEN since"
    view = RowTree(Rows(), appearance, "Rows")
    qtbot.addWidget(view)
    metrics = QFontMetrics(caption_font(view.font()))
    narrow = painted(view, appearance, Rows("RouterGateway", badge=badge), width)["RouterGateway"]
    assert metrics.horizontalAdvance(kept) <= narrow[1] < metrics.horizontalAdvance(cut)
    wide = painted(view, appearance, Rows("RouterGateway", badge=badge), 600)["RouterGateway"]
    assert wide[1] >= metrics.horizontalAdvance(badge)


def test_counts_of_problems_are_never_shortened(qtbot: QtBot, appearance: Appearance) -> None:
    counts = ((Severity.ERROR, 11), (Severity.WARNING, 172))
    model = TreeModel(("Name",), lambda value, _column: Cell(str(value), counts=counts))
    model.set_branches([Branch(LONG)])
    view = RowTree(model, appearance, "Rows")
    qtbot.addWidget(view)
    view.resize(140, 100)
    view.show()
    picture = view.grab().toImage()
    right = {(x, y) for x in range(picture.width() // 2, picture.width()) for y in range(row_height())}
    colors = {picture.pixelColor(*place).name() for place in right}
    assert {appearance.theme.color(one).name() for one in (Color.ERROR, Color.WARNING)} <= colors


def test_placeholder_shows_code_without_backticks(qtbot: QtBot, appearance: Appearance) -> None:
    empty = EmptyState(appearance, "preview", "Nothing", "Add the missing `:`.")
    qtbot.addWidget(empty)
    assert empty.accessibleDescription() == "Add the missing :."
    assert "Add the missing :." in [label.text() for label in empty.findChildren(QLabel)]


@pytest.mark.parametrize(("height", "is_shown"), [(160, True), (70, False)])
def test_low_empty_pane_omits_the_icon_and_keeps_its_words(
    qtbot: QtBot, appearance: Appearance, height: int, is_shown: bool
) -> None:
    empty = EmptyState(appearance, "check", "No problems", "All offline checks passed.")
    qtbot.addWidget(empty)
    empty.setFixedSize(600, height)
    empty.show()
    QApplication.processEvents()
    words = [label for label in empty.findChildren(QLabel) if label.text()]
    assert all(label.height() >= label.heightForWidth(label.width()) for label in words)
    assert empty._picture.isVisible() is is_shown
