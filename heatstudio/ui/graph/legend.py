"""What the colors and lines of the picture mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from heatstudio.analysis.resource_graph import ResourceGraph
from heatstudio.ui.graph.card import service_color, service_names
from heatstudio.ui.graph.edge import LINE_STYLES
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.panel import GAP
from heatstudio.ui.widgets.plain_text import plain
from heatstudio.ui.widgets.theme import Color

_SWATCH, _LINE = 8.0, 22.0
_LINE_WORDS = {"reference": "reference", "depends_on": "depends_on", "implicit": "required by its type"}


class Legend(QWidget):
    """One row of colors and lines, as many as there is room for; the tool tip has all."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._services: list[tuple[str, str]] = []
        self._kinds: list[str] = []
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        appearance.theme_changed.connect(self.update)

    def show_graph(self, graph: ResourceGraph) -> None:
        """Explain what is in a graph: services by how many resources they have, then kinds of lines."""
        counts = Counter(node.service for node in graph.nodes.values())
        names = service_names()
        self._services = [
            (service, f"{names.get(service, 'other')} {count:,}") for service, count in counts.most_common()
        ]
        kinds = {edge.kind.value for edge in graph.edges}
        self._kinds = [kind for kind in _LINE_WORDS if kind in kinds]
        words = [*(text for _, text in self._services), *(_LINE_WORDS[kind] for kind in self._kinds)]
        self.setToolTip(plain("\n".join(words)))
        self.setAccessibleName(f"Legend: {', '.join(words)}")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, left, middle = self._appearance.theme, float(GAP), self.height() / 2
        for sign, width, text in self._entries():
            words = painter.fontMetrics().horizontalAdvance(text)
            if left + width + GAP / 2 + words > self.width():
                break
            if isinstance(sign, Color):
                painter.fillRect(QRectF(left, middle - _SWATCH / 2, width, _SWATCH), theme.color(sign))
            else:
                painter.setPen(QPen(theme.color(Color.MUTED), 1.5, sign))
                painter.drawLine(QLineF(left, middle, left + width, middle))
            painter.setPen(theme.color(Color.MUTED))
            left += width + GAP / 2
            painter.drawText(QRectF(left, 0, words + 1, self.height()), Qt.AlignmentFlag.AlignVCenter, text)
            left += words + GAP * 1.5
        painter.end()

    def _entries(self) -> Iterator[tuple[Color | Qt.PenStyle, float, str]]:
        for service, text in self._services:
            yield service_color(service), _SWATCH, text
        for kind in self._kinds:
            yield LINE_STYLES.get(kind, Qt.PenStyle.SolidLine), _LINE, _LINE_WORDS[kind]
