"""The graphics view: zoom and keys."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QResizeEvent, QTransform, QWheelEvent
from PySide6.QtWidgets import QGraphicsView

from heatstudio.text.invisible import visible
from heatstudio.ui.graph.card import Card
from heatstudio.ui.graph.scene import GraphScene
from heatstudio.ui.widgets.announcer import announce

STEP = 1.25
LEAST, MOST = 0.02, 3.0
READABLE = 0.6
"""The minimum zoom at which the text of cards is readable."""
_SLACK = 2
"""Pixels left free, so that rounding does not cause scroll bars."""
_ARROWS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right)


class GraphView(QGraphicsView):
    """The view of the graph: Ctrl+wheel, +, - and 0 zoom; arrow keys follow the edges, Enter goes to the text.

    Space opens and closes a nested stack; Ctrl+Down goes into it, Ctrl+Up out of it.
    """

    opened = Signal(str)
    """The resource whose text is to be shown."""

    def __init__(self, scene: GraphScene) -> None:
        super().__init__(scene)
        self._scene = scene
        self._is_fitted, self._is_whole = True, False
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
        if name is None or graph is None:
            self.setAccessibleDescription("Nothing selected. Home selects the first resource.")
            return
        needs = ", ".join(graph.needs[name]) or "nothing"
        users = ", ".join(graph.needed_by[name]) or "nothing"
        about = self._scene.cards[name].describe()
        self.setAccessibleDescription(visible(f"{about}. Depends on {needs}. Used by {users}."))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if control and key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._go(self._scene.inside() if key is Qt.Key.Key_Down else self._scene.owner())
        elif key in _ARROWS:
            near = self._scene.neighbors(key) if self._scene.chosen() is not None else iter(self._scene.cards)
            self._go(next(near, None))
        elif key is Qt.Key.Key_Space:
            self._scene.toggle(self._scene.chosen())
        elif key is Qt.Key.Key_Home:
            self._go(next(iter(self._scene.cards), None))
        elif key is Qt.Key.Key_End:
            self._go(next(reversed(self._scene.cards), None))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._scene.chosen():
            self.opened.emit(self._scene.chosen())
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_by(STEP)
        elif key is Qt.Key.Key_Minus:
            self.zoom_by(1 / STEP)
        elif key is Qt.Key.Key_0:
            self.fit()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(STEP ** (event.angleDelta().y() / 120))
            event.accept()
        else:
            super().wheelEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the card under the mouse, or start to drag the graph."""
        card = self._card_at(event)
        if card is not None and event.button() is Qt.MouseButton.LeftButton:
            if card.opens_at(self.mapToScene(event.position().toPoint())):
                self._scene.toggle(card.node.name)
            else:
                self._go(card.node.name)
            event.accept()
        else:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        card = self._card_at(event)
        if card is not None:
            self.opened.emit(card.node.name)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the whole graph visible until the user zooms."""
        super().resizeEvent(event)
        self.refit()

    def refit(self) -> None:
        """Fit the graph into the view, unless the user zoomed."""
        if self._is_fitted:
            self._show_everything()

    def _card_at(self, event: QMouseEvent) -> Card | None:
        item = self.itemAt(event.position().toPoint())
        return item if isinstance(item, Card) else None

    def _go(self, name: str | None) -> None:
        """Select a resource for the user, if there is one, and announce it."""
        if name is not None:
            self.choose(name)
            announce(self, self.accessibleDescription())
            self._scene.selected.emit(name)
