"""The graphics view: zoom and keys."""

from collections.abc import Callable
from typing import NamedTuple

from PySide6 import QtGui
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen, QTransform
from PySide6.QtWidgets import QApplication, QGraphicsView

from heatstudio.text.invisible import visible
from heatstudio.ui.graph.items import Card
from heatstudio.ui.graph.scene import GraphScene
from heatstudio.ui.widgets.announcer import announce
from heatstudio.ui.widgets.dragged_type import type_in

STEP = 1.25
LEAST, MOST = 0.02, 3.0
READABLE = 0.6
"""The minimum zoom at which the text of cards is readable."""
_SLACK = 2
"""Pixels left free, so that rounding does not cause scroll bars."""
_ARROWS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right)


class GraphPlace(NamedTuple):
    """The zoom and the position that the user chose."""

    zoom: float
    left: int
    top: int


class GraphView(QGraphicsView):
    """The view of the graph: Ctrl+wheel, +, - and 0 zoom; arrow keys follow the edges, Enter goes to the text.

    Space opens and closes a nested stack; Ctrl+Down goes into it, Ctrl+Up out of it. A resource that is dragged to
    another one is to be referred to there; L asks for the property, of any resource.
    """

    opened = Signal(str)
    """The resource whose text is to be shown."""
    link_requested = Signal(str, str)
    """A resource, and the one that is to refer to it; empty for any."""
    type_dropped = Signal(str, str)
    """A resource type, and the resource on which it was dropped; empty for none."""

    def __init__(self, scene: GraphScene) -> None:
        super().__init__(scene)
        self._scene = scene
        self._is_fitted, self._is_whole = True, False
        self._pressed: tuple[Card, QPointF] | None = None
        """The card and the position in the viewport where the mouse was pressed."""
        self._dragged_to: QPointF | None = None
        """The position in the viewport to which a card is dragged."""
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setFrameShape(QGraphicsView.Shape.NoFrame)
        self.setDragMode(QGraphicsView.DragMode.ScrollHandDrag)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setAccessibleName("Dependency graph")
        self.viewport().setAccessibleName("Dependency graph")
        self.horizontalScrollBar().setAccessibleName("Scroll the graph sideways")
        self.verticalScrollBar().setAccessibleName("Scroll the graph")
        scene.choice_shown.connect(self.describe)

    @property
    def zoom(self) -> float:
        """The zoom factor."""
        return self.transform().m11()

    def zoom_by(self, factor: float) -> None:
        """Multiply the zoom by a factor."""
        self._is_fitted = self._is_whole = False
        self._set_zoom(min(MOST, max(LEAST, self.zoom * factor)))

    @property
    def place(self) -> GraphPlace | None:
        """The zoom and the position that the user chose; None while the graph is fitted."""
        bars = self.horizontalScrollBar(), self.verticalScrollBar()
        return None if self._is_fitted else GraphPlace(self.zoom, *(bar.value() for bar in bars))

    def go_to(self, place: GraphPlace | None) -> None:
        """Show a place, or fit the graph."""
        self._is_fitted, self._is_whole = place is None, False
        if place is None:
            self._show_everything()
        else:
            self._set_zoom(place.zoom)
            self.horizontalScrollBar().setValue(place.left)
            self.verticalScrollBar().setValue(place.top)

    def fit(self) -> None:
        """Show the whole graph, at a zoom of at most 1."""
        self._is_fitted = self._is_whole = True
        self._show_everything()

    def _show_everything(self) -> None:
        """Set the zoom for the whole graph or, unless `fit` was requested, at least the zoom for readable text.

        The zoom depends on the size without scroll bars: otherwise, zoom and scroll bars would change each other
        endlessly.
        """
        area, room = self._scene.shown_area(), self.maximumViewportSize() - QSize(_SLACK, _SLACK)
        if area.isEmpty() or room.isEmpty():
            return
        factor = min(1.0, max(LEAST, min(room.width() / area.width(), room.height() / area.height())))
        if factor >= READABLE or self._is_whole:
            self._set_zoom(factor)
            self.centerOn(area.center())
            return
        self._set_zoom(READABLE)
        chosen = self._scene.cards.get(self._scene.chosen() or "")
        self.centerOn(chosen.head().center() if chosen is not None else area.topLeft())

    def _set_zoom(self, zoom: float) -> None:
        self.setTransform(QTransform.fromScale(zoom, zoom))

    def choose(self, name: str | None) -> None:
        """Select a resource and scroll to it."""
        self._scene.choose(name)
        if name is not None and name in self._scene.cards:
            self.ensureVisible(self._scene.cards[name].head(), 24, 24)
        self.describe()

    def describe(self) -> None:
        """Describe the selected resource and its edges for screen readers."""
        name, graph = self._scene.chosen(), self._scene.graph
        if name is None:
            self.setAccessibleDescription("Nothing selected. Home selects the first resource.")
            return
        needs = ", ".join(graph.needs[name]) or "nothing"
        users = ", ".join(graph.needed_by[name]) or "nothing"
        about = self._scene.cards[name].describe()
        self.setAccessibleDescription(visible(f"{about}. Depends on {needs}. Used by {users}. L: refer to it."))

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        key = Qt.Key(event.key())
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        act = self._acts().get(key)
        if control and key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._go(self._scene.inside() if key is Qt.Key.Key_Down else self._scene.owner())
        elif key in _ARROWS:
            near = self._scene.neighbors(key) if self._scene.chosen() is not None else iter(self._scene.cards)
            self._go(next(near, None))
        elif act is not None:
            act()
        else:
            super().keyPressEvent(event)

    def _acts(self) -> dict[Qt.Key, Callable[[], object]]:
        keys, cards, chosen = Qt.Key, self._scene.cards, self._scene.chosen()
        acts: dict[Qt.Key, Callable[[], object]] = {
            keys.Key_Space: lambda: self._scene.toggle(chosen),
            keys.Key_Home: lambda: self._go(next(iter(cards), None)),
            keys.Key_End: lambda: self._go(next(reversed(cards), None)),
            keys.Key_Plus: lambda: self.zoom_by(STEP),
            keys.Key_Equal: lambda: self.zoom_by(STEP),
            keys.Key_Minus: lambda: self.zoom_by(1 / STEP),
            keys.Key_0: self.fit,
        }
        if chosen is not None:
            acts |= dict.fromkeys((keys.Key_Return, keys.Key_Enter), lambda: self.opened.emit(chosen))
            acts[keys.Key_L] = lambda: self.link_requested.emit(chosen, "")
        return acts | {keys.Key_Escape: self._end_drag} if self._dragged_to is not None else acts

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(STEP ** (event.angleDelta().y() / 120))
            event.accept()
        else:
            super().wheelEvent(event)
            self._is_fitted &= self.maximumViewportSize() == self.viewport().size()  # without scroll bars

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """Select the card under the mouse, which may be dragged, or start to drag the graph."""
        card = self._card_at(event.position())
        if card is not None and event.button() is Qt.MouseButton.LeftButton:
            if card.opens_at(self.mapToScene(event.position().toPoint())):
                self._scene.toggle(card.node.name)
            else:
                self._go(card.node.name)
                self._pressed = (card, event.position())
            event.accept()
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        """Drag a line from the pressed card, or the graph."""
        if self._pressed is None:
            super().mouseMoveEvent(event)
            self._is_fitted &= not event.buttons()
            return
        way = event.position() - self._pressed[1]
        if self._dragged_to is not None or way.manhattanLength() >= QApplication.startDragDistance():
            self._dragged_to = event.position()
            self.viewport().update()

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        """Request a reference from the card under the mouse to the dragged one."""
        source, target = self._pressed, self._card_at(event.position())
        is_dragged = self._dragged_to is not None
        self._end_drag()
        self._pressed = None
        if is_dragged and source is not None and target not in (None, source[0]):
            self.link_requested.emit(source[0].node.name, target.node.name if target is not None else "")
        super().mouseReleaseEvent(event)

    def _end_drag(self) -> None:
        self._pressed = self._dragged_to = None
        self.viewport().update()

    def drawForeground(self, painter: QPainter, _rect: QRectF | QRect) -> None:
        """Paint a line from the dragged card to the mouse, and a ring around the card there."""
        if self._pressed is None or self._dragged_to is None:
            return
        source, target = self._pressed[0], self._card_at(self._dragged_to)
        painter.setPen(QPen(self.palette().accent().color(), 2, Qt.PenStyle.DashLine))
        painter.drawLine(source.head().center(), self.mapToScene(self._dragged_to.toPoint()))
        if target not in (None, source):
            painter.drawRoundedRect(target.head().adjusted(-4, -4, 4, 4), 7, 7)

    def dragEnterEvent(self, event: QtGui.QDragEnterEvent) -> None:
        self.dragMoveEvent(event)

    def dragMoveEvent(self, event: QtGui.QDragMoveEvent) -> None:
        """Accept resource types."""
        event.setAccepted(bool(type_in(event.mimeData())))

    def dropEvent(self, event: QtGui.QDropEvent) -> None:
        """Report a dropped type and the resource under it."""
        card = self._card_at(event.position())
        event.acceptProposedAction()
        self.type_dropped.emit(type_in(event.mimeData()), card.node.name if card is not None else "")

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        card = self._card_at(event.position())
        if card is not None:
            self.opened.emit(card.node.name)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """Keep the whole graph visible until the user zooms."""
        super().resizeEvent(event)
        self.refit()

    def refit(self) -> None:
        """Fit the graph into the view, unless the user zoomed."""
        if self._is_fitted:
            self._show_everything()

    def _card_at(self, place: QPointF) -> Card | None:
        item = self.itemAt(place.toPoint())
        return item if isinstance(item, Card) else None

    def _go(self, name: str | None) -> None:
        """Select a resource for the user, if there is one, and announce it."""
        if name is not None:
            self.choose(name)
            announce(self, self.accessibleDescription())
            self._scene.selected.emit(name)
