"""A popup list with a search field, for the command palette and navigation."""

from collections.abc import Callable, Sequence

from msgspec import Struct
from PySide6.QtCore import QModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QWidget

from heatstudio.ui.widgets.announcer import ChoiceAnnouncer
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.fuzzy import EXACT, WHOLE, fuzzy_score, yielding
from heatstudio.ui.widgets.layouts import in_column
from heatstudio.ui.widgets.popup import Popup
from heatstudio.ui.widgets.row_delegate import NOTHING, list_view, row_height
from heatstudio.ui.widgets.search_field import SearchField
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import NO_CELL, Branch, Cell, TreeModel


class Choice(Struct, frozen=True):
    """An item to pick."""

    text: str
    pick: Callable[[], object]
    detail: str = ""
    badge: str = ""
    icon: tuple[str, Color] | None = None
    keywords: str = ""
    """Additional search words with a lower score than the visible ones."""
    name: str = ""
    """The name of the command to pick, if any."""
    yields: bool = False
    """Whether the choice gets a reduced score."""


_WIDTH = 544
"""The width of the list in pixels."""
_TOP = 64
"""The distance from the top of the window in pixels."""
_MOST_ROWS, _EMPTY_ROWS = 14, 2
"""An empty list has room for a sentence."""
_MOST_FOUND = 200
_OTHER = 600
"""The weight of a match in hidden keywords: less than a visible word, more than scattered letters."""


def cell_of_choice(value: object, _column: int) -> Cell:
    """Return the cell of a choice: its icon, text, detail and badge."""
    if not isinstance(value, Choice):
        return NO_CELL
    badge = (value.badge, Color.MUTED) if value.badge else None
    return Cell(value.text, value.icon, value.detail, badge)


def fitting(choices: Sequence[Choice], query: str) -> list[Choice]:
    """Return the choices that match a query, best first; all for an empty query."""
    if not query.strip():
        return list(choices[:_MOST_FOUND])
    scored = [(_score(query, choice), choice) for choice in choices]
    found = [(score, choice) for score, choice in scored if score is not None]
    found.sort(key=lambda pair: -pair[0])  # the sort is stable
    return [choice for _, choice in found[:_MOST_FOUND]]


def _score(query: str, choice: Choice) -> int | None:
    """Return the score of a choice; None unless every word of the query matches its text, detail or keywords."""
    total = EXACT if fuzzy_score(query, choice.text) == EXACT else 0
    for word in query.split():
        name, detail = fuzzy_score(word, choice.text), fuzzy_score(word, choice.detail)
        other = fuzzy_score(word, choice.keywords)
        seen = name if name is not None or detail is None else yielding(detail)
        if other is not None and (other < WHOLE):
            other = None  # scattered letters in invisible words
        if seen is None and other is None:
            return None
        total += max(seen or 0, _OTHER if other is not None else 0)
    return yielding(total) if choice.yields else total


class Picker(Popup):
    """A popup at the top of the window; Enter picks, Escape closes."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._window = parent
        self.setAccessibleName("Pick")
        self.setObjectName("popup")
        self._choices: Sequence[Choice] = ()
        self._width = _WIDTH
        self.model = TreeModel(("Choice",), cell_of_choice)
        self.search = SearchField(appearance, "Search", escape_clears=False)
        self.search.textChanged.connect(self._find)
        self.search.left_downwards.connect(lambda: self._step(1))
        self.view = list_view(self.model, appearance, "Results")
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.clicked.connect(self._pick)
        self.fill(in_column(self.search, self.view, edges=(8, 8, 8, 8), gap=8))
        self.setFocusProxy(self.search)
        self._voice = ChoiceAnnouncer(self)

    def choose(self, title: str, choices: Sequence[Choice]) -> None:
        """Show choices to pick from."""
        self._choices = choices
        self.search.setPlaceholderText(title)
        self.search.setAccessibleName(title)
        self.search.clear()
        window = self._window.window()
        self._width = min(_WIDTH, window.width() - 40)
        self._find("")
        corner = window.mapToGlobal(QPoint((window.width() - self.sizeHint().width()) // 2, 0))
        self.show_beside(QRect(corner, QSize(self._width, _TOP)))
        self.search.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move in the list by arrow keys while the focus stays in the search field."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._pick(self.view.currentIndex())
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self._step({Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -10}.get(Qt.Key(event.key()), 10))
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._voice.cancel()

    def _say_choice(self) -> None:
        words = self.view.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)
        self._voice.choose(str(words or NOTHING), self.view.currentIndex().row(), self.model.rowCount())

    def _step(self, rows: int) -> None:
        row = max(0, min(self.view.currentIndex().row() + rows, self.model.rowCount() - 1))
        self.view.setCurrentIndex(self.model.index(row, 0))
        self._say_choice()

    def _find(self, query: str) -> None:
        self.view.mark_matches(query, scattered=True)
        self.model.set_branches(map(Branch, fitting(self._choices, query)))
        rows = min(self.model.rowCount(), _MOST_ROWS) or _EMPTY_ROWS
        self.view.setFixedSize(self._width, rows * row_height() + 2 * self.view.frameWidth())
        self.view.setCurrentIndex(self.model.index(0, 0))
        self._say_choice()

    def _pick(self, index: QModelIndex) -> None:
        choice = self.model.value(index)
        self.hide()
        if isinstance(choice, Choice):
            choice.pick()
