"""The list of proposals with the documentation of the chosen one beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QHideEvent, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLabel,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from heatstudio.assets import icon_path
from heatstudio.ui.editor.completion.completion_item import Candidate
from heatstudio.ui.editor.text.floating import FloatingFrame
from heatstudio.ui.editor.text.icon_painter import paint_icon
from heatstudio.ui.widgets.announcer import ChoiceAnnouncer
from heatstudio.ui.widgets.layouts import in_row
from heatstudio.ui.widgets.theme import Color, Theme

_ROW: Final = 24
_MOST_ROWS: Final = 10
_LIST_WIDTH: Final = 380
_PAGE_WIDTH: Final = 320
_CANDIDATE: Final = int(Qt.ItemDataRole.UserRole)
_NOWHERE: Final = QModelIndex()
_Index = QModelIndex | QPersistentModelIndex


class CandidatesModel(QAbstractListModel):
    """Proposals in the order in which they are shown."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._candidates: Sequence[Candidate] = ()

    def set_candidates(self, candidates: Sequence[Candidate]) -> None:
        """Shows these instead of the ones before."""
        self.beginResetModel()
        self._candidates = candidates
        self.endResetModel()

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._candidates)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The label to show, the words for a screen reader, the candidate for the delegate."""
        if not index.isValid():
            return None
        candidate = self._candidates[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return candidate.completion.label
        if role == Qt.ItemDataRole.AccessibleTextRole:
            words = "deprecated" if candidate.completion.deprecated else ""
            return " ".join((candidate.completion.label, candidate.completion.detail, words)).strip()
        return candidate if role == _CANDIDATE else None


class CandidateDelegate(QStyledItemDelegate):
    """Icon, label with the typed letters in bold, and the detail at the right edge."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        self._view = parent

    def sizeHint(self, _option: QStyleOptionViewItem, _index: _Index) -> QSize:
        return QSize(_LIST_WIDTH - 4, _ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        candidate = index.data(_CANDIDATE)
        if not isinstance(candidate, Candidate):
            return
        painter.save()
        rect = QRectF(_rect_of(option))
        if _is_selected(option):
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
        detail = painter.fontMetrics().elidedText(
            candidate.completion.detail, Qt.TextElideMode.ElideRight, max(0, int(room.width()))
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, detail)
        painter.restore()

    def _paint_label(self, painter: QPainter, rect: QRectF, candidate: Candidate, font: QFont) -> float:
        """Paints the label piece by piece; gives where it ends."""
        meant = set(candidate.match.places)
        is_struck = candidate.completion.deprecated
        x = rect.left()
        for is_meant, piece in _pieces(candidate.completion.label, meant):
            face = QFont(font)
            face.setBold(is_meant)
            face.setStrikeOut(is_struck)
            painter.setFont(face)
            painter.setPen(self.theme.color(Color.MUTED if is_struck else Color.ACCENT if is_meant else Color.TEXT))
            width = QFontMetricsF(face).horizontalAdvance(piece)
            painter.drawText(QRectF(x, rect.top(), min(width + 2, rect.right() - x), rect.height()), _MIDDLE, piece)
            x += width
        return min(x, rect.right())


_MIDDLE: Final = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


class CompletionPopup(FloatingFrame):
    """Shows proposals; the keys come to it through the editor."""

    chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        self._list = QListView()
        self._page = QLabel()
        self._voice = ChoiceAnnouncer(parent)
        super().__init__(theme, parent)
        self.setAccessibleName("Completion")
        self._model = CandidatesModel(self)
        self._delegate = CandidateDelegate(theme, self._list)
        self._list.setModel(self._model)
        self._list.setItemDelegate(self._delegate)
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setUniformItemSizes(True)
        self._list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setAccessibleName("Suggestions")
        self._list.clicked.connect(lambda index: self.chosen.emit(index.data(_CANDIDATE)))
        self._list.selectionModel().currentChanged.connect(lambda *_: self._show_page())
        self._page.setAccessibleDescription("Documentation of the suggestion")
        self._page.setWordWrap(True)
        self._page.setTextFormat(Qt.TextFormat.RichText)
        self._page.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._page.setMargin(10)
        self._page.setFixedWidth(_PAGE_WIDTH)
        in_row(self._list, self._page, of=self, edges=(1, 3, 1, 3), gap=0)

    def set_theme(self, theme: Theme) -> None:
        """Takes the colors of a theme."""
        super().set_theme(theme)
        for part in (self._list, self._list.viewport()):  # a style sheet gives the viewport a palette of its own
            part.setPalette(self.palette())
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.WindowText, theme.color(Color.TEXT))
        self._page.setPalette(palette)
        if isinstance(delegate := self._list.itemDelegate(), CandidateDelegate):
            delegate.theme = theme

    def show_candidates(self, candidates: Sequence[Candidate], anchor: QRect, *, select: bool) -> None:
        """Lists proposals beside a rectangle of the screen; without `select` none is chosen beforehand."""
        self._model.set_candidates(candidates)
        if select:
            self._list.setCurrentIndex(self._model.index(0, 0))
        rows = min(len(candidates), _MOST_ROWS)
        self._list.setFixedSize(_LIST_WIDTH, rows * _ROW + 2)
        self._show_page()
        self.show_beside(anchor)
        self._say_choice()

    def labels(self) -> list[str]:
        """What is listed, from top to bottom."""
        return [str(self._model.index(row, 0).data()) for row in range(self._model.rowCount())]

    def current(self) -> Candidate | None:
        """The chosen proposal."""
        candidate = self._list.currentIndex().data(_CANDIDATE)
        return candidate if isinstance(candidate, Candidate) else None

    def first(self) -> Candidate | None:
        """The topmost proposal."""
        candidate = self._model.index(0, 0).data(_CANDIDATE)
        return candidate if isinstance(candidate, Candidate) else None

    def move_choice(self, by: int) -> None:
        """Chooses another row; steps of one go round, pages stop at the ends."""
        count, now = self._model.rowCount(), self._list.currentIndex().row()
        if now < 0:
            row = 0 if by > 0 else count - 1
        elif abs(by) == 1:
            row = (now + by) % count
        else:
            row = max(0, min(now + by, count - 1))
        self._list.setCurrentIndex(self._model.index(row, 0))
        self._say_choice()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._voice.cancel()

    def _say_choice(self) -> None:
        """The focus stays in the text, and so it is the text that speaks."""
        index = self._list.currentIndex()
        words = index.data(Qt.ItemDataRole.AccessibleTextRole) if index.isValid() else ""
        self._voice.choose(str(words), index.row(), self._model.rowCount())

    def _show_page(self) -> None:
        candidate = self.current() or self.first()
        documentation = candidate.completion.documentation if candidate else ""
        self._page.setText(documentation)
        self._page.setVisible(bool(documentation))
        self._page.setFixedHeight(max(self._list.height(), 0))
        if documentation:
            needed = self._page.heightForWidth(_PAGE_WIDTH)
            self._page.setFixedHeight(max(self._list.height(), min(needed, _MOST_ROWS * _ROW)))
        self.setFixedSize(_LIST_WIDTH + 2 + (_PAGE_WIDTH if documentation else 0), self._height())

    def _height(self) -> int:
        return max(self._list.height(), self._page.height() if self._page.text() else 0) + 6


def _pieces(label: str, meant: set[int]) -> list[tuple[bool, str]]:
    pieces: list[tuple[bool, str]] = []
    for at, letter in enumerate(label):
        is_meant = at in meant
        if pieces and pieces[-1][0] == is_meant:
            pieces[-1] = (is_meant, pieces[-1][1] + letter)
        else:
            pieces.append((is_meant, letter))
    return pieces


def _rect_of(option: QStyleOptionViewItem) -> QRect:
    # PySide's stubs do not know the fields that the option inherits.
    rect: QRect = option.rect
    return rect


def _is_selected(option: QStyleOptionViewItem) -> bool:
    return bool(option.state & QStyle.StateFlag.State_Selected)
