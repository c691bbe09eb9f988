"""A small card with one step of the tour."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeySequence, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from heatstudio.ui.tour.placing import Side
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.layouts import in_row
from heatstudio.ui.widgets.panel import GAP
from heatstudio.ui.widgets.plain_text import PlainLabel
from heatstudio.ui.widgets.row_delegate import caption_font
from heatstudio.ui.widgets.theme import Color

_WIDTH = 372
"""Where the buttons do not need more."""
_ARROW = 8
"""The height of the point that shows where the card belongs; the card keeps so much room on every side."""
_INNER = 14
NEXT, BACK = "Alt+N", "Alt+B"


class TourCard(QWidget):
    """Floats over the window and takes no key that anybody else could want."""

    next_requested = Signal()
    back_requested = Signal()
    end_requested = Signal()

    def __init__(self, appearance: Appearance, window: QWidget) -> None:
        super().__init__(window)
        self._appearance = appearance
        self._side, self._point = Side.INSIDE, QPointF()
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._layout = QVBoxLayout(self)
        self._count = PlainLabel()
        self._title = PlainLabel()
        self._text = PlainLabel()
        self.skip = self._button("Skip", "Esc", self.end_requested)
        self.back = self._button("Back", BACK, self.back_requested)
        self.next = self._button("Next", NEXT, self.next_requested)
        self.back.setShortcut(QKeySequence(BACK))
        self.next.setShortcut(QKeySequence(NEXT))
        self.next.setDefault(True)
        self._lay_out()
        appearance.theme_changed.connect(self.update)
        self.hide()

    def show_step(self, number: int, count: int, title: str, text: str) -> None:
        """Shows one step; they are counted from 1."""
        self._count.setText(f"{number} of {count}")
        self._title.setText(title)
        self._text.setText(text)
        self.back.setVisible(number > 1)
        self.skip.setVisible(number < count)
        self.next.setText(_with_key("Next" if number < count else "Done", NEXT))
        self.next.setShortcut(QKeySequence(NEXT))  # a new text takes the key away
        self.setAccessibleName(f"Tour, step {number} of {count}: {title}")
        self.setAccessibleDescription(text)
        width = max(_WIDTH, self._row_width())
        # The rows are as high as this text needs at this width.
        self.setFixedSize(width, self._layout.totalHeightForWidth(width))

    def _row_width(self) -> int:
        """What no button is cut off at, in whichever font; all of them count, so that all cards are equally wide."""
        parts = (self._count, self.skip, self.back, self.next)
        return sum(part.sizeHint().width() + GAP for part in parts) - GAP + 2 * (_ARROW + _INNER)

    def point_at(self, side: Side, anchor: QPoint) -> None:
        """Points at a point of the window from where the card stands."""
        here = QPointF(self.mapFrom(self.window(), anchor))
        least, most = _ARROW + 16, 16 + _ARROW
        x = max(least, min(here.x(), self.width() - most))
        y = max(least, min(here.y(), self.height() - most))
        self._side, self._point = side, QPointF(x, y)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A raised ground with a border, and the point at one side."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._appearance.theme
        painter.setPen(QPen(theme.color(Color.ACCENT), 1))
        painter.setBrush(theme.color(Color.RAISED_GROUND))
        painter.drawPath(self._outline())
        painter.end()

    def _outline(self) -> QPainterPath:
        body = QRectF(self.rect()).adjusted(_ARROW, _ARROW, -_ARROW, -_ARROW).adjusted(0.5, 0.5, -0.5, -0.5)
        path = QPainterPath()
        path.addRoundedRect(body, 6, 6)
        x, y = self._point.x(), self._point.y()
        ends = {
            Side.RIGHT: [(body.left(), y - 8), (body.left() - 7, y), (body.left(), y + 8)],
            Side.LEFT: [(body.right(), y - 8), (body.right() + 7, y), (body.right(), y + 8)],
            Side.BELOW: [(x - 8, body.top()), (x, body.top() - 7), (x + 8, body.top())],
            Side.ABOVE: [(x - 8, body.bottom()), (x, body.bottom() + 7), (x + 8, body.bottom())],
        }.get(self._side)
        if ends is None:
            return path
        arrow = QPainterPath(QPointF(*ends[0]))
        for end in ends[1:]:
            arrow.lineTo(*end)
        arrow.closeSubpath()
        return path.united(arrow)

    def _button(self, text: str, key: str, signal: SignalInstance) -> QPushButton:
        button = QPushButton(_with_key(text, key))
        button.setAccessibleName(text)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda _checked: signal.emit())
        return button

    def _lay_out(self) -> None:
        font = self._title.font()
        font.setBold(True)
        self._title.setFont(font)
        for label in (self._title, self._text):
            label.setWordWrap(True)
        self._count.setFont(caption_font(self.font()))
        self._count.setForegroundRole(self._count.palette().ColorRole.PlaceholderText)
        buttons = in_row((self._count, 1), self.skip, self.back, self.next, gap=GAP)
        layout = self._layout
        layout.setContentsMargins(*(4 * (_ARROW + _INNER,)))
        layout.setSpacing(GAP)
        layout.addWidget(self._title)
        layout.addWidget(self._text)
        layout.addSpacing(4)
        layout.addLayout(buttons)


def _with_key(text: str, key: str) -> str:
    return f"{text} ({QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)})"
