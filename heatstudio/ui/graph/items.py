"""The items of the graph: the card of a resource, and the edge to a resource that it depends on."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QIcon,
    QPainter,
    QPainterPath,
    QPainterPathStroker,
    QPen,
    QPolygonF,
    QTransform,
)
from PySide6.QtWidgets import QApplication, QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from heatstudio.analysis.resource_graph import GraphEdge, GraphNode, Members, written_names
from heatstudio.catalog.load import service_rank, service_titles
from heatstudio.text import counted
from heatstudio.text.invisible import visible
from heatstudio.ui.graph.graph_layout import GraphLayout, Measures, Point, Size
from heatstudio.ui.widgets import Appearance, Color, plain
from heatstudio.ui.widgets.appearance import TEXT_PIXELS
from heatstudio.ui.widgets.outcome import ShownOutcome, icon_of
from heatstudio.ui.widgets.row_delegate import short_type
from heatstudio.update.plan.outcome import GRAVE, Outcome

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


TEXT_FROM = 0.4
"""The zoom below which a card shows no text, which would not be readable."""
FADED = 0.22
_SERVICE_COLORS = (Color.KEY, Color.FUNCTION, Color.STRING, Color.REFERENCE, Color.RESOURCE_TYPE, Color.INFORMATION)
_STRIPE, _EDGE, _ICON = 4.0, 12.0, 16.0
_TINT = 0.08
"""The opacity of the outcome's color on the background of a card."""
_MEASURES = Measures()


@cache
def service_names() -> dict[str, str]:
    """Return the short name of each service, such as `Nova`."""
    return {service: title.partition("(")[2].rstrip(")") or title for service, title in service_titles().items()}


def service_color(service: str) -> Color:
    """Return the color of a service: a separate one for each of the most used services, gray for the others."""
    rank = service_rank(service) if service in service_titles() else len(_SERVICE_COLORS)
    return _SERVICE_COLORS[rank] if rank < len(_SERVICE_COLORS) else Color.MUTED


class CardOutcome(ShownOutcome, frozen=True):
    """The outcome of an update for the resources of a card."""

    inside: tuple[str, Outcome] | None = None
    """The severe outcomes inside, or of the resources on a shared card: counts in words, and the most severe one."""
    because: frozenset[str] = frozenset()
    """The names of the resources of the same stack that cause the outcome."""

    @property
    def is_grave(self) -> bool:
        """Whether the resource, or one inside, is lost or rejected."""
        return self.outcome in GRAVE or (self.inside is not None and self.inside[1] in GRAVE)

    @property
    def tail(self) -> tuple[str, Color]:
        """The outcome on the card, as words and color: a severe one inside has priority over the resource's own."""
        words, outcome = self.inside or (self.word, self.outcome)
        return words, icon_of(outcome)[1]


def count_sentence(members: Members, *, is_open: bool) -> str:
    """Return the number of members of a group in words."""
    number = members.number
    if number is None:
        words = "unknown number of members: a value is missing"
    else:
        words = f"{counted(number, 'member')}{' initially' if members.scales else ''}"
    return f"{words}; all are like the one shown" if is_open and members.alike and number != 1 else words


def level_of(name: str) -> float:
    """Return the stacking order of a resource: nested ones are in front of their parent."""
    return 2.0 * name.count("/")


class Card(QGraphicsItem):
    """The card of a resource with its name, type and outcome, in the colors of the current theme.

    An owner whose nested stack is open is a frame, of which only the head reacts to the mouse.
    """

    def __init__(self, node: GraphNode, appearance: Appearance, frame: Size | None = None) -> None:
        super().__init__()
        self.node = node
        self.verdict: CardOutcome | None = None
        self._appearance = appearance
        self._head = QRectF(0, 0, frame.width if frame is not None else _MEASURES.width, _MEASURES.height)
        self._box = QRectF(0, 0, frame.width, frame.height) if frame is not None else self._head
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsSelectable)
        self.setZValue(level_of(node.name) + 1)
        self.show_verdict(None)

    def show_verdict(self, verdict: CardOutcome | None) -> None:
        """Show the outcome of an update; None if it is unknown."""
        self.verdict = verdict
        words = [" / ".join(self.node.names), self.node.type or "no type"]
        if self.node.members is not None:
            words.append(count_sentence(self.node.members, is_open=self.node.is_open))
        if not self.node.enabled:
            words.append("not created: its condition is false")
        if verdict is not None:
            words.append(verdict.word if verdict.inside is None else f"{verdict.word}, {verdict.inside[0]}")
        if self.node.covers:
            words.append(f"{len(self.node.covers):,} resources; Space shows each of them")
        elif self.node.owns_stack:
            words.append("Space collapses its nested stack" if self.node.is_open else "Space expands its nested stack")
        self.setToolTip(plain("\n".join(words)))
        self.update()

    def describe(self) -> str:
        """Return the card in words, for screen readers."""
        return ", ".join(self.toolTip().split("\n"))

    def opens_at(self, place: QPointF) -> bool:
        """Return whether the sign that opens or closes a nested stack is at a scene position."""
        return self.node.owns_stack and self._sign().adjusted(-4, -4, 4, 4).contains(self.mapFromScene(place))

    def _sign(self) -> QRectF:
        return QRectF(6 + _STRIPE + 6, self._head.center().y() - _ICON / 2, _ICON, _ICON)

    def shape(self) -> QPainterPath:
        """Return the area that reacts to the mouse."""
        path = QPainterPath()
        path.addRect(self._head)
        return path

    def head(self) -> QRectF:
        """Return the rectangle of the head in the scene."""
        return self.mapRectToScene(self._head)

    def boundingRect(self) -> QRectF:
        """Return the rectangle of the card with the ring around a selected one."""
        return self._box.adjusted(-4, -4, 4, 4)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        """Paint the card; at a low zoom, only its shape and its colors."""
        theme = self._appearance.theme
        verdict = self.verdict if self.verdict is not None and self.verdict.is_change else None
        edge = theme.color(verdict.icon[1] if verdict else Color.EDGE)
        style = Qt.PenStyle.SolidLine if self.node.enabled else Qt.PenStyle.DashLine
        if self.isSelected():
            painter.setPen(QPen(theme.color(Color.ACCENT), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self._box.adjusted(-3, -3, 3, 3), 7, 7)
        painter.setPen(QPen(edge, 1.5 if verdict else 1, style))
        ground = Color.EDITOR_GROUND if self.node.is_open else Color.RAISED_GROUND
        painter.setBrush(theme.color(Color.SELECTION if self.isSelected() and not self.node.is_open else ground))
        painter.drawRoundedRect(self._box, 4, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        if verdict is not None:
            tint = QColor(edge)
            tint.setAlphaF(_TINT)
            painter.setBrush(tint)
            painter.drawRoundedRect(self._head, 4, 4)
        painter.setBrush(theme.color(service_color(self.node.service)))
        painter.drawRoundedRect(QRectF(6, 8, _STRIPE, self._head.height() - 16), 2, 2)
        if option.levelOfDetailFromTransform(painter.worldTransform()) >= TEXT_FROM:
            self._paint_words(painter, verdict)
        else:
            painter.setBrush(edge if verdict is not None else theme.color(service_color(self.node.service)))
            painter.drawRoundedRect(self._head.adjusted(4, 4, -4, -4), 3, 3)

    def _paint_words(self, painter: QPainter, verdict: CardOutcome | None) -> None:
        theme = self._appearance.theme
        bold = QFont(QApplication.font())
        bold.setPixelSize(TEXT_PIXELS)  # the graph has a zoom of its own
        bold.setBold(True)
        inner = self._head.adjusted(6 + _STRIPE + 8, 6, -_EDGE + 2, -6)
        if self.node.owns_stack:
            sign = "chevron-down" if self.node.is_open else "chevron-right"
            _paint_icon(painter, self._appearance.icon(sign, Color.ACCENT), self._sign().topLeft())
            inner.setLeft(self._sign().right() + 6)
        upper, lower = QRectF(inner), QRectF(inner)
        upper.setHeight(inner.height() / 2)
        lower.setTop(upper.bottom())
        if verdict is not None:
            icon = self._appearance.icon(*verdict.icon)
            _paint_icon(painter, icon, QPointF(upper.right() - _ICON, upper.center().y() - _ICON / 2))
            upper.setRight(upper.right() - _ICON - 6)
        painter.setPen(theme.color(Color.TEXT if self.node.enabled else Color.MUTED))
        members, sign = Members(len(self.node.covers)) if self.node.covers else self.node.members, ""
        if members is not None:
            number = "?" if members.number is None else f"{members.number:,}"
            sign = f"\N{NO-BREAK SPACE}\N{MULTIPLICATION SIGN} {number}"
        sign_width = QFontMetricsF(bold).horizontalAdvance(sign)
        width = _write(painter, upper.adjusted(0, 0, -sign_width, 0), self.node.label, bold)
        painter.setPen(theme.color(Color.MUTED))
        _write(painter, upper.adjusted(width, 0, 0, 0), sign, bold)
        small = QFont(QApplication.font())
        small.setPixelSize(TEXT_PIXELS - 2)
        tail, color = verdict.tail if verdict else ("" if self.node.enabled else "Not created", Color.MUTED)
        if tail:
            painter.setPen(theme.color(color))
            width = QFontMetricsF(small).horizontalAdvance(tail)
            painter.setFont(small)
            painter.drawText(lower, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), tail)
            lower.setRight(lower.right() - width - 8)
        painter.setPen(theme.color(Color.MUTED))
        _write(painter, lower, short_type(self.node.type), small)


def _paint_icon(painter: QPainter, icon: QIcon, at: QPointF) -> None:
    icon.paint(painter, QRect(at.toPoint(), QSize(int(_ICON), int(_ICON))))


def _write(painter: QPainter, room: QRectF, text: str, font: QFont) -> float:
    """Write a text, elided to the available space; return its width."""
    painter.setFont(font)
    shown = QFontMetricsF(font).elidedText(visible(text), Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), shown)
    return QFontMetricsF(font).horizontalAdvance(shown)
