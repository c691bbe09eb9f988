"""The edge from a resource to a resource that it depends on."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPainterPathStroker, QPen, QPolygonF, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from heatstudio.analysis.resource_graph import GraphEdge, written_names
from heatstudio.ui.graph.card import level_of
from heatstudio.ui.graph.graph_layout import GraphLayout, Point
from heatstudio.ui.widgets import Appearance, Color, plain

_ARROW = 7.0
_MIRROR = QTransform(0, 1, 1, 0, 0, 0)
_STYLES = {"depends_on": Qt.PenStyle.DashLine, "implicit": Qt.PenStyle.DotLine}
_IMPLICIT = "implied by the resource types"


def level_of_edge(edge: GraphEdge) -> float:
    """Return the stacking order of an edge: cycles are in front, and all edges behind the cards of their level."""
    return level_of(edge.source) + (0.3 if edge.in_circle else 0.0)


class EdgeLine(QGraphicsItem):
    """The line of an edge: solid for a reference, dashed for `depends_on`, dotted if implied; red in a cycle."""

    def __init__(self, edge: GraphEdge, layout: GraphLayout, appearance: Appearance) -> None:
        super().__init__()
        self.edge = edge
        self._appearance = appearance
        self.outcome: Color | None = None
        """The color of the outcome that one end causes at the other, if any."""
        self._is_chosen = False
        way, turn = layout.routes[edge.source, edge.target], QTransform()
        if layout.is_sideways:
            way, turn = tuple(Point(at.y, at.x) for at in way), _MIRROR
        self._path = turn.map(_path(way))
        self._arrow = turn.map(_arrow(way))
        self._width = 1.0
        self.setToolTip(plain(self.describe()))
        self._settle()

    def describe(self) -> str:
        """Return the edge in words, with its references."""
        by = ", ".join(self.edge.words) or _IMPLICIT
        circle = "\nPart of a dependency cycle: Heat rejects the stack." if self.edge.in_circle else ""
        places = "".join(f"\n{'.'.join(map(str, path[1:]))}" for path in self.edge.paths[:6])
        source, target = ("/".join(written_names(end)) for end in (self.edge.source, self.edge.target))
        return f"{source} depends on {target} ({by}){places}{circle}"

    def light(self, outcome: Color | None, *, is_chosen: bool) -> None:
        """Highlight the line, and bring it to the front, if an end is selected or one end changes the other."""
        if (outcome, is_chosen) != (self.outcome, self._is_chosen):
            self.outcome, self._is_chosen = outcome, is_chosen
            self._settle()
            self.update()

    def _settle(self) -> None:
        is_front = self._is_chosen or self.outcome is not None
        self._width = 2.0 if is_front or self.edge.in_circle else 1.0
        self._dashes = QPainterPath()
        self.setZValue(level_of(self.edge.source) + 0.5 if is_front else level_of_edge(self.edge))

    def boundingRect(self) -> QRectF:
        return self._path.boundingRect().united(self._arrow.boundingRect()).adjusted(-2, -2, 2, 2)

    def shape(self) -> QPainterPath:
        """Return an area wider than the line, so that the mouse can reach it."""
        stroker = QPainterPathStroker()
        stroker.setWidth(8)
        return stroker.createStroke(self._path)

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        """Paint the line, and the arrow at the dependency."""
        color = self._appearance.theme.color(self._color())
        pen = QPen(color, self._width, _STYLES.get(self.edge.kind.value, Qt.PenStyle.SolidLine))
        if pen.style() is Qt.PenStyle.SolidLine or self.scene() is None:
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(self._path)
        else:  # the dashes of a pen depend on the part that is painted, so that they would not meet
            if self._dashes.isEmpty():
                self._dashes = QPainterPathStroker(pen).createStroke(self._path)
            painter.fillPath(self._dashes, color)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawPolygon(self._arrow)

    def _color(self) -> Color:
        if self.edge.in_circle:
            return Color.ERROR
        return self.outcome or (Color.ACCENT if self._is_chosen else Color.DISABLED)


def _path(way: Sequence[Point]) -> QPainterPath:
    """Return a path that is curved between rows and straight within them."""
    path = QPainterPath(QPointF(way[0].x, way[0].y))
    is_loop = way[0].x == way[-1].x and way[0].y != way[-1].y and len(way) == 4 and way[1].y == way[0].y
    if is_loop:
        path.cubicTo(*(QPointF(point.x, point.y) for point in way[1:]))
        return path
    for one, other in pairwise(way):
        middle = (one.y + other.y) / 2
        if one.x == other.x:
            path.lineTo(other.x, other.y)
        else:
            path.cubicTo(QPointF(one.x, middle), QPointF(other.x, middle), QPointF(other.x, other.y))
    return path


def _arrow(way: Sequence[Point]) -> QPolygonF:
    """Return the arrowhead at the end of a route."""
    end, before = way[-1], way[-2]
    if end.y == before.y:
        back = _ARROW if before.x > end.x else -_ARROW
        corners = (QPointF(end.x + back, end.y - _ARROW / 2), QPointF(end.x + back, end.y + _ARROW / 2))
    else:
        back = _ARROW if before.y > end.y else -_ARROW
        corners = (QPointF(end.x - _ARROW / 2, end.y + back), QPointF(end.x + _ARROW / 2, end.y + back))
    return QPolygonF([QPointF(end.x, end.y), *corners])
