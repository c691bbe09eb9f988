"""The list of suggestions, with the documentation of the selected one next to it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QHideEvent, QPainter, QPalette
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from heatstudio.analysis.assist.suggestion import Completion
from heatstudio.assets import icon_path
from heatstudio.text.invisible import visible
from heatstudio.text.markup import Html
from heatstudio.ui.editor.text.code_page import CodePage, FloatingFrame
from heatstudio.ui.widgets import Color, Theme, in_row, paint_icon, scaled
from heatstudio.ui.widgets.announcer import ChoiceAnnouncer
from heatstudio.ui.widgets.fuzzy import WHOLE, FuzzyMatch, fuzzy_match, is_word_start
from heatstudio.ui.widgets.html_label import HtmlLabel
from heatstudio.ui.widgets.tree_model import NO_CELL, VALUE_ROLE, Branch, Cell, Index, TreeModel

MOST_SHOWN = 200


TakeCompletions = Callable[[Sequence["Completion"]], object]
CompletionProvider = Callable[[int, bool, TakeCompletions], object]
"""A function that supplies suggestions at a code point offset, at once or later; the flag is for explicit requests."""


class Candidate(Struct, frozen=True):
    """A matching suggestion."""

    completion: Completion
    match: FuzzyMatch


def fitting(completions: Iterable[Completion], text: str, caret: int) -> list[Candidate]:
    """Return the suggestions that match the text before the cursor.

    Exact matches come first, deprecated ones last, and contiguous matches before scattered ones. Within each of these
    groups, foreign suggestions come last, unless they start with the typed text. Then come the starts of a name or of
    its last part, the starts of other words, and other letters, each from the most likely to the least.
    """

    def rank(candidate: Candidate) -> tuple[bool, bool, bool, bool, int, str, int, str]:
        completion, match = candidate.completion, candidate.match
        typed = text[completion.replace.start : caret]
        is_back = completion.foreign and not (typed and completion.label.casefold().startswith(typed.casefold()))
        start = match.places[0] if match.places else 0
        part = completion.label[:start].rpartition("::")
        place = 0 if not part[2] else 1 if is_word_start(completion.label, start) else 2
        order = place, completion.sort_key, -match.score, completion.label
        return typed != completion.label, completion.deprecated, match.score < WHOLE, is_back, *order

    candidates = []
    for completion in completions:
        match = fuzzy_match(text[completion.replace.start : caret], completion.label)
        if match is not None:
            candidates.append(Candidate(completion, match))
    candidates.sort(key=rank)
    return candidates[:MOST_SHOWN]


_ROW: Final = 24
_MOST_ROWS: Final = 10
_WIDTHS: Final = 380, 560
"""The minimum and maximum width of the list."""
_BESIDE_LABEL: Final = 32 + 16 + 10 + 24
"""The width of the icon, the gaps and a scroll bar, in addition to label and detail."""
_PAGE_WIDTH: Final = 320
_MIDDLE: Final = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


def _cell_of(value: object, _column: int) -> Cell:
    """Return the label, and the text for a screen reader; the delegate paints the rest."""
    if not isinstance(value, Candidate):
        return NO_CELL
    completion = value.completion
    words = completion.label, completion.detail, "deprecated" if completion.deprecated else ""
    return Cell(completion.label, spoken=" ".join(filter(None, words)))


class CandidateDelegate(QStyledItemDelegate):
    """A delegate for an icon, a label with the typed letters in bold, and the detail at the right edge."""

    def __init__(self, theme: Theme, parent: QListView) -> None:
        super().__init__(parent)
        self.theme = theme
        self.hint = ""
        """The key that accepts the first suggestion while none is selected; empty if there is none."""
        self._view = parent

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(_WIDTHS[0] - 4, scaled(_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        candidate = index.data(VALUE_ROLE)
        if not isinstance(candidate, Candidate):
            return
        painter.save()
        rect = QRectF(option.rect)
        if QStyle.StateFlag.State_Selected in option.state:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.theme.color(Color.SELECTION))
            painter.drawRoundedRect(rect.adjusted(2, 0, -2, 0), 3, 3)
        kind = candidate.completion.kind
        if icon_path(f"kind-{kind}").exists():
            icon = QRectF(rect.left() + 8, rect.center().y() - 8, 16, 16)
            paint_icon(painter, icon, f"kind-{kind}", self.theme, Color.MUTED)
        font = QFont(self._view.font())
        end = self._paint_label(painter, rect.adjusted(32, 0, -8, 0), candidate, font)
        painter.setFont(font)
        painter.setPen(self.theme.color(Color.MUTED))
        room = QRectF(end + 16, rect.top(), rect.right() - 10 - end - 16, rect.height())
        if self.hint and index.row() == 0 and not self._view.currentIndex().isValid():
            room.setRight(self._paint_key(painter, room))
        detail = painter.fontMetrics().elidedText(
            visible(candidate.completion.detail), Qt.TextElideMode.ElideRight, max(0, int(room.width()))
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, detail)
        painter.restore()

    def _paint_key(self, painter: QPainter, room: QRectF) -> float:
        """Paint the hint; return its left edge."""
        key = QRectF(0, 0, painter.fontMetrics().horizontalAdvance(self.hint) + 10, scaled(_ROW) - 6)
        key.moveCenter(room.center())
        key.moveRight(room.right())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(key.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        painter.drawText(key, Qt.AlignmentFlag.AlignCenter, self.hint)
        return key.left() - 8

    def _paint_label(self, painter: QPainter, rect: QRectF, candidate: Candidate, font: QFont) -> float:
        """Paint the label piece by piece, cut where the room ends; return its right edge."""
        meant = set(candidate.match.places)
        is_struck = candidate.completion.deprecated
        x = rect.left()
        for is_meant, piece in _pieces(candidate.completion.label, meant):
            face = QFont(font)
            face.setBold(is_meant)
            face.setStrikeOut(is_struck)
            painter.setFont(face)
            painter.setPen(self.theme.color(Color.MUTED if is_struck else Color.ACCENT if is_meant else Color.TEXT))
            metrics = QFontMetricsF(face)
            shown = metrics.elidedText(piece, Qt.TextElideMode.ElideRight, rect.right() - x)
            painter.drawText(QRectF(x, rect.top(), rect.right() - x, rect.height()), _MIDDLE, shown)
            x += metrics.horizontalAdvance(shown)
            if shown != piece:
                break
        return min(x, rect.right())


class CompletionPopup(FloatingFrame):
    """The popup of suggestions; the editor forwards the keys."""

    chosen = Signal(object)

    def __init__(self, editor: CodePage) -> None:
        self._list = QListView(uniformItemSizes=True)
        self._page = HtmlLabel(margin=10)
        self._page.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._delegate = CandidateDelegate(editor.theme, self._list)
        self._voice = ChoiceAnnouncer(editor)
        super().__init__(editor)
        self.setAccessibleName("Completion")
        self._model = TreeModel(("Suggestion",), _cell_of)
        self._list.setModel(self._model)
        self._list.setItemDelegate(self._delegate)
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setAccessibleName("Suggestions")
        self._list.clicked.connect(lambda index: self.chosen.emit(index.data(VALUE_ROLE)))
        self._list.selectionModel().currentChanged.connect(lambda *_: self._show_page())
        self._page.setAccessibleDescription("Documentation of the suggestion")
        self._page.setFixedWidth(_PAGE_WIDTH)
        self._page.setMaximumHeight(_MOST_ROWS * scaled(_ROW))
        self.fill(in_row((self._list, Qt.AlignmentFlag.AlignTop), self._page, edges=(1, 3, 1, 3), gap=0))

    def set_theme(self, theme: Theme) -> None:
        """Apply the colors of a theme."""
        super().set_theme(theme)
        for part in (self._list, self._list.viewport()):  # a style sheet sets a separate palette for the viewport
            part.setPalette(self.palette())
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.WindowText, theme.color(Color.TEXT))
        self._page.setPalette(palette)
        self._delegate.theme = theme

    def show_candidates(self, candidates: Sequence[Candidate], anchor: QRect, *, select: bool, hint: str = "") -> None:
        """List suggestions next to a rectangle of the screen; without `select`, none is selected initially.

        `hint` is the key that accepts the first one then.
        """
        self._delegate.hint = hint
        self._model.set_branches(map(Branch, candidates))
        if select:
            self._list.setCurrentIndex(self._model.index(0, 0))
        rows = min(len(candidates), _MOST_ROWS)
        self._list.setFixedSize(self._width_for(candidates), rows * scaled(_ROW) + 2)
        self._show_page()
        self.show_beside(anchor)
        self._say_choice()

    def _width_for(self, candidates: Sequence[Candidate]) -> int:
        """Return the width in which the longest of the likely suggestions fits with its detail, within bounds."""
        metrics = self._list.fontMetrics()
        texts = (f"{one.completion.label}{visible(one.completion.detail)}" for one in candidates[:_MOST_ROWS])
        return max(_WIDTHS[0], min(_WIDTHS[1], max(map(metrics.horizontalAdvance, texts)) + _BESIDE_LABEL))

    def labels(self) -> list[str]:
        """Return the labels of the listed suggestions, from top to bottom."""
        return [str(self._model.index(row, 0).data()) for row in range(self._model.rowCount())]

    def current(self) -> Candidate | None:
        """Return the selected suggestion, if any."""
        return self._candidate(self._list.currentIndex())

    def first(self) -> Candidate | None:
        """Return the first suggestion, if any."""
        return self._candidate(self._model.index(0, 0))

    def _candidate(self, index: QModelIndex) -> Candidate | None:
        candidate = self._model.value(index)
        return candidate if isinstance(candidate, Candidate) else None

    def move_choice(self, by: int) -> None:
        """Select another row; steps of one wrap around, larger ones stop at the ends."""
        count, now = self._model.rowCount(), self._list.currentIndex().row()
        if now < 0:
            row = 0 if by > 0 else count - 1
        elif abs(by) == 1:
            row = (now + by) % count
        else:
            row = max(0, min(now + by, count - 1))
        self._list.setCurrentIndex(self._model.index(row, 0))
        self._list.viewport().update()  # the first row loses its hint, whichever row is selected
        self._say_choice()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._voice.cancel()

    def _say_choice(self) -> None:
        """Announce the selected row on behalf of the editor, which keeps the focus."""
        index = self._list.currentIndex()
        words = index.data(Qt.ItemDataRole.AccessibleTextRole) if index.isValid() else ""
        self._voice.choose(str(words), index.row(), self._model.rowCount())

    def _show_page(self) -> None:
        candidate = self.current() or self.first()
        documentation = candidate.completion.documentation if candidate else None
        self._page.set_html(Html.popup(*documentation) if documentation else Html(""))
        self._page.setVisible(bool(documentation))


def _pieces(label: str, meant: set[int]) -> Iterator[tuple[bool, str]]:
    for is_meant, letters in groupby(enumerate(label), key=lambda letter: letter[0] in meant):
        yield is_meant, visible("".join(letter for _, letter in letters))
