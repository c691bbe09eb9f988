"""Leads from card to card; the window stays usable all the time."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPaintEvent, QRegion
from PySide6.QtWidgets import QMainWindow, QWidget

from heatstudio.ui.tour.card import TourCard
from heatstudio.ui.tour.placing import Side, place_card, place_inside
from heatstudio.ui.tour.step import STEPS, Place, Step
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.theme import Color

_LINE = 2


class Ring(QWidget):
    """Only the frame itself is there: what it surrounds is seen and clicked as ever."""

    def __init__(self, appearance: Appearance, window: QWidget) -> None:
        super().__init__(window)
        self._appearance = appearance
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def surround(self, place: QRect) -> None:
        """Moves around a rectangle of the window."""
        self.setGeometry(place)
        whole = QRect(0, 0, place.width(), place.height())
        self.setMask(QRegion(whole) - QRegion(whole.adjusted(_LINE, _LINE, -_LINE, -_LINE)))
        self.raise_()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._appearance.theme.color(Color.ACCENT))
        painter.end()


class Anchor(Struct, frozen=True):
    """Something of the window that a card stands beside."""

    place: Callable[[], QRect]
    """Where it is, in the window."""
    bring: Callable[[], object] = lambda: None
    """Brings it into sight."""
    is_room: bool = False
    """Whether the card stands in it, at the bottom, instead of beside it."""


class Tour(QObject):
    """Begun at the first start and from the Help menu; Escape ends it unless something else wants that key."""

    stepped = Signal(str)
    """What the card says now, for those who hear it."""
    ended = Signal()

    def __init__(
        self,
        window: QMainWindow,
        appearance: Appearance,
        anchors: Mapping[Place, Anchor],
        steps: Sequence[Step] = STEPS,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._anchors = anchors
        self._steps = steps
        self._at = 0
        self.ring = Ring(appearance, window)
        self.card = TourCard(appearance, window)
        self.card.next_requested.connect(lambda: self._go(1))
        self.card.back_requested.connect(lambda: self._go(-1))
        self.card.end_requested.connect(self.end)
        self._moved = QTimer(self, singleShot=True, interval=0)
        self._moved.timeout.connect(self._place)

    @property
    def step(self) -> Step | None:
        """What is told now; None while no tour is under way."""
        return None if self.card.isHidden() else self._steps[self._at]

    def start(self) -> None:
        """Shows the first card; the focus stays where it is."""
        self._at = 0
        self._window.installEventFilter(self)
        self._show()

    def take_focus(self) -> None:
        """Lets Enter go on, for one who asked for the tour."""
        self.card.next.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def end(self) -> None:
        """Takes the cards away."""
        self._window.removeEventFilter(self)
        had_focus = self.card.isAncestorOf(self._window.focusWidget() or self._window)
        self.ring.hide()
        self.card.hide()
        central = self._window.centralWidget()
        if had_focus and central is not None:
            central.setFocus()
        self.ended.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follows the window; a key comes here only if nothing inside wanted it."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._moved.start()
        is_escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if is_escape and event.type() is QEvent.Type.KeyPress:
            self.end()
            return True
        return super().eventFilter(watched, event)

    def _go(self, by: int) -> None:
        if self._at + by >= len(self._steps):
            self.end()
        else:
            self._at = max(0, self._at + by)
            self._show()

    def _show(self) -> None:
        step = self._steps[self._at]
        text = _with_keys(step.text)
        self._anchors[step.place].bring()
        self.card.show_step(self._at + 1, len(self._steps), step.title, text)
        self.card.show()
        self._place()
        self._moved.start()  # once more when docks that had to be unfolded have found their size
        self.stepped.emit(f"{self.card.accessibleName()}. {text}")

    def _place(self) -> None:
        if self.step is None:
            return
        wanted = self._anchors[self.step.place]
        anchor, room = wanted.place(), self._window.rect()
        corner, side = (place_inside if wanted.is_room else place_card)(anchor, self.card.size(), room)
        self.card.move(corner)
        self.card.point_at(side, anchor.center())
        if side is Side.INSIDE:
            self.ring.hide()
        else:
            self.ring.surround(anchor)
        self.card.raise_()


def _with_keys(text: str) -> str:
    """The keys in braces as this platform writes them."""
    native = QKeySequence.SequenceFormat.NativeText
    return re.sub(r"\{([^{}]+)\}", lambda key: QKeySequence(key[1]).toString(native), text)
