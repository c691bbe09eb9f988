"""The life cycle of a resource type: its statuses, and a timeline with a symbol for each, the oldest first."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QLineF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from heatstudio.catalog.release import Release, Status, SupportStatus, release_of
from heatstudio.ui.widgets import Appearance, Color, icon_size, plain
from heatstudio.ui.widgets.row_delegate import caption_font

_GAP = 4
_LEAST_WIDE, _MOST_WIDE = 88, 132
"""The width of a column if several columns are next to each other."""
_ROWS = 2
"""The rows of text below each icon: the status and its first Heat version; a known release name is a third row."""
STATUS_ICONS = {
    Status.SUPPORTED: ("status-supported", Color.ADDED),
    Status.DEPRECATED: ("status-deprecated", Color.WARNING),
    Status.HIDDEN: ("status-hidden", Color.ERROR),
    Status.UNSUPPORTED: ("status-unsupported", Color.NOT_SUPPORTED),
}


class LifeState(Struct, frozen=True):
    """One status in the life cycle of a resource type."""

    status: Status
    since: str
    """The first Heat version with this status, such as `since 13.0.0`."""
    release: str
    """The OpenStack release of that Heat version, such as `Train`; empty if it is unknown."""

    def __str__(self) -> str:
        return f"{self.status} {self.since}" + (f" ({self.release})" if self.release else "")


def life(status: SupportStatus, releases: Sequence[Release]) -> tuple[LifeState, ...]:
    """Return the statuses of a support history, the oldest first."""
    return tuple(_life_state(state, releases) for state in reversed(list(status.chain())))


def _life_state(state: SupportStatus, releases: Sequence[Release]) -> LifeState:
    if not state.version:
        return LifeState(state.status, "since the first release", "")
    release = release_of(releases, state.version)
    return LifeState(state.status, f"since {state.version}", release.name if release is not None else "")


class LifeLine(QWidget):
    """One column for each status: its name, its first Heat version, and the name of that release."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._states: Sequence[LifeState] = ()
        self.setAccessibleName("Life cycle")
        self.setFont(caption_font(self.font()))
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        appearance.theme_changed.connect(self.update)
        appearance.scale_changed.connect(self._follow_scale)

    def _follow_scale(self) -> None:
        self.setFont(caption_font(self.font()))
        self._claim_height()

    def show_states(self, states: Sequence[LifeState]) -> None:
        """Show the statuses of a type, the oldest first."""
        self._states = states
        words = ", then ".join(str(state) for state in states)
        self.setAccessibleDescription(words)
        self.setToolTip(plain(words))
        self._claim_height()
        self.updateGeometry()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._claim_height()

    def _claim_height(self) -> None:
        """Set the height for the width as minimum: Qt only takes it as a hint, and would cut statuses off."""
        self.setMinimumHeight(self.heightForWidth(self.width()))

    def sizeHint(self) -> QSize:
        return QSize(0, self.heightForWidth(self.width()))

    def hasHeightForWidth(self) -> bool:
        """Return true: a narrow pane lists the statuses vertically."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of a row of icons above rows of text, or of one row per status."""
        if self._fits(width):
            rows = _ROWS + any(state.release for state in self._states)
            return icon_size().height() + _GAP + rows * self._row()
        return len(self._states) * (icon_size().height() + _GAP)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        beside = self._fits(self.width())
        width = min(self.width() / max(len(self._states), 1), _MOST_WIDE)
        height = icon_size().height() + _GAP
        for at, state in enumerate(self._states):
            if beside:
                self._paint_column(painter, QRectF(at * width, 0, width, self.height()), state)
            else:
                self._paint_row(painter, QRectF(0, at * height, self.width(), height), state)
        painter.end()

    def _fits(self, width: int) -> bool:
        return len(self._states) > 1 and width >= len(self._states) * _LEAST_WIDE

    def _row(self) -> int:
        return QFontMetrics(self.font()).height()

    def _paint_column(self, painter: QPainter, column: QRectF, state: LifeState) -> None:
        side = icon_size().width()
        line = QLineF(column.left() + side + _GAP, side / 2, column.right() - _GAP, side / 2)
        color = self._paint_sign(painter, column, state, line)
        words = ((str(state.status), color), (state.since, Color.TEXT), (state.release, Color.MUTED))
        for row, (text, tint) in enumerate(words):
            top = side + _GAP + row * self._row()
            self._write(painter, QRectF(column.left(), top, column.width() - 6, self._row()), text, tint)

    def _paint_row(self, painter: QPainter, row: QRectF, state: LifeState) -> None:
        side = icon_size().width()
        line = QLineF(side / 2, row.top() + side, side / 2, row.bottom())
        color = self._paint_sign(painter, row, state, line)
        self._write(painter, row.adjusted(side + 2 * _GAP, 0, 0, -_GAP), str(state), color)

    def _paint_sign(self, painter: QPainter, place: QRectF, state: LifeState, line: QLineF) -> Color:
        """Paint the icon of a status and the line to the next one; return the status color."""
        if state is not self._states[-1]:
            painter.setPen(QPen(self._appearance.theme.color(Color.DISABLED), 1.5))
            painter.drawLine(line)
        icon, color = STATUS_ICONS[state.status]
        square = QRect(round(place.left()), round(place.top()), icon_size().width(), icon_size().height())
        self._appearance.icon(icon, color).paint(painter, square)
        return color

    def _write(self, painter: QPainter, place: QRectF, words: str, color: Color) -> None:
        painter.setPen(self._appearance.theme.color(color))
        text = QFontMetrics(self.font()).elidedText(words, Qt.TextElideMode.ElideRight, int(place.width()))
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
